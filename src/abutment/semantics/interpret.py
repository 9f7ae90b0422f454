"""What do a module's names hold, at each import and at the end?

Each scope is evaluated once, in order, over sets of possible values; what crosses a module stays symbolic.
Module code sees the names as they are at that point, functions see the final ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from abutment.semantics.calls import run_call
from abutment.semantics.changing import run_erase, run_store
from abutment.semantics.containers import may_hold, pairs_of, values_of
from abutment.semantics.control import CONTROL
from abutment.semantics.definitions import DEFINITIONS, end_function
from abutment.semantics.dynamic_imports import keep, read_lazy_loader
from abutment.semantics.entering import enter
from abutment.semantics.filling import changed_names
from abutment.semantics.iterating import iterate
from abutment.semantics.meaning import ImportRow, Meaning, Star, Value
from abutment.semantics.operating import run_ask, run_operate
from abutment.semantics.outline import ROW, Mark, Op, Outline, Row, Scope, ScopeKind
from abutment.semantics.own_names import by_variable
from abutment.semantics.program import Flag
from abutment.semantics.provenance import Bit, Provenance, Verb
from abutment.semantics.reading import (
    ANY,
    EARLY,
    NOTHING,
    UNBOUND,
    Atom,
    Atoms,
    Reading,
    attribute_of,
    element_of,
    elements,
    is_splat,
    item_of,
    outward,
    part_of,
)
from abutment.semantics.typed import GENERICS, generic

_MOST_TEXTS = 400
_LONGEST_TEXT = 4_000  # characters
_PAIRS = (".items()[]", ".popitem()")  # ends of what gives a key and its value


class Interpreted(NamedTuple):
    """What one file says: to those who import it, and what it does with the names it knows."""

    meaning: Meaning
    provenance: Provenance | None  # None where uses were not wanted


def interpret(outline: Outline, *, uses: bool = True) -> Interpreted:
    """Return what the outline's module says; `uses` only of one that was lowered whole."""
    reading = Reading(outline, uses)
    _module_scope(reading)
    for index in range(1, len(outline.scopes)):
        _function_scope(reading, index)
    meaning = _meaning(reading)
    if not uses:
        return Interpreted(meaning, None)
    reading.record.fill_fields()
    _note_loops(reading)
    names = {name: atoms | reading.put_into(name) for name, atoms in reading.final.items()}
    return Interpreted(meaning, reading.record.finished(names, meaning, reading.held_by))


def _module_scope(r: Reading) -> None:
    """Read module code in order and keep the final table."""
    _run(r, r.o.scopes[0])
    r.final = r.finals[0] = {name: r.env.get(name, UNBOUND) for name in sorted(r.every[0])}
    for name in sorted(changed_names(r.o) & r.final.keys() if r.record.wanted else ()):
        if r.is_changed_elsewhere(name):
            r.final[name] |= ANY
    for name in sorted(r.globals):
        r.final[name] = r.final.get(name, UNBOUND) | {f"{r.record.definitions[0]}:%{name}"}


def _function_scope(r: Reading, index: int) -> None:
    """Read one function's body."""
    scope = r.o.scopes[index]
    if scope.kind == ScopeKind.CLASS or scope.first == scope.end:  # a class, or a body that was not wanted
        return
    r.enter(index, r.scope_guards.get(index, 0))
    _run(r, scope)
    end_function(r)
    r.finals[index] = r.env


def _note_loops(r: Reading) -> None:
    """Note what the names hold that a loop may see from the time before."""
    asked = {atom for atoms in r.record.every_value() for atom in atoms if isinstance(atom, str) and ":%" in atom}
    for index, names in r.every.items():
        scope = r.record.definitions[index]
        for name, atoms in names.items():
            variable = f"{scope}:%{name}"
            if any(atom.startswith(variable) for atom in asked):
                r.record.add(variable, atoms - {variable})


def _run(r: Reading, scope: Scope) -> None:
    rows = r.o.rows
    for at in range(scope.first, scope.end):
        row = rows[at]
        r.row_at = at
        _RUN[row[0]](r, row)


