"""Which imports are to blame for a cycle that was not there before?"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.facts.closing import find_cause
from abutment.facts.digraph import strong_components

Edge = tuple[int, int]


def inner(edges: set[Edge]) -> dict[int, list[int]]:
    nodes = {node for edge in edges for node in edge}
    return {node: sorted(b for a, b in edges if a == node) for node in nodes}


@pytest.mark.parametrize(
    ("granted", "excess", "blamed"),
    [
        # A chain 0 -> 1 -> 2 -> 3 with a side way 0 -> 4 -> 3, closed by 3 -> 0: only that one is to blame.
        (set(), {(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (3, 0)}, {(3, 0)}),
        # A plain ring: which of the three is to blame cannot be told.
        (set(), {(0, 1), (1, 2), (2, 0)}, {(0, 1), (1, 2), (2, 0)}),
        # One more edge inside a recorded cycle is to blame for itself alone.
        ({(0, 1), (1, 2), (2, 0)}, {(1, 0)}, {(1, 0)}),
        # A recorded cycle 0 <-> 1 that two new imports tie to 2.
        ({(0, 1), (1, 0)}, {(1, 2), (2, 0)}, {(1, 2), (2, 0)}),
        ({(0, 1), (1, 0)}, set(), set()),
    ],
)
def test_the_import_that_closed_the_cycle_is_singled_out(
    granted: set[Edge], excess: set[Edge], blamed: set[Edge]
) -> None:
    assert find_cause(inner(granted | excess), excess).edges == blamed


@pytest.mark.parametrize(
    ("granted", "excess", "any_one", "whole"),
    [
        (set(), {(0, 1), (1, 2), (2, 0)}, True, True),
        ({(0, 1), (1, 0)}, {(1, 2), (2, 0)}, True, False),
        ({(0, 1), (1, 2), (2, 0)}, {(1, 0)}, False, False),
        # Two rings that share a node: each has to be opened by itself.
        (set(), {(0, 1), (1, 0), (1, 2), (2, 1)}, False, True),
    ],
)
def test_it_is_told_whether_one_of_the_blamed_is_enough(
    granted: set[Edge], excess: set[Edge], any_one: bool, whole: bool
) -> None:
    cause = find_cause(inner(granted | excess), excess)
    assert (cause.any_one, cause.whole) == (any_one, whole)


def test_without_patience_every_excess_edge_is_to_blame() -> None:
    ring = {(0, 1), (1, 2), (2, 0), (0, 2)}
    assert find_cause(inner(ring), ring, patience=0).edges == ring


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20), st.data())
def test_without_the_blamed_edges_no_excess_lies_inside_a_cycle(edges: set[Edge], data: st.DataObject) -> None:
    edges = {(a, b) for a, b in edges if a != b}
    excess = data.draw(st.sets(st.sampled_from(sorted(edges)), max_size=8)) if edges else set()
    for members in strong_components([sorted(b for a, b in edges if a == node) for node in range(7)]):
        inside = {(a, b) for a, b in edges if a in members and b in members}
        blamed = find_cause(inner(inside), excess & inside).edges
        rest = inside - blamed
        assert blamed <= excess
        for component in strong_components([sorted(b for a, b in rest if a == node) for node in range(7)]):
            assert not set(itertools.permutations(component, 2)) & rest & excess
