"""After an edit, of which modules may uses be answered otherwise, and what did the last answers depend on?

While uses are answered, everything that is looked at outside of a module is noted: names of other modules' tables
(`Names.reads`) and keys of their definitions (`entries.py`). A module that was not edited, and that looked at nothing
that an edit changed, has the same answers as before. What is told to all modules alike is noted as such: stars, names
of modules that others set, what stands above each class, and on which classes attributes are set from outside. Where
what decided about that changes, all is answered anew, as it is where an answer was cut short.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from abutment.semantics.ancestry import Ancestry
from abutment.semantics.entries import BELOW, OUTSIDE, Assigned, End, Share, entries_of, share_of
from abutment.semantics.footing import array_of, numbered, readers_of
from abutment.semantics.meaning import Meaning
from abutment.semantics.names import EVERY_NAME, Read
from abutment.semantics.origins import Origins
from abutment.semantics.outside import Setting
from abutment.semantics.provenance import Provenance
from abutment.semantics.relink import character

_ROOM, _SLACK = 1.25, 1_000  # by how much `asked` may grow with what nobody depends on any more


class Change(NamedTuple):
    """What one module meant and did, and what it means and does now."""

    old: tuple[Meaning, Provenance]
    new: tuple[Meaning, Provenance]


@dataclass(frozen=True, slots=True)
class Past:
    """Answers that an earlier run gave, and what became of the code since."""

    part: Callable[[bytes], bytes | None]  # an answer, or `cache.LOOKED`
    changes: Callable[[], Mapping[str, Change] | None]  # by module; None where they are too many or not known


@dataclass(frozen=True, slots=True)
class Told:
    """What was told to all modules alike, on which `Looked.common` decided, and each file's share in that."""

    shares: Mapping[str, Share]
    ancestries: Mapping[End, Ancestry]
    settings: Mapping[str, tuple[Setting, ...]]


@dataclass(frozen=True, slots=True)
class Looked:
    """What answers depended on."""

    common: frozenset[Read]  # for all modules alike
    asked: tuple[Read, ...]  # for single ones
    reads: Mapping[str, bytes]  # module -> `array("I")` of numbers in `asked`
    visits: Mapping[str, tuple[str, ...]]  # module -> the modules whose code may run when it is imported
    told: Told
    size: int  # of `asked`, when all was answered last


NOTHING = Looked(frozenset(), (), {}, {}, Told({}, {}, {}), 0)


def packed_looked(looked: Looked) -> bytes:
    """Return it as bytes."""
    parts = sorted(looked.common), looked.asked, dict(looked.reads), dict(looked.visits)
    return marshal.dumps((*parts, _packed_told(looked.told), looked.size))


def unpacked_looked(data: bytes) -> Looked:
    """Return what `packed_looked` gave."""
    common, asked, reads, visits, told, size = marshal.loads(data)
    return Looked(frozenset(common), asked, reads, visits, _unpacked_told(told), size)


def _packed_told(told: Told) -> tuple[Any, ...]:
    shares = {
        module: (dict(share.attributes), tuple(map(tuple, share.assigned)), tuple(share.set_elsewhere))
        for module, share in told.shares.items()
    }
    ancestries = [(end, one.classes, one.is_open, one.is_enum) for end, one in told.ancestries.items()]
    return shares, ancestries, {name: tuple(map(tuple, found)) for name, found in told.settings.items()}


def _unpacked_told(packed: tuple[Any, ...]) -> Told:
    shares, ancestries, settings = packed
    return Told(
        {
            module: Share(names, tuple(map(Assigned._make, sets)), rest)
            for module, (names, sets, rest) in shares.items()
        },
        {end: Ancestry(*one) for end, *one in ancestries},
        {name: tuple(map(Setting._make, found)) for name, found in settings.items()},
    )


def affected(looked: Looked, changes: Mapping[str, Change], origins: Origins) -> frozenset[str] | None:
    """Return the modules whose answers may be others now; None where that may be all.

    `origins` are those after the edit, and nobody asked them anything yet.
    """
    if any(character(change.old[0]) != character(change.new[0]) for change in changes.values()):
        return None
    changed = frozenset[Read]().union(*map(_changed, changes.values()))
    if not looked.common.isdisjoint(changed):
        return None
    take_up(looked.told, changed, changes, origins)
    changed = changed.union(*(_around(change, origins) for change in changes.values()))
    if not looked.common.isdisjoint(changed):
        return None
    return frozenset(changes) | readers_of(looked.asked, looked.reads, changed)


def take_up(told: Told, changed: Set[Read], edited: Collection[str], origins: Origins) -> None:
    """Let `origins` start from what was told to all modules alike, where that is as it was."""
    origins.entries.kept.update((module, share) for module, share in told.shares.items() if module not in edited)
    origins.hierarchy.ancestries.update(told.ancestries)
    settings = ((name, found) for name, found in told.settings.items() if ("", name, OUTSIDE) not in changed)
    origins.set_outside.known.update(settings)


def _changed(change: Change) -> Iterator[Read]:
    """Yield the keys under which the module says something else."""
    old, new = entries_of(*change.old), entries_of(*change.new)
    yield from (key for key in old.keys() | new.keys() if key not in old or key not in new or old[key] != new[key])
    if change.old[0].names != change.new[0].names:
        yield (change.new[0].module, EVERY_NAME)


def _around(change: Change, origins: Origins) -> Iterator[Read]:
    """Yield keys for what stands around classes: which are below others, and which of them have an attribute.

    What is above a class that was there before, and that somebody asked about, is as it was: it is in `Looked.common`.
    So is a class that was there, and is there no more.
    """
    module = change.new[1].module
    old, new = (share_of(row).attributes for row in (change.old[1], change.new[1]))
    for atom, names in new.items():
        one = (module, atom)
        if others := set(names) ^ set(old.get(atom, ())):
            around = [owner for owner in origins.hierarchy.around(one) if owner[0]]
            yield from ((*owner, name, BELOW) for owner in around for name in others)
        if atom not in old:
            yield from ((*owner, BELOW) for owner in origins.hierarchy.ancestry(one).classes if owner[0])


def after(
    before: Looked,
    origins: Origins,
    visits: Mapping[str, Iterable[str]],
    stale: frozenset[str],
) -> Looked | None:
    """Return what all answers depend on now: the kept ones, and those of `origins`. None where that cannot be told."""
    if origins.limited:
        return None
    numbers = {read: number for number, read in enumerate(before.asked)}
    reads = {module: found for module, found in before.reads.items() if module not in stale}
    for module, found in origins.looked_at():
        outside = [read for read in found if read[0] != module or read[-1] == BELOW]  # others' classes decide on BELOW
        reads[module] = _joined(reads.get(module, b""), numbered(outside, numbers))
    if before.size and len(numbers) > before.size * _ROOM + _SLACK:
        return None
    runs = {module: found for module, found in before.visits.items() if module not in stale}
    for module, visited in visits.items():
        runs[module] = tuple(sorted({*runs.get(module, ()), *visited} - {module}))
    return Looked(
        before.common | origins.names.groundwork.reads | origins.entries.common,
        tuple(numbers),
        reads,
        runs,
        Told(origins.entries.shares, origins.hierarchy.ancestries, origins.set_outside.known),
        before.size or len(numbers),
    )


def _joined(known: bytes, fresh: bytes) -> bytes:
    """Return the numbers of both, each once: what is kept from run to run does not grow."""
    return array("I", sorted({*array_of(known), *array_of(fresh)})).tobytes() if known else fresh