def _meaning(r: Reading) -> Meaning:
    """Return all that was found."""
    o = r.o
    exported = _exported(r)
    return Meaning(
        o.module,
        o.is_package,
        o.suffix,
        {name: outward(atoms) for name, atoms in r.final.items() if "#" not in name},
        exported,
        tuple(r.stars),
        {name: at for name, at in sorted(r.bound_at.items()) if at < len(r.stars) and "#" not in name},
        o.marks & ~Mark.CUT,
        tuple(sorted(r.pokes)),
        tuple(dict.fromkeys(r.lazy)),
        tuple(r.imports),
        tuple(r.dynamic),
        tuple(r.conditions),
        tuple(r.guards),
        tuple((o.strings[text], line, o.strings[scope]) for text, line, scope in o.directives),
    )


def _exported(r: Reading) -> Value | None:
    """Return what `__all__` holds; None where it is not set."""
    provided = read_lazy_loader(r)
    atoms = r.final.get("__all__", UNBOUND)
    if atoms == UNBOUND:
        return None
    found = r.elements(atoms)
    if provided and any(isinstance(atom, str) and atom.startswith("!") for atom in atoms):
        found = (found - {"?"}) | {f"'{name}" for name in provided}
    return tuple(sorted(found | {"?"} if r.exports_grow else found))


# ---- rows: one function an op


def _run_bind(r: Reading, row: Row) -> None:
    name = r.o.strings[row[1]]
    r.bind(name, r.value(row[2]))
    if name in r.applied_names:
        r.note_call(name, row[2])


def _run_unbind(r: Reading, row: Row) -> None:
    r.bind(r.o.strings[row[1]], UNBOUND)


def _run_augment(r: Reading, row: Row) -> None:
    name = r.o.strings[row[1]]
    old = r.look_up(name)
    r.bind(name, r.new_sequence([(True, old), (True, r.value(row[2]))]) if may_hold(old) else r.value(row[3]))


def _run_import(r: Reading, row: Row) -> None:
    one, strings = r.o.imports[row[1]], r.o.strings
    module, name = strings[one.module], strings[one.name]
    flags = r.flags()
    if one.lazy:
        flags = flags & ~Flag.MODULE | Flag.DEFERRED
    r.imports.append(ImportRow(one.level, module, name, int(flags), r.guard, r.scope_name(), r.o.places[one.place]))
    base = "." * one.level + module
    if name == "*":
        if r.scope == 0 and not r.class_prefix:
            r.stars.append(Star(one.level, module, not r.frames and not r.dead))
            r.star_modules.append(base)
        return
    atom = f"{base}:{name}" if name else base if row[2] else module.partition(".")[0]
    atoms: Atoms = frozenset((atom,))
    if name and base in (".", r.o.module) and _is_own(r, base):  # Python asks this module first, as it is now
        atoms |= r.env.get(name, NOTHING) - UNBOUND
    r.bind(strings[one.alias], atoms)


def _is_own(r: Reading, base: str) -> bool:
    """Say whether module code imports from the module that it is in."""
    return r.scope == 0 and not r.class_prefix and (base != "." or r.o.is_package)


def _run_read(r: Reading, row: Row) -> None:
    value = r.value(row[1])
    r.use(Verb.READ, value, row[4], by=by_variable(r, row[1]))
    r.result(value)


def _run_await(r: Reading, row: Row) -> None:
    todo = [row[1]]
    while todo:  # each arm of a choice is what is awaited
        operand = todo.pop()
        if operand & 3 == ROW:
            r.record.mark(operand >> 2, Bit.AWAITED)
            op, a, b, _, _ = r.o.rows[operand >> 2]
            todo += [a, b] if op == Op.EITHER else r.o.lists[a] if op in (Op.AND, Op.OR) else []


