"""What does the code import, as contracts read it?

Nodes are small integers in the order of their names. Three sorts of names are nodes: first-party modules,
modules outside the roots, and *candidates*: `m.n` for `from m import n` where nobody knows whether `m.n` is a
module (it lies outside the roots, or in a package that was not read). A selector may match a candidate or its
base `m`; where it matches the base, the base is what is named.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import compress
from operator import and_, gt, or_
from typing import Any

from abutment.facts.statements import STAR, statement_rows
from abutment.model.selector import Selector, within
from abutment.model.site import Site
from abutment.policies.contracts.contract import Counting, Ignore
from abutment.policies.contracts.edges import (
    ALL_WAYS,
    NODE_BITS,
    NODE_MASK,
    PASSED,
    PASSING,
    THROUGH,
    WAYS,
    Edges,
    accepted,
)
from abutment.semantics.program import Module, ModuleKind, Program

OPAQUE = frozenset({ModuleKind.GENERATED, ModuleKind.EXCLUDED, ModuleKind.EXTENSION, ModuleKind.UNREAD})
# Kinds of modules of which the imports are known, or should be.
READ = frozenset({ModuleKind.SOURCE, ModuleKind.STUB, ModuleKind.UNREAD})


def _nothing(_module: str) -> bool:
    return False


class Codebase:
    """A program's imports, ready to be asked by many contracts; imports by modules of a tests root are left out."""

    def __init__(
        self,
        program: Program,
        *,
        paths: Collection[str] = (),
        leave_out: Callable[[str], bool] = _nothing,
        asked: Collection[Selector] | None = None,
    ) -> None:
        """Take what contracts need to know.

        `paths` are files and folders found in the tree; modules that `leave_out` names are not judged. `asked`
        are all selectors that will be asked for: only candidates that one of them can mean become nodes.
        """
        self.program = program
        self.paths = frozenset(paths)
        self.tops = frozenset(name.partition(".")[0] for name in program.modules)
        columns, self._asked = program.columns, asked
        self.taken = frozenset(zip(columns.imported, columns.symbol, strict=True))  # column numbers (m, n)
        self._submodules = dict(self._steps_to_submodules())
        candidates = dict(self._candidates())
        numbers = {*columns.imported, *columns.importer}
        self.names: list[str] = sorted(
            {*map(columns.names.__getitem__, numbers), *program.modules, *candidates.values()}
        )
        self.number = {name: node for node, name in enumerate(self.names)}
        self._node = {number: self.number[columns.names[number]] for number in numbers}
        self._candidate = {step: self.number[name] for step, name in candidates.items()}
        self.base = {self.number[name]: self._node[m] for (m, _), name in candidates.items()}
        own = [m for m in program.modules.values() if m.role != "tests" and not leave_out(m.name)]
        self.in_scope = frozenset(self.number[module.name] for module in own)
        self.judged = frozenset(self.number[module.name] for module in own if module.kind in READ)
        self._pairs: dict[int, frozenset[int]] = {}
        self._edges: dict[Counting, Edges] = {}
        self._selected: dict[str, frozenset[int]] = {}
        self.kept: dict[Any, Any] = {}  # what a kind of contract has worked out for a law of its own

    @cached_property
    def taken_from(self) -> Mapping[int, frozenset[int]]:
        """What is taken from each module, as column numbers."""
        names: dict[int, set[int]] = defaultdict(set)
        for m, n in self.taken:
            names[m].add(n)
        return {m: frozenset(found) for m, found in names.items()}

    def takers(self, steps: Collection[tuple[int, int]]) -> frozenset[int]:
        """Return who takes one of these (module, name) pairs; all are column numbers."""
        columns = self.program.columns
        takes = map(steps.__contains__, zip(columns.imported, columns.symbol, strict=True))
        return frozenset(compress(columns.importer, takes))

    @cached_property
    def bases(self) -> frozenset[int]:
        """Every node that is the base of a candidate."""
        return frozenset(self.base.values())

    @cached_property
    def imports(self) -> int:
        """How many different imports were examined: (importer, imported) pairs, whatever way they happen."""
        return len(set(compress(self._packed, self._is_judged)))

    def edges(self, counting: Counting) -> Edges:
        """Return who imports whom under that way of counting."""
        if counting not in self._edges:
            implied = self._by_way(PASSED) if counting.chains and not counting.statements else ()
            bits = accepted(counting)
            self._edges[counting] = Edges(
                self.names, frozenset().union(*(self._by_way(way) for way in ALL_WAYS if way & bits)), implied
            )
        return self._edges[counting]

    def select(self, selector: Selector) -> frozenset[int]:
        """Return every node that the selector means, candidates of a meant module included."""
        if selector.text not in self._selected:
            found = set(self._matching(selector))
            if selector.exact:
                found.update(node for node, base in self.base.items() if base in found)
            self._selected[selector.text] = frozenset(found)
        return self._selected[selector.text]

    def shown(self, node: int, meant: Collection[int]) -> str:
        """Return the name by which an import of the node is spoken of, where `meant` is what a contract named."""
        base = self.base.get(node)
        return self.names[node if base is None or base not in meant else base]

    def units(self, selector: Selector) -> dict[str, frozenset[int]]:
        """Return each thing that the selector means as a whole: `app.*` means every child with all below it.

        A selector without wildcards is one unit. Of nested matches the outermost is the unit; with `=` every
        module is one by itself.
        """
        if not selector.wild:
            nodes = self.select(selector)
            return {selector.name: nodes} if nodes else {}
        units: dict[str, set[int]] = defaultdict(set)
        for node in sorted(self.select(selector)):
            name = self._dotted.get(node, self.names[node])
            units[name if selector.exact else _head(name, selector)].add(node)
        return {name: frozenset(nodes) for name, nodes in units.items()}

    def modules_named(self, selector: Selector) -> list[str]:
        """Return the first-party modules that bear the name itself, nothing below them, in order."""
        exact = Selector("=" + selector.name)
        if not exact.wild:
            return [exact.name] if exact.name in self.program.modules else []
        return sorted(name for name in self.program.modules if exact.matches(name))

    def internal(self, node: int) -> bool:
        """Say whether the node is first-party."""
        return node in self.first_party

    @cached_property
    def first_party(self) -> frozenset[int]:
        """Every node that is first-party."""
        return frozenset(node for node, name in enumerate(self.names) if self.owns(name))

    def owns(self, name: str) -> bool:
        """Say whether a name is first-party.

        A module is, and whatever stands below a package with code; below a namespace another distribution may
        have modules as well (`google.auth` beside our `google.shop`).
        """
        modules, above = self.program.modules, name.rpartition(".")[0]
        if name in modules:
            return True
        while above and (above not in modules or modules[above].kind is ModuleKind.NAMESPACE):
            above = above.rpartition(".")[0]
        return bool(above)

    def is_standard(self, node: int) -> bool:
        """Say whether the node belongs to the standard library of the running interpreter."""
        return not self.internal(node) and self.names[node].partition(".")[0] in sys.stdlib_module_names

    def ignored(self, edges: Edges, ignore: Ignore) -> frozenset[tuple[int, int]]:
        """Return the edges that an ignore means."""
        importers, imported = self.select(ignore.importer), self.select(ignore.imported)
        return frozenset((a, b) for a in importers & self.judged for b in edges.out[a] if b in imported)

    def file_of(self, module: str) -> tuple[Site, ...]:
        """Return the module's file as a place; () where it has none."""
        found = self.program.modules.get(module)
        return (Site(found.path),) if found is not None else ()

    def sites(self, importer: str, imported: str, counting: Counting) -> tuple[Site, ...]:
        """Return the statements by which `importer` imports `imported`, in order of place."""
        bits = accepted(counting) | (PASSED if counting.chains and not counting.statements else 0)
        found: set[Site] = set()
        for row in self.rows(importer):
            fact = self.program.import_at(row)
            exactly = fact.imported == imported
            if not exactly and f"{fact.imported}.{fact.symbol}" != imported:
                continue
            way = WAYS[self.program.columns.flags[row]]
            if exactly and self._names_submodule(row):
                way = PASSING.get(way, way)
            if way & bits:
                found.add(fact.site)
        return tuple(sorted(found))

    def _names_submodule(self, row: int) -> bool:
        """Say whether the name that a row takes is a module, which the same statement imports in a row of its own."""
        columns = self.program.columns
        deeper = self._submodules.get((columns.imported[row], columns.symbol[row]))
        return deeper is not None and any(columns.imported[other] == deeper for other in statement_rows(columns, row))

    def is_passed(self, importer: str, imported: str, counting: Counting) -> bool:
        """Say whether `imported` is only executed on the way to what the importer imports."""
        ends = self.number.get(importer, -1), self.number.get(imported, -1)
        return self.edges(counting).is_implied(*ends)

    def rows(self, importer: str) -> range:
        """Return the rows of the columns that hold the importer's imports."""
        return self._rows.get(importer, range(0))

    @cached_property
    def _rows(self) -> dict[str, range]:
        return self.program.columns.spans()

    def _matching(self, selector: Selector) -> Iterator[int]:
        yield from (node for node, name in self._dotted.items() if selector.matches(name))
        if selector.wild:
            yield from (node for node, name in enumerate(self.names) if selector.matches(name))
            return
        if selector.name in self.number:
            yield self.number[selector.name]
        if not selector.exact:
            # Names are sorted, and "/" follows "." at once: everything below the name lies side by side.
            yield from range(bisect_left(self.names, selector.name + "."), bisect_left(self.names, selector.name + "/"))

    @cached_property
    def _dotted(self) -> Mapping[int, str]:
        """A name below its package for each file that no statement can import, which is called by its path.

        Nobody writes that name, but whoever names the package means what lies in its folder.
        """
        modules = self.program.modules
        packages = {_folder_of(module): name for name, module in modules.items() if module.is_package}
        found: dict[int, str] = {}
        for name in modules:
            folder, slash, file = name.rpartition("/")
            while slash and folder not in packages:
                folder, slash, above = folder.rpartition("/")
                file = f"{above}/{file}"
            if slash:
                found[self.number[name]] = f"{packages[folder]}.{file.replace('.', ',')}"
        return found

    def _steps_to_submodules(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the column numbers (m, n) with that of `m.n` where `from m import n` names a first-party module."""
        columns, modules = self.program.columns, self.program.modules
        numbers = {
            columns.names[number]: number for number in set(columns.imported) if columns.names[number] in modules
        }
        packages = {number: name for name, number in numbers.items() if modules[name].is_package}
        for m, n in self.taken:
            if m in packages:
                deeper = numbers.get(f"{packages[m]}.{columns.names[n]}")
                if deeper is not None:
                    yield (m, n), deeper

    def _candidates(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield the column numbers (m, n) with the name `m.n` where nobody knows whether that is a module."""
        names, modules = self.program.columns.names, self.program.modules
        unknown = {m for m in set(self.program.columns.imported) if _is_opaque(modules.get(names[m]))}
        for m, n in self.taken:
            if m not in unknown or names[n] in ("", STAR):
                continue
            name = f"{names[m]}.{names[n]}"
            if name not in modules and self._may_be_asked(name):
                yield (m, n), name

    def _may_be_asked(self, name: str) -> bool:
        """Say whether a selector can mean a candidate; one that means what stands above it is no reason."""
        if self._asked is None or name in self._plain_names:
            return True
        return any(selector.matches(name) for selector in self._wild_selectors)

    @cached_property
    def _plain_names(self) -> frozenset[str]:
        return frozenset(selector.name for selector in self._asked or () if not selector.wild)

    @cached_property
    def _wild_selectors(self) -> tuple[Selector, ...]:
        return tuple(selector for selector in self._asked or () if selector.wild)

    # A large codebase has a few hundred thousand rows. What follows leaves the loops over them to C.

    @cached_property
    def _packed(self) -> list[int]:
        """Each row as `importer << 32 | imported`."""
        columns = self.program.columns
        shifted = {number: node << NODE_BITS for number, node in self._node.items()}
        importers = map(shifted.__getitem__, columns.importer)
        return list(map(or_, importers, map(self._node.__getitem__, columns.imported)))

    @cached_property
    def _is_judged(self) -> bytes:
        judged = {number: node in self.judged for number, node in self._node.items()}
        return bytes(map(judged.__getitem__, self.program.columns.importer))

    @cached_property
    def _special(self) -> bytes:
        """Mark the rows whose symbol says more about the target than its module does."""
        columns = self.program.columns
        special = self._submodules.keys() | self._candidate.keys()
        return bytes(map(special.__contains__, zip(columns.imported, columns.symbol, strict=True)))

    @cached_property
    def _special_pairs(self) -> Mapping[int, frozenset[int]]:
        """The edges of those rows by the way in which they happen."""
        columns = self.program.columns
        pairs: dict[int, set[int]] = defaultdict(set)
        for row in compress(range(len(columns)), map(and_, self._special, self._is_judged)):
            step, way = (columns.imported[row], columns.symbol[row]), WAYS[columns.flags[row]]
            importer = self._packed[row] & ~NODE_MASK
            # `from pkg import sub` names pkg.sub; pkg is executed on the way, as with `import pkg.sub`.
            if self._names_submodule(row):
                way = PASSING.get(way, way)
            imported = self._candidate.get(step)
            pairs[way].add(self._packed[row] if imported is None else importer | imported)
        return {way: frozenset(found) for way, found in pairs.items()}

    def _by_way(self, way: int) -> frozenset[int]:
        """Return the edges that happen in this way."""
        if way not in self._pairs:
            wanted = self.program.columns.flags.tobytes().translate(bytes(way == other for other in WAYS))
            ordinary = map(gt, wanted, self._special)
            rows = compress(self._packed, map(and_, ordinary, self._is_judged))
            found = {*rows, *self._special_pairs.get(way, ())}
            self._pairs[way] = frozenset(found if way not in THROUGH else filter(self._leads_away, found))
        return self._pairs[way]

    def _leads_away(self, pair: int) -> bool:
        # The importer's own packages ran before it did: passing through them again means nothing.
        return not within(self.names[pair >> NODE_BITS], self.names[pair & NODE_MASK])


def _folder_of(package: Module) -> str:
    """Return the folder of a package: that of its `__init__`, or of a namespace the folder itself."""
    return package.path.rpartition("/")[0] if package.path.endswith((".py", ".pyi")) else package.path


def _is_opaque(module: Module | None) -> bool:
    """Say whether nobody knows what a module holds: one outside the roots, or one that was not read."""
    return module is None or module.kind in OPAQUE


def _head(name: str, selector: Selector) -> str:
    """Return the shortest prefix of the name that the selector's own segments match."""
    parts, written = name.split("."), selector.name.split(".")
    if "**" not in written:  # every other segment stands for exactly one
        return ".".join(parts[: len(written)])
    exact = Selector("=" + selector.name)
    heads = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((head for head in heads if exact.matches(head)), name)
