"""What does a baseline have to say once two branches are one?

Receipts of both branches come together by themselves, as they are files of their own, and they tell the level of every
key. So a baseline is right where each key is at its level, and where what a branch took out without a receipt stays
out. Nothing here looks at the code: `check` does, once it can be read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from abutment.baselines.document import read_baseline, read_conditions
from abutment.model.fault import Fault
from abutment.model.grants import Level
from abutment.model.identity import Key, key_text
from abutment.model.measurement import Conditions
from abutment.model.reading import Faults
from abutment.model.terms import Terms

Counts = Mapping[Key, int]
Levels = Mapping[Key, Level]
OURS, THEIRS, BASE = "on our side", "on their side", "before the branches parted"


@dataclass(frozen=True, slots=True)
class Sides:
    """What a baseline says on both sides, and before they parted."""

    ours: Counts
    theirs: Counts
    base: Counts | None = None  # None where it is not known
    conditions: Conditions = field(default_factory=dict)  # under which both were measured


@dataclass(frozen=True, slots=True, order=True)
class Settled:
    """One key on which the sides differ, or that receipts hold lower than both, and what it is now."""

    key: Key
    ours: int
    theirs: int
    recorded: int | None  # by receipts; None where they were not asked
    after: int

    def line(self, fields: tuple[str, ...]) -> str:
        """Return how it reads: `importer a, imported b: ours 2, theirs none, receipts 0: taken out`."""
        told = "" if self.recorded is None else f", receipts {self.recorded}"
        now = f"kept at {self.after}" if self.after else "taken out"
        return f"{key_text(fields, self.key)}: ours {self.ours or 'none'}, theirs {self.theirs or 'none'}{told}: {now}"


def settle(sides: Sides, levels: Levels | None) -> tuple[Settled, ...]:
    """Return every key on which the sides differ or that is above its level, sorted, each settled.

    The side that changed a key since they parted is right, and where both did, the lower one. Where the base is not
    known, `levels` alone decide; a key that no receipt names is nothing. Raises ValueError where neither is known.
    """
    if sides.base is None and levels is None:
        raise ValueError("without the base and without receipts, nothing tells what was paid from what is new")
    return tuple(_settled(sides, levels))


def _settled(sides: Sides, levels: Levels | None) -> Iterator[Settled]:
    for key in sorted({*sides.ours, *sides.theirs}):
        ours, theirs = sides.ours.get(key, 0), sides.theirs.get(key, 0)
        changed = max(ours, theirs) if sides.base is None else _changed(ours, theirs, sides.base.get(key, 0))
        recorded = None if levels is None else _recorded(key, levels)
        after = changed if recorded is None else min(changed, recorded)
        if ours != theirs or after != ours:
            yield Settled(key, ours, theirs, recorded, after)


def _changed(ours: int, theirs: int, base: int) -> int:
    if ours == base:
        return theirs
    return ours if theirs == base else min(ours, theirs)


def _recorded(key: Key, levels: Levels) -> int:
    return levels[key].count if key in levels else 0


def counts_after(sides: Sides, settled: tuple[Settled, ...]) -> dict[Key, int]:
    """Return what the baseline says once the keys on which the sides differ are settled."""
    return {**sides.ours, **{each.key: each.after for each in settled}}


def read_side(path: str, whose: str, data: bytes, terms: Terms, faults: Faults) -> dict[Key, int]:
    """Return one side's counts; what is wrong goes into `faults`.

    Entries out of order are a fault here, which `check` tolerates: line by line they may have been merged wrong.
    """
    own = Faults()
    entries = read_baseline(path, data, terms, own)
    before = [entry.key for entry in entries]
    if not own.found and before != sorted(before):
        remedy = f"Run `abutment tighten {terms.gate}` on that branch, or settle the file by hand."
        own.add(path, 0, "its entries are out of order, so that nothing tells how its lines were merged.", remedy)
    faults.found += [_on(whose, fault) for fault in own.found]
    return {entry.key: entry.count for entry in entries}


def conditions_after(path: str, ours: bytes, theirs: bytes, base: bytes | None, faults: Faults) -> Conditions:
    """Return the conditions that hold once two baselines are one: those of the side that recorded anew.

    Where both sides did, and differently, no count of one can be held against one of the other: a fault.
    """
    here, there = read_conditions(ours), read_conditions(theirs)
    before = None if base is None else read_conditions(base)
    if there in (here, before):
        return here
    if here != before:
        what = "both sides were recorded under conditions of their own, so that their counts cannot be compared."
        faults.add(path, 1, what, "Take one side, then run `abutment init GATE --again --reason TEXT`.")
    return there


def _on(whose: str, fault: Fault) -> Fault:
    return replace(fault, message=f"{whose}: {fault.message}")