def _run_enter(r: Reading, row: Row) -> None:
    value = r.value(row[1])
    entered = {atom for atom in value if isinstance(atom, str) and atom[0] == "!"}
    given = _called_with(r, entered, "contextlib:nullcontext")
    itself = enter(r, value - entered, is_async=bool(row[2])) if value - entered else NOTHING
    r.result(itself | given or ANY)


def _called_with(r: Reading, calls: Iterable[str], callee: str) -> Atoms:
    """Return what those among calls that are asked for later are called with whose callee it is."""
    found = NOTHING
    for atom in calls:
        _, called, arguments, _, _ = r.o.rows[int(atom[1:].partition(".")[0])]
        if callee in r.value(called):
            found = found.union(*r.list_values(arguments))
    return found


def _run_comprehension(r: Reading, row: Row) -> None:
    r.prefixes.append(r.class_prefix)
    r.class_prefix = ""
    r.waiting += row[2]


def _run_end_comprehension(r: Reading, row: Row) -> None:
    r.class_prefix = r.prefixes.pop()
    r.waiting -= row[2]


def _run_unpacked(r: Reading, row: Row) -> None:
    value = r.value(row[1])
    iterate(r, value, row[4])
    displays = [r.parts[atom] for atom in value if isinstance(atom, int) and atom in r.parts]
    if len(displays) == len(value) == 1 and not any(splat for splat, _ in displays[0]):
        r.result(r.new_sequence(displays[0][row[2] : len(displays[0]) - row[3]]))
        return
    held = elements(r, value)
    r.result(r.new_sequence([(True, NOTHING), (False, held)]))


def _run_sequence(r: Reading, row: Row) -> None:
    splat = [is_splat(r, one) for one in r.o.lists[row[1]]]
    r.parts[r.row_at] = list(zip(splat, r.list_values(row[1]), strict=True))
    r.result(frozenset((r.row_at,)))


def _run_splat(r: Reading, row: Row) -> None:
    iterate(r, r.value(row[1]), row[4])
    r.result(EARLY if row[2] else r.value(row[1]))


def _run_table(r: Reading, row: Row) -> None:
    operands, values = r.o.lists[row[1]], r.list_values(row[1])
    found: list[tuple[Atoms, Atoms]] = []
    for at in range(0, len(values), 2):
        if is_splat(r, operands[at + 1]):  # `**mapping`
            for atom in sorted(values[at + 1], key=str):
                found += pairs_of(r, atom)
        else:
            found.append((values[at], values[at + 1]))
    r.tables[r.row_at] = found
    r.result(frozenset((r.row_at,)))


def _run_item(r: Reading, row: Row) -> None:
    base, key = r.value(row[1]), r.value(row[2])
    r.result(generic(r, base, key) if base & GENERICS else item_of(r, base, key))


def _run_slice(r: Reading, row: Row) -> None:
    value = r.value(row[1])
    displays = frozenset(atom for atom in value if isinstance(atom, int))
    others = part_of(value - displays) if value - displays or not displays else NOTHING
    r.result(r.new_sequence([(True, displays)]) | others if displays else others)


def _run_element(r: Reading, row: Row) -> None:
    iterate(r, r.value(row[1]), row[4], is_async=bool(row[2]))
    r.result(elements(r, r.value(row[1])))


def _run_part(r: Reading, row: Row) -> None:
    iterate(r, r.value(row[1]), row[4])
    found: set[Atom] = set()
    for atom in r.value(row[1]):
        parts = r.parts.get(atom, []) if isinstance(atom, int) else []
        if parts:
            found |= _of_parts(r, parts, row[2])
        elif isinstance(atom, str) and atom[:1] in "[{!" and "." not in atom and "<" not in atom:
            found.add(f"{atom}.{row[2]}")
            found |= _value_in_pair(r, atom) if row[2] == 1 else NOTHING
        else:
            found |= _item_at(r, atom, row[2])
    r.result(frozenset(found))


