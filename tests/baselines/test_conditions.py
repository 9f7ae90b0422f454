"""What was measured under other conditions is not compared, and recorded anew only as far as these explain it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from abutment.baselines.again import plan_again
from abutment.baselines.conditions import refuted
from abutment.baselines.document import read_baseline, read_conditions, render_baseline
from abutment.baselines.record import plan_init
from abutment.baselines.tighten import plan_tighten
from abutment.errors import Refused
from abutment.model.identity import Key
from abutment.model.measurement import Conditions, Measurement
from abutment.model.reading import Faults
from tests.baselines.laws import TERMS, TODAY, World, key, measured

ONE, TWO = {"mypy": "1.0", "configuration": "aa"}, {"mypy": "2.0", "configuration": "aa"}


def under(conditions: Conditions, counts: Mapping[str, int]) -> Measurement:
    return replace(measured(counts), conditions=conditions)


def recorded_under(conditions: Conditions, counts: Mapping[str, int]) -> World:
    world = World()
    world.apply(plan_init(world.law_before(), under(conditions, counts)))
    return world


def said(world: World, measurement: Measurement) -> list[str]:
    return [fault.message for fault in refuted(world.law(), measurement)]


def test_the_header_and_the_receipt_say_under_which_conditions() -> None:
    world = recorded_under(ONE, {"c a b": 1})
    header = world.files[TERMS.baseline].decode().split("\n")[0]
    assert header.endswith('"conditions": {"configuration": "aa", "mypy": "1.0"}}')
    assert world.law().conditions == ONE
    (receipt,) = world.law().receipts
    assert receipt.parts[0].conditions == (("configuration", "aa"), ("mypy", "1.0"))
    assert said(world, under(ONE, {})) == []


def test_a_payment_keeps_them() -> None:
    world = recorded_under(ONE, {"c a b": 2})
    world.apply(plan_tighten(world.law(), under(ONE, {"c a b": 1}), TODAY))
    assert (world.law().conditions, world.recorded()) == (ONE, {"c a b": 1})
    assert said(world, under(ONE, {})) == []


@pytest.mark.parametrize(
    ("now", "clause"),
    [
        (TWO, "mypy was 1.0, and is 2.0"),
        ({"mypy": "1.0"}, "configuration was aa, and is not known now"),
        ({**ONE, "platform": "linux"}, "platform is linux, and was not recorded"),
        (
            {**ONE, "configuration": "aa, bb"},
            "configuration is now with bb",
        ),
        ({}, "configuration was aa, and is not known now; mypy was 1.0, and is not known now"),
    ],
)
def test_other_conditions_are_told_each(now: Conditions, clause: str) -> None:
    world = recorded_under(ONE, {"c a b": 1})
    assert said(world, under(now, {"c a b": 1})) == [f"boundaries was recorded under other conditions: {clause}."]


def test_a_gate_that_had_none_and_has_some_is_not_compared() -> None:
    world = World()
    world.init({"c a b": 1})
    assert said(world, under(ONE, {"c a b": 1})) != []
    assert said(world, under({}, {"c a b": 1})) == []


def test_conditions_that_no_write_of_ours_recorded_are_a_fault() -> None:
    world = recorded_under(ONE, {"c a b": 1})
    world.files[TERMS.baseline] = world.files[TERMS.baseline].replace(b'"1.0"', b'"2.0"')
    assert said(world, under(TWO, {})) == ["no receipt of boundaries tells of the conditions that its header names."]


def again(world: World, measurement: Measurement, reason: str = "An upgrade.") -> None:
    world.apply(plan_again(world.law(), measurement, reason))


def test_under_a_new_version_all_that_differs_is_recorded_and_nothing_is_paid() -> None:
    world = recorded_under(ONE, {"c a b": 2, "c a d": 1, "c a e": 1})
    found = {"c a b": 3, "c a e": 1, "c a f": 1}
    again(world, under(TWO, found))
    assert (world.recorded(), world.law().conditions) == (found, TWO)
    assert world.law().grants.levels[key("c a d")].count == 0
    assert not world.law().grants.levels[key("c a d")].paid_off
    assert said(world, under(TWO, {})) == []
    assert kinds_of(world, found) == {}


def kinds_of(world: World, counts: Mapping[str, int]) -> dict[str, str]:
    return {" ".join(dict(one.identity).values()): one.kind.value for one in world.judge(counts).violations}


def only(*texts: str) -> Callable[[Conditions], Callable[[Key], bool]]:
    """Return what says that a change explains these keys alone."""
    return lambda _before: lambda asked: asked in {key(text) for text in texts}


def test_what_the_change_does_not_explain_stays_as_it_was() -> None:
    world = recorded_under(ONE, {"c a b": 1, "c a d": 1})
    found = {"c a b": 2, "r a b": 1, "c a e": 1}
    again(world, replace(under(TWO, found), explains=only("r a b")))
    assert world.recorded() == {"c a b": 1, "c a d": 1, "r a b": 1}
    assert kinds_of(world, found) == {"c a b": "grown", "c a d": "gone", "c a e": "new"}


def test_recording_anew_needs_a_reason() -> None:
    world = recorded_under(ONE, {"c a b": 1})
    with pytest.raises(Refused, match="needs a reason"):
        again(world, under(TWO, {}), reason=" ")


def test_under_the_same_conditions_nothing_is_recorded_anew() -> None:
    world = recorded_under(ONE, {"c a b": 1})
    with pytest.raises(Refused, match="was recorded before"):
        again(world, under(ONE, {"c a b": 2}))


def hiding(counts: Mapping[str, int], *texts: str) -> Measurement:
    """Return what was measured where these keys were not looked for."""
    return replace(under(ONE, counts), hidden=lambda asked: asked in {key(text) for text in texts})


def test_what_was_not_looked_for_is_neither_paid_nor_held() -> None:
    world = recorded_under(ONE, {"c a b": 2, "c a d": 1, "c a e": 1})
    (message,) = said(world, hiding({"c a e": 1}, "c a b", "c a d"))
    assert message == (
        "boundaries no longer looks where this was recorded, though it is there: contract c, importer a, imported b "
        "and 1 more."
    )
    assert said(world, hiding({"c a e": 1}, "c x y")) == []


def test_it_is_let_go_with_a_reason_and_nothing_else_with_it() -> None:
    world = recorded_under(ONE, {"c a b": 2, "c a d": 1, "c a e": 1})
    found = {"c a e": 2, "r a b": 1}
    again(world, hiding(found, "c a b"))
    assert world.recorded() == {"c a d": 1, "c a e": 1}
    assert kinds_of(world, found) == {"c a d": "gone", "c a e": "grown", "r a b": "new"}
    assert not world.law().grants.levels[key("c a b")].paid_off


@pytest.mark.parametrize("written", ["{}", "[]", '"text"', '{"mypy": 1}', "null"])
def test_conditions_that_are_no_texts_by_name_are_a_fault(written: str) -> None:
    data = render_baseline(TERMS, {}, {"mypy": "1"}).replace(b'{"mypy": "1"}', written.encode())
    faults = Faults()
    assert read_baseline(TERMS.baseline, data, TERMS, faults) == ()
    assert next(fault.message for fault in faults.found).startswith("conditions: expected texts by name, found ")
    assert read_conditions(data) == {}
