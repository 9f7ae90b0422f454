"""Which text stands for a file's name? The same one on every machine, whatever its locale says.

A name is bytes. We read them as UTF-8; bytes that are none stand for themselves as lone surrogates, which no report
shows and no document holds. Left to Python, `LC_ALL=C` would make another module of `straße.py`.
"""

from __future__ import annotations

import os
from pathlib import Path


def text_of(name: bytes) -> str:
    """Return the text that stands for a name or a path."""
    return name.decode("utf-8", "surrogateescape")


def bytes_of(path: str) -> bytes:
    """Return the name or path that a text stands for; raises ValueError where it stands for none."""
    return path.encode("utf-8", "surrogateescape")


def text_of_path(path: str | os.PathLike[str]) -> str:
    """Return the text that stands for a path as Python names it under the locale of this process."""
    return text_of(os.fsencode(path))


def path_named(text: str) -> Path:
    """Return the path for which a text stands, as Python names it under the locale of this process."""
    return Path(os.fsdecode(bytes_of(text)))
