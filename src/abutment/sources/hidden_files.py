"""Which files differ, though git was told not to look at them?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from abutment.sources.file_names import text_of
from abutment.sources.git import output_of_git


def hidden_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that differ from git's index, and that git was told not to look at.

    `git update-index --assume-unchanged` and `--skip-worktree` tell it so, and no `git diff` shows them. One that is
    not there, as in a sparse checkout, does not count. Raises NotJudged where git fails.
    """
    rows = (record for record in output_of_git(root, "ls-files", "-v", "-z").split(b"\0") if record)
    paths = [row[2:] for row in rows if row[:1].islower() or row[:1] == b"S"]
    there = [path for path in paths if (root / text_of(path)).is_file()]
    if not there:
        return frozenset()
    kept = {path: blob for blob, path in _staged(output_of_git(root, "ls-files", "-s", "-z"))}
    asked = [path for path in there if b"\n" not in path]  # git reads one path a line
    now = output_of_git(root, "hash-object", "--stdin-paths", given=b"".join(path + b"\n" for path in asked)).split()
    same = {path for path, blob in zip(asked, now, strict=True) if kept.get(path) == blob}
    return frozenset(text_of(path) for path in there if path not in same)


def _staged(rows: bytes) -> Iterator[tuple[bytes, bytes]]:
    for row in filter(None, rows.split(b"\0")):
        place, _tab, path = row.partition(b"\t")
        yield place.split()[1], path
