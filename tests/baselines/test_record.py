"""`init`, `init --again` and `record`: what may be recorded, and what must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from abutment.baselines.again import plan_again
from abutment.baselines.law import Law
from abutment.baselines.plan import Plan, joined
from abutment.baselines.receipts import How, read_receipts
from abutment.baselines.record import plan_init, plan_record
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.model.reading import Faults
from abutment.model.terms import Direction
from abutment.verdicts.verdict import Status
from tests.baselines.laws import SNAPSHOT, TERMS, World, approval, key, kinds, measured

UNREAD = Fault("app/z.py", 3, "does not parse.")


def test_what_init_recorded_is_held() -> None:
    world, counts = World(), {"c a b": 2, "c a d": 1}
    plan = world.init(counts, covers=("c",))
    assert world.judge(counts).status is Status.HELD
    assert plan.lines == ("boundaries: 3 facts recorded in 2 entries.",)
    (receipt,) = read_receipts({path: world.files[path] for path in world.receipts()}, Faults()).values()
    assert receipt.parts[0].covers == ("c",)
    assert {(touch.count, touch.how) for touch in receipt.parts[0].touches} == {(1, How.RECORDED), (2, How.RECORDED)}


def test_a_codebase_without_debt_gets_a_baseline_too() -> None:
    world = World()
    world.init({})
    assert world.judge({}).status is Status.HELD
    assert len(world.receipts()) == 1


def test_init_never_overwrites() -> None:
    world = World()
    world.init({"c a b": 1})
    with pytest.raises(Refused, match="is there already; init never overwrites"):
        world.init({"c a b": 1, "c a d": 1})


def test_a_lost_baseline_is_not_recorded_anew() -> None:
    world = World()
    world.init({"c a b": 1})
    del world.files[TERMS.baseline]
    with pytest.raises(Refused, match="is missing, but a receipt says that boundaries was recorded before"):
        world.init({"c a b": 1, "c a d": 1})


def test_init_records_only_what_no_approval_names() -> None:
    world = World()
    world.approve("c a b")
    world.init({"c a b": 3, "c a d": 1})
    assert world.recorded() == {"c a b": 2, "c a d": 1}
    assert world.judge({"c a b": 3, "c a d": 1}).status is Status.HELD


def test_init_does_not_renew_an_approval_that_has_run_out() -> None:
    world = World()
    world.approve("c a b", more="expires = 2020-01-01")
    world.init({"c a b": 1})
    assert world.recorded() == {}
    assert kinds(world.judge({"c a b": 1})) == {"c a b": "expired"}


def test_init_records_nothing_that_takes_approvals_only() -> None:
    counts = measured({"c a b": 1, "raw a b": 1}, reviewed_only=lambda of: of[0] == "raw")
    plan = plan_init(Law(TERMS), counts)
    assert [touch.key for touch in plan.parts[0].touches] == [key("c a b")]
    assert plan.lines[1].startswith("boundaries: 1 entry for which only an approval counts: `abutment draft b")


@pytest.mark.parametrize(
    "attempt",
    [
        lambda partial: plan_init(Law(TERMS), partial),
        lambda partial: plan_again(Law(TERMS), partial, "why"),
        lambda partial: plan_record(Law(SNAPSHOT), partial),
    ],
)
def test_a_partial_scan_records_nothing(attempt: Callable[[Measurement], Plan]) -> None:
    with pytest.raises(Refused, match="needs the whole judged"):
        attempt(measured({"c a b": 1}, faults=[UNREAD]))
    with pytest.raises(Refused, match="looked at no imports at all"):
        attempt(measured({}, looked_at=0))


def test_a_gate_without_baseline_has_nothing_to_record() -> None:
    assert plan_init(Law(replace(TERMS, direction=Direction.ZERO)), measured({"c a b": 1})).nothing


def test_a_snapshot_is_re_recorded_at_will_and_its_receipts_name_no_keys() -> None:
    world = World(terms=SNAPSHOT)
    world.init({"c a b": 1})
    assert kinds(world.judge({"c a d": 1})) == {"c a b": "gone", "c a d": "new"}
    plan = world.apply(plan_record(world.law(), measured({"c a d": 1})))
    assert plan.lines == ("snapshot: 2 entries changed.",)
    assert world.judge({"c a d": 1}).status is Status.HELD
    assert all(not part.touches for receipt in world.law().receipts for part in receipt.parts)
    assert world.law().grants.levels == {}
    assert plan_record(world.law(), measured({"c a d": 1})).nothing


def test_only_snapshots_are_re_recorded() -> None:
    with pytest.raises(Refused, match="only snapshots may be re-recorded"):
        plan_record(Law(TERMS), measured({"c a b": 1}))


def test_plans_of_several_gates_are_one_write() -> None:
    one = plan_init(Law(TERMS), measured({"c a b": 1}))
    other = plan_init(Law(SNAPSHOT), measured({"c a b": 1}))
    both = joined([other, one])
    assert [part.gate for part in both.parts] == ["boundaries", "snapshot"]
    assert [change.path for change in both.changes] == [TERMS.baseline, SNAPSHOT.baseline]
    assert len(both.basis) == 4
    with pytest.raises(ValueError, match="one verb"):
        joined([one, replace(other, verb="tighten")])


def test_approvals_on_one_key_add_up() -> None:
    law = Law(TERMS, Grants(approvals=(approval("c a b"), approval("c a b", 2))))
    assert plan_init(law, measured({"c a b": 4})).parts[0].touches[0].count == 1
