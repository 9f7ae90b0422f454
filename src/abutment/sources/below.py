"""How is a folder of a tree read as a tree of its own?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abutment.errors import NotJudged
from abutment.sources.tree import Entry, Tree


class Below:
    """The files of a tree below one of its folders. What a link in it leads to is there as in the whole tree."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self._tree, self._folder = tree, folder

    def list(self, directory: str) -> Sequence[Entry]:
        """Return the directory's entries sorted by name; raises NotJudged where it cannot be read."""
        try:
            return self._tree.list(self._real(directory))
        except NotJudged as refusal:
            raise self._told(refusal) from refusal

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged (a fault with the path) where it cannot be read."""
        try:
            return self._tree.read(self._real(path))
        except NotJudged as refusal:
            raise self._told(refusal) from refusal

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path."""
        return self._tree.exists(self._real(path))

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
        return self._tree.identity(self._real(directory))

    def _real(self, path: str) -> str:
        return f"{self._folder}/{path}" if path else self._folder

    def _told(self, refusal: NotJudged) -> NotJudged:
        prefix = f"{self._folder}/"
        return NotJudged(replace(fault, path=fault.path.removeprefix(prefix)) for fault in refusal.faults)
