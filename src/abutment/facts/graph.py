"""Who imports whom, directly and along chains, under one reading of the imports?

Modules become small integers in the order of their names, so "the smallest number" is "the first by name"
and every tie is broken the same way on every machine.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

from abutment.facts.digraph import reachable, shortest_chain, strong_components
from abutment.facts.statements import STAR
from abutment.semantics.program import Flag, ImportColumns, Program

PARENT = int(Flag.PARENT)  # arithmetic with the enumeration itself is a call for each row
ROW_BITS = 32  # columns are array('I'): a row number never needs more
ROW_MASK = (1 << ROW_BITS) - 1


class Parents(StrEnum):
    """Which ancestor packages, executed on the way to a target, count as imported."""

    NONE = "none"
    OWN = "own"  # those that are not ancestors of the importer: its own are running already
    SHARED = "shared"  # also shared ancestors, but for the top package
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Reading:
    """Which imports are edges."""

    when: Flag  # a union of MODULE, DEFERRED, TYPE_ONLY
    parents: Parents = Parents.NONE

    def admits(self, flags: int) -> bool:
        """Say whether an import with these flags can be an edge; parents are looked at one by one."""
        return bool(flags & self.when) and (self.parents is not Parents.NONE or not flags & Flag.PARENT)

    def barred_parents(self, importer: str) -> frozenset[str]:
        """Return the packages that do not count for this importer where they run on the way to a target."""
        if self.parents is Parents.ALL:
            return frozenset()
        own = _with_ancestors(importer)
        return frozenset(own[:1] if self.parents is Parents.SHARED else own)


def _with_ancestors(module: str) -> list[str]:
    """Return `["a", "a.b", "a.b.c"]` for `a.b.c`."""
    return list(accumulate(module.split("."), lambda above, part: f"{above}.{part}"))


IMPORT_TIME = Reading(Flag.MODULE, Parents.OWN)
WRITTEN = Reading(Flag.MODULE | Flag.DEFERRED)


def nothing(_module: str) -> bool:
    """Leave nothing out."""
    return False


class ImportGraph:
    """The imports of a program that one reading counts, each edge with the rows that make it.

    Nodes below `inside` are first-party modules in order of name; those from `inside` on are modules outside
    the roots, also in order of name, which import nothing.
    """

    def __init__(self, names: Sequence[str], inside: int, columns: ImportColumns, packed: list[int]) -> None:
        """Make the graph of `packed`: one sorted integer for each (importer, imported, row)."""
        self.names: tuple[str, ...] = tuple(names)
        self.inside = inside
        self.columns = columns
        self._packed = packed
        self.successors: list[Sequence[int]] = [()] * len(names)
        self._fill()

    def _fill(self) -> None:
        size, before, importing, targets = len(self.names), -1, -1, array("I")
        for value in self._packed:
            edge = value >> ROW_BITS
            if edge != before:
                before = edge
                importer, imported = divmod(edge, size)
                if importer != importing:
                    importing, targets = importer, array("I")
                    self.successors[importer] = targets
                targets.append(imported)

    def narrowed(self, when: Flag) -> ImportGraph:
        """Return the graph of those imports alone that happen then; its modules are the same."""
        flags, wanted = self.columns.flags, int(when)
        packed = [value for value in self._packed if flags[value & ROW_MASK] & wanted]
        return ImportGraph(self.names, self.inside, self.columns, packed)

    @cached_property
    def number(self) -> dict[str, int]:
        """Name to node."""
        return {name: node for node, name in enumerate(self.names)}

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """For each node its importers, ascending."""
        importers: list[list[int]] = [[] for _ in self.names]
        for importer, targets in enumerate(self.successors):
            for target in targets:
                importers[target].append(importer)
        return importers

    @cached_property
    def components(self) -> list[list[int]]:
        """The import cycles: strongly connected components of two modules or more, in order of name."""
        return strong_components(self.successors)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield every edge in order."""
        for importer, targets in enumerate(self.successors):
            for target in targets:
                yield importer, target

    def has_edge(self, importer: int, imported: int) -> bool:
        """Say whether the importer imports the other directly."""
        return len(self.rows(importer, imported)) > 0

    def rows(self, importer: int, imported: int) -> array[int]:
        """Return the rows of the program's columns that make the edge, in order of place; none where it is none.

        A node that is not in the graph (-1) imports nothing and is imported by nobody.
        """
        if importer < 0 or imported < 0:
            return array("I")
        edge = importer * len(self.names) + imported
        first = bisect_left(self._packed, edge << ROW_BITS)
        end = bisect_left(self._packed, (edge + 1) << ROW_BITS, first)
        return array("I", [value & ROW_MASK for value in self._packed[first:end]])

    def chain(
        self, sources: Iterable[int], targets: Collection[int], avoiding: Collection[int] = ()
    ) -> tuple[int, ...]:
        """Return the shortest chain of imports from a source to a target (see `shortest_chain`)."""
        return shortest_chain(self.successors, sources, targets, avoiding)

    def reachable(self, sources: Iterable[int]) -> set[int]:
        """Return every module that a source imports directly or along a chain, the sources included."""
        return reachable(self.successors, sources)


def import_graph(
    program: Program,
    reading: Reading = IMPORT_TIME,
    *,
    leaves_out: Callable[[str], bool] = nothing,
    externals: bool = False,
) -> ImportGraph:
    """Return the program's graph under one reading.

    `leaves_out` takes first-party modules out of it, with their edges. With `externals`, modules outside the
    roots stand in it as leaves; `from m import n` then gives `m` and the candidate `m.n`.
    """
    inside = sorted(name for name in program.modules if not leaves_out(name))
    outside = sorted(_outside(program)) if externals else []
    names = [*inside, *outside]
    number = {name: node for node, name in enumerate(names)}
    packed = sorted(_packed(program.columns, reading, number, len(inside)))
    return ImportGraph(names, len(inside), program.columns, packed)


def _packed(columns: ImportColumns, reading: Reading, number: dict[str, int], inside: int) -> Iterator[int]:
    """Yield (importer, imported, row) as one integer each, which sorts far quicker than tuples would."""
    names, size = columns.names, len(number)
    node_of = [number.get(name, -1) for name in names]
    admitted = bytes(reading.admits(flags) for flags in range(256))
    importing, source, barred = -1, -1, frozenset[str]()
    places = zip(columns.flags, columns.importer, columns.imported, strict=True)
    for row, (flags, importer, imported) in enumerate(places):
        target = node_of[imported] if admitted[flags] else -1
        if target < 0:
            continue
        if importer != importing:
            importing, source, barred = importer, node_of[importer], reading.barred_parents(names[importer])
        if source < 0 or source == target or (flags & PARENT and names[imported] in barred):
            continue
        yield (source * size + target) << ROW_BITS | row
        candidate = _candidate(columns, row) if target >= inside else ""
        if candidate:
            yield (source * size + number[candidate]) << ROW_BITS | row


def _outside(program: Program) -> set[str]:
    columns, found = program.columns, set[str]()
    for row, imported in enumerate(columns.imported):
        name = columns.names[imported]
        if name not in program.modules:
            found.add(name)
            candidate = _candidate(columns, row)
            if candidate:
                found.add(candidate)
    return found


def _candidate(columns: ImportColumns, row: int) -> str:
    """Return `m.n` for a row that takes `n` from `m`; "" where it takes nothing by name."""
    symbol = columns.names[columns.symbol[row]]
    return "" if symbol in ("", STAR) else f"{columns.names[columns.imported[row]]}.{symbol}"
