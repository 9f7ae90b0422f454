"""Each rule of the guard sees its kind of widening, and not the way back nor the like that holds as much."""

from __future__ import annotations

import pytest

from abutment.guard.rules import CI, GRANTS, GUARD, RECORDS, SETTINGS, UNREADABLE
from tests.guard.laws import FORBIDDEN, LAW, Files, approvals, differences, edge, recorded, toml

RECEIPT = recorded("boundaries", {("c", "app.a", "app.b"): 1})
OTHER = {path: data for path, data in recorded("boundaries", {}, verb="tighten").items() if "receipts" in path}
EDGE = edge("app.a", "app.b")
STEP = ".github/workflows/ci.yml"
RUN: Files = {STEP: "on: push\njobs: {a: {steps: [{run: abutment check cycles}]}}\n"}
BROKEN: Files = {"abutment.toml": "roots = [\n"}

# of each rule: a law, a wider one, and one that reads otherwise and is as strict
KINDS: dict[str, tuple[Files, ...]] = {
    SETTINGS: (toml("[cycles]\ndeferred = true\n"), toml(""), toml("cycles.deferred = true\n")),
    GRANTS: tuple(
        {**toml(FORBIDDEN), **approvals("boundaries", {**EDGE, **more})} for more in ({}, {"count": 2}, {"owner": "x"})
    ),
    RECORDS: tuple({**toml(FORBIDDEN), **RECEIPT, **more} for more in (OTHER, {}, {**OTHER, f"{LAW}/x.md": ""})),
    CI: (RUN, {STEP: str(RUN[STEP]).replace("cycles", "cycles || true")}, {".github/workflows/b.yaml": RUN[STEP]}),
    UNREADABLE: (BROKEN, toml(""), BROKEN),
}


def test_every_rule_is_played() -> None:
    assert set(KINDS) == {rule.id for rule in GUARD.rules}


@pytest.mark.parametrize("rule", KINDS)
def test_a_widening_is_told_by_its_rule_and_its_twins_are_not(rule: str) -> None:
    before, wider, same = KINDS[rule]
    assert rule in {found.item.rule for found in differences(before, wider).widenings}
    assert not differences(before, same).widenings
    if rule != UNREADABLE:
        assert not differences(wider, before).widenings
