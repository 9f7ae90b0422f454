"""Which contracts does a `tach.toml` hold, and how do they read here?

Every module of tach's becomes one contract: what its files may not import. What gives another verdict than tach's is
not carried over but named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from abutment.adopt.configuration import Carried
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.reading import Faults, TableReader
from abutment.model.selector import Selector, within
from abutment.sources.toml_document import load_toml
from abutment.sources.tree import EntryKind, Tree

FILE, DOMAIN_FILE = "tach.toml", "tach.domain.toml"
ROOT = "<root>"
NOT_SOURCE = frozenset({"node_modules", "__pycache__", "venv", "env", "build", "dist", "site-packages"})
ABOUT = (
    'tach reads import statements alone: `reading = "statements"`. Take it out, contract by contract, to judge also '
    "constant dynamic imports."
)


@dataclass(frozen=True, slots=True)
class Module:
    """One module of tach's: the files below `path` that no deeper module has."""

    path: str
    depends_on: tuple[str, ...] | None  # None: everything
    cannot_depend_on: tuple[str, ...] = ()
    layer: str | None = None
    visibility: tuple[str, ...] | None = None  # None: everybody
    utility: bool = False  # everybody may import it
    unchecked: bool = False

    def may_be_seen_by(self, other: Module) -> bool:
        """Say whether the other stands on the list of those who may import this one."""
        return self.visibility is None or _matches(self.visibility, other.path)


@dataclass(frozen=True, slots=True)
class Layer:
    """One of tach's layers, from the top down."""

    name: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """What a `tach.toml` says."""

    modules: tuple[Module, ...]
    layers: tuple[Layer, ...]
    roots: tuple[str, ...]
    counts_typing: bool
    explicit: bool  # also a lower layer has to be named in `depends_on`
    remarks: tuple[str, ...]  # what is not carried over

    def allows(self, one: Module, other: Module) -> bool:
        """Say whether the one may import the other."""
        if _matches(one.cannot_depend_on, other.path):
            return False
        if other.utility:
            return True
        by_layer = self._by_layer(one, other)
        if by_layer is not None:
            return by_layer
        if not other.may_be_seen_by(one):
            return False
        return one.depends_on is None or _matches(one.depends_on, other.path)

    def _by_layer(self, one: Module, other: Module) -> bool | None:
        """Return what the layers say alone; None where the lists decide."""
        names = [layer.name for layer in self.layers]
        if one.layer not in names or other.layer not in names:
            return None
        above, below = names.index(one.layer), names.index(other.layer)
        if above >= below:
            return None if above == below else False
        if any(layer.closed for layer in self.layers[above + 1 : below]):
            return False
        return None if self.explicit else True


def carry_over(tree: Tree, modules: Collection[str] = ()) -> Carried:
    """Return the contracts of the tree's `tach.toml`, and what there is to say about them.

    `modules` are the names of all first-party modules, for wildcards and for what no longer exists. Raises
    NotJudged where there is no such file or it cannot be read.
    """
    if not tree.exists(FILE):
        raise NotJudged(Fault(FILE, 0, "there is no tach.toml."))
    setup = _setup(tree, frozenset(modules))
    contracts = [contract for module in setup.modules for contract in _contract(setup, module)]
    roots = f"tach's source roots are {', '.join(setup.roots)}; `roots` here must reach the same modules."
    lines = [ABOUT, roots, *(f"NOT carried over from {FILE}: {remark}" for remark in setup.remarks)]
    free = [module.path for module in setup.modules if not any(_contract(setup, module))]
    lines += [f"Carried over from {FILE}: {contract['reason']} as {contract['id']}." for contract in contracts]
    lines += [f"{path} may import everything, so it needs no contract." for path in free]
    return Carried(contracts=tuple(contracts), lines=tuple(lines))


def _contract(setup: Setup, module: Module) -> Iterator[dict[str, object]]:
    """Yield the one contract of a module; none where it may import everything."""
    if module.unchecked:
        return
    others = [other for other in setup.modules if other.path != module.path]
    banned = [other.path for other in others if not setup.allows(module, other)]
    if not banned:
        return
    contract: dict[str, object] = {
        "id": "tach-" + module.path.replace(".", "-"),
        "kind": "forbidden",
        "sources": [module.path],
        "forbidden": banned,
    }
    own = [other.path for other in others if within(other.path, module.path)]
    if own:
        contract["except_sources"] = own
    # A module is the deepest one that holds a file: what lies below a banned one may be allowed.
    inside = [
        other.path
        for other in (module, *others)
        if other.path not in banned and any(within(other.path, path) for path in banned)
    ]
    if inside:
        contract["except_forbidden"] = inside
    contract["reading"] = "statements"
    if setup.counts_typing:
        contract["include"] = ["type_only"]
    contract["reason"] = f"tach module {module.path}"
    yield contract


