"""What does an operator, an item, a test or a builtin call of an object: which method of its class?

Python looks these up in the class alone (Language Reference, 3.3.12), so they are steps of their own (`.~add`), which
lead nowhere but from an instance (`stepping.py`). Only what may be an instance of some class is asked.
"""

from __future__ import annotations

import re

from abutment.semantics.outline import Row
from abutment.semantics.provenance import IMPLICIT, Bit, Verb
from abutment.semantics.reading import ANY, NOTHING, Atom, Atoms, Reading, attribute_of, call_of

# What a builtin function calls of its first argument.
_BY_BUILTIN = {
    f"builtins:{name}": name
    for name in ("abs", "bool", "bytes", "complex", "float", "format", "hash", "int", "len", "next", "repr", "reversed")
}
_BY_BUILTIN |= {"builtins:round": "round", "builtins:str": "str", "builtins:print": "str", "builtins:iter": "iter"}
_NO_OBJECT = "'~#[{$^!=/*+%>-?;"  # how atoms begin that are no instance of a class of the codebase
# An instance, as the file says it: of a class of its own, or of one elsewhere that is spelt so (PEP 8).
_MADE = re.compile(r"(?P<base>@[^:]+:|[^@:]+:\w+)(\(\)|&)(\.~\w+\(\)){0,3}")


def run_operate(r: Reading, row: Row) -> None:
    """Read an operator: what it calls of either side, and what it gives beside what is known of that."""
    left, right, known = r.list_values(row[1])
    name = r.o.strings[row[2]]
    reflected = f"r{name.removeprefix('i') if name != 'invert' else ''}"
    operate(r, left, name, row[4])
    operate(r, right, reflected, row[4], ANY)  # only where the left side has no such method, or will not have this one
    r.result(_given(r, left, right, known, name, reflected))


def run_ask(r: Reading, row: Row) -> None:
    """Read what is asked of an object, of which nobody asks what it gives."""
    name = r.o.strings[row[2]]
    bits = Bit.GONE_THROUGH if name == "contains" else 0  # as it is where there is no `__contains__`
    operate(r, r.value(row[1]), name, row[4], ANY if row[3] else NOTHING, bits)


def _given(r: Reading, left: Atoms, right: Atoms, known: Atoms, name: str, reflected: str) -> Atoms:
    """Return what an operator gives: what the methods of either side do, beside what is known without them."""
    ours, theirs = _asked(r, left), _asked(r, right)
    if name == "truediv" and ours:  # a path divided is a path: that is where the step leads outside of the codebase
        return (known - ours) | _called(ours, name)
    return known | _called(ours, name) | _called(theirs, reflected)


def _called(objects: Atoms, name: str) -> Atoms:
    return call_of(attribute_of(objects, IMPLICIT + name)) if objects else NOTHING


def _asked(r: Reading, value: Atoms) -> Atoms:
    """Return what of a value certainly is made of a class, or was worked out of that.

    What else is added up is mostly numbers and texts, and would be one step longer each time round.
    """
    return frozenset(atom for atom in _objects(value) if _is_made(r, str(atom)))


def _is_made(r: Reading, atom: str) -> bool:
    found = _MADE.fullmatch(atom)
    if found is None:
        declared = r.record.variables.get(atom, NOTHING) if atom in r.record.declared else NOTHING
        return any(one != atom and isinstance(one, str) and one[0] == "@" and _is_made(r, one) for one in declared)
    base = found["base"]
    return r.record.is_class(base[:-1]) if base[0] == "@" else base.rpartition(":")[2][:1].isupper()


def operate(r: Reading, value: Atoms, name: str, place: int, others: Atoms = NOTHING, bits: int = 0) -> None:
    """Keep that a method of what a value may be is called implicitly; `others` is what may be called instead."""
    objects = _objects(value)
    if objects and place and not r.dead:
        r.use(Verb.OPERATE, attribute_of(objects, IMPLICIT + name) | others, place, bits=bits)


def operate_by_builtin(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> None:
    """Keep what a builtin function calls of what it is given."""
    for atom in callee:
        if arguments and (name := _BY_BUILTIN.get(str(atom))):
            operate(r, arguments[0], name, row[4])


def go_through(r: Reading, value: Atoms, place: int) -> None:
    """Keep that something is gone through."""
    operate(r, value, "iter", place, bits=Bit.GONE_THROUGH)


def _objects(value: Atoms) -> Atoms:
    """Return what of a value may be an instance of a class of the codebase."""
    if len(value) == 1:
        (atom,) = value
        return value if _is_object(atom) else NOTHING
    return frozenset(atom for atom in value if _is_object(atom))


def _is_object(atom: Atom) -> bool:
    return isinstance(atom, str) and ":" in atom and atom[0] not in _NO_OBJECT and not atom.startswith("builtins:")
