"""What runs beside its caller, and what does an import do? The cases, put to the whole tool."""

from __future__ import annotations

import json

from tests.cases.case import Project, Row, case, place_of

# A case names a loop's method after the loop, and a thread by its class.
WORDS = {"asyncio.AbstractEventLoop.create_task": "loop.create_task", "threading.Thread.start": "threading.Thread"}
# The case on tasks asks for raw ones; these are listed as what their caller waits for.
STRUCTURED = "structured_wait"


def rows(project: Project, number: str, family: str) -> list[Row]:
    """Return what the tool lists of a family for the case's tree."""
    which = case(number)
    (root,) = {path.name for path in which.input.iterdir()}
    project.copy(which.input)
    project.configure(f'roots = ["{root}"]\ngates = ["{family}"]\n')
    answer = project.tool("facts", family, "--sites", "--format", "json")
    assert answer.status == 0, answer.err
    found: list[Row] = json.loads(answer.out)["sites"]
    return found


def told(found: list[Row]) -> list[tuple[str, str]]:
    return sorted((place_of(row), WORDS.get(row["what"], str(row["what"]))) for row in found)


def test_raw_tasks_are_exactly_those_that_escape(project: Project) -> None:
    which, found = case("048"), rows(project, "048", "concurrency")
    raw = [row for row in found if row["kind"] != STRUCTURED]
    assert {row["kind"] for row in raw} == {"raw_task"}
    assert told(raw) == sorted(which.places("facts", "concurrency"))
    absent = {place for place, _what in which.places("absent_facts", "concurrency")}
    assert not absent & {place_of(row) for row in raw}
    board = "oven/work.py:43"  # no task at all; the others are listed with who waits
    assert absent - {place_of(row) for row in found} == {board}


def test_raw_tasks_are_what_the_gate_counts(project: Project) -> None:
    rows(project, "048", "concurrency")
    project.record_bare()
    judged = project.check("concurrency")
    assert sum(one["found"] for one in judged.violations("concurrency")) == 5


def test_an_import_has_the_expected_effects_and_at_most_those_that_are_tolerable(project: Project) -> None:
    which, found = case("085"), rows(project, "085", "effects")
    expected = which.places("facts", "import_time_effect")
    # The judgement: a tool that follows calls reports what the decorator does where it is applied.
    followed = ("dawn/boot.py:33", "subprocess.run")
    # "Possible is tolerable": which handler runs is not known.
    possible = ("dawn/boot.py:65", "subprocess.run")
    assert told(found) == sorted([*expected, followed, possible])
    absent = {place for place, _what in which.places("absent_facts", "import_time_effect")} - {possible[0]}
    assert not absent & {place_of(row) for row in found}
    (begins,) = (row for row in found if place_of(row) == "dawn/boot.py:52")
    assert begins["through"] == "dawn.boot.start"


def test_the_place_at_which_a_thread_begins_is_shown(project: Project) -> None:
    rows(project, "085", "effects")
    project.record_bare()
    (violation,) = (one for one in project.check("effects").violations("effects") if one["rule"] == "ABT901")
    assert violation["details"] == ["dawn.boot.start calls threading.Thread.start: dawn/boot.py:48"]
