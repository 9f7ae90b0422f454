"""The cases on events, transactions and locators: every expected fact at its place, and none of the absent ones."""

from __future__ import annotations

import json

import pytest

from tests.cases.case import Project, Row, case, place_of

EVENTS = """\
roots = ["pier"]
gates = ["events"]
[[events.apis]]
id = "bus"
classes = ["pier.bus.Bus"]
produce = ["publish(name, **data)"]
decorate = ["on(name)"]
"""
TRANSACTIONS = 'roots = ["inn"]\ngates = ["transactions"]\n'
LOCATORS = """\
roots = ["rig"]
gates = ["locators"]
[[locators.rules]]
id = "container"
names = ["rig.container.Container.get", "rig.container.Container.resolve", "rig.container.get_service"]
allow = ["rig.main"]
"""


def sites(project: Project, family: str) -> list[Row]:
    answer = project.tool("facts", family, "--sites", "--format", "json")
    assert answer.status == 0, answer.err
    rows: list[Row] = json.loads(answer.out)["sites"]
    return rows


def opened(project: Project, number: str, configuration: str) -> Project:
    project.copy(case(number).input)
    project.configure(configuration)
    return project


@pytest.fixture
def pier(project: Project) -> Project:
    return opened(project, "046", EVENTS)


def test_046_every_producer_and_consumer_and_no_other(pier: Project) -> None:
    rows = [(f"event_{row['kind']}", place_of(row), row["what"]) for row in sites(pier, "events")]
    expected = [(one["kind"], one["at"], one["what"]) for one in case("046").expected["facts"]]
    assert sorted(rows) == sorted(expected)
    absent = {place for place, _ in case("046").places("absent_facts", "event")}
    assert not absent & {place for _, place, _ in rows}


def test_046_the_figures_are_told(pier: Project) -> None:
    pier.tool("init")
    (gate,) = json.loads(pier.tool("check", "--format", "json").out)["gates"]
    figures = case("046").expected["figures"]
    assert figures["produced_never_consumed"] == []
    assert not [note for note in gate["notes"] if note.startswith("produced, never consumed")]
    assert f"consumed, never produced: {', '.join(figures['consumed_never_produced'])}." in gate["notes"]


def test_052_every_commit_rollback_and_begin(project: Project) -> None:
    rows = sites(opened(project, "052", TRANSACTIONS), "transactions")
    found = {(place_of(row), row["kind"]) for row in rows if row["kind"] != "session"}
    assert found == {(place, what.partition(",")[0]) for place, what in case("052").places("facts", "transaction")}
    absent = {place for place, _ in case("052").places("absent_facts", "transaction")}
    assert not absent & {place_of(row) for row in rows}
    scopes = {place_of(row): row["scope"] for row in rows}
    assert scopes["inn/models.py:12"] == "User.save"


def test_054_four_accesses_and_the_composition_root_may(project: Project) -> None:
    project = opened(project, "054", LOCATORS)
    project.configure(LOCATORS.replace("rig.main", "rig.nobody"))
    rows = sites(project, "locators")
    inside = [row for row in rows if row["module"] != "rig.main"]
    expected = case("054").places("facts", "service_locator")
    assert [(place_of(row), row["what"].removeprefix("rig.container.")) for row in inside] == expected
    project.configure(LOCATORS)
    project.tool("init")
    assert {one["identity"]["module"] for one in project.check().violations("locators")} == set()
    _header, *entries = (project.root / "fixtures/architecture/locators.jsonl").read_text().splitlines()
    assert {json.loads(entry)["module"] for entry in entries} == {"rig.domain"}
    assert sum(json.loads(entry).get("count", 1) for entry in entries) == len(expected)
    absent = {place for place, _ in case("054").places("absent_facts", "service_locator")} - {"rig/main.py:5"}
    assert not absent & {place_of(row) for row in rows}
