"""Which grants only have another name now, as what they are about was renamed or moved?

Of modules, only what the trees show is believed, whatever a receipt declares: the old one is gone, the new one was not
there, and reads like it where no receipt speaks of it. A receipt of `move`, or several in a row, speaks for functions
and classes, of which the one has to be gone and the other to have come.

Never more is carried over than the old name has lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from abutment.baselines.receipts import How, Receipt
from abutment.gates.gate import Gate
from abutment.guard.grants import Grant
from abutment.guard.weight import Granted
from abutment.model.identity import Key

HANDS = ("recorded", "debt", "exceptions")
SYMBOL = "qualname"


Scope = tuple[str, str]  # a module, and a dotted name inside of it


def _nothing(_module: str) -> Collection[str]:
    return ()


def _always(_old: str, _new: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Renamed:
    """Whether one name of the code can have become another between two revisions."""

    was: Callable[[str], bool]  # it was a module before
    is_now: Callable[[str], bool]
    defined: Callable[[str], Collection[str]] = _nothing  # the functions and classes that a module had before
    defines: Callable[[str], Collection[str]] = _nothing  # and those that it has now

    alike: Callable[[str, str], bool] = _always  # whether the one reads now as the other did

    def shows(self, old: str, new: str) -> bool:
        """Say whether one module has become the other, though nobody declares it."""
        return old == new or (self.tells(old, new) and self.alike(old, new))

    def tells(self, old: str, new: str) -> bool:
        """Say whether one module can have become the other: it is gone, and that one has come."""
        gone = self.was(old) and not self.is_now(old)
        return old == new or (gone and self._is_new(new))

    def bears_out(self, old: str, new: str) -> bool:
        """Say whether what a receipt declares of two modules can be; a file may have become a package of its name."""
        return self.tells(old, new) or (new.startswith(f"{old}.") and self.was(old) and self._is_new(new))

    def bears_out_name(self, old: str, new: str) -> bool:
        """Say the same of two dotted names of whatever is in the code."""
        module, home = _longest(old, self.was), _longest(new, self.is_now)
        names = (name.removeprefix(around).lstrip(".") for name, around in ((old, module), (new, home)))
        return self.bears_out_scope((module, next(names)), (home, next(names)))

    def bears_out_scope(self, old: Scope, new: Scope) -> bool:
        """Say the same of two functions or classes, each in its module."""
        if old[1] == new[1] and self.bears_out(old[0], new[0]):
            return True
        return (
            _has(self.defined, old)
            and not (_has(self.defines, old) or _has(self.defined, new))
            and _has(self.defines, new)
        )

    def _is_new(self, module: str) -> bool:
        return self.is_now(module) and not self.was(module)


def _has(defined: Callable[[str], Collection[str]], scope: Scope) -> bool:
    module, name = scope
    return name.replace(".<locals>", "") in defined(module)


def _longest(name: str, known: Callable[[str], bool]) -> str:
    """Return the name of the module that is the beginning of a dotted name, "" where there is none."""
    while name and not known(name):
        name = name.rpartition(".")[0]
    return name


Slot = tuple[str, Key]  # a gate and a fact


def carried_over(
    before: Iterable[Grant], after: Iterable[Grant], receipts: Iterable[Receipt], renamed: Renamed
) -> list[Grant]:
    """Return the earlier grants as renamings leave them. `receipts` are those that only the later revision has."""
    grants = {_slot(grant): grant for grant in before}
    wanted = {_slot(grant): grant for grant in after}
    declared = _chained(_moved(receipt) for receipt in receipts if receipt.verb == "move")
    became: dict[tuple[frozenset[Slot], str], str] = {}
    lost = _by_rest(grant for slot, grant in grants.items() if _has_less(grant, wanted.get(slot)))
    for slot, target in sorted(wanted.items(), key=lambda item: item[0]):
        here = grants.get(slot, replace(target, granted=Granted()))
        for source in lost.get(_rest(target), ()):
            if _is_one(source, target, declared, renamed, became):
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


def _chained(moves: Iterable[frozenset[Slot]]) -> list[frozenset[Slot]]:
    """Return the moves, those as one of which the one goes on from where the other ended."""
    chains: list[frozenset[Slot]] = []
    for moved in moves:
        joined = [chain for chain in chains if chain & moved]
        chains = [chain for chain in chains if not chain & moved]
        chains.append(moved.union(*joined))
    return chains


def _is_one(
    source: Grant,
    target: Grant,
    declared: Iterable[frozenset[Slot]],
    renamed: Renamed,
    became: dict[tuple[frozenset[Slot], str], str],
) -> bool:
    """Say whether the target is the source under another name; `became` is what each receipt's old names are now."""
    if source.key == target.key:
        return False
    modules = target.gate.module_fields
    told = next((moved for moved in declared if _slot(source) in moved and _slot(target) in moved), None)
    if told is not None:
        changed = [(old, new) for field, old, new in _pairs(source, target) if field in modules and old != new]
        return _is_borne_out(source, target, renamed) and all(
            became.setdefault((told, old), new) == new for old, new in changed if renamed.tells(old, new)
        )
    return all(
        old == new or (field in modules and renamed.shows(old, new)) for field, old, new in _pairs(source, target)
    )


def _pairs(source: Grant, target: Grant) -> Iterator[tuple[str, str, str]]:
    return zip(target.gate.fields, source.key, target.key, strict=True)


def _is_borne_out(source: Grant, target: Grant, renamed: Renamed) -> bool:
    """Say whether the code of both revisions shows what a receipt declares."""
    gate, pairs = target.gate, {field: (old, new) for field, old, new in _pairs(source, target)}
    if SYMBOL in pairs and gate.module_fields:
        olds, news = zip(pairs.pop(gate.module_fields[0]), pairs.pop(SYMBOL), strict=True)
        if olds != news and not renamed.bears_out_scope(olds, news):
            return False
    modules = (pairs[field] for field in gate.module_fields if field in pairs)
    names = (pairs[field] for field in gate.name_fields if field in pairs)
    return all(renamed.bears_out(*pair) for pair in modules) and all(
        old == new or renamed.bears_out_name(old, new) for old, new in names
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
