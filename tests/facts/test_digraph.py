from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.facts.digraph import reachable, shortest_chain, spread, strong_components

SIZE = 12
GRAPHS = st.lists(st.frozensets(st.integers(0, SIZE - 1), max_size=4), min_size=SIZE, max_size=SIZE).map(
    lambda targets: [sorted(found - {node}) for node, found in enumerate(targets)]
)
BOUNDED = settings(max_examples=150, derandomize=True, deadline=None)


def as_networkx(successors: list[list[int]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(successors)))
    graph.add_edges_from((node, target) for node, targets in enumerate(successors) for target in targets)
    return graph


@pytest.mark.parametrize(
    ("successors", "components"),
    [
        ([], []),
        ([[]], []),
        ([[1], []], []),
        ([[1], [0]], [[0, 1]]),
        ([[1], [0, 2], [1]], [[0, 1, 2]]),  # two circles that share a node are one component
        ([[1], [0, 2], [3], [2]], [[0, 1], [2, 3]]),  # a one-way edge joins nothing
        ([[], [2], [1], [1]], [[1, 2]]),
    ],
)
def test_components_are_sorted_and_of_two_or_more(successors: list[list[int]], components: list[list[int]]) -> None:
    assert strong_components(successors) == components


@BOUNDED
@given(GRAPHS)
def test_components_are_those_of_networkx(successors: list[list[int]]) -> None:
    expected = sorted(sorted(c) for c in nx.strongly_connected_components(as_networkx(successors)) if len(c) > 1)
    assert strong_components(successors) == expected


def test_a_chain_of_fifty_thousand_does_not_recurse() -> None:
    size = 50_000
    circle = [[(node + 1) % size] for node in range(size)]
    assert len(strong_components(circle)[0]) == size
    assert len(shortest_chain(circle, [0], [size - 1])) == size


@pytest.mark.parametrize(
    ("sources", "targets", "avoiding", "chain"),
    [
        ([0], [4], [], (0, 1, 4)),  # of 0-1-4 and 0-2-4 the first by number
        ([0], [4], [1], (0, 2, 4)),
        ([0], [4], [1, 2], ()),
        ([0], [5], [], ()),
        ([0, 2], [4], [], (2, 4)),  # the last of the sources
        ([0], [1, 4], [], (0, 1)),  # the first of the targets
        ([3], [3], [], (3,)),
        ([], [3], [], ()),
    ],
)
def test_the_shortest_chain(
    sources: list[int], targets: list[int], avoiding: list[int], chain: tuple[int, ...]
) -> None:
    successors = [[1, 2], [4], [4], [], [3], [0]]
    assert shortest_chain(successors, sources, targets, avoiding) == chain


@BOUNDED
@given(GRAPHS)
def test_the_chain_is_a_shortest_path_and_the_first_of_them(successors: list[list[int]]) -> None:
    graph = as_networkx(successors)
    chain = shortest_chain(successors, [0], [SIZE - 1])
    if not nx.has_path(graph, 0, SIZE - 1):
        assert chain == ()
    else:
        assert list(chain) == min(nx.all_shortest_paths(graph, 0, SIZE - 1))


@BOUNDED
@given(GRAPHS, st.frozensets(st.integers(0, SIZE - 1), max_size=4))
def test_bits_spread_to_exactly_what_is_reachable(successors: list[list[int]], seeds: frozenset[int]) -> None:
    reached = spread(successors, {node: 1 << node for node in seeds})
    for seed in seeds:
        assert {node for node in range(SIZE) if reached[node] >> seed & 1} == reachable(successors, [seed])


def test_a_node_that_stops_receives_bits_and_hands_on_only_its_own() -> None:
    successors = [[1], [2], [3], []]
    assert spread(successors, {0: 1, 2: 2}, stopping=[2]) == [1, 1, 3, 2]


def test_a_part_of_a_graph_is_enough_for_a_walk() -> None:
    part = {7: [9], 9: [7]}
    assert shortest_chain(part, [7], [9]) == (7, 9)
    assert reachable(part, [9]) == {7, 9}
