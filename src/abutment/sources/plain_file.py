"""How is a file opened that somebody else may have put something in the place of?"""

from __future__ import annotations

import errno
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
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def content(path: Path) -> bytes:
    """Return a regular file's bytes; raises OSError where there is none."""
    with opened(path) as file:
        return file.read()
