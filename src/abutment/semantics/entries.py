"""What does one file say under one key, and was it looked at?

Whatever resolving asks of another file's definitions it asks here, and each look is noted beside those at names
(`Names.reads`). `entries_of` has all that a file says under all keys: where two readings of a file agree under every
key that somebody looked at, whoever looked has the same answers from both (`reuse.py`).

A key begins with the module. What follows is `name` in its table; `@f` a definition; `@f:()`, `@f:$p` what a variable
holds; `@C`, `name` an attribute of a class; `=3` what a scope is the body of. What no single file says has keys of its
own: `@C`, `<` which classes stand below one; `@C`, `name`, `<` which of those around it have an attribute; and with no
module `name`, `<` which classes of all have it, `name`, `=` what is set under that name from outside of a class, and
`name`, `?` whether it is set on what may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from abutment.semantics.meaning import Meaning, Value
from abutment.semantics.names import Names, Read
from abutment.semantics.provenance import DECORATED, Bit, ClassRow, FunctionRow, Provenance, Verb

BELOW, OUTSIDE, UNKNOWN = "<", "=", "?"

End = tuple[str, str]  # (module, `@definition:steps`), or ("", what is outside of the codebase, a constant, or `?`)


class Attribute(NamedTuple):
    """What one class says itself of one attribute."""

    body: Value | None  # what its body binds; None where it binds nothing of that name
    field: Value | None  # what is set on instances or on the class; None where nothing is
    perhaps: bool  # whether the body binds it on some path only


class Head(NamedTuple):
    """What one class is made of."""

    bases: tuple[Value, ...]
    is_open: bool
    doubts: Value  # by what it is decorated of which its file cannot tell whether it gives the class back


class Assigned(NamedTuple):
    """An attribute that is set on something else than `self`."""

    name: str
    target: Value
    value: Value


class Share(NamedTuple):
    """What one file adds to what is asked of all of them together."""

    attributes: Mapping[str, Sequence[str]]  # by a class's atom: what it has in its body or on its instances
    assigned: Sequence[Assigned]
    set_elsewhere: Sequence[str]  # of `Provenance`


class Noted:
    """While it is entered, what is looked at is noted in a set of its own.

    As a class, since a value is asked about so often that a generator in its place would be felt.
    """

    __slots__ = ("_before", "_names", "_reads")

    def __init__(self, names: Names, reads: set[Read]) -> None:
        self._names, self._reads = names, reads

    def __enter__(self) -> None:
        self._before, self._names.reads = self._names.reads, self._reads

    def __exit__(self, *fault: object) -> None:
        self._names.reads = self._before


class Entries:
    """The definitions of all files. Every method notes what it is asked for."""

    def __init__(self, names: Names, provenances: Mapping[str, Provenance]) -> None:
        self._names, self._rows = names, provenances
        self.kept: dict[str, Share] = {}  # by module; shares that need not be worked out
        self.common: set[Read] = set()  # what decided about what is told to all modules alike

    def noted(self, reads: set[Read]) -> Noted:
        """Note in `reads` what is looked at meanwhile."""
        return Noted(self._names, reads)

    def note(self, reads: Set[Read]) -> None:
        """Note what was looked at before, when what is told now was worked out."""
        self._names.reads |= reads

    def function(self, module: str, atom: str) -> FunctionRow | None:
        """Return a definition that is a function."""
        self._names.reads.add((module, atom))
        return self._rows[module].functions.get(atom)

    def is_class(self, module: str, atom: str) -> bool:
        """Say whether a definition is a class."""
        self._names.reads.add((module, atom))
        return atom in self._rows[module].classes

    def head(self, module: str, atom: str) -> Head:
        """Return what a class is made of."""
        self._names.reads.add((module, atom))
        return _head(self._rows[module], atom)

    def attribute(self, module: str, atom: str, name: str) -> Attribute:
        """Return what a class says itself of an attribute."""
        self._names.reads.add((module, atom, name))
        return _attribute(self._rows[module], self._rows[module].classes[atom], name)

    def body(self, module: str, atom: str, name: str) -> Value:
        """Return what a class's body binds a name to; () for nothing."""
        self._names.reads.add((module, atom, name))
        row = self._rows[module]
        at = row.classes[atom].names.get(name)
        return row.values[at] if at is not None else ()

    def variable(self, module: str, key: str) -> Value:
        """Return what a parameter, a name of a scope, or a result may be."""
        self._names.reads.add((module, key))
        row = self._rows[module]
        at = row.variables.get(key)
        return row.values[at] if at is not None else ("?",)

    def body_of(self, module: str, scope: int) -> str:
        """Return the definition that a scope is the body of."""
        self._names.reads.add((module, f"={scope}"))
        return self._rows[module].scopes[scope].atom

    def in_table(self, module: str, name: str) -> Value | None:
        """Return what a module's table holds under a name; that it was looked at has been noted (`Names.binding`)."""
        row = self._rows.get(module)
        at = row.names.get(name) if row is not None else None
        return row.values[at] if row is not None and at is not None else None

    # ---- of all files together

    def having(self, name: str) -> Set[End]:
        """Return the classes that have an attribute."""
        self._names.reads.add(("", name, BELOW))
        return self._having.get(name, frozenset())

    def having_around(self, owner: End, name: str) -> Set[End]:
        """Return them for somebody to whom only those matter that stand around a class (`Hierarchy.around`)."""
        self._names.reads.add((*owner, name, BELOW))
        return self._having.get(name, frozenset())

    def note_below(self, owner: End) -> None:
        """Note that somebody asks which classes stand below one."""
        self._names.reads.add((*owner, BELOW))

    def classes(self) -> Iterator[End]:
        """Return all classes, of which the asker notes what matters to it."""
        return ((module, atom) for module, share in self.shares.items() for atom in share.attributes)

    def assigned(self, name: str) -> Sequence[tuple[str, Assigned]]:
        """Return where an attribute is set on something else than `self`."""
        self._names.reads.add(("", name, OUTSIDE))
        return self._assigned.get(name, ())

    def is_set_on_unknown(self, name: str) -> bool:
        """Say whether an attribute is set on something of which its file does not say what it is."""
        self._names.reads.add(("", name, UNKNOWN))
        return name in self._set_on_unknown

    @cached_property
    def shares(self) -> dict[str, Share]:
        """What each file adds."""
        return {module: self.kept.get(module) or share_of(self._rows[module]) for module in self._rows}

    @cached_property
    def _set_on_unknown(self) -> frozenset[str]:
        return frozenset[str]().union(*(share.set_elsewhere for share in self.shares.values()))

    @cached_property
    def _having(self) -> dict[str, set[End]]:
        found: dict[str, set[End]] = {}
        for module, share in self.shares.items():
            for atom, names in share.attributes.items():
                for name in names:
                    found.setdefault(name, set()).add((module, atom))
        return found

    @cached_property
    def _assigned(self) -> dict[str, list[tuple[str, Assigned]]]:
        found: dict[str, list[tuple[str, Assigned]]] = {}
        for module, share in self.shares.items():
            for one in share.assigned:
                found.setdefault(one.name, []).append((module, one))
        return found


