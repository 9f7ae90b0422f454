"""What does a call give, and whom does it hand its arguments to?"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.semantics.attributes import erase_attribute, set_attribute
from abutment.semantics.containers import method_result
from abutment.semantics.dynamic_imports import dynamic_import, hand_over, name_lazy_attributes, named_values
from abutment.semantics.filling import fill_by_call
from abutment.semantics.given_back import SAME, of_arguments
from abutment.semantics.importers import alike
from abutment.semantics.iterating import exhaust
from abutment.semantics.library import of_collections
from abutment.semantics.operating import operate_by_builtin
from abutment.semantics.outline import Row
from abutment.semantics.own_names import by_variable
from abutment.semantics.provenance import UNLESS, Bit, Trait, Verb
from abutment.semantics.reading import (
    ANY,
    NOTHING,
    Atom,
    Atoms,
    Reading,
    attribute_of,
    call_of,
    is_splat,
)
from abutment.semantics.typed import TYPE_VARIABLES, type_variable

_ASKED_LATER = {"lazy_loader:attach", "contextlib:suppress", "contextlib:nullcontext"}
# These look at a function and call it neither now nor later.
_LOOKS = {"functools:wraps", "functools:update_wrapper", "inspect:signature", "inspect:iscoroutinefunction"}
_UNHANDED = SAME | _LOOKS  # what comes back as it was, or is looked at, is not handed on
_NOTHING_CALLED = frozenset(("-", "="))


def run_call(r: Reading, row: Row) -> None:
    """Read one call."""
    callee = r.value(row[1])
    arguments = r.list_values(row[2])
    hand_over(r, row, arguments)
    named = named_values(r, row) if row[3] else {}
    is_spread = "" in named or any(is_splat(r, one) for one in r.o.lists[row[2]])
    _note(r, row, callee, arguments, named, is_spread)
    exhaust(r, row, callee, arguments)
    operate_by_builtin(r, row, callee, arguments)
    result = method_result(r, row[1], arguments, named)
    if result is None:
        result = _plain_result(r, row, callee, arguments, named, is_spread)
    r.result(result)


def _plain_result(
    r: Reading, row: Row, callee: Atoms, arguments: list[Atoms], named: dict[str, Atoms], is_spread: bool
) -> Atoms:
    if callee & _ASKED_LATER:
        return frozenset((f"!{r.row_at}",))
    if "builtins:getattr" in callee and len(arguments) >= 2:
        return _getattr_result(r, arguments)
    if "builtins:setattr" in callee and len(arguments) == 3:
        for name in _attribute_names(arguments[1]):
            set_attribute(r, arguments[0], name, arguments[2], row[4])
        return ANY
    if "builtins:delattr" in callee and len(arguments) == 2:
        for name in _attribute_names(arguments[1]):
            erase_attribute(r, arguments[0], name, row[4])
        return ANY
    if any(map(alike, callee)):
        return dynamic_import(r, row, callee, arguments)
    return _given(r, callee, arguments, named, is_spread)


def _may_run(r: Reading, callee: Atoms, given: Iterable[Atoms]) -> None:
    """Note that module code may run a function of this file: it calls one, or something that is handed one."""
    if r.scope == 0 and not callee <= SAME:
        every = NOTHING.union(callee, *given)
        if any(isinstance(atom, int) or atom[0] in "@?*" for atom in every):
            r.runs += 1


def _attribute_names(given: Atoms) -> list[str]:
    """Return which attributes a call names, in order; `?` for one that only a run can tell."""
    return sorted({atom[1:] if isinstance(atom, str) and atom[0] == "'" else "?" for atom in given})


def _note(
    r: Reading, row: Row, callee: Atoms, arguments: list[Atoms], named: dict[str, Atoms], is_spread: bool
) -> None:
    """Keep the call, and hand its arguments to the parameters of what it calls in this file."""
    bits = Bit.SPREAD if is_spread else 0
    _may_run(r, callee, (*arguments, *named.values()))
    given: Iterable[Atoms] = () if callee <= _UNHANDED else arguments
    if r.use(Verb.CALL, callee, row[4], given, named.items(), bits, by_variable(r, row[1])):
        r.record.use_at[r.row_at] = len(r.record.uses) - 1
        r.apply(row[1])
        if not bits and (arguments or named):
            r.record.hand_over(callee, arguments, named)
            fill_by_call(r, callee, arguments, named)


def decorate(r: Reading, operand: int, value: Atoms, place: int) -> Atoms:
    """Return what a decorator makes of a definition, and keep the call."""
    decorator, index = r.value(operand), r.record.scope_of(value)
    _may_run(r, decorator, (value,))
    if r.use(Verb.DECORATE, decorator, place, (value,)):
        r.apply(operand)
    found = NOTHING
    for atom in decorator:
        if isinstance(atom, str) and atom.endswith((":setter", ":deleter", ":getter")):
            found |= {atom.rpartition(":")[0]}  # still the property
        elif isinstance(atom, str) and atom[0] == "@" and ":" not in atom:  # a function of this file
            r.record.hand_over(decorator, [value], {})
            found |= {f"{atom}:={index}"} if index is not None else call_of(frozenset((atom,)))
        else:
            found |= value if atom in SAME else value | _unless_given_back(atom)
    return found


def _unless_given_back(decorator: Atom) -> Atoms:
    """Return what a decorator may make of a definition besides: anything, unless it is found to give back just that."""
    is_path = isinstance(decorator, str) and ":" in decorator and (decorator[0].isidentifier() or decorator[0] in ".@")
    return frozenset((f"{UNLESS}{decorator}",)) if is_path else ANY


def _given(r: Reading, callee: Atoms, arguments: list[Atoms], named: dict[str, Atoms], is_spread: bool) -> Atoms:
    """Return what a call gives whose callee is no collection and no importer."""
    found = NOTHING
    for atom in callee - _NOTHING_CALLED:
        if atom in TYPE_VARIABLES and (bound := type_variable(r, arguments, named)) is not None:
            found |= bound
            continue
        known = of_collections(r, atom, arguments, named, is_spread=is_spread)
        if known is None:
            known = of_arguments(r, atom, arguments)
        if known is None:
            known = _past_the_class(r, arguments) if atom == "builtins:super" else call_of(frozenset((atom,)))
        found |= known
    return found or ANY


def _past_the_class(r: Reading, arguments: list[Atoms]) -> Atoms:
    """Return what `super()` gives in a method: something whose attributes are looked up past the class."""
    index, scopes = r.scope, r.o.scopes
    while scopes[index].owner < 0 and scopes[index].parent > 0:
        index = scopes[index].parent
    if scopes[index].owner < 0 or len(arguments) not in (0, 2):
        return ANY
    step = "^^" if takes_class(r, index) else "^"
    return frozenset((f"{r.record.definitions[scopes[index].owner]}:{step}",))


def takes_class(r: Reading, method: int) -> bool:
    """Say whether a method's first parameter is the class."""
    row = r.record.functions[method]
    return bool(row.marks & Trait.CLASS) or r.o.strings[r.o.scopes[method].qualname].endswith(".__new__")


def _getattr_result(r: Reading, arguments: list[Atoms]) -> Atoms:
    found = set[Atom](*arguments[2:3]) - {"None"}
    for name in arguments[1]:
        if isinstance(name, str) and name.startswith("'"):
            found |= attribute_of(arguments[0], name[1:])
        else:
            found |= attribute_of(arguments[0], "*") | ANY
    if any(isinstance(atom, str) and atom.startswith("^") for atom in arguments[0]):
        name_lazy_attributes(r, arguments[1])
    return frozenset(found)
