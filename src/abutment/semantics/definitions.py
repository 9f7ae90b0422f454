"""What do functions and classes bind, take and give?"""

from __future__ import annotations

from collections.abc import Callable

from abutment.semantics.attributes import set_attribute
from abutment.semantics.calls import decorate, takes_class
from abutment.semantics.iterating import iterate
from abutment.semantics.outline import UNKNOWN, Op, Row, ScopeKind
from abutment.semantics.own_names import by_variable
from abutment.semantics.provenance import DECORATED, UNLESS, Bit, FunctionRow, Trait
from abutment.semantics.reading import ANY, EARLY, NONE, NOTHING, UNBOUND, Atoms, Reading, elements
from abutment.semantics.recording import doubted
from abutment.semantics.swallowing import SWALLOWED
from abutment.semantics.typed import instances_of, run_declared, run_typed

_TRAITS = {
    "builtins:staticmethod": Trait.STATIC,
    "builtins:classmethod": Trait.CLASS,
    "builtins:property": Trait.PROPERTY,
    "functools:cached_property": Trait.PROPERTY,
    "abc:abstractproperty": Trait.PROPERTY,
    "contextlib:contextmanager": Trait.CONTEXT,
    "contextlib:asynccontextmanager": Trait.CONTEXT,
}
_IMPLICIT = {"__new__": Trait.STATIC, "__init_subclass__": Trait.CLASS, "__class_getitem__": Trait.CLASS}
_PLAIN_CLASS_DECORATORS = {
    *("dataclasses:dataclass", "dataclasses:dataclass()", "functools:total_ordering"),
    *("attr:s", "attr:s()", "attr:attrs", "attr:attrs()", "attr:define", "attr:define()", "attr:frozen"),
    *("attrs:define", "attrs:define()", "attrs:frozen", "attrs:frozen()", "attr:frozen()", "enum:unique"),
    *("typing:final", "typing:runtime_checkable", "typing_extensions:final", "typing_extensions:runtime_checkable"),
}


def _run_def(r: Reading, row: Row) -> None:
    name, index = r.o.strings[row[1]], row[2]
    r.scope_guards[index] = r.guard
    if r.scope == 0 and not r.class_prefix and name == "__getattr__":
        r.getattr_scope = index
    value: Atoms = frozenset((r.record.definitions[index],))
    marks = _IMPLICIT.get(name, 0) if r.o.scopes[index].owner >= 0 else 0
    for decorator, place in _decorators(r, row[3]):
        marks |= _traits(r.value(decorator))
        value = decorate(r, decorator, value, place)
    marks |= Trait.DECORATED if _note_doubts(r, index, value) else 0
    _note_function(r, index, marks | (Trait.OPEN if "?" in value else 0))
    r.bind(name, value)


def _note_doubts(r: Reading, index: int, value: Atoms) -> Atoms:
    """Keep by what a definition is decorated of which this file cannot tell whether it gives the definition back."""
    doubts = frozenset(atom for atom in value if isinstance(atom, str) and atom[0] == UNLESS)
    if doubts:
        r.record.add(f"{r.record.definitions[index]}{DECORATED}", doubts)
    return doubts


def _traits(decorator: Atoms) -> int:
    marks = 0
    for atom in decorator:
        marks |= _TRAITS.get(str(atom), 0)
    return marks


def _decorators(r: Reading, index: int) -> list[tuple[int, int]]:
    """Return the operands of what decorates a definition, with their places, in the order of application."""
    pairs = r.o.lists[index]
    return list(zip(pairs[-2::-2], pairs[-1::-2], strict=True))


def _note_function(r: Reading, index: int, marks: int) -> None:
    scope, strings = r.o.scopes[index], r.o.strings
    marks |= Trait.ASYNC if scope.kind == ScopeKind.ASYNC else 0
    marks |= Trait.LAMBDA if scope.kind == ScopeKind.LAMBDA else 0
    marks |= Trait.GENERATOR if scope.is_generator else 0
    owner = r.record.definitions[scope.owner] if scope.owner >= 0 else ""
    parameters = tuple(strings[one] for one in scope.parameters)
    r.record.functions[index] = FunctionRow(parameters, scope.shape, marks, owner, r.o.places[scope.place][0])


def _run_lambda(r: Reading, row: Row) -> None:
    r.scope_guards[row[1]] = r.guard
    _note_function(r, row[1], 0)
    r.result(frozenset((r.record.definitions[row[1]],)))


def _run_class(r: Reading, row: Row) -> None:
    metaclass, *bases = r.o.lists[row[3]] or (UNKNOWN,)
    r.record.bases[row[2]] = [r.value(one) for one in bases]
    if metaclass != UNKNOWN and not r.value(metaclass) <= {"abc:ABCMeta", "builtins:type", "enum:EnumMeta"}:
        r.record.open_classes.add(row[2])
    r.class_stack.append((r.class_prefix, row[2]))
    r.class_prefix = f"{row[2]}."  # not the name: another class may have it, too


