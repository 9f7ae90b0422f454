from __future__ import annotations

import networkx as nx
import pytest

from abutment.errors import UnknownName
from abutment.facts.chains import explain_reach, nodes_named, separation
from abutment.facts.condensed import condensed
from abutment.facts.graph import WRITTEN, ImportGraph, Parents, Reading, import_graph
from abutment.semantics.program import Flag
from tests.programs import program

ALL_TIMES = Flag.MODULE | Flag.DEFERRED | Flag.TYPE_ONLY


def numbers(graph: ImportGraph, names: str) -> list[int]:
    return [graph.number[name] for name in names]


@pytest.mark.parametrize(
    ("texts", "sources", "targets", "size"),
    [
        (["a -> b"], "a", "b", 1),
        (["a -> x", "a -> y", "x -> m", "y -> m", "m -> b"], "a", "b", 1),
        (["a -> x", "a -> y", "x -> b", "y -> b", "b -> c"], "a", "b", 2),
        (["a -> x", "b -> x", "x -> y", "x -> z"], "ab", "yz", 2),
        (["a -> x", "b -> x", "x -> w", "w -> y", "w -> z"], "ab", "yz", 1),
        (["b -> a"], "a", "b", 0),
    ],
)
def test_a_separation_is_the_fewest_edges_that_part_two_sides(
    texts: list[str], sources: str, targets: str, size: int
) -> None:
    graph = import_graph(program(*texts))
    found = separation(graph, numbers(graph, sources), numbers(graph, targets))
    assert len(found) == size
    left: nx.DiGraph[int] = nx.DiGraph(edge for edge in graph.edges() if edge not in found)
    left.add_nodes_from(range(len(graph.names)))
    assert not any(nx.has_path(left, a, b) for a in numbers(graph, sources) for b in numbers(graph, targets))


def test_a_reach_is_a_chain_of_imports_and_a_cut() -> None:
    found = program("app.a -> mid @3", "mid -> app.z @1", "mid ~> app.z @5", "app.a -> other", "other -> mid")
    reach = explain_reach(found, import_graph(found, WRITTEN), "app.a", "app.z")
    assert [(step.importer, step.imported, step.site.line) for step in reach.chain] == [
        ("app.a", "mid", 3),
        ("mid", "app.z", 1),
    ]
    assert [(step.importer, step.imported) for step in reach.cut] == [("mid", "app.z")]


def test_no_chain_is_an_answer() -> None:
    found = program("a -> b")
    reach = explain_reach(found, import_graph(found), "b", "a")
    assert (reach.chain, reach.cut) == ((), ())


def test_what_is_written_is_shown_rather_than_what_runs_on_the_way() -> None:
    found = program("a ^-> lib @1", "a -> lib @9")
    reach = explain_reach(found, import_graph(found, Reading(Flag.MODULE, Parents.ALL)), "a", "lib")
    assert [step.site.line for step in reach.chain] == [9]


@pytest.mark.parametrize(
    ("importer", "imported", "message"),
    [
        ("app.b", "app.zz", r"there is no module app\.zz here\. Did you mean app\.z"),
        ("z", "app.b", r"there is no module z here\. Did you mean app\.z\?"),
        ("qqqq", "app.b", r"there is no module qqqq here\. `abutment list modules` shows all"),
        ("a..b", "app.b", "'a..b' is no dotted module name"),
        ("app", "app.b", "app and app.b have modules in common"),
    ],
)
def test_names_that_cannot_be_answered(importer: str, imported: str, message: str) -> None:
    found = program("app.b -> app.z")
    with pytest.raises(UnknownName, match=message):
        explain_reach(found, import_graph(found), importer, imported)


def test_a_name_selects_what_is_below_it_unless_it_says_alone() -> None:
    graph = import_graph(program("app.b.c -> app.z", "appx"))
    assert [graph.names[node] for node in nodes_named(graph, "app.b")] == ["app.b", "app.b.c"]
    assert [graph.names[node] for node in nodes_named(graph, "=app.b")] == ["app.b"]


@pytest.mark.parametrize(
    ("arrows", "word"),
    [
        (["->", "~>"], "runtime"),
        ([":>", "~>"], "deferred"),
        (["?->", "*->"], "optional"),
        (["*->", ":>"], "dynamic"),
        ([":>"], "type_only"),
    ],
)
def test_a_folded_edge_has_the_strongest_word(arrows: list[str], word: str) -> None:
    found = program(*(f"app.a.m{n} {arrow} app.b.x" for n, arrow in enumerate(arrows)), "app.a.m0 -> app.a.other")
    graph = import_graph(found, Reading(ALL_TIMES))
    nodes, edges = condensed(found, graph, range(len(graph.names)), 2)
    assert nodes == ["app", "app.a", "app.b"]
    assert edges == [("app.a", "app.b", word)]


def test_unfolded_and_chosen_nodes() -> None:
    found = program("a -> b", "b -> c")
    graph = import_graph(found)
    assert condensed(found, graph, [0, 1], None) == (["a", "b"], [("a", "b", "runtime")])
