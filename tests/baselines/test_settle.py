"""Which count is right where the sides of a merge differ."""

from __future__ import annotations

import pytest

from abutment.baselines.document import render_baseline
from abutment.baselines.driver import merge_baselines
from abutment.baselines.settle import Sides, counts_after, settle
from abutment.errors import NotJudged
from abutment.model.grants import Level
from tests.baselines.laws import TERMS, key

K = key("c a b")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "level", "after"),
    [
        (2, 2, 1, 1, 1),  # they paid
        (2, 1, 2, 1, 1),  # we paid
        (5, 4, 3, 3, 3),  # both paid
        (1, 1, 0, 0, 0),  # they paid all of it
        (0, 2, 0, 2, 2),  # we moved it here
        (1, 1, 2, 2, 2),  # they reverted a payment, and its receipt went with it
        (1, 3, 0, 0, 0),  # we moved onto what they paid: the receipt goes on speaking
        (2, 1, 2, 2, 1),  # a line that we lowered by hand stays lowered
        (0, 1, 0, None, 0),  # a line that no receipt names is nothing
        (2, 2, 2, 1, 1),  # a line above its level
        (None, 2, 1, 1, 1),  # without the base, receipts decide
        (None, 1, 0, 1, 1),  # only one side ever had it
        (None, 1, 0, 0, 0),  # one side paid it
        (None, 1, 2, 2, 2),  # a payment was reverted
        (None, 1, 0, None, 0),
    ],
)
def test_each_key_is_where_the_receipts_leave_it(
    base: int | None, ours: int, theirs: int, level: int | None, after: int
) -> None:
    sides = Sides({K: ours} if ours else {}, {K: theirs} if theirs else {}, None if base is None else {K: base})
    levels = {} if level is None else {K: Level(level, paid_off=level == 0)}
    settled = settle(sides, levels)
    assert [(each.ours, each.theirs, each.recorded, each.after) for each in settled] == [
        (ours, theirs, level or 0, after)
    ]
    assert counts_after(sides, settled) == {K: after}


def test_what_both_sides_and_the_receipts_agree_upon_is_not_told() -> None:
    assert settle(Sides({K: 1}, {K: 1}), {K: Level(1, paid_off=False)}) == ()


def test_without_the_base_and_without_receipts_nothing_is_settled() -> None:
    with pytest.raises(ValueError, match="nothing tells what was paid"):
        settle(Sides({K: 1}, {}), None)


def document(**counts: int) -> bytes:
    return render_baseline(TERMS, {("c", name, "b"): count for name, count in counts.items()})


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "after"),
    [
        (document(a=2, d=1), document(a=1, d=1), document(a=2), document(a=1)),
        (document(a=1), document(z=1), document(a=1), document(z=1)),  # a move on our side
        (document(a=1), document(), document(z=1), document(z=1)),  # paid here, moved there: `tighten` finds out
        (document(a=5), document(a=4), document(a=3), document(a=3)),
        (b"", document(a=1), document(a=2, d=1), document(a=1, d=1)),  # both made it
        (document(a=2), document(a=1).replace(b"\n", b"\r\n"), document(a=2), document(a=1)),
        (document(a=2), b"\xef\xbb\xbf" + document(a=1), document(a=2), document(a=1)),
    ],
)
def test_the_merge_driver_tells_the_same_by_three_versions(
    base: bytes, ours: bytes, theirs: bytes, after: bytes
) -> None:
    assert merge_baselines("law/boundaries.jsonl", base, ours, theirs) == after
    assert merge_baselines("law/boundaries.jsonl", base, theirs, ours) == after


GOOD = document(a=1, d=1)
HEAD, A, D = GOOD.splitlines(keepends=True)
BAD = {
    "empty": b"",
    "cut off": GOOD[:-9],
    "NUL": GOOD.replace(b'"a"', b'"\0"'),
    "no UTF-8": GOOD.replace(b'"a"', b'"\xff"'),
    "marked": HEAD + b"<<<<<<< o\n" + A + b"=======\n>>>>>>> t\n" + D,
    "only markers": b"<<<<<<< o\n=======\n>>>>>>> t\n",
    "out of order": HEAD + D + A,
    "twice": HEAD + A + A + D,
    "another schema": GOOD.replace(b'"schema": 1', b'"schema": 2'),
    "another gate": GOOD.replace(b'"boundaries"', b'"cycles"'),
    "other fields": GOOD.replace(b'"contract", ', b"", 1),
    "a blank line": HEAD + b"\n" + A + D,
    "text": b"Not Found\n",
    "a list": b"[1]\n",
    "half a character": b"\xe2\x82",
    "fields that are none": GOOD.replace(b'["contract", "importer", "imported"]', b'["contract", 1, "imported"]'),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("at", range(3))
def test_the_merge_driver_refuses_what_it_does_not_understand(bad: bytes, at: int) -> None:
    versions = [GOOD, document(a=1), document(d=1)]
    versions[at] = bad
    if at == 0 and not bad:
        return  # that there was none before is no fault
    with pytest.raises(NotJudged):
        merge_baselines("law/boundaries.jsonl", *versions)


def test_the_merge_driver_refuses_a_baseline_under_another_name() -> None:
    with pytest.raises(NotJudged, match="no header of a baseline of that name"):
        merge_baselines("law/cycles.jsonl", GOOD, GOOD, GOOD)


def under(version: str, **counts: int) -> bytes:
    return render_baseline(TERMS, {("c", name, "b"): count for name, count in counts.items()}, {"mypy": version})


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "after"),
    [
        (under("1", a=2), under("1", a=1), under("1", a=2, d=1), under("1", a=1, d=1)),
        (under("1", a=2), under("2", a=3), under("1", a=1), under("2", a=1)),  # one recorded anew, the other one paid
        (under("1", a=2), under("2", a=2, d=1), under("2", a=2), under("2", a=2, d=1)),
        (document(a=2), under("1", a=2), document(a=2), under("1", a=2)),
    ],
)
def test_the_side_that_was_recorded_anew_says_under_which_conditions(
    base: bytes, ours: bytes, theirs: bytes, after: bytes
) -> None:
    assert merge_baselines("law/boundaries.jsonl", base, ours, theirs) == after
    assert merge_baselines("law/boundaries.jsonl", base, theirs, ours) == after


def test_two_sides_under_conditions_of_their_own_are_settled_by_nobody() -> None:
    with pytest.raises(NotJudged, match="both sides were recorded under conditions of their own"):
        merge_baselines("law/boundaries.jsonl", under("1", a=2), under("2", a=2), under("3", a=1))
