"""Which grants only have another name now, as what they are about was renamed or moved?

Only what the code of both revisions shows is believed, whatever a receipt declares: the old name is gone, the new one
was not there. Where no receipt of `move` speaks of it, the one also has to read like the other; and a function or class
has to stay in its module, as another home is another thing than what was approved.

Never more is carried over than the old name has lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from abutment.baselines.receipts import How, Receipt
from abutment.gates.gate import Gate
from abutment.guard.grants import Grant
from abutment.guard.renames import Renames, Scope
from abutment.guard.weight import Granted
from abutment.model.identity import Key

HANDS = ("recorded", "debt", "exceptions")
SYMBOL = "qualname"


Slot = tuple[str, Key]  # a gate and a fact


def carried_over(
    before: Iterable[Grant], after: Iterable[Grant], receipts: Iterable[Receipt], renames: Renames
) -> list[Grant]:
    """Return the earlier grants as renamings leave them. `receipts` are those that only the later revision has.

    What the code shows goes before what is only declared, as a receipt does not say which of its names is which.
    """
    grants = {_slot(grant): grant for grant in before}
    wanted = {_slot(grant): grant for grant in after}
    lost = _by_rest(grant for slot, grant in grants.items() if _has_less(grant, wanted.get(slot)))
    declared = _Declared(receipts, renames)
    for leads in (partial(_is_shown, renames), declared.leads):
        for slot, target in sorted(wanted.items(), key=lambda item: item[0]):
            for source in lost.get(_rest(target), ()):
                here, there = grants.get(slot, replace(target, granted=Granted())), grants[_slot(source)]
                moving = _moving(there, here, target, wanted.get(_slot(source)))
                if source.key != target.key and moving and leads(source, target):
                    grants[slot], grants[_slot(source)] = _transfer(there, here, target, moving)
                    declared.took(source, target)
    return list(grants.values())


def _is_shown(renames: Renames, source: Grant, target: Grant) -> bool:
    """Say whether the code alone shows that the target is the source under another name."""
    return _is_meant(source, target, _Means(renames.shows, renames.shows_scope, renames.shows_name))


class _Declared:
    """A receipt of `move` declares it, and the code bears it out. It knows one new name for each old module."""

    def __init__(self, receipts: Iterable[Receipt], renames: Renames) -> None:
        self._moves = _chained(_moved(receipt) for receipt in receipts if receipt.verb == "move")
        self._renames = renames
        self._became: dict[tuple[frozenset[Slot], str], str] = {}

    def leads(self, source: Grant, target: Grant) -> bool:
        """Say whether the target is the source under another name."""
        move = self._move(source, target)
        means = _Means(self._renames.bears_out, self._renames.bears_out_scope, self._renames.bears_out_name)
        return (
            move is not None
            and _is_meant(source, target, means)
            and all(self._became.get((move, old), new) == new for old, new in self._modules(source, target))
        )

    def took(self, source: Grant, target: Grant) -> None:
        """Take note of the new names by which something was carried over."""
        move = self._move(source, target)
        if move is not None:
            self._became.update({(move, old): new for old, new in self._modules(source, target)})

    def _move(self, source: Grant, target: Grant) -> frozenset[Slot] | None:
        both = {_slot(source), _slot(target)}
        return next((move for move in self._moves if both <= move), None)

    def _modules(self, source: Grant, target: Grant) -> Iterator[tuple[str, str]]:
        """Yield the old and the new name of each module that is another one."""
        for field, old, new in _pairs(source, target):
            if field in target.gate.module_fields and old != new and self._renames.tells(old, new):
                yield old, new


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


def _chained(moves: Iterable[frozenset[Slot]]) -> list[frozenset[Slot]]:
    """Return the moves, those as one of which the one goes on from where the other ended."""
    chains: list[frozenset[Slot]] = []
    for moved in moves:
        joined = [chain for chain in chains if chain & moved]
        chains = [chain for chain in chains if not chain & moved]
        chains.append(moved.union(*joined))
    return chains


def _pairs(source: Grant, target: Grant) -> Iterator[tuple[str, str, str]]:
    return zip(target.gate.fields, source.key, target.key, strict=True)


@dataclass(frozen=True, slots=True)
class _Means:
    """Whether a module, a place in one, or a dotted name can be another one."""

    module: Callable[[str, str], bool]
    scope: Callable[[Scope, Scope], bool]
    name: Callable[[str, str], bool]


def _is_meant(source: Grant, target: Grant, means: _Means) -> bool:
    gate, pairs = target.gate, {field: (old, new) for field, old, new in _pairs(source, target)}
    if SYMBOL in pairs and gate.module_fields:
        olds, news = zip(pairs.pop(gate.module_fields[0]), pairs.pop(SYMBOL), strict=True)
        if olds != news and not means.scope(olds, news):
            return False
    modules = (pairs[field] for field in gate.module_fields if field in pairs)
    names = (pairs[field] for field in gate.name_fields if field in pairs)
    return all(means.module(*pair) for pair in modules) and all(
        old == new or means.name(old, new) for old, new in names
    )


def _moving(source: Grant, here: Grant, target: Grant, kept: Grant | None) -> dict[str, int]:
    """Return how much goes over by each hand: what the one has lost, as far as the other one has it now."""
    moving = {hand: min(_of(source, hand) - _of(kept, hand), _of(target, hand) - _of(here, hand)) for hand in HANDS}
    return {hand: number for hand, number in moving.items() if number > 0}


def _transfer(source: Grant, here: Grant, target: Grant, moving: Mapping[str, int]) -> tuple[Grant, Grant]:
    """Return what stands under the new name and under the old one then."""
    for hand, number in moving.items():
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
