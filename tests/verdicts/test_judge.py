"""The one comparison: every way in which facts and grants differ, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants, Level, Recorded
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.site import Site
from abutment.model.terms import Direction, Terms
from abutment.model.violation import Kind, Violation
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status, Verdict, tolerate_stale
from tests.baselines.laws import SNAPSHOT, TERMS, TODAY, approval, key, measured

X = "c app.a app.b"
YESTERDAY, TOMORROW = TODAY - timedelta(1), TODAY + timedelta(1)


def judged(
    found: int,
    *approvals: Approval,
    recorded: int = 0,
    level: Level | None = None,
    terms: Terms = TERMS,
    reviewed_only: bool = False,
    faults: tuple[Fault, ...] = (),
) -> Verdict:
    """Return the verdict on one key."""
    grants = Grants(
        approvals=approvals,
        recorded=(Recorded(key(X), recorded, 9),) if recorded else (),
        levels={key(X): level} if level else {},
    )
    return judge(terms, measured({X: found}, faults=faults, reviewed_only=lambda _key: reviewed_only), grants, TODAY)


def only(verdict: Verdict) -> Violation:
    (violation,) = verdict.violations
    return violation


PAID, RECORDED_1 = Level(0, True), Level(1, False)
A = approval(X)


@pytest.mark.parametrize(
    ("found", "grants", "kind"),
    [
        (0, {}, None),
        (1, {}, "new"),
        (1, {"recorded": 1}, None),
        (2, {"recorded": 1}, "grown"),
        (1, {"recorded": 2}, "shrunk"),
        (0, {"recorded": 1}, "gone"),
        (1, {"approved": A}, None),
        (2, {"approved": A}, "grown"),
        (0, {"approved": A}, "gone"),
        (1, {"approved": approval(X, 2)}, "shrunk"),
        (2, {"approved": A, "recorded": 1}, None),
        (1, {"approved": A, "recorded": 1}, "shrunk"),  # promoted: the baseline's entry is stale
        (3, {"approved": A, "recorded": 1}, "grown"),
        (1, {"level": PAID}, "returned"),
        (1, {"level": PAID, "recorded": 1}, "returned"),  # a line put back by hand grants nothing
        (0, {"level": PAID, "recorded": 1}, "gone"),
        (1, {"level": PAID, "approved": A}, "returned"),  # not lifted
        (0, {"level": PAID, "approved": A}, "gone"),
        (1, {"level": PAID, "approved": approval(X, lifts=True)}, None),
        (2, {"level": PAID, "approved": approval(X, lifts=True)}, "grown"),
        (1, {"level": PAID, "approved": approval(X, lifts=True, expires=YESTERDAY)}, "expired"),
        (1, {"level": PAID, "approved": approval(X, expires=YESTERDAY)}, "returned"),
        (1, {"level": Level(0, False), "approved": A}, None),  # promoted to 0 is no tombstone
        (1, {"level": Level(0, False)}, "new"),
        (1, {"level": Level(0, False), "recorded": 1}, "new"),
        (2, {"level": RECORDED_1, "recorded": 2}, "grown"),  # the level is below the document
        (1, {"level": RECORDED_1, "recorded": 2}, "shrunk"),
        (1, {"level": Level(5, False), "recorded": 1}, None),  # a level grants nothing by itself
        (1, {"approved": approval(X, expires=TODAY)}, None),  # the day of expiry still counts
        (1, {"approved": approval(X, expires=YESTERDAY)}, "expired"),
        (2, {"approved": approval(X, expires=YESTERDAY)}, "new"),
        (2, {"approved": approval(X, expires=YESTERDAY), "recorded": 1}, "expired"),
        (3, {"approved": approval(X, expires=YESTERDAY), "recorded": 1}, "grown"),
        (0, {"approved": approval(X, expires=YESTERDAY)}, "gone"),
        (1, {"approved": approval(X, expires=YESTERDAY), "recorded": 1}, "shrunk"),
        (1, {"reviewed_only": True, "recorded": 1}, "new"),
        (1, {"reviewed_only": True, "recorded": 1, "approved": A}, "shrunk"),
        (1, {"reviewed_only": True, "approved": A}, None),
    ],
)
def test_each_difference_has_its_kind(found: int, grants: dict[str, object], kind: str | None) -> None:
    approved = grants.pop("approved", None)
    approvals = (approved,) if isinstance(approved, Approval) else ()
    verdict = judged(found, *approvals, **grants)  # type: ignore[arg-type]  # a table of keywords
    assert [violation.kind.value for violation in verdict.violations] == ([kind] if kind else [])
    assert verdict.status is (Status.BROKEN if kind else Status.HELD)


def test_without_tombstones_paid_debt_is_new_and_hand_written_lines_still_count_for_nothing() -> None:
    terms = replace(TERMS, tombstones=False)
    assert only(judged(1, level=PAID, terms=terms)).kind is Kind.NEW
    assert only(judged(1, level=PAID, recorded=1, terms=terms)).kind is Kind.NEW
    assert judged(1, A, level=PAID, terms=terms).status is Status.HELD


def test_a_swap_is_one_new_and_one_gone() -> None:
    grants = Grants(recorded=(Recorded(key(X), 1, 2),))
    verdict = judge(TERMS, measured({"c app.a app.z": 1}), grants, TODAY)
    assert sorted(violation.kind.value for violation in verdict.violations) == ["gone", "new"]


def test_growth_here_is_not_paid_by_a_fall_there() -> None:
    grants = Grants(recorded=(Recorded(key("c a b"), 2, 2), Recorded(key("c a z"), 2, 3)))
    verdict = judge(TERMS, measured({"c a b": 1, "c a z": 3}), grants, TODAY)
    assert [violation.kind.value for violation in verdict.violations] == ["grown", "shrunk"]


def test_excess_is_shown_in_the_code_and_stale_in_the_document() -> None:
    assert only(judged(2, recorded=1)).sites[0] == Site("app/a.py", 7)
    assert only(judged(0, recorded=1)).sites == (Site(TERMS.baseline, 9),)
    assert only(judged(0, A)).sites == (Site(TERMS.policy, 3),)


@pytest.mark.parametrize(
    ("verdict", "document", "remedy"),
    [
        (judged(1), TERMS.baseline, "Call the port instead, or have it approved in law/boundaries.toml."),
        (judged(1, reviewed_only=True), TERMS.policy, "Call the port instead"),
        (judged(1, terms=replace(TERMS, direction=Direction.EXACT)), TERMS.policy, "Call the port instead"),
        (judged(2, A), TERMS.policy, "Call the port instead"),
        (judged(2, recorded=1), TERMS.baseline, "Call the port instead"),
        (judged(0, recorded=1), TERMS.baseline, "Run `abutment tighten boundaries` to record the payment."),
        (judged(0, recorded=1, terms=SNAPSHOT), SNAPSHOT.baseline, "Run `abutment record snapshot` to record"),
        (judged(0, A), TERMS.policy, "Delete the approval: law/boundaries.toml:3."),
        (judged(2, approval(X, 3)), TERMS.policy, "Lower `count` of the approval to 2: law/boundaries.toml:3."),
        (judged(0, A, recorded=1), TERMS.baseline, "record the payment. Delete the approval: law/boundaries.toml:3."),
        (judged(1, A, recorded=1), TERMS.baseline, "to record the payment."),
        (judged(1, approval(X, expires=YESTERDAY), recorded=1), TERMS.policy, "Delete the approval:"),
        (judged(1, level=PAID), TERMS.baseline, "only an approval with `lifts = true` in law/boundaries.toml"),
        (
            judged(1, approval(X, expires=YESTERDAY)),
            TERMS.policy,
            "Call the port instead, or have its approval renewed in law/boundaries.toml.",
        ),
        (
            judged(2, approval(X, expires=YESTERDAY)),
            TERMS.policy,
            "Its approval in law/boundaries.toml has run out; a person renews or removes it.",
        ),
    ],
)
def test_a_violation_names_its_document_and_what_to_do(verdict: Verdict, document: str, remedy: str) -> None:
    assert only(verdict).document == document
    assert remedy in only(verdict).remedy


def test_a_violation_says_how_many_there_are_and_how_many_are_granted() -> None:
    grown, shrunk = only(judged(3, A, recorded=1)), only(judged(1, approval(X, 2), recorded=1))
    assert (grown.found, grown.granted) == (3, 2)
    assert (shrunk.found, shrunk.granted) == (1, 3)


def test_a_line_that_does_not_count_is_explained() -> None:
    assert only(judged(2, recorded=2, level=RECORDED_1)).details == (
        "law/boundaries.jsonl:9 says 2, which does not count: receipts recorded 1, and a recorded level only falls.",
    )
    assert only(judged(1, recorded=1, reviewed_only=True)).details == (
        "law/boundaries.jsonl:9 says 1, which does not count: only approvals grant this.",
    )
    assert only(judged(2, recorded=1)).details == ()


def test_a_fact_without_a_place_is_shown_at_its_document() -> None:
    bare = Measurement({key(X): 1}, lambda _key: Evidence("ABT301", "it is so"), looked_at=1, unit="facts")
    assert only(judge(TERMS, bare, Grants(), TODAY)).sites == (Site(TERMS.baseline),)


def test_an_unused_allowance_is_gone() -> None:
    site = Site("pyproject.toml", 12)
    unused = Unused(key("c app.a app.q"), Evidence("ABT302", "app.a may import app.q", (site,), remedy="Delete it."))
    violation = only(judge(TERMS, measured({}, unused=(unused,)), Grants(), TODAY))
    assert (violation.kind, violation.document, violation.sites) == (Kind.GONE, "pyproject.toml", (site,))


def test_nothing_looked_at_is_not_judged() -> None:
    verdict = judge(TERMS, measured({}, looked_at=0), Grants(), TODAY)
    assert verdict.status is Status.NOT_JUDGED
    assert "looked at no imports at all" in verdict.faults[0].message


UNREAD = Fault("app/z.py", 3, "does not parse.")


def test_a_partial_scan_tells_what_it_found_and_nothing_that_it_missed() -> None:
    new = judged(2, recorded=1, faults=(UNREAD,))
    assert (new.status, only(new).kind, new.faults) == (Status.NOT_JUDGED, Kind.GROWN, (UNREAD,))
    gone = judged(0, recorded=1, faults=(UNREAD,))
    assert (gone.status, gone.violations) == (Status.NOT_JUDGED, ())
    assert gone.notes == ("1 granted fact was not found, which says nothing while something is unread.",)


@pytest.mark.parametrize(
    ("expires", "warned"),
    [
        (None, False),
        (YESTERDAY, False),
        (TODAY, True),
        (TODAY + timedelta(14), True),
        (TODAY + timedelta(15), False),
    ],
)
def test_an_approval_is_warned_of_fourteen_days_ahead(expires: date | None, warned: bool) -> None:
    verdict = judged(1, approval(X, expires=expires))
    assert bool(verdict.warnings) is warned
    if warned:
        assert "runs out on" in verdict.warnings[0]
        assert "owner core" in verdict.warnings[0]


def test_the_sums_are_of_facts_and_of_what_counts() -> None:
    verdict = judged(3, approval(X, expires=TOMORROW), recorded=2, level=RECORDED_1)
    assert (verdict.facts, verdict.granted, verdict.looked_at, verdict.unit) == (3, 2, 10, "imports")


def test_stale_can_be_tolerated_and_excess_cannot() -> None:
    assert tolerate_stale(judged(0, recorded=1)).status is Status.HELD
    assert len(tolerate_stale(judged(0, recorded=1)).tolerated) == 1
    assert tolerate_stale(judged(2, recorded=1)).status is Status.BROKEN
    assert tolerate_stale(judged(0, recorded=1, faults=(UNREAD,))).status is Status.NOT_JUDGED


KEYS = st.sampled_from(["c a b", "c a d", "c e b", "d a b"])
COUNTS = st.dictionaries(KEYS, st.integers(1, 3), max_size=4)


def recorded(counts: Mapping[str, int]) -> Grants:
    return Grants(recorded=tuple(Recorded(key(text), count, 2) for text, count in counts.items()))


@settings(derandomize=True, max_examples=100)
@given(COUNTS, COUNTS)
def test_excess_one_way_is_stale_the_other_way(facts: dict[str, int], grants: dict[str, int]) -> None:
    there = judge(TERMS, measured(facts), recorded(grants), TODAY)
    back = judge(TERMS, measured(grants), recorded(facts), TODAY)
    assert {v.identity for v in there.violations if v.kind.excess} == {
        v.identity for v in back.violations if v.kind.stale
    }
    assert (there.status is Status.HELD) == (facts == grants)


@settings(derandomize=True, max_examples=100)
@given(COUNTS)
def test_a_swap_is_never_free(counts: dict[str, int]) -> None:
    for text, count in counts.items():
        swapped = {**counts, text: count - 1, "c brand new": 1}
        verdict = judge(TERMS, measured(swapped), recorded(counts), TODAY)
        assert sum(v.kind.excess for v in verdict.violations) == 1
        assert sum(v.kind.stale for v in verdict.violations) == 1


@settings(derandomize=True, max_examples=50)
@given(COUNTS, COUNTS, st.randoms(use_true_random=False))
def test_no_order_changes_a_verdict(facts: dict[str, int], grants: dict[str, int], random: object) -> None:
    shuffled: list[tuple[Key, int]] = [(key(text), count) for text, count in facts.items()]
    getattr(random, "shuffle")(shuffled)  # noqa: B009  # the type of `randoms` is private
    again = replace(measured(facts), counts=dict(shuffled))
    grants_again = Grants(recorded=recorded(grants).recorded[::-1])
    assert judge(TERMS, measured(facts), recorded(grants), TODAY) == judge(
        TERMS, replace(again, describe=again.describe), grants_again, TODAY
    )
