"""Two branches pay, move, and are merged or reverted: what their receipts say together."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.document import render_baseline
from tests.baselines.laws import TERMS, World, key, kinds

NAMES = [f"c app.m{number} app.db" for number in range(4)]
_COUNTS = st.fixed_dictionaries({name: st.integers(1, 3) for name in NAMES})
# What the code has left after each step, as a cap on every count.
_PAYMENTS = st.lists(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 2), max_size=3), max_size=3)


def branched(base: World) -> World:
    return World(dict(base.files))


def paid(world: World, counts: Mapping[str, int], payments: list[dict[str, int]]) -> dict[str, int]:
    """Pay step by step, recording each; return what the code has in the end."""
    left = dict(counts)
    for payment in payments:
        left = {name: min(count, payment.get(name, count)) for name, count in left.items()}
        world.tighten(left)
    return left


def merged(ours: World, theirs: World) -> World:
    """Return both branches' receipts, and of each line that both have the lower count."""
    mine, other = ours.recorded(), theirs.recorded()
    both = {key(name): min(mine[name], other[name]) for name in mine.keys() & other.keys()}
    return World({**ours.files, **theirs.files, TERMS.baseline: render_baseline(TERMS, both)})


@settings(max_examples=60, derandomize=True, deadline=None)
@given(_COUNTS, _PAYMENTS, _PAYMENTS)
def test_what_either_branch_paid_is_paid_after_the_merge(
    counts: dict[str, int], ours: list[dict[str, int]], theirs: list[dict[str, int]]
) -> None:
    base = World()
    base.init(counts)
    one, two = branched(base), branched(base)
    left, right = paid(one, counts, ours), paid(two, counts, theirs)
    whole, lower = merged(one, two), {name: min(left[name], right[name]) for name in NAMES}
    assert kinds(whole.judge(lower)) == {}
    for name in NAMES:
        excess = kinds(whole.judge({**lower, name: lower[name] + 1}))
        assert excess == {name: "grown" if lower[name] else "returned"}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(_COUNTS, _PAYMENTS, _PAYMENTS)
def test_a_line_that_a_bad_merge_brought_back_grants_nothing(
    counts: dict[str, int], ours: list[dict[str, int]], theirs: list[dict[str, int]]
) -> None:
    base = World()
    base.init(counts)
    one, two = branched(base), branched(base)
    left, right = paid(one, counts, ours), paid(two, counts, theirs)
    whole, lower = merged(one, two), {name: min(left[name], right[name]) for name in NAMES}
    whole.files[TERMS.baseline] = base.files[TERMS.baseline]  # "take the old file" instead of the lower counts
    told = kinds(whole.judge(counts))
    assert told == {name: "grown" if lower[name] else "returned" for name in NAMES if counts[name] > lower[name]}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(_COUNTS, _PAYMENTS)
def test_a_payment_that_is_reverted_leaves_no_trace(counts: dict[str, int], payments: list[dict[str, int]]) -> None:
    base = World()
    base.init(counts)
    branch = branched(base)
    paid(branch, counts, payments)
    # A revert takes away the files that the branch added and gives the others back as they were.
    reverted = World({path: base.files[path] for path in branch.files if path in base.files})
    assert kinds(reverted.judge(counts)) == {}


def test_a_move_is_reverted_with_its_receipt() -> None:
    base = World()
    base.init({"c a b": 2})
    branch = branched(base)
    branch.move("a", "z", {"c z b": 2}, ["z"])
    assert kinds(branch.judge({"c z b": 2})) == {}
    assert kinds(branch.judge({"c a b": 1, "c z b": 2})) == {"c a b": "new"}
    assert kinds(base.judge({"c a b": 2})) == {}


def test_a_module_that_moves_there_and_back_has_its_debt_again() -> None:
    world = World()
    world.init({"c a b": 2})
    world.move("a", "z", {"c z b": 2}, ["z"])
    world.move("z", "a", {"c a b": 2}, ["a"])
    assert kinds(world.judge({"c a b": 2})) == {}
    assert kinds(world.judge({"c a b": 3})) == {"c a b": "grown"}


def test_a_move_does_not_silence_a_payment_that_it_has_not_seen() -> None:
    base = World()
    base.init({"c a b": 2})
    mover, payer = branched(base), branched(base)
    mover.move("a", "z", {"c z b": 2}, ["z"])
    payer.tighten({"c a b": 1})
    both = World({**payer.files, **mover.files})
    assert kinds(both.judge({"c z b": 2})) == {}, "the payment was of the old name"
    assert kinds(both.judge({"c a b": 1, "c z b": 2})) == {"c a b": "new"}


def test_debt_moved_onto_what_the_other_branch_paid_is_red_until_a_person_approves_it() -> None:
    base = World()
    base.init({"c a b": 1, "c z b": 1})
    mover, payer = branched(base), branched(base)
    mover.move("a", "z", {"c z b": 2}, ["z"])
    payer.tighten({"c a b": 1})
    both = World({**payer.files, **mover.files})
    assert kinds(both.judge({"c z b": 1})) == {"c z b": "returned"}


def test_debt_that_two_branches_moved_onto_one_entry_is_granted_as_far_as_the_lower_of_them() -> None:
    base = World()
    base.init({"c a b": 2, "c d b": 1})
    one, two = branched(base), branched(base)
    one.move("a", "z", {"c z b": 2, "c d b": 1}, ["z", "d"])
    two.move("d", "z", {"c z b": 1, "c a b": 2}, ["z", "a"])
    both = World({**two.files, **one.files})
    assert kinds(both.judge({"c z b": 3})) == {"c z b": "grown", "c d b": "gone"}
