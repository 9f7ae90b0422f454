"""Is it the same text, but for a few lines and names? What tells what was renamed from another thing in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from abutment.errors import NotJudged
from abutment.sources.tree import Tree

Lines = Counter[bytes]
NO_LINES: Lines = Counter()

_ALIKE = 0.6  # of the lines, counted on the longer side
_FEWEST = 3  # lines with something in them: two files of imports alone are alike by chance
_NAME = re.compile(rb"[^\W\d]\w*(?:\.\w+)*")
_WORD = re.compile(rb"\w+")
_ASIDE = b"?"


class Aside:
    """Names that are put aside before texts are compared: of two texts each may call the same thing otherwise."""

    def __init__(self, names: Iterable[str]) -> None:
        self._whole = frozenset(name.encode() for name in names)
        self._last = frozenset(name.rpartition(b".")[2] for name in self._whole)  # as `from … import …` binds it

    def lines(self, data: bytes) -> Lines:
        """Return the lines that hold something, without those names."""
        lines = lines_of(data)
        if not self._whole:
            return lines
        bare: Lines = Counter()
        for line, count in lines.items():
            bare[_NAME.sub(self._put, line) if self._may_be_in(line) else line] += count
        return bare

    def written(self, data: bytes) -> list[bytes]:
        """Return a whole text without those of the names that have a dot, which no function or class is called by."""
        return [_NAME.sub(self._put_dotted, line) if self._may_be_in(line) else line for line in data.splitlines()]

    def _may_be_in(self, line: bytes) -> bool:
        """Say whether a word of the line ends one of the names: without such a one, none of them is in it."""
        return not self._last.isdisjoint(_WORD.findall(line))

    def _put_dotted(self, found: re.Match[bytes]) -> bytes:
        name = self._beginning(found[0])
        return _ASIDE + found[0][len(name) :] if b"." in name else found[0]

    def _put(self, found: re.Match[bytes]) -> bytes:
        name = self._beginning(found[0])
        return _ASIDE + found[0][len(name) :] if name in self._whole or name in self._last else found[0]

    def _beginning(self, name: bytes) -> bytes:
        """Return the longest beginning of a dotted name that is one of the names; else its first part."""
        while name not in self._whole and b"." in name:
            name = name.rpartition(b".")[0]
        return name


def bytes_of(tree: Tree, path: str) -> bytes:
    """Return what is in a file; nothing where it is not there or cannot be read."""
    try:
        return tree.read(path)
    except NotJudged:
        return b""


def lines_of(data: bytes) -> Lines:
    """Return the lines that hold something."""
    return Counter(line.strip() for line in data.splitlines() if line.strip())


def likeness(one: Lines, other: Lines) -> float:
    """Return how much of the longer text is in the other, wherever it stands; 0 where that is too little."""
    if one == other:
        return 1
    sizes = sorted((one.total(), other.total()))
    if sizes[1] < _FEWEST or sizes[0] < _ALIKE * sizes[1]:
        return 0
    share = (one & other).total() / sizes[1]
    return share if share >= _ALIKE else 0


def are_alike(one: Lines, other: Lines) -> bool:
    """Say whether two texts that are long enough to tell have most lines in common."""
    return max(one.total(), other.total()) >= _FEWEST and likeness(one, other) > 0
