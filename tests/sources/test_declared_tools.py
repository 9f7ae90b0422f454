"""Is what a declared tool prints read as declared, and never believed without its proof?"""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.gates.declared_tools import Written
from abutment.gates.tools import GATE
from abutment.sources.tools.forms import parse_declared
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.pointers import MISSING, standing_at
from tests.broken import KEPT, Broken, broken_outputs, kept_output
from tests.settings import settings_of

ROWS = tomllib.loads((KEPT / "declared" / "declared.toml").read_text(encoding="utf-8"))["declared"]
ELSEWHERE = PathsBelow(Path("/here"), "/srv/ci/checkout")


def declared() -> dict[str, Written]:
    return {one.declared.id: one for one in settings_of(GATE, {"declared": ROWS}).declared}


TOOLS = declared()
RUFF = ["till/__init__.py:1:1 I001", "till/__init__.py:6:12 S602", "till/__init__.py:10:12 S506"]


def places(tool: str, name: str, status: int) -> list[str]:
    said = parse_declared(TOOLS[tool].declared, kept_output("declared", f"whole/{tool}-{name}.out", status), ELSEWHERE)
    return [f"{one.path}:{one.line}:{one.column} {one.code}" for one in sorted(said.diagnostics)]


@pytest.mark.parametrize(
    ("tool", "found"),
    [
        ("bandit", ["till/__init__.py:1:1 B404", "till/__init__.py:6:12 B602", "till/__init__.py:10:12 B506"]),
        ("deptry", ["pyproject.toml:0:0 DEP002", "till/__init__.py:2:8 DEP003"]),
        ("pyright", ["till/__init__.py:10:12 reportCallIssue", "till/__init__.py:15:16 reportReturnType"]),
        ("ruff-lines", RUFF),
        ("ruff-rows", RUFF),
        ("ruff-sarif", RUFF),
    ],
)
def test_the_whole_output_is_read(tool: str, found: list[str]) -> None:
    assert places(tool, "found", 1) == found
    assert places(tool, "clean", 0) == []


@pytest.mark.parametrize("broken", broken_outputs("declared"), ids=lambda broken: broken.name)
def test_a_broken_output_is_not_judged(broken: Broken) -> None:
    with pytest.raises(NotJudged) as refusal:
        parse_declared(TOOLS[broken.tool].declared, broken.output, ELSEWHERE)
    assert broken.says in refusal.value.faults[0].message


def test_a_place_outside_of_the_project_is_not_judged() -> None:
    with pytest.raises(NotJudged, match="names a file outside of the project: /srv/ci/checkout/till/"):
        parse_declared(
            TOOLS["pyright"].declared, kept_output("declared", "whole/pyright-found.out", 1), PathsBelow(Path("/here"))
        )


def test_what_a_tool_reads_is_counted_where_it_says_so() -> None:
    said = parse_declared(TOOLS["pyright"].declared, kept_output("declared", "whole/pyright-clean.out", 0), ELSEWHERE)
    assert said.looked_at == 1


@pytest.mark.parametrize("tool", ["bandit", "pyright"])
def test_a_total_proves_an_output_whose_status_nobody_knows(tool: str) -> None:
    kept = replace(kept_output("declared", f"whole/{tool}-found.out"), is_kept=True)
    assert parse_declared(TOOLS[tool].declared, kept, ELSEWHERE).diagnostics


@pytest.mark.parametrize("tool", ["ruff-rows", "ruff-sarif", "deptry"])
def test_without_a_total_the_status_has_to_be_known(tool: str) -> None:
    kept = replace(kept_output("declared", f"whole/{tool}-found.out"), is_kept=True, stderr=b"")
    with pytest.raises(NotJudged, match="nobody knows how it ended"):
        parse_declared(TOOLS[tool].declared, kept, ELSEWHERE)
    assert parse_declared(TOOLS[tool].declared, replace(kept, status=1), ELSEWHERE).diagnostics


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"ruleId": "R"}, ["a b.py:3 R"]),
        ({"rule": {"id": "R"}}, ["a b.py:3 R"]),
        ({"ruleIndex": 0}, ["a b.py:3 first"]),
        ({}, ["a b.py:3 unknown"]),
        ({"locations": []}, [".:0 unknown"]),
        ({"suppressions": [{"kind": "inSource"}]}, []),
        ({"suppressions": []}, ["a b.py:3 unknown"]),
        ({"kind": "pass"}, []),
        ({"kind": "fail"}, ["a b.py:3 unknown"]),
    ],
)
def test_sarif_is_read_as_its_standard_has_it(result: dict[str, object], told: list[str]) -> None:
    place = {"artifactLocation": {"uri": "a%20b.py"}, "region": {"startLine": 3}}
    whole = {"message": {"text": "m"}, "locations": [{"physicalLocation": place}], **result}
    run = {"tool": {"driver": {"name": "t", "rules": [{"id": "first"}]}}, "results": [whole]}
    output = Output("t", json.dumps({"version": "2.1.0", "runs": [run]}).encode(), b"", 1 if told else 0)
    said = parse_declared(TOOLS["ruff-sarif"].declared, output, ELSEWHERE)
    assert [f"{one.path}:{one.line} {one.code}" for one in said.diagnostics] == told


@pytest.mark.parametrize(
    ("pointer", "found"),
    [("", {"a": [1, {"b/c": 2}], "~": 3}), ("/a/0", 1), ("/a/1/b~1c", 2), ("/~0", 3), ("/a/01", None), ("/x/y", None)],
)
def test_a_pointer_points_as_its_standard_has_it(pointer: str, found: object) -> None:
    document = {"a": [1, {"b/c": 2}], "~": 3}
    assert standing_at(document, pointer) == (MISSING if found is None else found)
