"""Which files differ, though git was told not to look at them?"""

from __future__ import annotations

from pathlib import Path

from abutment.sources.file_names import path_named, text_of
from abutment.sources.git import output_of_git


def hidden_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that differ from git's index, and that git was told not to look at.

    `git update-index --assume-unchanged` and `--skip-worktree` tell it so, and no `git diff` shows them. One that is
    not there, as in a sparse checkout, does not count. Raises NotJudged where git fails.
    """
    rows = output_of_git(root, "ls-files", "-v", "-s", "-z").split(b"\0")
    hidden = dict(_kept(row) for row in rows if row[:1].islower() or row[:1] == b"S")
    there = [path for path in hidden if (root / path_named(text_of(path))).is_file()]
    if not there:
        return frozenset()
    asked = [path for path in there if b"\n" not in path]  # git reads one path a line
    now = output_of_git(root, "hash-object", "--stdin-paths", given=b"".join(path + b"\n" for path in asked)).split()
    same = {path for path, blob in zip(asked, now, strict=True) if hidden[path] == blob}
    return frozenset(text_of(path) for path in there if path not in same)


def _kept(row: bytes) -> tuple[bytes, bytes]:
    """Return the path of a row of the index, and by which digest git names what it has of it."""
    about, _tab, path = row.partition(b"\t")
    _tag, _mode, blob, _stage = about.split()
    return path, blob
