"""`init --again`: what a change of the law explains, and that nothing else is forgiven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from abutment.baselines.again import plan_again
from abutment.baselines.law import Law
from abutment.errors import Refused
from abutment.model.measurement import Measurement
from tests.baselines.laws import TERMS, World, kinds, measured


def changed(counts: Mapping[str, int], covers: tuple[str, ...], **instead_of: str) -> Measurement:
    """Return what was found under a law whose parts people name, and some of which hold what others held."""
    return replace(measured(counts, covers=covers), named_parts=True, instead_of=instead_of)


def test_a_new_contract_is_recorded_and_nothing_else() -> None:
    world = World()
    world.init({"c a b": 1, "c a d": 1}, covers=("c",))
    grown = {"c a b": 5, "n a b": 2}
    plan = world.again(grown, covers=("c", "n"), reason=" A second layer. ")
    assert world.recorded() == {"c a b": 1, "c a d": 1, "n a b": 2}
    assert plan.reason == "A second layer."
    assert kinds(world.judge(grown)) == {"c a b": "grown", "c a d": "gone"}


def test_a_contract_is_new_once() -> None:
    world = World()
    world.init({"c a b": 1}, covers=("c",))
    world.again({"c a b": 1}, covers=("c", "n"))  # without debt, so that the baseline stays as it is
    with pytest.raises(Refused, match="every part of boundaries's law was recorded before"):
        world.again({"c a b": 1, "n a b": 1}, covers=("c", "n"))


def test_recording_again_needs_a_reason_and_a_baseline() -> None:
    world = World()
    world.init({}, covers=("c",))
    with pytest.raises(Refused, match="needs a reason"):
        world.again({}, covers=("n",), reason="  ")
    with pytest.raises(Refused, match="Run `abutment init boundaries`"):
        plan_again(Law(TERMS), measured({}, covers=("n",)), "why")


def test_a_contract_under_another_name_gets_what_the_old_one_was_granted() -> None:
    world = World()
    world.init({"c a b": 2, "c a d": 1}, covers=("c",))
    found = {"n a b": 3, "n a d": 1, "n a e": 1}
    plan = world.apply(plan_again(world.law(), changed(found, ("n",)), "A better name."))
    assert world.recorded() == {"c a b": 2, "c a d": 1, "n a b": 2, "n a d": 1}
    assert "n has facts of c, which is written no more" in plan.lines[1]
    assert "2 facts beyond that are not recorded" in plan.lines[1]
    assert kinds(world.judge(found)) == {"c a b": "gone", "c a d": "gone", "n a b": "grown", "n a e": "new"}


def test_a_name_that_was_paid_off_grants_nothing_to_its_successor() -> None:
    world = World()
    world.init({"c a b": 1}, covers=("c",))
    world.tighten({})
    world.apply(plan_again(world.law(), changed({"n a b": 1}, ("n",)), "A better name."))
    assert world.recorded() == {}
    assert kinds(world.judge({"n a b": 1})) == {"n a b": "new"}


def test_a_part_that_is_back_and_one_that_was_renamed_come_in_one_write() -> None:
    world = World()
    world.init({"edges a b": 1, "c a b": 1}, covers=("edges", "c"))
    counts = {"members a b": 1, "c a b": 1}
    world.apply(plan_again(world.law(), changed(counts, ("members", "c"), members="edges"), "Held anew."))
    assert world.recorded() == {"members a b": 1, "c a b": 1}
    found = {"edges a b": 1, "edges a d": 1, "n a b": 1, "n a d": 1}
    plan = world.apply(plan_again(world.law(), changed(found, ("edges", "n"), edges="members"), "Back, and renamed."))
    assert world.recorded() == {"edges a b": 1, "n a b": 1, "c a b": 1}
    assert plan.lines[:2] == (
        "New here: n.",
        "Back from what was set aside: edges. What came meanwhile needs an approval.",
    )
    assert kinds(world.judge(found)) == {"c a b": "gone", "edges a d": "new", "n a d": "new"}