def share_of(row: Provenance) -> Share:
    """Return what a file adds to what is asked of all of them together."""
    attributes = {atom: tuple({**one.names, **one.fields}) for atom, one in row.classes.items()}
    uses = (use for use in row.uses if use.verb == Verb.SET and not use.bits & Bit.ITEM)
    assigned = (Assigned(use.named[0][0], row.values[use.value], row.values[use.named[0][1]]) for use in uses)
    return Share(attributes, tuple(assigned), row.set_elsewhere)


def entries_of(meaning: Meaning, row: Provenance) -> dict[Read, object]:
    """Return all that a file says, by key."""
    return dict(_entries(meaning, row))


def _entries(meaning: Meaning, row: Provenance) -> Iterator[tuple[Read, object]]:
    module, values = row.module, row.values
    for name in meaning.names.keys() | row.names.keys():
        yield (module, name), (meaning.names.get(name), values[row.names[name]] if name in row.names else None)
    for atom, function in row.functions.items():
        yield (module, atom), function._replace(line=0)
    for atom, one in row.classes.items():
        yield (module, atom), _head(row, atom)
        for name in one.names.keys() | one.fields.keys():
            yield (module, atom, name), _attribute(row, one, name)
    for key, at in row.variables.items():
        yield (module, key), values[at]
    for scope, found in enumerate(row.scopes):
        yield (module, f"={scope}"), found.atom
    yield from _shared(share_of(row))


def _shared(share: Share) -> Iterator[tuple[Read, object]]:
    having: dict[str, list[str]] = {}
    for atom, names in share.attributes.items():
        for name in names:
            having.setdefault(name, []).append(atom)
    assigned: dict[str, list[Assigned]] = {}
    for one in share.assigned:
        assigned.setdefault(one.name, []).append(one)
    yield from ((("", name, BELOW), atoms) for name, atoms in having.items())
    yield from ((("", name, OUTSIDE), ones) for name, ones in assigned.items())
    yield from ((("", name, UNKNOWN), True) for name in share.set_elsewhere)


def _head(row: Provenance, atom: str) -> Head:
    one = row.classes[atom]
    doubts = row.variables.get(f"{atom}{DECORATED}")
    return Head(
        tuple(row.values[at] for at in one.bases), one.is_open, row.values[doubts] if doubts is not None else ()
    )


def _attribute(row: Provenance, one: ClassRow, name: str) -> Attribute:
    body, field = one.names.get(name), one.fields.get(name)
    return Attribute(
        row.values[body] if body is not None else None,
        row.values[field] if field is not None else None,
        name in one.perhaps,
    )
