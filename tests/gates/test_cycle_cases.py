"""The shared cases on cycles, from their files to the measurement."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from abutment.facts.cycles import Cycles
from abutment.facts.graph import IMPORT_TIME, Reading, import_graph
from abutment.gates.cycles import GATE
from abutment.model.grants import Grants
from abutment.semantics.build import build_program
from abutment.semantics.program import Flag, Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root
from tests.settings import settings_of

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
ROOT_OF = {"019-overlapping-cycles": "ring", "021-type-only-cycle": "yarn"}


def files_of(case: str) -> dict[str, bytes]:
    folder = CASES / case / "input"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")}


def built(files: Mapping[str, bytes], root: str) -> Program:
    tree = MemoryTree(files)
    return build_program(discover(tree, (Root(root),)), tree)


def expected_of(case: str) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((CASES / case / "case.toml").read_text(encoding="utf-8"))["expected"]
    return found


@pytest.mark.parametrize("case", ROOT_OF)
def test_the_components_are_the_expected_ones(case: str) -> None:
    program, expected = built(files_of(case), ROOT_OF[case]), expected_of(case)
    assert Cycles(program, import_graph(program, IMPORT_TIME)).named == expected["sccs"]
    for_the_checker = Cycles(program, import_graph(program, Reading(Flag.MODULE | Flag.TYPE_ONLY)))
    only = [members for members in for_the_checker.named if members not in expected["sccs"]]
    assert sorted(only) == sorted(expected.get("type_only_sccs", []))


@pytest.mark.parametrize("case", ROOT_OF)
def test_the_keys_are_the_edges_inside_the_components(case: str) -> None:
    program, expected = built(files_of(case), ROOT_OF[case]), expected_of(case)
    component = {member: number for number, members in enumerate(expected["sccs"]) for member in members}
    inside = {
        ("import", edge["from"], edge["to"]): edge["at"]
        for edge in expected["edges"]
        if edge["kind"] == "runtime"
        and edge["from"] in component
        and component[edge["from"]] == component.get(edge["to"])
    }
    measured = GATE.measure(program, settings_of(GATE), Grants())
    assert set(measured.counts) == set(inside)
    assert {key: measured.describe(key).sites[0].place() for key in measured.counts} == inside


def test_the_order_in_which_files_are_made_changes_no_byte() -> None:
    files = files_of("019-overlapping-cycles")
    backwards = dict(reversed(files.items()))
    one, other = (GATE.measure(built(order, "ring"), settings_of(GATE), Grants()) for order in (files, backwards))
    assert list(one.counts) == list(other.counts)
    assert one.notes == other.notes
    figures = expected_of("019-overlapping-cycles")["figures"]
    assert len(one.counts) == figures["edges_inside_components"]
    assert len({name for key in one.counts for name in key[1:]}) == figures["modules_in_cycles"]


def test_a_package_that_imports_its_own_child_is_no_cycle() -> None:
    files = {"p/__init__.py": b"import p.a\n", "p/a.py": b"import p.b\nfrom p import b\n", "p/b.py": b""}
    assert GATE.measure(built(files, "p"), settings_of(GATE), Grants()).counts == {}


def test_taking_a_name_from_the_package_above_is_one() -> None:
    files = {"p/__init__.py": b"import p.a\nSIZE = 1\n", "p/a.py": b"from p import SIZE\n"}
    assert set(GATE.measure(built(files, "p"), settings_of(GATE), Grants()).counts) == {
        ("import", "p", "p.a"),
        ("import", "p.a", "p"),
    }
