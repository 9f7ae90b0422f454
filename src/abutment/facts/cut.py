"""Which few imports would have to go for a cycle to be gone?

A set of statements is sought, not of edges: an edge to a package that runs on the way to its submodule
(`via` parent) can only go with the statement that names the submodule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from abutment.facts.digraph import strong_components
from abutment.facts.graph import ImportGraph
from abutment.facts.ordering import light_order
from abutment.facts.statements import statement_rows
from abutment.model.selector import within
from abutment.semantics.program import Flag, ImportColumns

# A walk of that many steps takes a second or so; beyond it a cut is still a cut, but may hold more than is needed.
PATIENCE = 2_000_000


_Alive = dict[int, set[int]]  # importer -> what it still imports


@dataclass(frozen=True, slots=True)
class Removal:
    """One import to be removed: everything by which `importer` imports `imported` at these rows."""

    importer: str
    imported: str  # as written
    rows: tuple[int, ...]  # of the program's columns, one a statement, in order of place


@dataclass(frozen=True, slots=True)
class Cut:
    """Imports without which a component holds no cycle."""

    removals: tuple[Removal, ...]
    minimal: bool  # every one of them is needed; False where the component was too large to try each


@dataclass(frozen=True, slots=True)
class _Unit:
    """Statements of one module that make the same edges inside the component, so that they go or stay together."""

    importer: int
    targets: frozenset[int]
    rows: tuple[int, ...]  # one a statement
    weight: int


def cut_component(graph: ImportGraph, members: Collection[int], patience: int = PATIENCE) -> Cut:
    """Return a small set of imports that breaks the component: no cycle among `members` is left.

    In an order in which little runs backwards, the statements that do go; every one that turns out not to be
    needed then comes back. Few statements are preferred to many, and deferred ones to others.
    """
    units = _units(graph, frozenset(members))
    weights = _edge_weights(units)
    place = {node: at for at, node in enumerate(light_order(sorted(members), weights))}
    backward = {edge for edge in weights if place[edge[0]] > place[edge[1]]}
    kept: list[_Unit] = []
    gone: list[_Unit] = []
    for unit in units:
        goes = any((unit.importer, target) in backward for target in unit.targets)
        (gone if goes else kept).append(unit)
    alive, needed, minimal = _needed(kept, gone, patience)
    guilty = [(unit, _guilty(alive, unit) if minimal else unit.targets) for unit in needed]
    return Cut(_removals(graph, guilty), minimal)


def _units(graph: ImportGraph, members: frozenset[int]) -> list[_Unit]:
    targets: dict[tuple[int, int], set[int]] = defaultdict(set)  # (importer, first row of the statement)
    for importer in sorted(members):
        for imported in graph.successors[importer]:
            if imported in members:
                for row in graph.rows(importer, imported):
                    targets[importer, statement_rows(graph.columns, row).start].add(imported)
    grouped: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    for (importer, first), edges in targets.items():
        grouped[importer, frozenset(edges)].append(first)
    units = [
        _Unit(importer, edges, tuple(sorted(rows)), sum(_weight(graph.columns.flags[row]) for row in rows))
        for (importer, edges), rows in grouped.items()
    ]
    return sorted(units, key=lambda unit: (unit.importer, sorted(unit.targets)))


def _weight(flags: int) -> int:
    return 1 if flags & Flag.DEFERRED else 2


def _edge_weights(units: Sequence[_Unit]) -> dict[tuple[int, int], int]:
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for unit in units:
        for target in unit.targets:
            weights[unit.importer, target] += unit.weight
    return weights


def _needed(kept: Sequence[_Unit], gone: Sequence[_Unit], patience: int) -> tuple[_Alive, list[_Unit], bool]:
    """Return what stays, those of `gone` that must stay away for it to hold no cycle, and whether each was tried.

    The heaviest are tried first, so that what is left to remove is light.
    """
    alive: _Alive = defaultdict(set)
    for unit in kept:
        alive[unit.importer] |= unit.targets
    needed: list[_Unit] = []
    for unit in sorted(gone, key=lambda unit: (-unit.weight, unit.importer, sorted(unit.targets))):
        closes, steps = (True, 0) if patience <= 0 else _reaches(alive, unit.targets, unit.importer)
        patience -= steps
        if closes:
            needed.append(unit)
        else:
            alive[unit.importer] |= unit.targets
    return alive, needed, patience > 0


def _guilty(alive: _Alive, unit: _Unit) -> frozenset[int]:
    """Return those targets of a removed unit that would close a cycle if it came back."""
    return frozenset(target for target in unit.targets if _reaches(alive, [target], unit.importer)[0])


def _reaches(alive: _Alive, sources: Collection[int], goal: int) -> tuple[bool, int]:
    """Say whether a way leads from a source to the goal, and how many edges had to be looked at."""
    seen, waiting, steps = set(sources), list(sources), 0
    while waiting:
        node = waiting.pop()
        if node == goal:
            return True, steps
        for target in alive.get(node, ()):
            steps += 1
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return False, steps


def _removals(graph: ImportGraph, guilty: Sequence[tuple[_Unit, frozenset[int]]]) -> tuple[Removal, ...]:
    columns = graph.columns
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    for unit, targets in guilty:
        names = frozenset(graph.names[target] for target in targets)
        for first in unit.rows:
            for row in _written_rows(columns, statement_rows(columns, first), names):
                found[graph.names[unit.importer], columns.names[columns.imported[row]]].add(row)
    return tuple(Removal(*ends, tuple(sorted(rows))) for ends, rows in sorted(found.items()))


def _written_rows(columns: ImportColumns, rows: range, guilty: Collection[str]) -> list[int]:
    """Return one row for each name that the statement writes and that is to blame.

    Where only packages are to blame that run on the way, it is the longest name written that brings them.
    """
    written: dict[str, int] = {}
    for row in rows:
        if not columns.flags[row] & Flag.PARENT:
            written.setdefault(columns.names[columns.imported[row]], row)
    blamed = [name for name in written if name in guilty]
    if not blamed:
        return [written[max(written, key=lambda name: (name.count("."), name))]] if written else [rows.start]
    return [written[name] for name in blamed if not any(within(other, name) for other in blamed if other != name)]


def is_broken(graph: ImportGraph, members: Collection[int], cut: Cut) -> bool:
    """Say whether the component holds no cycle once the cut's statements are gone."""
    columns = graph.columns
    removed = {row for removal in cut.removals for first in removal.rows for row in statement_rows(columns, first)}
    inside = frozenset(members)
    successors = [
        [t for t in targets if t in inside and not removed.issuperset(graph.rows(node, t))] if node in inside else []
        for node, targets in enumerate(graph.successors)
    ]
    return not strong_components(successors)
