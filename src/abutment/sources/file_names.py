"""Which text stands for a file's name? The same one on every machine, whatever its locale says.

A name is bytes. We read them as UTF-8; bytes that are none stand for themselves as lone surrogates, which no report
shows and no document holds. Left to Python, `LC_ALL=C` would make another module of `straße.py`.
"""

from __future__ import annotations


def text_of(name: bytes) -> str:
    """Return the text that stands for a name or a path."""
    return name.decode("utf-8", "surrogateescape")


def bytes_of(path: str) -> bytes:
    """Return the name or path that a text stands for; raises ValueError where it stands for none."""
    return path.encode("utf-8", "surrogateescape")
