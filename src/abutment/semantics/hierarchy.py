"""Which classes stand above and below a class of the codebase, and where may an attribute of it come from?

While it is worked out what stands above a class (`ancestry.py`), nothing is told of what is below one, whatever is
known by then: so no answer depends on what was asked before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from abutment.semantics.ancestry import Ancestries, Ancestry
from abutment.semantics.entries import End, Entries
from abutment.semantics.meaning import Value
from abutment.semantics.names import Read

_MOST_BELOW = 20  # classes that override one attribute; of more, nobody says which


class Receiver(NamedTuple):
    """What an attribute is looked up on."""

    is_class: bool = False  # the class itself, not an instance
    is_below: bool = False  # of the class, or of one below it: `self`, `cls`
    is_past: bool = False  # past the class itself: `super()`


class Holder(NamedTuple):
    """One place from which an attribute may come."""

    how: str  # "field": set on instances; "body": bound in the class; "outside": of a class that is not seen;
    # "missing": no class has it; "unseen": there is more than can be told
    where: End  # the class


_UNSEEN = Holder("unseen", ("", "?"))
_Held = tuple[tuple[Holder, ...], set[Read]]  # with what decided about it


class Hierarchy:
    """The classes of one codebase."""

    def __init__(self, entries: Entries, ends: Callable[[str, Value], Iterable[End]]) -> None:
        """Take all files' definitions; `ends` says what the values are that bases are written as."""
        self._entries = entries
        self._ancestries = Ancestries(entries, ends)
        self._around: dict[End, frozenset[End]] = {}
        self._held: dict[tuple[End, str, Receiver], _Held] = {}

    # ---- attributes

    def holders(self, owner: End, name: str, receiver: Receiver) -> tuple[Holder, ...]:
        """Return all places from which an attribute may come."""
        if self.is_underway:
            return self._all_holders(owner, name, receiver)
        known = self._held.get((owner, name, receiver))
        if known is None:
            reads = set[Read]()
            with self._entries.noted(reads):
                known = self._held[owner, name, receiver] = self._all_holders(owner, name, receiver), reads
        self._entries.note(known[1])
        return known[0]

    def _all_holders(self, owner: End, name: str, receiver: Receiver) -> tuple[Holder, ...]:
        found: dict[Holder, None] = {}
        for line in self._lines(owner, name, receiver):
            found.update(dict.fromkeys(self._along(line, owner, name, receiver) if line else (_UNSEEN,)))
        return tuple(found)

    def _lines(self, owner: End, name: str, receiver: Receiver) -> Iterator[tuple[End, ...]]:
        """Yield the orders in which the attribute may be looked up; () for more than can be told."""
        yield self.ancestry(owner).classes[int(receiver.is_past) :]
        if not receiver.is_below:
            return
        others = self._overriding(owner, name)
        if others is None:
            yield ()
        for one in others or ():
            above = self.ancestry(one)
            if above.is_open:
                yield ()
            yield above.classes[above.classes.index(owner) + 1 if receiver.is_past else 0 :]

    def _along(self, line: tuple[End, ...], owner: End, name: str, receiver: Receiver) -> Iterator[Holder]:
        """Yield what one order leads to: what is set on instances anywhere above, and what the nearest body has."""
        set_somewhere = in_a_body = has_outside = False
        for one in line:
            if not one[0]:
                has_outside = True
                if not in_a_body and not set_somewhere:
                    yield Holder("outside", one)
                continue
            found = self._entries.attribute(*one, name)
            if found.field is not None:
                yield Holder("field", one)
                set_somewhere = set_somewhere or not receiver.is_class
            if not in_a_body and found.body:
                yield Holder("body", one)
                in_a_body = not found.perhaps
        if not in_a_body and not set_somewhere and not has_outside:
            yield Holder("missing", owner)

    def _overriding(self, owner: End, name: str) -> list[End] | None:
        """Return the classes below that look an attribute up elsewhere; None where they are too many to be told."""
        above = self.ancestry(owner).classes
        if self.is_underway:
            return None if self._entries.having(name) - set(above) else []
        others = self._entries.having_around(owner, name) - set(above)
        if not others or others.isdisjoint(self._relatives(owner)):
            return []
        found = []
        for one in self._below(owner):
            if not others.isdisjoint(self.ancestry(one).classes):
                found.append(one)
                if len(found) > _MOST_BELOW:
                    return None
        return found

    def is_overridden(self, owner: End, name: str) -> bool:
        """Say whether some class below has an attribute of that name where the class itself has none or another."""
        return bool(self._overriding(owner, name))

    def has(self, owner: End, name: str) -> bool:
        """Say whether a class, or one above it in the codebase, has a name in its body."""
        return any(one[0] and self._entries.body(*one, name) for one in self.ancestry(owner).classes)

    def lacks(self, owner: End, name: str, receiver: Receiver) -> bool:
        """Say whether a class certainly has no such attribute, so that whoever asks for it fails."""
        if self.ancestry(owner).is_open or self.has(owner, "__getattr__") or self.has(owner, "__getattribute__"):
            return False
        if self._entries.assigned(name) or self._entries.is_set_on_unknown(name):
            return False
        return all(one.how == "missing" for one in self.holders(owner, name, receiver))

    # ---- above

    def ancestry(self, owner: End) -> Ancestry:
        """Return a class of the codebase with all above it."""
        known = self.ancestries.get(owner)
        if known is not None:
            return known
        with self._entries.noted(self._entries.common):
            return self._ancestries.of(owner)

    @property
    def ancestries(self) -> dict[End, Ancestry]:
        """What stands above classes, as far as it is known; more may be put in."""
        return self._ancestries.known

    @property
    def is_underway(self) -> bool:
        """Whether some class's ancestry is being worked out, so that what is told of it now is partial."""
        return self._ancestries.is_underway

    # ---- below

    def is_closed_below(self, owner: End) -> bool:
        """Say whether all classes below are known, with all that is above them."""
        if self.is_underway:
            return False
        every = map(self.ancestry, self._below(owner))
        return all(not one.is_open and all(module for module, _ in one.classes) for one in every)

    def classes_below(self, owner: End) -> list[End] | None:
        """Return the classes below; None where they are not known, or too many to be told."""
        found = None if self.is_underway else self._below(owner)
        return found if found is not None and len(found) <= _MOST_BELOW else None

    def around(self, owner: End) -> frozenset[End]:
        """Return all whose attributes decide together with those of a class: what stands above it or some below."""
        return self._relatives(owner).union(self.ancestry(owner).classes)

    def beside(self, owner: End, above: End) -> list[End] | None:
        """Return the classes from which a class, or one below it, has what they have from the same one above.

        Those below it are left out. None where they are not known.
        """
        if self.is_underway:
            return None
        others = self.around(owner).difference((owner, *self._below(owner)))
        return sorted(one for one in others if one[0] and above in self.ancestry(one).classes)

    def _relatives(self, owner: End) -> frozenset[End]:
        """Return all that stands above some class below."""
        below = self._below(owner)
        known = self._around.get(owner)
        if known is None:
            every = (self.ancestry(one).classes for one in below)
            known = self._around[owner] = frozenset[End]().union(*every)
        return known

    def _below(self, owner: End) -> list[End]:
        self._entries.note_below(owner)
        return self._all_below.get(owner, [])

    @cached_property
    def _all_below(self) -> dict[End, list[End]]:
        found: dict[End, list[End]] = {}
        for one in self._entries.classes():
            for above in self.ancestry(one).classes[1:]:
                found.setdefault(above, []).append(one)
        return found
