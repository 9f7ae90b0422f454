"""Which files of a tree match a pattern?"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from abutment.sources.tree import EntryKind, Tree


def matching(tree: Tree, pattern: str) -> Iterator[str]:
    """Yield the files whose paths match, a star standing for any name of one level."""
    found = [""]
    *folders, last = pattern.split("/")
    for part in folders:
        found = [path for above in found for path in _entries(tree, above, part, EntryKind.DIRECTORY)]
    for above in found:
        yield from _entries(tree, above, last, EntryKind.FILE)


def _entries(tree: Tree, above: str, pattern: str, kind: EntryKind) -> Iterator[str]:
    for entry in tree.list(above):
        if entry.kind is kind and fnmatch.fnmatchcase(entry.name, pattern):
            yield f"{above}/{entry.name}" if above else entry.name
