"""Which grants only have another name now, as what they are about was renamed or moved?

Only what the code of both revisions shows is believed, whatever a receipt declares: the old name is gone, the new one
was not there. Where no receipt of `move` or `migrate` speaks of it, the one also has to read like the other; and a
function or class has to stay in its module, as another home is another thing than what was approved.

Never more is carried over than the old name has lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from abutment.baselines.receipts import How, Receipt
from abutment.gates.gate import Gate
from abutment.guard.grants import Grant
from abutment.guard.renames import Renames
from abutment.guard.weight import Granted
from abutment.model.identity import Key

DECLARING = frozenset({"move", "migrate"})  # the verbs that say what became of a name
HANDS = ("recorded", "debt", "exceptions")
SYMBOL = "qualname"
_NOTHING = Granted()

Slot = tuple[str, Key]  # a gate and a fact


def carried_over(
    before: Iterable[Grant], after: Iterable[Grant], receipts: Iterable[Receipt], renames: Renames
) -> list[Grant]:
    """Return those earlier grants that renamings change, as they leave them.

    `receipts` are those that only the later revision has. What the code shows goes before what is only declared, as a
    receipt of `move` does not say which of its names is which; one of `migrate` does, and goes before both.
    """
    books = _Books(before, after)
    written = tuple(receipts)
    declared = _Declared(written, renames)
    for source, key in _told(written, books.lost()):
        if books.is_that(key, source, renames):
            books.carry((source.gate.name, key), source, declared)
    for source in books.lost():
        for key in _followed(source, renames):
            books.carry((source.gate.name, key), source, declared)
    for source, target in declared.pairs(books.lost(), books.gained()):
        if declared.leads(source, target):
            books.carry(_slot(target), source, declared)
    return list(books.changed.values())


class _Books:
    """What each fact was granted, as far as it was carried over, and what it is granted now."""

    def __init__(self, before: Iterable[Grant], after: Iterable[Grant]) -> None:
        self._before = {_slot(grant): grant for grant in before}
        self._after = {_slot(grant): grant for grant in after}
        self.changed: dict[Slot, Grant] = {}

    def lost(self) -> list[Grant]:
        """Return the earlier grants of which there is less now, in order."""
        slots = (slot for slot in self._before if _has_less(self._was(slot), self._after.get(slot)))
        return [self._before[slot] for slot in sorted(slots)]

    def gained(self) -> list[Grant]:
        """Return the later grants that are more than there was, in order."""
        slots = (slot for slot, grant in self._after.items() if _has_less(grant, self._was(slot)))
        return [self._after[slot] for slot in sorted(slots)]

    def carry(self, slot: Slot, source: Grant, declared: _Declared) -> None:
        """Carry as much over to a fact as the source has lost and the fact has gained."""
        target = self._after.get(slot)
        if target is None or slot == _slot(source):
            return
        there, here = self._was(_slot(source)), self._was(slot) or replace(target, granted=Granted())
        moving = _moving(there, here, target, self._after.get(_slot(source)))
        if there is not None and moving:
            self.changed[slot], self.changed[_slot(source)] = _transfer(there, here, target, moving)
            declared.took(source, target)

    def is_that(self, key: Key, source: Grant, renames: Renames) -> bool:
        """Say whether the code bears out what a migration says of a grant; nothing but names may differ."""
        target = self._after.get((source.gate.name, key))
        return target is not None and _rest(source) == _rest(target) and _is_borne_out(source, target, renames)

    def _was(self, slot: Slot) -> Grant | None:
        return self.changed.get(slot, self._before.get(slot))


def _told(receipts: Iterable[Receipt], lost: Iterable[Grant]) -> Iterator[tuple[Grant, Key]]:
    """Yield each lost grant of which migrations say, one after the other, what it became; and what that is."""
    tables = [
        {(part.gate, before): (part.gate, after) for part in receipt.parts for before, after in part.moves}
        for receipt in receipts
    ]
    for grant in lost:
        now, left = _slot(grant), list(tables)  # each is gone through once: in one of them names may be exchanged
        while table := next((one for one in left if now in one), None):
            now = table[now]
            left.remove(table)
        if now != _slot(grant):
            yield grant, now[1]


def _followed(source: Grant, renames: Renames) -> Iterator[Key]:
    """Yield what the code alone shows the fact of a grant to be called now."""
    gate, named = source.gate, dict(zip(source.gate.fields, source.key, strict=True))
    modules = {field: renames.modules.get(named[field], named[field]) for field in gate.module_fields}
    yield tuple({**named, **modules}.values())
    names = {field: renames.now_called(named[field]) for field in gate.name_fields}
    if SYMBOL in named and gate.module_fields:
        names[SYMBOL] = renames.now_within(named[gate.module_fields[0]], named[SYMBOL])
    yield tuple({**named, **modules, **names}.values())


class _Declared:
    """A receipt of `move` declares it, and the code bears it out. It knows one new name for each old module."""

    def __init__(self, receipts: Iterable[Receipt], renames: Renames) -> None:
        self._moves = _chained(_moved(receipt) for receipt in receipts if receipt.verb in DECLARING)
        self._renames = renames
        self._became: dict[tuple[frozenset[Slot], str], str] = {}

    def pairs(self, sources: Iterable[Grant], targets: Iterable[Grant]) -> Iterator[tuple[Grant, Grant]]:
        """Yield the pairs that one move speaks of, which a renaming could make one."""
        moved = frozenset[Slot]().union(*self._moves)
        by_rest: dict[Slot, list[Grant]] = defaultdict(list)
        for source in sources:
            if _slot(source) in moved:
                by_rest[_rest(source)].append(source)
        for target in targets:
            if _slot(target) in moved:
                yield from ((source, target) for source in by_rest[_rest(target)])

    def leads(self, source: Grant, target: Grant) -> bool:
        """Say whether the target is the source under another name."""
        move = self._move(source, target)
        return (
            move is not None
            and _is_borne_out(source, target, self._renames)
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


def _has_less(before: Grant | None, after: Grant | None) -> bool:
    if before is after or before is None:
        return False
    was, now = before.granted, after.granted if after is not None else _NOTHING
    return was != now and (now.recorded < was.recorded or now.debt < was.debt or now.exceptions < was.exceptions)


def _of(grant: Grant | None, hand: str) -> int:
    value = getattr(grant.granted, hand) if grant is not None else 0
    assert isinstance(value, int)
    return value


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


def _is_borne_out(source: Grant, target: Grant, renames: Renames) -> bool:
    """Say whether the code of both revisions bears out that the target is the source under another name."""
    gate, pairs = target.gate, {field: (old, new) for field, old, new in _pairs(source, target)}
    if SYMBOL in pairs and gate.module_fields:
        olds, news = zip(pairs.pop(gate.module_fields[0]), pairs.pop(SYMBOL), strict=True)
        if olds != news and not renames.bears_out_scope(olds, news):
            return False
    modules = (pairs[field] for field in gate.module_fields if field in pairs)
    names = (pairs[field] for field in gate.name_fields if field in pairs)
    return all(renames.bears_out(*pair) for pair in modules) and all(
        old == new or renames.bears_out_name(old, new) for old, new in names
    )


def _moving(source: Grant | None, here: Grant, target: Grant, kept: Grant | None) -> dict[str, int]:
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
