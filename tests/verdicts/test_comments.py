"""What a comment beside a use grants, together with policy, baseline and receipts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from abutment.baselines.code_names import CodeNames
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.record import plan_init
from abutment.baselines.tighten import plan_tighten
from abutment.errors import Refused
from abutment.model.grants import Approval, Grants, Level, Recorded
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Verdict
from tests.baselines.laws import TERMS, TODAY, World, approval, key, measured

X = "c app.a app.b"
YESTERDAY = TODAY - timedelta(1)
BASELINE, POLICY, CODE = TERMS.baseline, f"{TERMS.policy}:3", "app/a.py:7"
PAID = Level(0, paid_off=True)


def comment(count: int = 1, expires: date | None = None) -> Approval:
    return replace(approval(X, count, expires=expires), owner="", site=Site("app/a.py", 7), in_place=True)


def commented(found: int, *comments: Approval) -> Measurement:
    return replace(measured({X: found}), in_place=comments)


def judged(
    found: int, *comments: Approval, approved: Approval | None = None, recorded: int = 0, level: Level | None = None
) -> Verdict:
    grants = Grants(
        (approved,) if approved else (),
        (Recorded(key(X), recorded, 9),) if recorded else (),
        {key(X): level} if level else {},
    )
    return judge(TERMS, commented(found, *comments), grants, TODAY)


def shown(found: Verdict) -> list[str]:
    return [f"{one.kind.value} {one.document}" for one in found.violations]


def only(found: Verdict) -> Violation:
    (violation,) = found.violations
    return violation


RUN_OUT = comment(expires=YESTERDAY)
LIFTS = approval(X, lifts=True)


@pytest.mark.parametrize(
    ("verdict", "kinds", "remedy"),
    [
        (judged(1, comment()), [], ""),
        (judged(2, comment(2)), [], ""),
        (judged(2, comment(), comment()), [], ""),
        (judged(1, comment(expires=TODAY)), [], ""),
        (judged(2, comment(), recorded=1), [], ""),
        (judged(2, comment(), approved=approval(X)), [], ""),
        # more than is granted: no comment decides about it, but for one that has run out
        (judged(2, comment()), [f"grown {BASELINE}"], "Call the port"),
        (judged(3, comment(), recorded=1), [f"grown {BASELINE}"], "Call the port"),
        (judged(3, comment(), approved=approval(X)), [f"grown {TERMS.policy}"], "Call the port"),
        (judged(1, RUN_OUT), ["expired app/a.py"], "Renew or delete its comment in app/a.py"),
        (judged(2, RUN_OUT), [f"new {BASELINE}"], "Its approval in app/a.py has run out"),
        (judged(2, RUN_OUT, comment()), ["expired app/a.py"], "Renew or delete its comment in app/a.py"),
        # debt that was paid returns by no comment
        (judged(1, comment(), level=PAID), [f"returned {BASELINE}"], "only an approval with `lifts = true`"),
        (judged(1, approved=LIFTS, level=PAID), [], ""),
        (judged(1, comment(), approved=LIFTS, level=PAID), ["shrunk app/a.py"], f"Delete the comment: {CODE}."),
        # more than there is: the uses of a comment are there, so it is another entry that goes
        (judged(1, comment(), recorded=1), [f"shrunk {BASELINE}"], "Run `abutment tighten boundaries`"),
        (judged(1, comment(), approved=approval(X)), [f"shrunk {TERMS.policy}"], f"Delete the approval: {POLICY}."),
        (
            judged(2, comment(), approved=approval(X, 2)),
            [f"shrunk {TERMS.policy}"],
            "Lower `count` of the approval to 1",
        ),
        (judged(1, RUN_OUT, approved=approval(X)), ["shrunk app/a.py"], f"Delete the comment: {CODE}."),
        (judged(1, RUN_OUT, recorded=1), ["shrunk app/a.py"], f"Delete the comment: {CODE}."),
    ],
)
def test_a_comment_is_held_as_exactly_as_any_grant(verdict: Verdict, kinds: list[str], remedy: str) -> None:
    assert shown(verdict) == kinds
    assert all(remedy in violation.remedy for violation in verdict.violations)


def test_a_comment_that_lifts_nothing_is_named() -> None:
    assert f"the comment {CODE} does not count: it lifts nothing." in only(judged(1, comment(), level=PAID)).details


def test_a_comment_is_warned_of_before_it_runs_out() -> None:
    assert judged(1, comment(expires=TODAY + timedelta(14))).warnings == (
        f"{CODE}: boundaries: the comment for contract c, importer app.a, imported app.b runs out on 2026-03-15.",
    )
    assert not judged(1, comment(expires=TODAY + timedelta(15))).warnings


def test_a_comment_counts_among_what_is_granted() -> None:
    assert judged(3, comment(2), recorded=1).granted == 3


def test_what_a_comment_grants_is_not_recorded() -> None:
    world = World()
    world.apply(plan_init(world.law_before(), commented(3, comment(2))))
    assert world.recorded() == {X: 1}


def test_tightening_drops_what_a_comment_grants_and_leaves_no_tombstone() -> None:
    world = World()
    world.init({X: 2})
    world.apply(plan_tighten(world.law(), commented(2, comment()), TODAY))
    assert world.recorded() == {X: 1}
    world.apply(plan_tighten(world.law(), commented(2, comment(2)), TODAY))
    assert world.recorded() == {}
    assert world.law().grants.levels[key(X)] == Level(0, paid_off=False)
    assert judge(TERMS, commented(2, comment(2)), world.law().grants, TODAY).violations == ()


def test_tightening_refuses_while_a_comment_has_run_out() -> None:
    world = World()
    world.init({})
    with pytest.raises(Refused, match="found 1, granted 0"):
        plan_tighten(world.law(), commented(1, RUN_OUT), TODAY)


def test_a_move_carries_over_only_what_no_comment_grants() -> None:
    world = World()
    world.init({"c app.old app.b": 2})
    beside = replace(measured({X: 2}), in_place=(comment(),))
    plan = plan_move(
        "app.old", "app.a", [Moving.of(world.law(), beside, ("importer", "imported"))], CodeNames(("app.a",)), TODAY
    )
    world.apply(plan)
    assert world.recorded() == {"c app.old app.b": 1, X: 1}
