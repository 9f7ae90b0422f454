"""What did the user configure for the project as a whole?

Settings of one gate are read by that gate; here stands what all of them share.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from types import MappingProxyType

from abutment.errors import NotJudged
from abutment.model.reading import Faults, TableReader, shown
from abutment.model.site import Site
from abutment.sources.settings import Given, RawSettings, overlaid
from abutment.sources.tree import EntryKind, Tree
from abutment.sources.universe import Role, Root
from abutment.sources.work_tree import WorkTree

DOCUMENTS = "fixtures/architecture"
_SHARED_KEYS = ("roots", "exclude", "documents", "gates")
_CREATE = "`abutment init` proposes them for the code it finds."
_ELSEWHERE = "Write it relative to the configuration, as `src` or `packages/core`."
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Config:
    """One resolved configuration, and the tables that gates still have to read."""

    file: str  # "pyproject.toml" or "abutment.toml", relative to the root
    root: str  # the folder that holds it, as an absolute path; never part of a report's identity
    roots: tuple[Root, ...]
    exclude: tuple[str, ...]  # gitignore-style patterns, relative to the root
    documents: str  # folder of policies, baselines and receipts, relative to the root
    gates: tuple[str, ...]  # switched on, in the order written
    raw: RawSettings  # as written, before anything was checked
    table: TableReader  # [tool.abutment] and what is given for this run, for each gate's own `read_settings`
    origins: tuple[tuple[str, str], ...]  # (key, "default" or "pyproject.toml:12"), for `abutment config`
    faults: Faults = field(default_factory=Faults)  # of this configuration, gates' tables included; raised once

    def gate_site(self, name: str) -> Site:
        """Return where a gate is switched on; no place for one that is not."""
        if name not in self.gates:
            return Site("")
        return Site(self.file, self.table.line("gates", self.table.values("gates", ()).index(name)))

    def exclude_site(self, at: int) -> Site:
        """Return where a pattern of `exclude` stands."""
        return Site(self.file, self.table.line("exclude", at))


_NOTHING: Given = MappingProxyType({})


def read_config(raw: RawSettings, tree: Tree | None = None, given: Given = _NOTHING) -> Config:
    """Return the shared settings. Faults are collected in `Config.faults`, beside those that gates will add.

    Whoever asked the gates for their settings calls `close_config` and then `config.faults.raise_if_any()`.
    `tree` is where the roots have to exist: by default the work tree around the configuration. `given` are settings of
    gates for this run alone; the law that the guard compares is the one as written.
    """
    faults = Faults()
    table = TableReader(raw.file, overlaid(raw.table, given), faults, raw.locate)
    roots = _read_roots(table)
    try:
        _check_that_roots_exist(table, roots, tree if tree is not None else WorkTree(Path(raw.root)))
    except NotJudged as unreadable:
        faults.found.extend(unreadable.faults)
    documents = _read_documents(table)
    _check_documents_hold_no_root(table, documents, roots)
    return Config(
        file=raw.file,
        root=raw.root,
        roots=tuple(roots.values()),
        exclude=read_patterns(table, "exclude"),
        documents=documents,
        gates=_read_gates(table),
        raw=raw,
        table=table,
        origins=tuple((key, _origin(table, raw.file, key)) for key in _SHARED_KEYS),
        faults=faults,
    )


def close_config(config: Config, gates: Iterable[str]) -> None:
    """Note a fault for each key that neither the project as a whole nor one of the `gates` reads."""
    config.table.ignore("contracts", *gates)
    config.table.close()


def read_patterns(table: TableReader, key: str) -> tuple[str, ...]:
    """Return a list of gitignore-style patterns, () where it is absent; each that can match nothing is a fault."""
    from abutment.sources.ignore import BadPattern, check_pattern

    patterns = table.texts(key, ())
    for index, pattern in enumerate(patterns):
        try:
            check_pattern(pattern)
        except BadPattern as error:
            table.fault((key, index), f"{pattern!r} is no pattern: {error}")
    return patterns


def _origin(table: TableReader, file: str, key: str) -> str:
    return f"{file}:{table.line(key)}" if key in table else "default"


def _read_roots(table: TableReader) -> Mapping[int, Root]:
    """Return the roots by their place in the list; those with a fault are not among them."""
    if "roots" not in table:
        table.ignore("roots")
        table.fault((), "roots is missing: expected a list of folders, packages or files", _CREATE)
        return {}
    roots: dict[int, Root] = {}
    for index, value in enumerate(table.values("roots", (), least=1)):
        root = _read_root(table, index, value)
        if root is None:
            continue
        same = next((at for at, other in roots.items() if other.path == root.path), None)
        if same is not None:
            table.fault(("roots", index), f"{root.path!r} is listed already, on line {table.line('roots', same)}")
            continue
        roots[index] = root
    return roots


def _read_root(table: TableReader, index: int, value: object) -> Root | None:
    if isinstance(value, Mapping):
        below = table.member("roots", index)
        role = Role(below.choice("role", tuple(Role), Role.SOURCE))
        package = below.optional_text("package") or ""
        if package and not _DOTTED.fullmatch(package):
            below.fault(("package",), f"{package!r} is no dotted package name")
        path = below.text("path")
        below.close()
        at: tuple[str | int, ...] = ("roots", index, "path") if "path" in below else ("roots", index)
        normal = _inside(table, at, path) if path.strip() else None
        return None if normal is None else Root(normal, role, package)
    if not isinstance(value, str) or not value.strip():
        table.fault(("roots", index), f"expected a path or a table with one, found {shown(value)}")
        return None
    normal = _inside(table, ("roots", index), value)
    return None if normal is None else Root(normal)


def _inside(table: TableReader, at: Sequence[str | int], path: str) -> str | None:
    """Return the path without "./" and a trailing "/"; None, and a fault, where it leads out of the project."""
    if "\\" in path or PureWindowsPath(path).drive:
        table.fault(at, f"{path!r}: folders are separated by /", _ELSEWHERE)
        return None
    normal = posixpath.normpath(path)
    if path.startswith("/") or normal == ".." or normal.startswith("../"):
        table.fault(at, f"{path!r} lies outside of the project", _ELSEWHERE)
        return None
    return normal


def _check_that_roots_exist(table: TableReader, roots: Mapping[int, Root], tree: Tree) -> None:
    for index, root in roots.items():
        kind = _kind_at(tree, root.path)
        if kind is EntryKind.DIRECTORY or (kind is EntryKind.FILE and root.path.endswith((".py", ".pyi"))):
            continue
        why = {
            None: "there is no such folder or file",
            EntryKind.OUTSIDE: "the link leads out of the project",
            EntryKind.DANGLING: "the link leads nowhere",
        }.get(kind, "neither a folder nor a Python file")
        table.fault(("roots", index), f"{root.path!r}: {why}", "Correct the path, or remove the root.")


def _kind_at(tree: Tree, path: str) -> EntryKind | None:
    """Return what is at the path, None where there is nothing; raises NotJudged where a folder cannot be read."""
    kind: EntryKind | None = EntryKind.DIRECTORY
    at = ""
    for part in path.split("/") if path != "." else ():
        if kind is not EntryKind.DIRECTORY:
            return None if kind is EntryKind.FILE else kind
        kind = next((entry.kind for entry in tree.list(at) if entry.name == part), None)
        at = f"{at}/{part}" if at else part
    return kind


def _read_documents(table: TableReader) -> str:
    written = table.text("documents", DOCUMENTS)
    normal = _inside(table, ("documents",), written) if written.strip() else None
    return normal if normal is not None else DOCUMENTS


def _check_documents_hold_no_root(table: TableReader, documents: str, roots: Mapping[int, Root]) -> None:
    if "documents" not in table:
        return
    for root in roots.values():
        if documents in (".", root.path) or root.path.startswith(f"{documents}/"):
            message = f"{documents!r} holds the root {root.path!r}"
            table.fault(("documents",), message, "Give documents a folder of their own.")
            return


def _read_gates(table: TableReader) -> tuple[str, ...]:
    names = table.texts("gates", ())
    for index, name in enumerate(names):
        if name in names[:index]:
            table.fault(("gates", index), f"{name!r} is listed twice")
    return tuple(dict.fromkeys(names))