def _run_end_class(r: Reading, row: Row) -> None:
    body = r.class_prefix
    r.class_prefix, scope = r.class_stack.pop()
    bound = [r.o.strings[one] for one in r.o.scopes[scope].bound]
    # Nothing reads them from here on but through the class.
    found = {name: r.env.pop(body + name, UNBOUND) for name in bound}
    r.record.class_names[scope] = found
    value: Atoms = frozenset((r.record.definitions[scope],))
    for decorator, place in _decorators(r, row[1]):
        plain = r.value(decorator) <= _PLAIN_CLASS_DECORATORS
        applied = decorate(r, decorator, value, place)
        if not plain:
            value = applied
            if "?" in applied or not _note_doubts(r, scope, applied):
                r.record.open_classes.add(scope)
    qualname = r.o.strings[r.o.scopes[scope].qualname]
    r.bind(qualname.rpartition(".")[2], value)


def _run_defaults(r: Reading, row: Row) -> None:
    atom, pairs = r.record.definitions[row[1]], r.o.lists[row[2]]
    for name, operand in zip(pairs[::2], pairs[1::2], strict=True):
        r.record.add(f"{atom}:${r.o.strings[name]}", r.value(operand))


def _run_parameter(r: Reading, row: Row) -> None:
    variable = f"{r.record.definitions[r.scope]}:${r.o.strings[row[1]]}"
    found = instances_of(r, r.value(row[2])) - UNBOUND
    if row[3]:
        found = frozenset(f"*{atom}" for atom in found if isinstance(atom, str) and atom != "?")
    if found:
        r.record.add(variable, found)
        r.record.declared.add(variable)


def _run_returns(r: Reading, row: Row) -> None:
    r.returned = instances_of(r, r.value(row[1])) - UNBOUND


def _run_body(r: Reading, _row: Row) -> None:
    """Begin the body: from here on a function's own names hide those around it."""
    scope, strings = r.o.scopes[r.scope], r.o.strings
    r.locals = frozenset(strings[one] for one in (*scope.bound, *scope.parameters))
    atom = r.record.definitions[r.scope]
    for at, one in enumerate(scope.parameters):
        name = strings[one]
        r.bind(name, (_receiver(r) if at == 0 else NOTHING) or _parameter(r, at, f"{atom}:${name}"))


def _receiver(r: Reading) -> Atoms:
    """Return what the first parameter holds where Python hands it over; nothing elsewhere."""
    if r.scope == r.getattr_scope:
        return frozenset(("$",))
    scope, row = r.o.scopes[r.scope], r.record.functions.get(r.scope)
    if scope.owner < 0 or row is None or not scope.shape[1]:
        return NOTHING
    if scope.kind == ScopeKind.LAMBDA:  # perhaps a method
        return frozenset((f"{r.record.definitions[scope.owner]}:&", "?"))
    owner = r.record.definitions[scope.owner]
    if takes_class(r, r.scope):
        return frozenset((f"{owner}:&&",))
    return NOTHING if row.marks & Trait.STATIC else frozenset((f"{owner}:&",))


def _parameter(r: Reading, at: int, variable: str) -> Atoms:
    shape = r.o.scopes[r.scope].shape
    if at >= shape[1] + shape[2] + shape[3] + shape[4]:  # type parameters
        return ANY
    if variable not in r.record.declared:
        r.record.add(variable, ANY)
    return frozenset((variable,))


def _run_return(r: Reading, row: Row) -> None:
    if not r.dead:
        r.returns |= r.value(row[1])
        r.record.mark(r.call_behind(row[1]), Bit.RETURNED)


def _run_yield(r: Reading, row: Row) -> None:
    if not r.dead:
        value = r.value(row[1])
        iterate(r, value, row[4])  # of a `yield from`, which alone has a place
        r.record.add(f"{r.record.definitions[r.scope]}:$yield", elements(r, value) if row[2] else value)


def end_function(r: Reading) -> None:
    """Note what a call of the function that was read gives."""
    atom, scope = r.record.definitions[r.scope], r.o.scopes[r.scope]
    variable = f"{atom}:()"
    if scope.is_generator:
        declared = {atom[1:] for atom in r.returned if isinstance(atom, str) and atom.startswith("*")}
        if declared:
            yielded = doubted(r.record.variables.get(f"{atom}:$yield", NOTHING))
            r.record.variables[f"{atom}:$yield"] = yielded | declared
        r.record.add(variable, frozenset((f"*{atom}:$yield",)))
        return
    runs_out = not r.dead and r.env.get(SWALLOWED) != EARLY
    returns = r.returns | (NONE if runs_out and scope.kind != ScopeKind.LAMBDA else NOTHING)
    trusted = r.returned and "?" not in r.returned
    r.record.add(variable, r.returned | doubted(returns - NONE) if trusted else returns or ANY)


def _run_set(r: Reading, row: Row) -> None:
    set_attribute(r, r.value(row[1]), r.o.strings[row[2]], r.value(row[3]), row[4], by_variable(r, row[1]))


DEFINITIONS: dict[int, Callable[[Reading, Row], None]] = {
    Op.DEF: _run_def,
    Op.LAMBDA: _run_lambda,
    Op.CLASS: _run_class,
    Op.END_CLASS: _run_end_class,
    Op.DEFAULTS: _run_defaults,
    Op.PARAMETER: _run_parameter,
    Op.RETURNS: _run_returns,
    Op.BODY: _run_body,
    Op.RETURN: _run_return,
    Op.YIELD: _run_yield,
    Op.POKE: _run_set,
    Op.TYPED: run_typed,
    Op.DECLARED: run_declared,
}
