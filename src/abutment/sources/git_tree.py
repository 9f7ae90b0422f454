"""How is a revision read, or what the next commit would be, as a tree of files?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import text_of
from abutment.sources.git import LINK, SUBMODULE, commit, fetched, output_of_git, records, require_repository
from abutment.sources.listing import Listing
from abutment.sources.tree import Entry, Tree

# How far ahead blobs are asked for at once, from the one that is wanted: not far at first, and further to who reads on.
_FEW, _FURTHER, _AHEAD = 64, 8, 512
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  # by its id
_SHA1 = 40  # digits of a name


class _GitTree:
    """Files that git keeps: their paths are known at once, their bytes are fetched when asked for.

    `beside` is a tree that holds most of the same bytes at the same paths, like the work tree. Nothing is believed of
    it: git names bytes by their digest, and what has that digest are the bytes. So neither what git has noted about the
    work tree counts, nor filters and line ends, nor modes and links.
    """

    def __init__(self, root: Path, rows: Iterator[tuple[str, str, str]], beside: Tree | None = None) -> None:
        self._root, self._ahead, self._beside = root, min(_FEW, _AHEAD), beside
        self._blobs: dict[str, bytes] = {}
        self._ids: dict[str, str] = {}
        links: dict[str, str] = {}
        sealed: list[str] = []
        for mode, blob, path in rows:
            if mode == SUBMODULE:
                sealed.append(path)
            elif mode == LINK:
                links[path] = blob
            else:
                self._ids[path] = blob
        self._order = sorted(self._ids, key=lambda path: (path.rpartition(".")[2], path))
        self._place = {path: place for place, path in enumerate(self._order)}
        targets = fetched(root, list(links.values()))
        self._listing = Listing(self._ids, {path: text_of(targets[blob]) for path, blob in links.items()}, sealed)

    @property
    def files(self) -> frozenset[str]:
        """The paths of all regular files: what `tracked` is for such a tree."""
        return frozenset(self._ids)

    def list(self, directory: str) -> tuple[Entry, ...]:
        """Return the directory's entries sorted by name; raises NotJudged for a submodule or what is no directory."""
        return self._listing.list(directory)

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged where there is no such file."""
        real = self._listing.file(path)
        if real is None:
            raise NotJudged(Fault(path, 0, "there is no such file in this tree."))
        blob = self._ids[real]
        if blob in self._blobs:
            return self._blobs[blob]
        found = self._found_beside(real)
        if found is None:
            self._fetch(self._place[real])
            return self._blobs[blob]
        return found

    def _found_beside(self, path: str) -> bytes | None:
        """Return the bytes of one of our files if the tree beside has them at its path."""
        try:
            data = self._beside.read(path) if self._beside is not None else None
        except NotJudged:
            return None
        return data if data is not None and _blob_id(data, like=self._ids[path]) == self._ids[path] else None

    def _fetch(self, place: int) -> None:
        """Have git give the bytes of the file at a place in the order, and of its neighbours that are not beside."""
        near = self._order[place : place + self._ahead]
        beside = {self._ids[path]: self._found_beside(path) for path in near[1:]}
        self._blobs = {blob: data for blob, data in beside.items() if data is not None}  # each is read once
        self._blobs |= fetched(self._root, [self._ids[path] for path in near if self._ids[path] not in self._blobs])
        self._ahead = min(_FURTHER * self._ahead, _AHEAD)

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path."""
        return self._listing.file(path) is not None

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
        return self._listing.resolve(directory)


class GitTree(_GitTree):
    """The files below a folder as one revision has them."""

    def __init__(self, root: Path, rev: str, beside: Tree | None = None) -> None:
        named = rev if _COMMIT.fullmatch(rev) else commit(root, rev)
        super().__init__(root, _tree_rows(output_of_git(root, "ls-tree", "-r", "-z", named)), beside)


class IndexTree(_GitTree):
    """The files below a folder as the next commit would have them."""

    def __init__(self, root: Path) -> None:
        require_repository(root)
        super().__init__(root, _index_rows(output_of_git(root, "ls-files", "-z", "--stage")))


def _tree_rows(output: bytes) -> Iterator[tuple[str, str, str]]:
    for record in records(output):
        about, path = record.split("\t", 1)
        mode, _kind, blob = about.split(" ")
        yield mode, blob, path


def _index_rows(output: bytes) -> Iterator[tuple[str, str, str]]:
    for record in records(output):
        about, path = record.split("\t", 1)
        mode, blob, stage = about.split(" ")
        if stage != "0":
            raise NotJudged(Fault(path, 0, "the index holds an unsettled merge.", "Settle the merge first."))
        yield mode, blob, path


def _blob_id(data: bytes, like: str) -> str:
    """Return how git names a file's bytes, in a repository that names others `like` this: by SHA-1, or SHA-256."""
    digest = hashlib.sha1(usedforsecurity=False) if len(like) == _SHA1 else hashlib.sha256()
    digest.update(b"blob %d\0" % len(data))
    digest.update(data)
    return digest.hexdigest()