def _matches(patterns: Iterable[str], path: str) -> bool:
    return any(pattern in (path, "*", "**") or _glob(pattern, path) for pattern in patterns)


def _glob(pattern: str, path: str) -> bool:
    return "*" in pattern and Selector("=" + pattern).matches(path)


# ---- reading the file


def _setup(tree: Tree, names: frozenset[str]) -> Setup:
    document = load_toml(FILE, tree.read(FILE))
    faults = Faults()
    reader = TableReader(FILE, document.table, faults, document.locate)
    remarks = list(_remarks(reader.keys, document.table))
    remarks += [f"{path}: modules that are configured in folders of their own." for path in _domains(tree)]
    modules = [module for table in reader.tables("modules") for module in _modules(table, names, remarks)]
    layers = tuple(_layers(reader))
    setup = Setup(
        modules=tuple(sorted(_known(modules, names, remarks), key=lambda module: module.path)),
        layers=layers,
        roots=reader.texts("source_roots", ["."]),
        counts_typing=not reader.boolean("ignore_type_checking_imports", True),
        explicit=reader.boolean("layers_explicit_depends_on", False),
        remarks=(),
    )
    faults.raise_if_any()
    if not setup.modules:
        raise NotJudged(Fault(FILE, 0, "there is no module in tach.toml that could be carried over."))
    return replace(setup, remarks=tuple(remarks))


def _remarks(keys: Iterable[str], table: Mapping[str, object]) -> Iterator[str]:
    causes = {
        "interfaces": "`interfaces` are expressions over the names of a module's members; write contracts of kind "
        '"symbol" or "protected" for those that matter.',
        "external": "`external` compares imports with the dependencies a package declares; nothing here does.",
        "plugins": "`plugins` run code of their own.",
        "exclude": "`exclude` leaves out files by expression; write those folders into `exclude` here.",
        "include_string_imports": "`include_string_imports` takes any text that looks like a module for an import.",
        "exact": "`exact` reports entries of `depends_on` that nothing uses.",
        "forbid_circular_dependencies": "`forbid_circular_dependencies` looks for circles in the configuration; the "
        'gate "cycles" looks for them in the code.',
        "rules": "`rules` set how loud tach's own messages are.",
        "root_module": "`root_module` is about files that belong to no module.",
    }
    for key in keys:
        if key in causes and table[key]:
            yield causes[key]


def _layers(reader: TableReader) -> Iterator[Layer]:
    for index, value in enumerate(reader.values("layers", ())):
        if isinstance(value, str):
            yield Layer(value, closed=False)
        else:
            table = reader.member("layers", index)
            yield Layer(table.text("name"), closed=table.boolean("closed", False))


def _modules(reader: TableReader, names: frozenset[str], remarks: list[str]) -> Iterator[Module]:
    written = reader.texts("paths") if "paths" in reader else (reader.text("path"),)
    module = Module(
        path="",
        depends_on=tuple(_paths(reader, "depends_on")) if "depends_on" in reader else None,
        cannot_depend_on=tuple(_paths(reader, "cannot_depend_on")),
        layer=reader.optional_text("layer"),
        visibility=reader.texts("visibility") if "visibility" in reader else None,
        utility=reader.boolean("utility", False),
        unchecked=reader.boolean("unchecked", False),
    )
    remarks.extend(
        f"{key} of {', '.join(written)}: it names distributions, contracts name modules."
        for key in ("depends_on_external", "cannot_depend_on_external")
        if key in reader
    )
    for path in written:
        for name in _expanded(path, names, remarks):
            yield replace(module, path=name)


def _expanded(path: str, names: frozenset[str], remarks: list[str]) -> Iterator[str]:
    if path == ROOT:
        remarks.append(f"module {ROOT}: files that belong to no other module have no name here.")
    elif "*" not in path:
        yield path
    elif names:
        yield from (name for name in sorted(names) if _glob(path, name))
    else:
        remarks.append(f"module {path}: the modules it stands for have to be written out.")


def _paths(reader: TableReader, key: str) -> Iterator[str]:
    for index, value in enumerate(reader.values(key, ())):
        yield value if isinstance(value, str) else reader.member(key, index).text("path")


def _known(modules: Iterable[Module], names: frozenset[str], remarks: list[str]) -> Iterator[Module]:
    seen: set[str] = set()
    for module in modules:
        if names and module.path not in names:
            remarks.append(f"module {module.path}: there is no such module.")
        elif module.path in seen:
            remarks.append(f"module {module.path}: it is there twice; only the first one counts.")
        else:
            seen.add(module.path)
            yield module


def _domains(tree: Tree) -> Iterator[str]:
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for entry in tree.list(folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name == DOMAIN_FILE:
                yield path
            elif entry.kind is EntryKind.DIRECTORY and not entry.linked and _may_hold_source(entry.name):
                waiting.append(path)


def _may_hold_source(folder: str) -> bool:
    return not folder.startswith(".") and folder not in NOT_SOURCE
