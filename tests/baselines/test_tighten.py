"""`tighten`: only falls, only from whole scans, and what was tightened is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.law import Law
from abutment.baselines.receipts import How
from abutment.baselines.tighten import plan_tighten
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.model.grants import Level
from abutment.model.terms import Direction
from abutment.verdicts.verdict import Status
from tests.baselines.laws import SNAPSHOT, TERMS, TODAY, World, key, kinds, measured


def world_of(counts: dict[str, int]) -> World:
    world = World()
    world.init(counts)
    return world


def touched(world: World, verb: str = "tighten") -> dict[str, tuple[int, How]]:
    return {
        " ".join(touch.key): (touch.count, touch.how)
        for receipt in world.law().receipts
        if receipt.verb == verb
        for part in receipt.parts
        for touch in part.touches
    }


def test_what_fell_is_recorded_as_paid() -> None:
    world = world_of({"c a b": 3, "c a d": 1, "c a e": 1})
    plan = world.tighten({"c a b": 1, "c a e": 1})
    assert world.recorded() == {"c a b": 1, "c a e": 1}
    assert touched(world) == {"c a b": (1, How.PAID), "c a d": (0, How.PAID)}
    assert plan.lines == ("boundaries: 3 facts in 2 entries paid.",)
    assert world.law().grants.levels[key("c a d")] == Level(0, True)


def test_without_a_fall_nothing_is_written() -> None:
    world = world_of({"c a b": 1})
    before = dict(world.files)
    assert world.tighten({"c a b": 1}).nothing
    assert world.files == before


def test_tightening_twice_is_tightening_once() -> None:
    world = world_of({"c a b": 1})
    world.tighten({})
    before = dict(world.files)
    assert world.tighten({}).nothing
    assert world.files == before


def test_paid_debt_may_not_return() -> None:
    world = world_of({"c a b": 1})
    world.tighten({})
    assert kinds(world.judge({"c a b": 1})) == {"c a b": "returned"}
    world.approve("c a b")
    assert kinds(world.judge({"c a b": 1})) == {"c a b": "returned"}
    world.approve("c a b", more="lifts = true")
    assert world.judge({"c a b": 1}).status is Status.HELD


def test_a_reverted_payment_never_happened() -> None:
    world = world_of({"c a b": 1})
    before = dict(world.files)
    world.tighten({})
    world.files = before
    assert world.judge({"c a b": 1}).status is Status.HELD


def test_promoted_debt_is_neither_paid_nor_a_tombstone() -> None:
    world = world_of({"c a b": 1})
    world.approve("c a b")
    assert kinds(world.judge({"c a b": 1})) == {"c a b": "shrunk"}
    plan = world.tighten({"c a b": 1})
    assert touched(world) == {"c a b": (0, How.PROMOTED)}
    assert plan.lines == ("boundaries: 1 fact in 1 entry now held by an approval.",)
    assert world.judge({"c a b": 1}).status is Status.HELD


def test_approvals_for_more_than_the_code_has_are_named_for_a_person() -> None:
    world = world_of({"c a b": 1})
    world.approve("c a b")
    said = "boundaries: 1 approval for more than the code has, for a person to lower or delete: law/boundaries.toml:3."
    assert world.tighten({}).lines == ("boundaries: 1 fact in 1 entry paid.", said)
    nothing_fell = world.tighten({})
    assert (nothing_fell.nothing, nothing_fell.lines) == (True, (said,))


def test_promoted_and_then_paid_leaves_the_approval_to_a_person() -> None:
    world = world_of({"c a b": 1})
    world.approve("c a b")
    world.tighten({"c a b": 1})
    assert kinds(world.judge({})) == {"c a b": "gone"}
    assert world.tighten({}).nothing
    del world.files[TERMS.policy]
    assert world.judge({}).status is Status.HELD
    assert kinds(world.judge({"c a b": 1})) == {"c a b": "new"}


def test_what_an_approval_still_holds_is_no_tombstone() -> None:
    world = world_of({"c a b": 2})
    world.approve("c a b")
    world.tighten({"c a b": 1})
    assert touched(world) == {"c a b": (0, How.PROMOTED)}
    assert world.judge({"c a b": 1}).status is Status.HELD


def test_paid_before_the_approval_was_noticed_is_paid() -> None:
    world = world_of({"c a b": 1})
    world.approve("c a b")
    world.tighten({})
    assert touched(world) == {"c a b": (0, How.PAID)}


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ({"c a b": 2, "c a d": 1}, ["a imports b: found 2, granted 1"]),
        ({"c a b": 1, "c a z": 1}, ["a imports z: found 1, granted 0"]),  # one repaired, one added
        ({"c a b": 2, "c a z": 1}, ["a imports b: found 2, granted 1", "a imports z: found 1, granted 0"]),
    ],
)
def test_growth_is_refused_by_name_and_nothing_is_written(counts: dict[str, int], named: list[str]) -> None:
    world = world_of({"c a b": 1, "c a d": 1})
    before = dict(world.files)
    with pytest.raises(Refused) as refusal:
        world.tighten(counts)
    assert [fault.message.split(": ", 1)[1].split(";")[0] for fault in refusal.value.faults] == named
    assert {fault.path for fault in refusal.value.faults} == {"a.py"}
    assert world.files == before


def test_returned_debt_is_refused() -> None:
    world = world_of({"c a b": 1, "c a d": 1})
    world.tighten({"c a d": 1})
    with pytest.raises(Refused, match="a imports b: found 1, granted 0"):
        world.tighten({"c a b": 1})


@pytest.mark.parametrize(
    ("measurement", "message"),
    [
        (measured({}, faults=[Fault("a.py", 1, "does not parse.")]), "a.py:1: does not parse."),
        (measured({}, looked_at=0), "looked at no imports"),
    ],
)
def test_a_partial_scan_pays_nothing(measurement: object, message: str) -> None:
    law = world_of({"c a b": 1}).law()
    with pytest.raises(Refused, match=message):
        plan_tighten(law, measurement, TODAY)  # type: ignore[arg-type]  # a table of measurements


def test_a_snapshot_is_not_tightened() -> None:
    with pytest.raises(Refused, match="abutment record snapshot"):
        plan_tighten(Law(SNAPSHOT), measured({}), TODAY)


def test_a_gate_without_baseline_has_nothing_to_tighten() -> None:
    assert plan_tighten(Law(replace(TERMS, direction=Direction.ZERO)), measured({}), TODAY).nothing


def test_a_line_raised_by_hand_falls_to_its_level() -> None:
    world = world_of({"c a b": 1})
    world.files[TERMS.baseline] = world.files[TERMS.baseline].replace(b'"count": 1', b'"count": 5')
    assert kinds(world.judge({"c a b": 2})) == {"c a b": "grown"}
    with pytest.raises(Refused):
        world.tighten({"c a b": 2})
    world.tighten({"c a b": 1})
    assert world.recorded() == {"c a b": 1}


def on_windows(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")


def unsorted(data: bytes) -> bytes:
    header, *lines = data.splitlines(keepends=True)
    return b"".join([header, *reversed(lines)])


@pytest.mark.parametrize("damage", [on_windows, unsorted])
def test_another_dress_is_held_and_put_right_by_the_next_write(damage: Callable[[bytes], bytes]) -> None:
    counts = {"c a b": 1, "c a d": 1, "c a e": 1}
    world = world_of(counts)
    world.files[TERMS.baseline] = damage(world.files[TERMS.baseline])
    assert world.judge(counts).status is Status.HELD
    world.tighten({**counts, "c a e": 0})
    assert world.files[TERMS.baseline].splitlines()[1:] == [
        b'{"contract": "c", "importer": "a", "imported": "b", "count": 1}',
        b'{"contract": "c", "importer": "a", "imported": "d", "count": 1}',
    ]


def conflicted(data: bytes) -> bytes:
    header, first, *rest = data.splitlines(keepends=True)
    return b"".join([header, first, b"<<<<<<< HEAD\n", *rest, b"=======\n", b">>>>>>> feature\n"])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (conflicted, "law/boundaries.jsonl:3: holds merge conflict markers. Run `abutment resolve`."),
        (lambda data: data.replace(b'"schema": 1', b'"schema": 99'), "law/boundaries.jsonl:1: .*newer abutment"),
        (lambda data: data.replace(b'"schema": 1', b'"schema": 0'), "with the version that wrote it, then upgrade"),
        (lambda data: data.replace(b'"schema": 1', b'"schema": 1, "at": "noon"'), "unknown fields: at"),
        (lambda data: data[:-20], "law/boundaries.jsonl:3: the last line is cut off"),
        (lambda data: b"", "law/boundaries.jsonl: is empty"),
    ],
)
def test_a_damaged_baseline_is_not_an_empty_one(damage: Callable[[bytes], bytes], message: str) -> None:
    counts = {"c a b": 1, "c a d": 1}
    world = world_of(counts)
    world.files[TERMS.baseline] = damage(world.files[TERMS.baseline])
    before = dict(world.files)
    for attempt in (world.judge, world.tighten):
        with pytest.raises(NotJudged, match=message):
            attempt(counts)
    assert world.files == before


def test_debt_of_a_deleted_file_is_paid_by_one_tightening() -> None:
    world = world_of({"c stay.gone x": 1, "c stay.kept x": 1, "c stay.kept y": 1})
    left = {"c stay.kept x": 1}
    assert kinds(world.judge(left)) == {"c stay.gone x": "gone", "c stay.kept y": "gone"}
    world.tighten(left)
    assert world.recorded() == left
    assert world.judge(left).status is Status.HELD


KEYS = st.sampled_from(["c a b", "c a d", "c e b", "d a b"])
COUNTS = st.dictionaries(KEYS, st.integers(1, 3), max_size=4)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(COUNTS, st.lists(COUNTS, max_size=5), st.sets(KEYS, max_size=2))
def test_no_history_of_payments_ever_raises_a_count(
    start: dict[str, int], later: list[dict[str, int]], approved: set[str]
) -> None:
    world = world_of(start)
    if approved:
        world.approve(*sorted(approved))
    for counts in later:
        before = world.recorded()
        try:
            world.tighten(counts)
        except Refused:
            assert world.recorded() == before
            assert any(v.kind.excess for v in world.judge(counts).violations)
            continue
        after = world.recorded()
        assert all(after[text] <= before.get(text, 0) for text in after)
        # What was tightened is held, but for approvals that a person has to lower.
        assert all(v.document == TERMS.policy and v.kind.stale for v in world.judge(counts).violations)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(COUNTS, st.dictionaries(KEYS, st.integers(0, 3), max_size=4))
def test_what_was_tightened_is_held(start: dict[str, int], fall: dict[str, int]) -> None:
    world = world_of(start)
    counts = {text: max(0, count - fall.get(text, 0)) for text, count in start.items()}
    world.tighten(counts)
    assert world.judge(counts).status is Status.HELD
    for text, count in counts.items():
        assert world.judge({**counts, text: count + 1}).status is Status.BROKEN


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.dictionaries(KEYS, st.integers(1, 3), min_size=1, max_size=4),
    st.lists(st.dictionaries(KEYS, st.integers(0, 3), max_size=4), min_size=2, max_size=2),
)
def test_two_branches_that_pay_merge_into_the_lower_counts(start: dict[str, int], falls: list[dict[str, int]]) -> None:
    """The union of both branches' receipts never grants more than either, and no tightening is lost."""
    base = world_of(start)
    branches, code = [], []
    for fall in falls:
        counts = {text: max(0, count - fall.get(text, 0)) for text, count in start.items()}
        branch = World(dict(base.files))
        branch.tighten(counts)
        branches.append(branch)
        code.append(counts)
    merged = World({**branches[0].files, **branches[1].files, TERMS.baseline: base.files[TERMS.baseline]})
    lower = {text: min(code[0][text], code[1][text]) for text in start}
    merged.tighten(lower)
    assert merged.recorded() == {text: count for text, count in lower.items() if count}
    assert merged.judge(lower).status is Status.HELD
