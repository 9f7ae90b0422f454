from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.facts.cut import Cut, Removal, cut_component, is_broken
from abutment.facts.graph import WRITTEN, ImportGraph, Reading, import_graph
from abutment.facts.ordering import backward_weight, greedy_order, light_order
from abutment.semantics.program import Flag
from tests.programs import program

BOUNDED = settings(max_examples=100, derandomize=True, deadline=None)
EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["->", "~>"])), max_size=40)


def cut_of(graph: ImportGraph) -> Cut:
    (members,) = graph.components
    cut = cut_component(graph, members)
    assert is_broken(graph, members, cut)
    return cut


def said(cut: Cut) -> list[str]:
    return [f"{removal.importer} {removal.imported}" for removal in cut.removals]


@pytest.mark.parametrize(
    ("texts", "removals"),
    [
        (["a -> b", "b -> a"], ["b a"]),
        (["a -> b @1", "a -> b @2", "b -> a"], ["b a"]),  # one statement rather than two
        (["a -> b", "b -> a @1", "b -> a @2"], ["a b"]),
        (["a -> b", "b -> c", "c -> a", "c -> b"], ["b c"]),  # one import that is in both circles
        (["a -> b", "b -> a", "b -> c", "c -> b"], ["b a", "c b"]),
        (["a -> b", "a -> c", "b -> a", "c -> a"], ["b a", "c a"]),
        (["a -> b", "b -> a @2", "b -> c @2", "c -> b"], ["b a", "b c"]),  # one statement that does both
        (["a -> b @1", "a -> c @1", "b -> a @1", "b -> a @2", "b -> c", "c -> a"], ["a b", "a c"]),
        (["a -> z", "z -> a", "a -> outside.leaf"], ["z a"]),  # what lies outside the component is left alone
    ],
)
def test_a_small_set_of_imports_breaks_the_component(texts: list[str], removals: list[str]) -> None:
    cut = cut_of(import_graph(program(*texts)))
    assert said(cut) == removals
    assert cut.minimal


def test_a_deferred_import_goes_rather_than_another() -> None:
    both = Reading(Flag.MODULE | Flag.DEFERRED)
    assert said(cut_of(import_graph(program("a -> b", "b ~> a"), both))) == ["b a"]
    assert said(cut_of(import_graph(program("a ~> b", "b -> a"), both))) == ["a b"]


def test_a_package_on_the_way_goes_with_the_statement_that_brings_it() -> None:
    found = program(
        "tool.main -> lib.leaf @4", "tool.main ^-> lib @4", "tool.main ^-> lib @5", "tool.main -> lib.other @5",
        "lib -> tool.main @1", "lib -> tool.main @2", "lib -> tool.main @3",
    )  # fmt: skip
    cut = cut_of(import_graph(found))
    assert said(cut) == ["tool.main lib.leaf", "tool.main lib.other"]
    assert [found.import_at(row).site.line for removal in cut.removals for row in removal.rows] == [4, 5]


def test_of_several_names_in_one_statement_the_one_to_blame_is_named() -> None:
    found = program("x -> p @2", "x -> p.good @2", "x -> p.bad @2", "p.bad -> x @1", "p.bad -> x @2")
    assert said(cut_of(import_graph(found))) == ["x p.bad"]


def test_a_package_is_named_where_it_is_to_blame_itself() -> None:
    found = program("p.x -> p @1", "p.x -> p.y @1", "p -> p.x @1", "p -> p.x @2")
    assert said(cut_of(import_graph(found))) == ["p.x p"]


def test_the_same_import_at_several_places_is_one_removal() -> None:
    found = program("a -> b @1", "a ~> b @7", "b -> a @1", "b -> a @2", "b -> a @3")
    graph = import_graph(found, WRITTEN)
    assert cut_of(graph).removals == (Removal("a", "b", (0, 1)),)


def graph_of(edges: list[tuple[int, int, str]]) -> ImportGraph:
    return import_graph(program(*(f"m{a} {arrow} m{b}" for a, b, arrow in edges)), WRITTEN)


@BOUNDED
@given(EDGES)
def test_a_cut_breaks_its_component_and_every_part_of_it_is_needed(edges: list[tuple[int, int, str]]) -> None:
    graph = graph_of(edges)
    for members in graph.components:
        cut = cut_component(graph, members)
        assert cut.minimal
        assert is_broken(graph, members, cut)
        for spared in range(len(cut.removals)):
            fewer = Cut(cut.removals[:spared] + cut.removals[spared + 1 :], True)
            assert not is_broken(graph, members, fewer)


@BOUNDED
@given(EDGES)
def test_without_patience_a_cut_still_breaks_its_component(edges: list[tuple[int, int, str]]) -> None:
    graph = graph_of(edges)
    for members in graph.components:
        cut = cut_component(graph, members, patience=0)
        assert not cut.minimal
        assert is_broken(graph, members, cut)


def test_a_component_of_five_thousand_is_cut_in_reasonable_time() -> None:
    size = 5_000
    texts = [f"m{node:04} -> m{(node + step) % size:04}" for node in range(size) for step in (1, 7, 450)]
    graph = import_graph(program(*texts))
    cut = cut_component(graph, graph.components[0])
    assert is_broken(graph, graph.components[0], cut)
    assert len(cut.removals) < len(texts) / 3


@BOUNDED
@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(7, 12)), st.integers(1, 9), max_size=30))
def test_an_order_of_a_graph_without_circles_has_nothing_backwards(weights: dict[tuple[int, int], int]) -> None:
    members = sorted({node for edge in weights for node in edge})
    order = light_order(members, weights)
    assert sorted(order) == members
    assert backward_weight(order, weights) == 0


def test_moving_members_about_betters_the_greedy_order() -> None:
    weights = dict.fromkeys([(0, 3), (1, 0), (2, 0), (2, 1), (3, 0), (3, 2)], 1)
    assert backward_weight(greedy_order(range(4), weights), weights) == 2
    assert backward_weight(light_order(range(4), weights), weights) == 1
