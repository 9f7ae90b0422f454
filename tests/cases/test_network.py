"""Where does code go out over the network, and what holds the event loop up? The cases, put to the whole tool."""

from __future__ import annotations

import json

import pytest

from tests.cases.case import Case, Project, Row, case, place_of

CONFIGURATION = """\
roots = ["{root}"]
gates = ["egress", "blocking"]
"""


def rows(project: Project, which: Case, family: str) -> list[Row]:
    """Return what the tool lists of a family for the case's tree."""
    (root,) = {path.name for path in which.input.iterdir()}
    project.copy(which.input)
    project.configure(CONFIGURATION.format(root=root))
    answer = project.tool("facts", family, "--sites", "--format", "json")
    assert answer.status == 0, answer.err
    found: list[Row] = json.loads(answer.out)["sites"]
    return found


@pytest.mark.parametrize("number", ["036", "038", "040", "042", "044"])
def test_the_calls_that_go_out_are_exactly_the_expected_ones(project: Project, number: str) -> None:
    which = case(number)
    found = [row for row in rows(project, which, "egress") if row["kind"] == "egress"]
    assert sorted((place_of(row), row["what"]) for row in found) == sorted(which.places("facts", "egress"))
    absent = {place for place, _what in which.places("absent_facts", "egress")}
    assert absent
    assert not absent & {place_of(row) for row in found}


@pytest.mark.parametrize("number", ["036", "038"])
def test_scopes_are_those_of_the_case(project: Project, number: str) -> None:
    which = case(number)
    expected = {(one["at"], one["what"], one["scope"]) for one in which.expected["facts"] if "scope" in one}
    found = {(place_of(row), row["what"], row["scope"]) for row in rows(project, which, "egress")}
    assert expected
    assert expected <= found


@pytest.mark.parametrize("number", ["036", "044"])
def test_a_construction_is_a_kind_of_its_own(project: Project, number: str) -> None:
    found = rows(project, case(number), "egress")
    made = {row["what"] for row in found if row["kind"] == "construction"}
    assert made >= {"requests.Session", "httpx.Client"}
    assert not made & {row["what"] for row in found if row["kind"] == "egress"}


def test_050_what_blocks_is_exactly_the_expected(project: Project) -> None:
    which = case("050")
    found = [(place_of(row), row["what"]) for row in rows(project, which, "blocking")]
    assert sorted(found) == sorted(which.places("facts", "blocking"))
    absent = {place for place, _what in which.places("absent_facts", "blocking")}
    assert absent
    assert not absent & {place for place, _what in found}


@pytest.mark.parametrize(("number", "family"), [("036", "egress"), ("050", "blocking")])
def test_what_is_listed_is_what_is_counted(project: Project, number: str, family: str) -> None:
    which = case(number)
    found = [row for row in rows(project, which, family) if row["kind"] != "construction"]
    project.record()
    judged = project.check()
    assert judged.status == 0
    assert judged.gate(family)["facts"] == len(found)
