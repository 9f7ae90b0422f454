"""Which grants only have another name now, as what they are about was renamed or moved?

Believed is what a receipt of `move` declares, and what the trees show by themselves: the old module is gone, and the
new one was not there. Never more is carried over than the old name has lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from abutment.baselines.receipts import How, Receipt
from abutment.gates.gate import Gate
from abutment.guard.grants import Grant
from abutment.guard.weight import Granted
from abutment.model.identity import Key

HANDS = ("recorded", "debt", "exceptions")
SYMBOL = "qualname"


@dataclass(frozen=True, slots=True)
class Renamed:
    """Whether one module name can have become another between two revisions."""

    gone: Callable[[str], bool]  # it was there before, and is not there now
    come: Callable[[str], bool]  # it is there now, and was not before

    def tells(self, old: str, new: str) -> bool:
        """Say whether it can."""
        return old == new or (self.gone(old) and self.come(new))


Slot = tuple[str, Key]  # a gate and a fact


def carried_over(
    before: Iterable[Grant], after: Iterable[Grant], receipts: Iterable[Receipt], renamed: Renamed
) -> list[Grant]:
    """Return the earlier grants as renamings leave them. `receipts` are those that only the later revision has."""
    grants = {_slot(grant): grant for grant in before}
    wanted = {_slot(grant): grant for grant in after}
    declared = [_moved(receipt) for receipt in receipts if receipt.verb == "move"]
    lost = _by_rest(grant for slot, grant in grants.items() if _has_less(grant, wanted.get(slot)))
    for slot, target in sorted(wanted.items(), key=lambda item: item[0]):
        here = grants.get(slot, replace(target, granted=Granted()))
        for source in lost.get(_rest(target), ()):
            if _is_one(source, target, declared, renamed):
                here, left = _transfer(grants[_slot(source)], here, target, wanted.get(_slot(source)))
                grants[slot], grants[_slot(source)] = here, left
    return list(grants.values())


def _slot(grant: Grant) -> Slot:
    return grant.gate.name, grant.key


def _has_less(before: Grant, after: Grant | None) -> bool:
    return after is None or any(_of(after, hand) < _of(before, hand) for hand in HANDS)


def _of(grant: Grant | None, hand: str) -> int:
    value = getattr(grant.granted, hand) if grant is not None else 0
    assert isinstance(value, int)
    return value


def _by_rest(grants: Iterable[Grant]) -> Mapping[Slot, list[Grant]]:
    found: dict[Slot, list[Grant]] = defaultdict(list)
    for grant in sorted(grants, key=_slot):
        found[_rest(grant)].append(grant)
    return found


def _rest(grant: Grant) -> Slot:
    """Return what a renaming leaves alone."""
    names = _names(grant.gate)
    return grant.gate.name, tuple(part for at, part in enumerate(grant.key) if at not in names)


def _names(gate: Gate) -> frozenset[int]:
    moving = {*gate.module_fields, *gate.name_fields, SYMBOL}
    return frozenset(at for at, field in enumerate(gate.fields) if field in moving)


def _moved(receipt: Receipt) -> frozenset[Slot]:
    return frozenset((part.gate, one.key) for part in receipt.parts for one in part.touches if one.how is How.MOVED)


def _is_one(source: Grant, target: Grant, declared: Iterable[frozenset[Slot]], renamed: Renamed) -> bool:
    """Say whether the target is the source under another name."""
    if source.key == target.key:
        return False
    if any(_slot(source) in moved and _slot(target) in moved for moved in declared):
        return True
    pairs = zip(target.gate.fields, source.key, target.key, strict=True)
    return all(
        old == new or (field in target.gate.module_fields and renamed.tells(old, new)) for field, old, new in pairs
    )


def _transfer(source: Grant, here: Grant, target: Grant, kept: Grant | None) -> tuple[Grant, Grant]:
    """Return what stood under the new name and under the old one, with as much carried over as the one has lost."""
    for hand in HANDS:
        number = min(_of(source, hand) - _of(kept, hand), _of(target, hand) - _of(here, hand))
        if number > 0:
            here, source = _add(here, hand, number), _add(source, hand, -number)
    known = replace(here.granted, until=here.granted.until or source.granted.until)
    level = min(target.granted.level, known.recorded) if known.recorded else known.level
    return replace(here, granted=replace(known, level=max(known.level, level))), source


def _add(grant: Grant, hand: str, number: int) -> Grant:
    counts = {name: _of(grant, name) for name in HANDS}
    counts[hand] += number
    granted = grant.granted
    return replace(
        grant,
        granted=replace(granted, recorded=counts["recorded"], debt=counts["debt"], exceptions=counts["exceptions"]),
    )


def new_receipts(before: Iterable[Receipt], after: Iterable[Receipt]) -> Iterator[Receipt]:
    """Yield the receipts that only the later revision has."""
    known = {receipt.digest for receipt in before}
    return (receipt for receipt in after if receipt.digest not in known)
