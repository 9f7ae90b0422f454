"""Which few of the edges that are too many have made all the others part of a cycle?

One import can close a circle through a hundred modules, and then every import among them lies inside a cycle
that was not there before. Only the one that closed it is worth a person's time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from abutment.facts.digraph import shortest_chain, strong_components

Edge = tuple[int, int]

# Each trial looks at every edge of the component once; beyond that many edges nothing is singled out.
PATIENCE = 20_000_000
_ROUNDS = 50


class Cause:
    """The imports that have closed a component; none where nothing in it is too much."""

    def __init__(
        self, edges: Collection[Edge] = (), *, any_one: bool = False, whole: bool = False, in_order: Sequence[Edge] = ()
    ) -> None:
        """Take the edges in any order, or also `in_order`, the likeliest first.

        `any_one` says that each of several alone has closed it, `whole` that nothing in the component is granted.
        """
        self.edges = frozenset(edges)
        self.in_order = tuple(in_order or sorted(self.edges))
        self.any_one, self.whole = any_one, whole

    def ordered(self, likely: Callable[[Edge], int]) -> Cause:
        """Return the same, the edge with the least `likely` first."""
        in_order = sorted(self.edges, key=lambda edge: (likely(edge), edge))
        return Cause(self.edges, any_one=self.any_one, whole=self.whole, in_order=in_order)

    def __contains__(self, edge: object) -> bool:
        return edge in self.edges

    def __bool__(self) -> bool:
        return bool(self.edges)

    def with_end(self, node: int) -> Edge | None:
        """Return the first of the edges that starts or ends at the node."""
        return self._first.get(node)

    @cached_property
    def _first(self) -> Mapping[int, Edge]:
        first: dict[int, Edge] = {}
        for edge in self.in_order:
            for node in edge:
                first.setdefault(node, edge)
        return first


def find_cause(inner: Mapping[int, Sequence[int]], excess: Collection[Edge], patience: int = PATIENCE) -> Cause:
    """Return edges of `excess` without which no other edge of `excess` lies inside a cycle.

    `inner` is one component: each member with what it imports inside. In each round the edges that leave the
    least excess are taken, all of them where several leave the same: which one is to blame cannot be told
    then. Where it would take too long, every edge of `excess` is returned.
    """
    whole = len(excess) == sum(map(len, inner.values()))
    numbers = {node: index for index, node in enumerate(sorted(inner))}
    nodes = sorted(inner)
    edges = {(numbers[a], numbers[b]) for a, targets in inner.items() for b in targets}
    left = {(numbers[a], numbers[b]) for a, b in excess}
    every, found, any_one = set(left), set[Edge](), False
    for turn in range(_ROUNDS):
        if not left:
            return Cause({(nodes[a], nodes[b]) for a, b in found}, any_one=any_one, whole=whole)
        circle = _circle(edges, min(left), len(nodes))
        trials = sorted(circle & left)
        patience -= len(trials) * len(edges)
        if patience < 0:
            break
        rest = {edge: _inside(edges - {edge}, left - {edge}, len(nodes)) for edge in trials}
        least = min(len(remaining) for remaining in rest.values())
        guilty = {edge for edge in trials if len(rest[edge]) == least}
        found |= guilty
        any_one = turn == 0 and not least and len(guilty) > 1
        edges -= guilty
        left = _inside(edges, left - guilty, len(nodes))
    return Cause({(nodes[a], nodes[b]) for a, b in every}, whole=whole)


def _circle(edges: Collection[Edge], edge: Edge, size: int) -> set[Edge]:
    """Return the edges of a shortest circle through an edge that lies inside a cycle."""
    chain = shortest_chain(_successors(edges, size), [edge[1]], [edge[0]])
    return {edge, *pairwise(chain)}


def _inside(edges: Collection[Edge], excess: Collection[Edge], size: int) -> set[Edge]:
    """Return those of `excess` that lie inside a cycle of `edges`."""
    component = {
        node: number for number, members in enumerate(strong_components(_successors(edges, size))) for node in members
    }
    return {(a, b) for a, b in excess if a in component and component.get(b) == component[a]}


def _successors(edges: Collection[Edge], size: int) -> list[list[int]]:
    successors: list[list[int]] = [[] for _ in range(size)]
    for importer, imported in sorted(edges):
        successors[importer].append(imported)
    return successors
