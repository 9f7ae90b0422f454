"""Who loosened it: the branch, or nobody? And was it decided?"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from abutment.cli.points import known_gates
from abutment.guard.compare import Earlier, judge_points
from abutment.guard.law import gates_of, law_of
from abutment.guard.verdict import amended, loosened
from abutment.policies.amendments import Amended, digest_of, draft_amendment, read_amendments
from abutment.verdicts.verdict import Status
from tests.guard.laws import FORBIDDEN, LAW, TODAY, Files, points, recorded, revision, toml, verdict

PLAIN = toml("")
TIGHT = toml("[cycles]\ndeferred = true")
LOOSE = toml('[cycles]\nexclude = ["app.x"]')
LOOSER = toml('[cycles]\nexclude = ["app.x", "app.y"]')


@pytest.mark.parametrize(
    ("base", "tip", "head", "brought", "behind"),
    [
        (PLAIN, PLAIN, LOOSE, ["cycles.exclude: app.x"], []),
        (PLAIN, TIGHT, PLAIN, [], ["cycles.deferred"]),  # main was tightened meanwhile
        (PLAIN, TIGHT, TIGHT, [], []),
        (TIGHT, TIGHT, PLAIN, ["cycles.deferred"], []),
        (PLAIN, TIGHT, LOOSE, ["cycles.exclude: app.x"], ["cycles.deferred"]),
        (PLAIN, LOOSE, LOOSE, [], []),  # the same was done on main: a cherry-picked commit
        (PLAIN, LOOSE, LOOSER, ["cycles.exclude: app.y"], []),
        (LOOSE, PLAIN, LOOSE, [], ["cycles.exclude: app.x"]),
        (LOOSE, PLAIN, LOOSER, ["cycles.exclude: app.y"], ["cycles.exclude: app.x"]),
        (LOOSE, LOOSE, PLAIN, [], []),
        (PLAIN, LOOSE, PLAIN, [], []),  # main was loosened meanwhile: the merge takes that
    ],
)
def test_what_the_branch_brought_is_told_from_what_it_lacks(
    base: Files, tip: Files, head: Files, brought: list[str], behind: list[str]
) -> None:
    revisions = [revision(files) for files in (base, tip, head)]
    gates = gates_of(known_gates, *revisions)
    first, second, third = (law_of(one, gates) for one in revisions)
    found = judge_points(Earlier(first), Earlier(second), third)
    assert [one.key for one in found.loosened] == brought
    assert [one.key for one in found.behind] == behind


def test_a_branch_that_is_behind_is_held_and_told() -> None:
    found = verdict(PLAIN, PLAIN, tip=TIGHT)
    assert found.status is Status.HELD
    assert found.notes == (
        "your branch is behind main, where these are stricter by now: cycles.deferred. "
        "That is not held against it; merge or rebase takes them over.",
    )


# Amendments


def decided(before: Files, after: Files, **changed: str) -> dict[str, bytes | str]:
    """Return the later revision with an amendment of everything in it that is loosened."""
    text = draft_amendment(map(amended, loosened(points(before, after), TODAY)), TODAY, new=True)
    words = {'what = ""': 'what = "w"', 'decided_by = ""': 'decided_by = "Ada"', 'reason = ""': 'reason = "r"'}
    for old, new in {**words, **changed}.items():
        assert old in text
        text = text.replace(old, new)
    return {**after, f"{LAW}/amendments.toml": text}


def test_what_a_person_decided_is_held_and_told() -> None:
    found = verdict(PLAIN, decided(PLAIN, LOOSE))
    assert (found.status, found.facts, found.granted) == (Status.HELD, 1, 1)
    assert found.notes[0].startswith("1 loosened and amended: 2027-01-01-")


def test_an_amendment_covers_what_it_names_and_no_more() -> None:
    found = verdict(PLAIN, {**decided(PLAIN, LOOSE), **LOOSER})
    assert [dict(one.identity)["key"] for one in found.violations] == ["cycles.exclude: app.y"]


def test_a_moved_base_does_not_void_an_amendment() -> None:
    assert (
        verdict(TIGHT, {**decided(PLAIN, LOOSE), **toml('[cycles]\ndeferred = true\nexclude = ["app.x"]')}).status
        is Status.HELD
    )


def test_an_amendment_that_the_base_has_already_is_spent() -> None:
    yesterday = decided(PLAIN, LOOSE)
    undone = {**yesterday, **PLAIN}
    found = verdict(undone, yesterday)
    assert found.status is Status.BROKEN
    assert found.violations[0].details[0].endswith("is no new one: it is spent, and covers nothing more.")


@pytest.mark.parametrize(
    ("changed", "status"),
    [({}, Status.BROKEN), ({'reason = "r"': 'reason = "Once more."'}, Status.HELD)],
)
def test_a_spent_amendment_is_no_new_one_under_another_id(changed: dict[str, str], status: Status) -> None:
    yesterday = decided(PLAIN, LOOSE)
    again = str(yesterday[f"{LAW}/amendments.toml"]).replace('id = "', 'id = "again-')
    for old, new in changed.items():
        assert old in again
        again = again.replace(old, new)
    assert verdict({**yesterday, **PLAIN}, {**yesterday, f"{LAW}/amendments.toml": again}).status is status


def test_an_amendment_that_the_tip_has_already_is_spent() -> None:
    amendment = decided(PLAIN, LOOSE)
    assert verdict(PLAIN, amendment, tip={**amendment, **PLAIN}).status is Status.BROKEN


def test_where_nobody_can_tell_which_amendments_are_new_none_covers() -> None:
    assert verdict({**PLAIN, f"{LAW}/amendments.toml": "torn ="}, decided(PLAIN, LOOSE)).status is Status.BROKEN


@pytest.mark.parametrize(("day", "status"), [("2027-01-01", Status.HELD), ("2026-12-31", Status.BROKEN)])
def test_an_amendment_covers_up_to_and_including_its_last_day(day: str, status: Status) -> None:
    dated = decided(PLAIN, LOOSE, **{"date = 2027-01-01": f"date = 2026-01-01\nexpires = {day}"})
    found = verdict(PLAIN, dated)
    assert found.status is status
    assert [line for one in found.violations for line in one.details] == (
        []
        if status is Status.HELD
        else [f"{LAW}/amendments.toml:3: the amendment 2027-01-01-{digest_of([ITEM])[:8]} ran out on {day}."]
    )


ITEM = Amended("cycles.exclude: app.x", "not there", "there")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('what = "w"', 'what = ""', "amendments[0].what: must not be empty"),
        ('decided_by = "Ada"', 'decided_by = "TODO"', "amendments[0].decided_by: 'TODO' is a placeholder"),
        ('reason = "r"', "", "amendments[0]: reason is missing: expected text"),
        ("date = 2027-01-01", "", "amendments[0]: date is missing: expected a date such as 2027-01-31"),
        (
            "app.x",
            "app.y",
            "amendments[0].digest: is not that of these items: they were edited after they were drafted",
        ),
        (
            'before = "not there"',
            'before = "there"',
            "amendments[0].digest: is not that of these items: they were edited after they were drafted",
        ),
        ("schema = 1", "schema = 2", "schema: is for another abutment (known here: 1)"),
        ("[[amendments]]", "[[amendments]]\nwho = 1", "amendments[0].who: unknown key"),
    ],
)
def test_an_amendment_that_is_not_whole_is_not_judged(old: str, new: str, message: str) -> None:
    whole = decided(PLAIN, LOOSE)
    path = f"{LAW}/amendments.toml"
    assert old in str(whole[path])
    found = verdict(PLAIN, {**whole, path: str(whole[path]).replace(old, new)})
    assert found.status is Status.NOT_JUDGED
    assert message in [fault.message for fault in found.faults]


def test_two_amendments_of_one_id_are_not_judged() -> None:
    whole = decided(PLAIN, LOOSE)
    path = f"{LAW}/amendments.toml"
    twice = f"{whole[path]!s}\n{str(whole[path]).removeprefix('schema = 1')}"
    assert verdict(PLAIN, {**whole, path: twice}).status is Status.NOT_JUDGED


def test_an_amendment_of_what_was_not_loosened_is_told_and_breaks_nothing() -> None:
    found = verdict(PLAIN, {**decided(PLAIN, LOOSE), **PLAIN})
    assert found.status is Status.HELD
    assert found.notes[0].endswith("names what was not loosened: cycles.exclude: app.x.")


def test_the_example_on_the_page_is_a_whole_amendment() -> None:
    page = (Path(__file__).parents[2] / "docs" / "gates" / "guard.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (one,) = read_amendments("amendments.toml", example.encode())
    assert one.id == f"{one.decided_on}-{one.digest[:8]}"


def test_the_digest_is_of_a_set() -> None:
    other = Amended("cycles.hold", "edges", "members")
    assert digest_of([ITEM, other]) == digest_of([other, ITEM, ITEM])
    assert digest_of([ITEM]) != digest_of([other])


def test_old_amendments_are_history_and_may_go() -> None:
    assert verdict(decided(PLAIN, LOOSE), LOOSE).status is Status.HELD


def test_a_draft_is_faulty_until_a_person_fills_it_in() -> None:
    text = draft_amendment([ITEM], date(2027, 1, 1), new=True)
    found = verdict(PLAIN, {**LOOSE, f"{LAW}/amendments.toml": text})
    assert [fault.line for fault in found.faults] == [5, 6, 7]


def test_a_violation_says_where_what_and_what_to_do() -> None:
    (one,) = verdict(PLAIN, toml(FORBIDDEN + '[cycles]\nexclude = ["app.x"]')).violations
    assert (one.rule, one.kind, one.sites[0].place()) == ("ABT951", "loosened", "abutment.toml:9")
    assert one.what == "cycles.exclude: 'app.x' was added"
    assert one.document == f"{LAW}/amendments.toml"
    assert "`abutment draft guard`" in one.remedy
    assert "which an agent does not write" in one.remedy


def test_a_baseline_that_was_recorded_anew_is_told_by_its_first_lines() -> None:
    many: dict[tuple[str, ...], int] = {("c", "app.a", f"app.b.x{number:02}"): 1 for number in range(30)}
    base = {**toml(FORBIDDEN), **recorded("boundaries", {})}
    found = verdict(base, {**toml(FORBIDDEN), **recorded("boundaries", many)})
    grants = [one for one in found.violations if one.rule == "ABT952"]
    assert [one.follows for one in grants] == [False] * 10 + [True] * 20
    assert {one.leader for one in grants[10:]} == {grants[0].fingerprint}


def test_one_change_of_a_step_is_told_once() -> None:
    step = {".github/workflows/ci.yml": "on: push\njobs: {a: {steps: [{run: abutment check}]}}\n"}
    soft = {path: text.replace("check", "check || true") for path, text in step.items()}
    found = verdict({**PLAIN, **step}, {**PLAIN, **soft})
    assert [one.follows for one in found.violations] == [False, True, True]


def test_without_law_before_it_is_held_and_told() -> None:
    found = verdict({"abutment.toml": ""}, LOOSE)
    assert found.status is Status.HELD
    assert found.notes == ("there was no law in main at 1a2b3c4d: nothing could be loosened.",)
