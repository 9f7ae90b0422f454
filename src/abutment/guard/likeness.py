"""Is it the same text, but for a few lines? What tells a module that was renamed from another one in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from abutment.errors import NotJudged
from abutment.guard.codebase import Code, Codebase
from abutment.guard.revision import Revision
from abutment.sources.tree import Tree

Lines = Counter[bytes]
NO_LINES: Lines = Counter()

_ALIKE = 0.6  # of the lines, counted on the longer side
_FEWEST = 3  # lines with something in them: two files of imports alone are alike by chance


def likeness(before: Revision, old: Code, after: Revision, new: Code) -> Callable[[str, str], bool]:
    """Return a function that says whether a module or package reads like an earlier one, the two names aside."""

    @cache
    def alike(one: str, other: str) -> bool:
        was = _text(before.tree, old(), one, one, other)
        now = _text(after.tree, new(), other, one, other)
        return was == now or are_alike(was, now)

    return alike


def _text(tree: Tree, code: Codebase, name: str, old: str, new: str) -> Lines:
    files = (*code.judged.items(), *code.tests.items())
    paths = [path for path, module in files if f"{module}.".startswith(f"{name}.")]
    whole: Lines = Counter()
    for path in paths:
        whole += lines_of(bytes_of(tree, path))
    wanted, put = re.compile(rb"\b%s\b" % re.escape(old.encode())), new.encode()
    said: Lines = Counter()
    for line, count in whole.items():
        said[wanted.sub(put, line)] += count
    return said


def bytes_of(tree: Tree, path: str) -> bytes:
    """Return what is in a file; nothing where it is not there or cannot be read."""
    try:
        return tree.read(path)
    except NotJudged:
        return b""


def lines_of(data: bytes) -> Lines:
    """Return the lines that hold something."""
    return Counter(line.strip() for line in data.splitlines() if line.strip())


def are_alike(one: Lines, other: Lines) -> bool:
    """Say whether most lines are in both, wherever they stand."""
    longer = max(one.total(), other.total())
    return longer >= _FEWEST and (one & other).total() >= _ALIKE * longer
