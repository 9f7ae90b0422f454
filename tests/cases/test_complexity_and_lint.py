"""Figures of functions, and what ruff leaves behind: the cases, put to the whole tool."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cases.case import Judged, Project, Row, case, place_of

CONFIGURED = 'roots = ["calc"]\ngates = ["complexity"]\n[complexity]\ncomplexity = 1\nnesting = 9\n'


def figures(project: Project, number: str) -> list[Row]:
    """Return every function that is above the lowest limit there is."""
    project.copy(case(number).input)
    project.configure(CONFIGURED)
    answer = project.tool("facts", "complexity", "--sites", "--format", "json")
    assert answer.status == 0, answer.err
    rows: list[Row] = json.loads(answer.out)["sites"]
    return rows


def test_all_figures_follow_one_rule_and_the_record_names_it(project: Project) -> None:
    found = {row["scope"]: int(row["what"]) for row in figures(project, "056")}
    preferred = dict(case("056").expected["columns"][0])
    assert "as ruff" in preferred.pop("rule")
    assert {name: found.get(name, 1) for name in preferred} == preferred
    project.record()
    header = json.loads(project.tool.documents()["complexity.jsonl"].splitlines()[0])
    assert header["conditions"]["figures"].startswith("as ruff")
    assert set(header["conditions"]) == {"figures", "ruff", "C901", "PLR1702"}


def test_every_function_is_rated_once_and_by_itself(project: Project) -> None:
    found = {place_of(row): (row["scope"], int(row["what"])) for row in figures(project, "058")}
    expected = {one["at"]: (one["what"], one["figure"]) for one in case("058").expected["facts"]}
    assert found == {place: told for place, told in expected.items() if told[1] > 1}
    assert len(expected) == 7


RESULTS = {one["file"]: one for one in case("077").expected["results"]}
SOURCES = {
    "pk/a.py": b"import os\nimport sys\n\n\ndef f(x=[]):\n    try:\n        pass\n    except:\n        pass\n",
    "pk/b.py": b"import os\n",
}


def check(project: Project, name: str) -> Judged:
    settings = f'input = "out/{name}"\ninput_status = {RESULTS[name]["exit"]}\ninput_root = "/srv/ci/checkout"\n'
    project.configure(f'roots = ["pk"]\ngates = ["lint"]\n[lint]\n{settings}')
    return project.check()


@pytest.mark.parametrize("name", RESULTS)
def test_only_whole_answers_of_ruff_are_results(project: Project, name: str) -> None:
    which, expected = case("077"), RESULTS[name]
    shutil.copytree(which.input, project.root / "out")
    project.put(SOURCES)
    check(project, "clean_parse.json")
    project.record()
    before = project.tool.documents()
    assert len(before["lint.jsonl"].splitlines()) == 1 + which.expected["figures"]["findings_clean_parse"]
    assert b"/srv/ci/checkout" not in before["lint.jsonl"]

    judged = check(project, name)
    status = {"pass": 0, "stale": 1, "error": 2}[expected["verdict"]]
    assert judged.status == status
    if status < 2:
        kinds = [one["kind"] for one in judged.violations("lint")]
        assert (kinds.count("new"), kinds.count("gone")) == (expected.get("new", 0), expected["stale"])
    assert project.tool.documents() == before
