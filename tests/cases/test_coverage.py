"""What a coverage report does not say is no progress."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping

import pytest

from tests.cases.case import Project, case

CASE = case("080")
VERDICTS = {"error": 2, "fail": 1}
CONFIGURATION = """\
roots = ["."]
gates = ["coverage"]

[coverage]
exclude = ["drive"]

[[coverage.groups]]
name = "till.idle"
modules = ["till.idle"]
"""


def put(project: Project, report: str) -> None:
    shutil.copy(CASE.input / report, project.root / "coverage.json")


@pytest.mark.parametrize("result", CASE.expected["results"], ids=lambda one: f"{one['baseline']}-{one['file']}")
def test_no_check_of_the_case_passes(project: Project, result: Mapping[str, str]) -> None:
    project.copy(CASE.input / "tree")
    project.configure(CONFIGURATION)
    put(project, result["baseline"])
    assert project.tool("init", "coverage").status == 0
    assert project.tool("check").status == 0
    before = project.tool.documents()

    put(project, result["file"])
    judged = project.check("coverage")
    assert judged.status == VERDICTS[result["verdict"]]
    assert project.tool("tighten").status == 2
    assert project.tool.documents() == before
    unmeasured = [one["identity"] for one in judged.violations("coverage") if one["kind"] == "new"]
    assert [(one["group"], one["module"]) for one in unmeasured] == (
        [("till.idle", "till.idle.more"), ("till", "till.never")] if judged.status == 1 else []
    )


def test_a_file_without_statements_is_in_no_verdict(project: Project) -> None:
    project.copy(CASE.input / "tree")
    project.configure(CONFIGURATION)
    put(project, "line.json")
    project.tool("init", "coverage")
    put(project, "nosource.json")
    said = project.tool("check", "--verbose").out
    assert not any(name in said for name in ("till/__init__.py", "till/empty.py", "till/idle/__init__.py"))


def test_the_figures_of_the_case_are_those_of_the_gate(project: Project) -> None:
    project.copy(CASE.input / "tree")
    project.configure(CONFIGURATION)
    figures = CASE.expected["figures"]
    for word in ("line", "nosource"):
        put(project, f"{word}.json")
        missing = figures[f"statements_{word}_total"] - figures[f"covered_{word}_total"]
        facts = json.loads(project.tool("facts", "coverage", "--format", "json").out)["facts"]
        assert sum(one["count"] for one in facts if one["measure"] == "statements") == missing
