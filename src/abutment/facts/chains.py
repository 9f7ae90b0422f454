"""Why does one part of the code reach another, and what would have to go so that it does not?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abutment.errors import UnknownName
from abutment.facts.digraph import reachable
from abutment.facts.graph import ImportGraph
from abutment.model.fault import Fault
from abutment.model.likeness import alike
from abutment.model.selector import Selector
from abutment.semantics.program import Import, Program


@dataclass(frozen=True, slots=True)
class Reach:
    """The answer: a shortest chain, one import a step, and the fewest imports without which there is none."""

    chain: tuple[Import, ...]  # () where there is no chain
    cut: tuple[Import, ...]  # the first import of each edge of the cut


def explain_reach(program: Program, graph: ImportGraph, importer: str, imported: str) -> Reach:
    """Return how modules selected by `importer` reach modules selected by `imported` in the graph.

    A name selects a module and everything below it, `=name` the module alone. Raises UnknownName where a
    name selects nothing, or where both select one module.
    """
    sources, targets = nodes_named(graph, importer), nodes_named(graph, imported)
    if set(sources) & set(targets):
        overlap = f"{importer} and {imported} have modules in common."
        raise UnknownName(Fault("", 0, overlap, "Name a single module as =package.module."))
    chain = graph.chain(sources, frozenset(targets))
    steps = tuple(_first_import(program, graph, one, other) for one, other in pairwise(chain))
    cut = separation(graph, sources, targets) if steps else []
    return Reach(steps, tuple(_first_import(program, graph, one, other) for one, other in cut))


def nodes_named(graph: ImportGraph, name: str) -> list[int]:
    """Return the nodes that a name selects; raises UnknownName where there are none."""
    try:
        selector = Selector(name)
    except ValueError as error:
        raise UnknownName(Fault("", 0, f"{error}.")) from error
    found = [node for node, module in enumerate(graph.names) if selector.matches(module)]
    if not found:
        raise UnknownName(Fault("", 0, f"there is no module {name} here.", _near(selector.name, graph.names)))
    return found


def _near(name: str, names: Sequence[str]) -> str:
    ends = name.rpartition(".")[2]
    near = alike(name, names, 3) or [one for one in names if one.rpartition(".")[2] == ends][:3]
    return f"Did you mean {' or '.join(near)}?" if near else "`abutment list modules` shows all."


def _first_import(program: Program, graph: ImportGraph, importer: int, imported: int) -> Import:
    """Return the import to show for an edge: what is written is worth more than what runs on the way."""
    found = [program.import_at(row) for row in graph.rows(importer, imported)]
    return min(found, key=lambda one: (one.via != "written", one.site))


def separation(graph: ImportGraph, sources: Collection[int], targets: Collection[int]) -> list[tuple[int, int]]:
    """Return the fewest edges without which no chain leads from a source to a target, sorted."""
    import networkx as nx

    between = graph.reachable(sources) & reachable(graph.predecessors, targets)
    flow: nx.DiGraph[int] = nx.DiGraph()
    start, end = -1, -2
    flow.add_edges_from((start, node) for node in sources if node in between)  # no capacity: infinite
    flow.add_edges_from((node, end) for node in targets if node in between)
    flow.add_edges_from(_unit_edges(graph, between))
    if start not in flow or end not in flow:
        return []
    _value, (near, _far) = nx.minimum_cut(flow, start, end)
    edges = ((one, other) for one, other, _capacity in _unit_edges(graph, between))
    return sorted((one, other) for one, other in edges if one in near and other not in near)


def _unit_edges(graph: ImportGraph, between: Collection[int]) -> Iterator[tuple[int, int, dict[str, int]]]:
    for node in sorted(between):
        for target in graph.successors[node]:
            if target in between:
                yield node, target, {"capacity": 1}
