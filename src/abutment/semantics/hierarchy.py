"""Which classes stand above and below a class of the codebase, and where may an attribute of it come from?"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from abutment.semantics.meaning import Value
from abutment.semantics.provenance import ClassRow, Provenance

_MOST_BELOW = 20  # classes that override one attribute; of more, nobody says which

ENUM = re.compile(r"^enum\.(Int|Str|Re)?(Enum|Flag)$|\.(Integer|Text)?Choices$")

End = tuple[str, str]  # (module, `@definition:steps`), or ("", what is outside of the codebase, a constant, or `?`)


@dataclass(frozen=True, slots=True)
class Ancestry:
    """A class and all above it, in the order in which attributes are looked up."""

    classes: tuple[End, ...]  # first-party ones as (module, atom); others as ("", path)
    is_open: bool  # whether one of them is not known, or may have been replaced
    is_enum: bool


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


class Hierarchy:
    """The classes of one codebase."""

    def __init__(self, provenances: Mapping[str, Provenance], ends: Callable[[str, Iterable[str]], set[End]]) -> None:
        """Take all files' definitions; `ends` says what the values are that bases are written as."""
        self._provenances, self._ends = provenances, ends
        self._ancestry: dict[End, Ancestry] = {}
        self._underway: set[End] = set()  # classes whose ancestry is being worked out …
        self._came_back: set[End] = set()  # … and those of them that this led back to
        self._around: dict[End, frozenset[End]] = {}
        self._held: dict[tuple[End, str, Receiver], tuple[Holder, ...] | None] = {}

    # ---- attributes

    def holders(self, owner: End, name: str, receiver: Receiver) -> tuple[Holder, ...]:
        """Return all places from which an attribute may come."""
        known = self._held.get((owner, name, receiver))
        if known is None:
            found: dict[Holder, None] = {}
            for line in self._lines(owner, name, receiver):
                found.update(dict.fromkeys(self._along(line, owner, name, receiver) if line else (_UNSEEN,)))
            known = tuple(found)
            if not self._underway:
                self._held[owner, name, receiver] = known
        return known

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
            row = self.row(one)
            if name in row.fields:
                yield Holder("field", one)
                set_somewhere = set_somewhere or not receiver.is_class
            if not in_a_body and self.in_body(one, name):
                yield Holder("body", one)
                in_a_body = name not in row.perhaps
        if not in_a_body and not set_somewhere and not has_outside:
            yield Holder("missing", owner)

    def _overriding(self, owner: End, name: str) -> list[End] | None:
        """Return the classes below that look an attribute up elsewhere; None where they are too many to be told."""
        others: set[End] = self._definers.get(name, set()).difference(self.ancestry(owner).classes)
        if not others:
            return []
        if self._underway:  # what is below is not known yet
            return None
        if others.isdisjoint(self._relatives(owner)):
            return []
        found = []
        for one in self.below.get(owner, ()):
            if not others.isdisjoint(self.ancestry(one).classes):
                found.append(one)
                if len(found) > _MOST_BELOW:
                    return None
        return found

    def is_overridden(self, owner: End, name: str) -> bool:
        """Say whether some class below has an attribute of that name where the class itself has none or another."""
        return bool(self._overriding(owner, name))

    @property
    def is_underway(self) -> bool:
        """Whether some class's ancestry is being worked out, so that what is told of it now is partial."""
        return bool(self._underway)

    @property
    def defined(self) -> Collection[str]:
        """The names that some class of the codebase has."""
        return self._definers

    def _relatives(self, owner: End) -> frozenset[End]:
        """Return all that stands above some class below."""
        known = self._around.get(owner)
        if known is None:
            every = (self.ancestry(one).classes for one in self.below.get(owner, ()))
            known = self._around[owner] = frozenset[End]().union(*every)
        return known

    @cached_property
    def _definers(self) -> dict[str, set[End]]:
        """Return the classes that have each name, in their body or on their instances."""
        found: dict[str, set[End]] = {}
        for one in self._classes():
            row = self.row(one)
            for name in {**row.names, **row.fields}:
                found.setdefault(name, set()).add(one)
        return found

    # ---- classes

    def row(self, one: End) -> ClassRow:
        """Return what a file says of a class of its own."""
        return self._provenances[one[0]].classes[one[1]]

    def in_body(self, one: End, name: str) -> Value:
        """Return what the class's body binds a name to; () for nothing."""
        at = self.row(one).names.get(name)
        return self._provenances[one[0]].values[at] if at is not None else ()

    def has(self, owner: End, name: str) -> bool:
        """Say whether a class, or one above it in the codebase, has a name in its body."""
        return any(one[0] and self.in_body(one, name) for one in self.ancestry(owner).classes)

    def is_closed_below(self, owner: End) -> bool:
        """Say whether all classes below are known, with all that is above them."""
        if self._underway:  # what is below is not known yet
            return False
        every = map(self.ancestry, self.below.get(owner, ()))
        return all(not one.is_open and all(module for module, _ in one.classes) for one in every)

    def classes_below(self, owner: End) -> list[End] | None:
        """Return the classes below; None where they are not known, or too many to be told."""
        found = None if self._underway else self.below.get(owner, [])
        return found if found is not None and len(found) <= _MOST_BELOW else None

    @cached_property
    def below(self) -> dict[End, list[End]]:
        """Return the classes below each class."""
        found: dict[End, list[End]] = {}
        for one in self._classes():
            for above in self.ancestry(one).classes[1:]:
                found.setdefault(above, []).append(one)
        return found

    def _classes(self) -> Iterator[End]:
        return ((row.module, atom) for row in self._provenances.values() for atom in row.classes)

    # ---- bases

    def ancestry(self, owner: End) -> Ancestry:
        """Return a class of the codebase with all above it (C3, as Python orders them).

        What a class is made of may lead back to the class itself; there, nothing is known of what is above it.
        """
        known = self._ancestry.get(owner)
        if known is not None:
            return known
        if owner in self._underway:
            self._came_back.add(owner)
            return Ancestry((owner,), is_open=True, is_enum=False)
        self._underway.add(owner)
        found: dict[End, Ancestry] = {}
        for one in self._bottom_up(owner):
            found[one] = self._ordered(one, found)
        self._underway.discard(owner)
        self._came_back.discard(owner)
        if not self._came_back:  # otherwise it is partial, and another question may see more
            self._ancestry.update(found)
        return found.get(owner) or self._ancestry[owner]

    def _bottom_up(self, owner: End) -> list[End]:
        """Return the class and its first-party bases that are not known yet, bases first."""
        ordered: list[End] = []
        seen: set[End] = set()
        todo: list[tuple[End, bool]] = [(owner, False)]
        while todo:
            one, done = todo.pop()
            if done:
                ordered.append(one)
            elif one not in seen and one not in self._ancestry:
                seen.add(one)
                todo.append((one, True))
                todo.extend((base, False) for bases in self._bases(one) for base in bases if base[0])
        return ordered

    def _bases(self, owner: End) -> list[list[End]]:
        """Return each base of a class, as all that it may be."""
        module, atom = owner
        row = self._provenances[module]
        found: list[list[End]] = []
        for at in row.classes[atom].bases:
            value = tuple(one.removesuffix("[]").removesuffix(":") for one in row.values[at])
            found.append(sorted(self._class_of(end) for end in self._ends(module, value)))
        return found

    def _class_of(self, end: End) -> End:
        """Return a base that is a class; `?` for anything else that a base may be."""
        module, atom = end
        if not module:
            return ("", atom if atom[0] not in "?'~#*" and not atom.endswith("()") else "?")
        if atom[0] == "*":
            return ("", "?")
        return end if atom in self._provenances[module].classes else ("", "?")

    def _ordered(self, owner: End, known: Mapping[End, Ancestry]) -> Ancestry:
        module, atom = owner
        bases = self._bases(owner)
        is_open = self._provenances[module].classes[atom].is_open or any(len(one) != 1 for one in bases)
        sequences: list[list[End]] = []
        for one in bases:
            for base in one:
                above = (known.get(base) or self._ancestry.get(base)) if base[0] else None
                is_open = is_open or base[1] == "?" or (above is not None and above.is_open)
                # A class that is its own ancestor is one that Python refuses.
                sequences.append(list(above.classes) if above is not None else [base])
        sequences.append([base for one in bases for base in one])
        merged = (owner, *_merged(sequences))
        return Ancestry(merged, is_open, any(not where and ENUM.search(path) for where, path in merged))


def _merged(sequences: list[list[End]]) -> list[End]:
    """Return the C3 merge (The Python 2.3 Method Resolution Order); in the order found where there is none."""
    merged: list[End] = []
    rest = [deque(sequence) for sequence in sequences if sequence]
    behind = Counter(one for sequence in sequences for one in sequence[1:])  # how often each stands in a tail
    while rest:
        chosen = next((sequence[0] for sequence in rest if not behind[sequence[0]]), None)
        if chosen is None:  # Python refuses such bases
            chosen = rest[0][0]
            rest = [deque(one for one in sequence if one != chosen) for sequence in rest]
            behind = Counter(one for sequence in rest for one in list(sequence)[1:])
        else:
            for sequence in rest:
                if sequence[0] == chosen:
                    sequence.popleft()
                    behind.subtract([sequence[0]] if sequence else ())
        merged.append(chosen)
        rest = [sequence for sequence in rest if sequence]
    return merged
