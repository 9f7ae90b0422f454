"""What is in a tree of which only the paths are known: a revision, an index, or a table in memory?"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.tree import Entry, EntryKind

_MOST_LINKS = 40  # as many as Linux follows before it says that they loop


class Listing:
    """An index over paths, with links resolved as a file system would.

    `links` are paths of symbolic links and their targets; `sealed` are folders whose content is not known
    (submodules): asking for it is an error, never an empty answer.
    """

    def __init__(
        self, files: Iterable[str], links: Mapping[str, str] | None = None, sealed: Iterable[str] = ()
    ) -> None:
        self._links = dict(links or {})
        self._sealed = frozenset(sealed)
        self._kinds: dict[str, EntryKind] = {"": EntryKind.DIRECTORY}
        self._names: dict[str, list[str]] = {"": []}
        for path in (*files, *self._links):
            self._add(path, EntryKind.FILE)
        for path in self._sealed:
            self._add(path, EntryKind.DIRECTORY)

    def list(self, directory: str) -> tuple[Entry, ...]:
        """Return the directory's entries sorted by name; raises NotJudged where there is no such directory."""
        real = self.resolve(directory)
        if real is None or self._kinds[real] is not EntryKind.DIRECTORY:
            raise NotJudged(Fault(directory, 0, "there is no such folder."))
        if real in self._sealed:
            raise NotJudged(Fault(directory, 0, "the folder is a submodule: its files are not part of this tree."))
        return tuple(self._entry(real, name) for name in sorted(self._names[real]))

    def file(self, path: str) -> str | None:
        """Return the real path of the file that `path` leads to, or None where there is none."""
        real = self.resolve(path)
        return real if real is not None and self._kinds[real] is EntryKind.FILE else None

    def resolve(self, path: str) -> str | None:
        """Return the path with every link followed; None where it leads nowhere or out of the tree."""
        real = self._followed(path)
        return None if isinstance(real, EntryKind) else real

    def _followed(self, path: str) -> str | EntryKind:
        """Return the path with every link followed, or why that comes to nothing."""
        if not self._links and path in self._kinds:
            return path
        real, rest, followed = "", list(reversed(path.split("/"))) if path else [], 0
        while rest:
            part = rest.pop()
            if part == "..":
                if not real:
                    return EntryKind.OUTSIDE
                real = real.rpartition("/")[0]
                continue
            if part in ("", "."):
                continue
            step = posixpath.join(real, part)
            target = self._links.get(step)
            if target is None:
                if step not in self._kinds:
                    return EntryKind.DANGLING
                real = step
            elif target.startswith("/") or followed == _MOST_LINKS:
                return EntryKind.OUTSIDE if target.startswith("/") else EntryKind.DANGLING
            else:
                followed += 1
                rest.extend(reversed(target.split("/")))
        return real

    def _entry(self, folder: str, name: str) -> Entry:
        path = posixpath.join(folder, name)
        if path not in self._links:
            return Entry(name, self._kinds[path])
        real = self._followed(path)
        return Entry(name, real if isinstance(real, EntryKind) else self._kinds[real], linked=True)

    def _add(self, path: str, kind: EntryKind) -> None:
        while path not in self._kinds:
            self._kinds[path] = kind
            if kind is EntryKind.DIRECTORY:
                self._names.setdefault(path, [])
            parent, _, name = path.rpartition("/")
            self._names.setdefault(parent, []).append(name)
            path, kind = parent, EntryKind.DIRECTORY
