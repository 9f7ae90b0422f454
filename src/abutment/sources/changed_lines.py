"""Which lines, and which files, did a branch change?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.git import differences, untracked_files
from abutment.sources.hidden_files import hidden_files
from abutment.sources.history import find_bases

_FILE = b"diff --git "
_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(?P<first>\d+)(?:,(?P<many>\d+))? @@")


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """The lines of a work tree that are not as they were at a commit; git calls a line what a line feed ends."""

    base: str  # how the commit reads: "origin/main at 1a2b3c4d"
    lines: Mapping[str, frozenset[int]]  # by path; none for a file that was deleted, or lost lines only
    whole: frozenset[str] = frozenset()  # files that git does not know yet, or may not look at: every line of them

    @property
    def files(self) -> frozenset[str]:
        """Every file that changed in any way, deleted ones included."""
        return frozenset(self.lines) | self.whole

    def touched(self, path: str, lines: frozenset[int]) -> frozenset[int]:
        """Return which of a file's lines changed."""
        return lines if path in self.whole else lines & self.lines.get(path, frozenset())


def changed_lines(root: Path, ref: str | None, where: str) -> ChangedLines:
    """Return what changed below `root` since the branch left `ref`, or the main branch where it is None.

    `where` says which setting names that branch. Raises NotJudged, naming the fetch that is needed, where this clone
    does not have the commit.
    """
    bases = find_bases(root, ref, otherwise=where)
    names, patch = differences(root, bases.merge_base)
    parts = list(_by_file(patch))
    if len(parts) != len(names):
        message = f"git names {len(names)} files that differ from {bases.name}, and shows {len(parts)}."
        raise NotJudged(Fault("", 0, message, "Settle the merge, or whatever changes files just now."))
    lines = {name: frozenset(_added(part)) for name, part in zip(names, parts, strict=True)}
    return ChangedLines(bases.name, lines, untracked_files(root) | hidden_files(root))


def _by_file(patch: bytes) -> Iterator[list[bytes]]:
    part: list[bytes] | None = None
    for line in patch.split(b"\n"):
        if line.startswith(_FILE):
            if part is not None:
                yield part
            part = []
        if part is not None:
            part.append(line)
    if part is not None:
        yield part


def _added(part: list[bytes]) -> Iterator[int]:
    for line in part:
        hunk = _HUNK.match(line)
        if hunk is not None:
            first, many = int(hunk["first"]), int(hunk["many"] or 1)
            yield from range(first, first + many)
