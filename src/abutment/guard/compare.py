"""In what does one law differ from another, and who brought the difference about: the branch, or the main branch?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from abutment.guard.item import Item, Law
from abutment.guard.weight import Change
from abutment.model.site import Site


class Direction(StrEnum):
    """What a difference does to the law."""

    WIDENING = "widening"
    NARROWING = "narrowing"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Widening:
    """One way in which a later law allows more than an earlier one."""

    item: Item  # as it is now, or as it was where it is gone
    change: Change

    @property
    def key(self) -> str:
        """What was widened; the same for the same thing between any two revisions."""
        return f"{self.item.key}: {self.change.member}" if self.change.member else self.item.key

    @property
    def site(self) -> Site:
        """Where the law says so; where it used to say so, if that is gone."""
        return self.item.place(self.change.member)


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything in which two laws differ."""

    widenings: tuple[Widening, ...] = ()
    narrowing: int = 0
    neutral: int = 0


def compare(before: Law, after: Law) -> Differences:
    """Return the differences, widenings in order of their keys.

    What belongs to something that only one side has is that one's difference, and no other: a gate that is new brings
    its settings and its debt along, and one that was removed took them with it.
    """
    widenings: list[Widening] = []
    counts = dict.fromkeys(Direction, 0)
    differing = (key for key in {*before, *after} if before.get(key) is not after.get(key))
    for key in sorted(differing):
        item = after.get(key) or before[key]
        if _is_implied(item, before, after):
            continue
        direction, found = _difference(before.get(key), after.get(key))
        widenings += found
        if direction is not None:
            counts[direction] += 1
    return Differences(tuple(widenings), counts[Direction.NARROWING], counts[Direction.NEUTRAL])


def _is_implied(item: Item, before: Law, after: Law) -> bool:
    """Say whether one side lacks what the item is a part of."""
    return any(
        (owner in before) != (owner in after) or (owner in after and _is_implied(after[owner], before, after))
        for owner in item.owners
    )


def _difference(old: Item | None, new: Item | None) -> tuple[Direction | None, list[Widening]]:
    item = new or old
    assert item is not None
    was = old.weight if old is not None else item.absent
    now = new.weight if new is not None else item.absent
    if was == now:
        return None, []
    found = [Widening(item, change) for change in was.loosened(now)]
    if found:
        return Direction.WIDENING, found
    return (Direction.NARROWING if any(now.loosened(was)) else Direction.NEUTRAL), []


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a branch did to the law, and what it has not taken over yet."""

    loosened: tuple[Widening, ...]
    behind: tuple[Widening, ...]  # in these the main branch is stricter by now, and the branch did nothing
    own: Differences  # against the merge base: all that the branch changed


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier law as it reads under the names of a later revision, and what left its reach since."""

    law: Law
    moved_away: tuple[Widening, ...] = ()


def judge_points(merge_base: Earlier, tip: Earlier, head: Law) -> Judgement:
    """Return what is loosened at `head` beside what both its merge base with the main branch and that branch's tip say.

    What the branch left alone, a merge takes from the tip; what it loosened just as the tip did is no difference.
    """
    own = _since(merge_base, head)
    if tip is merge_base:
        return Judgement(own.widenings, (), own)
    against_tip = {widening.key: widening for widening in _since(tip, head).widenings}
    mine = {widening.key for widening in own.widenings}
    return Judgement(
        loosened=tuple(widening for widening in own.widenings if widening.key in against_tip),
        behind=tuple(widening for key, widening in against_tip.items() if key not in mine),
        own=own,
    )


def _since(earlier: Earlier, head: Law) -> Differences:
    found = compare(earlier.law, head)
    return replace(found, widenings=(*found.widenings, *earlier.moved_away))
