from __future__ import annotations

from abutment.facts.cycles import Cycles
from abutment.facts.graph import import_graph
from abutment.semantics.program import Program
from tests.programs import program


def cycles(found: Program) -> Cycles:
    return Cycles(found, import_graph(found))


RINGS = cycles(program("a -> b", "b -> a", "b -> c", "c -> b", "e -> f", "f -> e", "d -> a", "e -> a"))


def test_components_and_the_edges_inside_them() -> None:
    assert RINGS.named == [["a", "b", "c"], ["e", "f"]]
    names = RINGS.graph.names
    assert [names[a] + names[b] for a, b in RINGS.edges()] == ["ab", "ba", "bc", "cb", "ef", "fe"]


def test_a_module_knows_its_component() -> None:
    assert [RINGS.component_named(name) for name in ("a", "f", "d", "nowhere")] == [0, 1, -1, -1]


def test_the_way_back_stays_inside_the_component() -> None:
    steps = RINGS.way_back(0, RINGS.graph.number["c"], RINGS.graph.number["a"])
    assert [(step.importer, step.imported) for step in steps] == [("a", "b"), ("b", "c")]


def test_a_circle_through_a_member_is_a_shortest_one() -> None:
    found = cycles(program("a -> b", "b -> c", "c -> a", "a -> d", "d -> a"))
    circle = found.circle_through(0, found.graph.number["a"])
    assert [(step.importer, step.imported) for step in circle] == [("a", "d"), ("d", "a")]


def test_a_cut_is_worked_out_once() -> None:
    assert RINGS.cut(1) is RINGS.cut(1)
    assert [(r.importer, r.imported) for r in RINGS.cut(1).removals] == [("f", "e")]
