"""How is a file opened that somebody else may have put something in the place of?"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

# A pipe to which nobody writes would stop whoever opens it, unless it is opened without waiting.
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def opened(path: Path) -> BinaryIO:
    """Return a regular file, open for reading; raises OSError where there is none."""
    descriptor = os.open(path, _OPEN)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def content(path: Path) -> bytes:
    """Return a regular file's bytes; raises OSError where there is none."""
    with opened(path) as file:
        return file.read()
