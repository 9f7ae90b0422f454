from __future__ import annotations

import pytest

from abutment.facts.graph import IMPORT_TIME, WRITTEN, ImportGraph, Parents, Reading, import_graph
from abutment.semantics.program import Flag
from tests.programs import program

ALL_TIMES = Flag.MODULE | Flag.DEFERRED | Flag.TYPE_ONLY


def pairs(graph: ImportGraph) -> list[str]:
    return [f"{graph.names[a]} {graph.names[b]}" for a, b in graph.edges()]


@pytest.mark.parametrize(
    ("text", "at_import", "written"),
    [
        ("a -> b", True, True),
        ("a ?-> b", True, True),  # optional
        ("a *-> b", True, True),  # a constant dynamic import
        ("a %-> b", True, True),  # through a PEP 562 table
        ("a ~> b", False, True),
        ("a :> b", False, False),
        ("a ^-> b", True, False),  # a package on the way
        ("a ^~> b", False, False),
        ("a ^:> b", False, False),
        ("a -> !b", False, False),  # outside the roots
    ],
)
def test_a_reading_chooses_the_edges(text: str, at_import: bool, written: bool) -> None:
    assert pairs(import_graph(program(text), IMPORT_TIME)) == ["a b"] * at_import
    assert pairs(import_graph(program(text), WRITTEN)) == ["a b"] * written


@pytest.mark.parametrize(
    ("parents", "edges"),
    [
        (Parents.NONE, []),
        (Parents.OWN, ["app.a app.lib"]),  # app.a's own package is running already
        (Parents.SHARED, ["app.a app.lib", "app.lib.x app.lib"]),
        (Parents.ALL, ["app.a app", "app.a app.lib", "app.lib.x app", "app.lib.x app.lib"]),
    ],
)
def test_which_packages_on_the_way_count(parents: Parents, edges: list[str]) -> None:
    found = program(
        "app.a ^-> app @1", "app.a ^-> app.lib @1", "app.lib.x ^-> app @1", "app.lib.x ^-> app.lib @1", "app.lib.y"
    )
    assert pairs(import_graph(found, Reading(Flag.MODULE, parents))) == edges


def test_what_looks_like_a_parent_by_its_text_alone_is_none() -> None:
    found = program("app.lib2 ^-> app.lib")
    assert pairs(import_graph(found, Reading(Flag.MODULE, Parents.OWN))) == ["app.lib2 app.lib"]


def test_nodes_are_modules_in_order_of_name_with_outside_ones_behind() -> None:
    found = program("b -> a", "b -> !zlib", "b -> !abc:ABC", "b -> !star:*", "a -> b")
    graph = import_graph(found, externals=True)
    assert graph.names == ("a", "b", "abc", "abc.ABC", "star", "zlib")
    assert graph.inside == 2
    assert pairs(graph) == ["a b", "b a", "b abc", "b abc.ABC", "b star", "b zlib"]
    assert import_graph(found).names == ("a", "b")


def test_a_module_left_out_takes_its_edges_with_it() -> None:
    found = program("a -> b", "b -> c", "a -> c")
    assert pairs(import_graph(found, leaves_out=lambda name: name == "b")) == ["a c"]


def test_an_edge_knows_all_its_rows() -> None:
    found = program("a -> b @3", "a -> b @1", "a -> c @2", "c -> b @1", "b -> c @9")
    graph = import_graph(found)
    assert [[found.import_at(row).site.line for row in graph.rows(a, b)] for a, b in graph.edges()] == [
        [1, 3],
        [2],
        [9],
        [1],
    ]
    assert list(graph.rows(1, 0)) == []
    assert list(graph.rows(-1, 0)) == []
    assert graph.has_edge(0, 1)
    assert not graph.has_edge(1, 0)


def test_a_module_that_imports_itself_makes_no_edge() -> None:
    assert pairs(import_graph(program("a -> a", "a -> b"))) == ["a b"]


def test_an_empty_program_is_an_empty_graph() -> None:
    graph = import_graph(program())
    assert (graph.names, graph.components, graph.predecessors) == ((), [], [])


def test_importers_chains_and_reach() -> None:
    graph = import_graph(program("a -> b", "b -> c", "a -> d", "d -> c", "c -> e"))
    assert graph.predecessors == [[], [0], [1, 3], [0], [2]]
    assert graph.chain([0], [4]) == (0, 1, 2, 4)
    assert graph.chain([0], {4}, avoiding={1}) == (0, 3, 2, 4)
    assert graph.reachable([1]) == {1, 2, 4}


def test_a_graph_is_narrowed_to_what_happens_at_one_time() -> None:
    found = program("a -> b @1", "a ~> b @2", "b ~> a @1", "a -> c @3")
    graph = import_graph(found, WRITTEN).narrowed(Flag.MODULE)
    same = import_graph(found, Reading(Flag.MODULE))
    assert pairs(graph) == pairs(same) == ["a b", "a c"]
    assert list(graph.rows(0, 1)) == list(same.rows(0, 1)) == [0]
    assert graph.rows(0, -1).tolist() == []


@pytest.mark.parametrize("parents", [Parents.OWN, Parents.SHARED, Parents.ALL])
def test_a_package_on_the_way_to_something_outside_always_counts(parents: Parents) -> None:
    found = program("app.a -> !lib.x @1", "app.a ^-> !lib @1")
    assert pairs(import_graph(found, Reading(Flag.MODULE, parents), externals=True)) == ["app.a lib", "app.a lib.x"]