def _of_parts(r: Reading, parts: list[tuple[bool, Atoms]], index: int) -> Atoms:
    """Return what may stand at an index of a display, from the front or from the end."""
    splats = [at for at, (splat, _) in enumerate(parts) if splat]
    first, last = (splats[0], splats[-1] + 1) if splats else (len(parts), 0)
    if 0 <= index < first:
        return parts[index][1]
    if index < 0 and last <= len(parts) + index:
        return parts[index][1]
    return elements(r, (r.new_sequence(parts[first:] if index >= 0 else parts[:last])))


def _item_at(r: Reading, atom: Atom, index: int) -> Atoms:
    """Return what stands at a place in a value of which not all is known, or under a number in a table."""
    if isinstance(atom, int):
        return item_of(r, frozenset((atom,)), frozenset((f"#{index}",)))
    if index == 0 and atom.endswith(_PAIRS):  # a key
        return ANY
    return element_of(frozenset((atom,)))


def _value_in_pair(r: Reading, pair: str) -> Atoms:
    """Return what is known of the value in a pair of a table that is walked (`{3`), where it is no text."""
    values = values_of(r, frozenset((int(pair[1:]),))) if pair[0] == "{" else NOTHING
    return frozenset(atom for atom in values if isinstance(atom, str) and atom[0] not in "?'~#[{$^!=-;")


def _run_joined(r: Reading, row: Row) -> None:
    left, right = r.value(row[1]), r.value(row[2])
    if may_hold(left) or may_hold(right):
        r.result(r.new_sequence([(True, left), (True, right)]))
        return
    many = len(left) * len(right) >= _MOST_TEXTS
    found = {"?"} if many else {_bounded(_joined(one, other)) for one in left for other in right}
    r.result(frozenset(found))


def _bounded(joined: Atom) -> Atom:
    """A text that doubles itself forty times would take all memory; no module has so long a name."""
    return joined if not isinstance(joined, str) or len(joined) <= _LONGEST_TEXT else "?"


def _joined(left: Atom, right: Atom) -> Atom:
    if not isinstance(left, str) or left[:1] not in "'~":
        return "~" if left == "?" else "?"
    if left.startswith("~") or not isinstance(right, str):
        return "~" + left[1:]
    if right.startswith(("'", "~")):
        return right[0] + left[1:] + right[1:]
    return f"{right}<{left[1:]}" if right[:1] in "[{" and "<" not in right else "~" + left[1:]


def _run_attribute(r: Reading, row: Row) -> None:
    r.result(attribute_of(r.value(row[1]), r.o.strings[row[2]]))


def _run_not(r: Reading, _row: Row) -> None:
    r.result(ANY)


def _run_boolean(r: Reading, row: Row) -> None:
    r.result(NOTHING.union(*r.list_values(row[1])))


def _run_either(r: Reading, row: Row) -> None:
    r.result(r.value(row[1]) | r.value(row[2]))


_RUN: dict[int, Callable[[Reading, Row], None]] = {
    **CONTROL,
    **DEFINITIONS,
    Op.KEEP: keep,
    Op.BIND: _run_bind,
    Op.UNBIND: _run_unbind,
    Op.AUGMENT: _run_augment,
    Op.STORE: run_store,
    Op.IMPORT: _run_import,
    Op.CALL: run_call,
    Op.SEQUENCE: _run_sequence,
    Op.SPLAT: _run_splat,
    Op.TABLE: _run_table,
    Op.ITEM: _run_item,
    Op.SLICE: _run_slice,
    Op.ELEMENT: _run_element,
    Op.PART: _run_part,
    Op.JOINED: _run_joined,
    Op.ATTRIBUTE: _run_attribute,
    Op.NOT: _run_not,
    Op.AND: _run_boolean,
    Op.OR: _run_boolean,
    Op.EITHER: _run_either,
    Op.READ: _run_read,
    Op.AWAIT: _run_await,
    Op.ENTER: _run_enter,
    Op.COMPREHENSION: _run_comprehension,
    Op.END_COMPREHENSION: _run_end_comprehension,
    Op.ERASE: run_erase,
    Op.UNPACKED: _run_unpacked,
    Op.MAIN: _run_not,
    Op.OPERATE: run_operate,
    Op.ASK: run_ask,
}
