"""Is a file or folder there that must not be?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from abutment.model.loosening import Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Kind
from abutment.policies.contracts.edges import Edges
from abutment.sources.tree import EntryKind, Tree

TREE = "<tree>"  # stands where other kinds name an importer
BYTECODE = "__pycache__"  # what is left of a folder that git no longer has is no folder


@dataclass(frozen=True, slots=True)
class AbsentPath:
    """None of `paths` exists, and folder `folder` holds nothing but `only`."""

    paths: tuple[str, ...] = ()
    folder: str | None = None
    only: tuple[str, ...] = ()


def read(reader: TableReader) -> AbsentPath:
    """Read the keys of this kind."""
    if "paths" not in reader and "folder" not in reader:
        reader.fault((), "needs `paths`, or `folder` with `only`", "Say which paths must not exist.")
    if ("folder" in reader) != ("only" in reader):
        reader.fault((), "`folder` and `only` belong together", "Say what alone may stand in the folder.")
    return AbsentPath(
        paths=tuple(_path(reader, ("paths", index), text) for index, text in enumerate(reader.texts("paths", ()))),
        folder=_path(reader, ("folder",), reader.text("folder")) if "folder" in reader else None,
        only=reader.texts("only", ()),
    )


def _path(reader: TableReader, below: tuple[str | int, ...], text: str) -> str:
    parts = text.removesuffix("/").split("/")
    if "\\" in text or "*" in text or any(part in ("", "..") for part in parts) or (parts[0] == "." and parts[1:]):
        reader.fault(below, f"{text!r} is no path relative to the root", "Write `app/legacy` or `app/old.py`.")
    return "" if parts == ["."] else "/".join(parts)


def find(codebase: Codebase, _edges: Edges, contract: Contract) -> Findings:
    """Return a breach for each path of the codebase that must not be there."""
    law: AbsentPath = contract.law
    if law.folder and law.only and law.folder not in codebase.paths:
        return Findings(faults=(contract.fault(contract.site, f"there is no folder {law.folder!r}."),))
    return Findings(tuple(breaches(codebase.paths, law)))


def breaches(paths: frozenset[str], law: AbsentPath) -> Iterator[Breach]:
    """Yield each path among those present that the contract does not want."""
    for path in sorted(paths & {*law.paths}):
        yield Breach(TREE, path, f"{path} exists", "must not exist")
    if law.folder is None:
        return
    above = f"{law.folder}/" if law.folder else ""
    for path in sorted(paths.difference(law.paths)):
        name = path.removeprefix(above)
        if path.startswith(above) and "/" not in name and name not in law.only:
            yield Breach(TREE, path, f"{path} exists", f"{law.folder or 'the root'} may hold only what `only` lists")


def present(tree: Tree, laws: Iterable[AbsentPath]) -> frozenset[str]:
    """Return the paths that these contracts have to know of and that exist in the tree; raises NotJudged."""
    found: set[str] = set()
    listing = _Listing(tree)
    for law in laws:
        found.update(path for path in law.paths if listing.has(path))
        if law.folder is not None:
            above = f"{law.folder}/" if law.folder else ""
            found.update(above + name for name in listing.names(law.folder))
            found.update([law.folder] if law.folder and listing.has(law.folder) else ())
    return frozenset(found)


class _Listing:
    """What the tree holds; a folder without files, bytecode aside, is not there."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def has(self, path: str) -> bool:
        """Say whether there is such a file or folder, by exactly that spelling."""
        folder, _, name = path.rpartition("/")
        if folder and not self.has(folder):
            return False
        return name in self.names(folder)

    def names(self, folder: str) -> list[str]:
        """Return the names in a folder; none where there is no such folder."""
        above = f"{folder}/" if folder else ""
        if folder and not self._is(folder, EntryKind.DIRECTORY):
            return []
        entries = self._tree.list(folder)
        return [
            entry.name
            for entry in entries
            if entry.name != BYTECODE
            and (entry.kind is not EntryKind.DIRECTORY or entry.linked or self._filled(above + entry.name))
        ]

    def _is(self, path: str, kind: EntryKind) -> bool:
        folder, _, name = path.rpartition("/")
        if folder and not self._is(folder, EntryKind.DIRECTORY):
            return False
        return any(entry.name == name and entry.kind is kind for entry in self._tree.list(folder))

    def _filled(self, folder: str) -> bool:
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            for entry in self._tree.list(here):
                if entry.kind is not EntryKind.DIRECTORY:
                    return True
                if entry.name != BYTECODE and not entry.linked:
                    waiting.append(f"{here}/{entry.name}")
        return False


def places(_codebase: Codebase, _contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the path itself."""
    return (Site(breach.imported),)


KIND = Kind(
    name="absent_path",
    rule="ABT311",
    read=read,
    find=find,
    remedy="Delete it; what it held has another home by now.",
    ignores=False,
    imports=False,
    places=places,
    loosening=Loosening({"paths": Requires(), "only": Permits(dotted=False)}),
)
