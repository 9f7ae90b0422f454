"""What does a call give, and what does it do to the collection it is made on?"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.semantics.dynamic_imports import dynamic_import, hand_over, name_lazy_attributes, named_values
from abutment.semantics.importers import alike
from abutment.semantics.outline import PATH, ROW, TEXT, Op, Row
from abutment.semantics.provenance import Bit, Trait, Verb
from abutment.semantics.reading import (
    ANY,
    NOTHING,
    Atom,
    Atoms,
    Reading,
    attribute_of,
    call_of,
    elements,
    is_collection,
    item_of,
)
from abutment.semantics.typed import instances_of

_COPIES = {f"builtins:{name}" for name in ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter")}
_ASKED_LATER = {"lazy_loader:attach", "contextlib:suppress"}
# Called with a function or an object, these give it back, or something that does the same when it is called.
_SAME = {
    *("functools:partial", "functools:cache", "functools:lru_cache", "functools:lru_cache()", "functools:wraps()"),
    *("functools:cached_property", "functools:singledispatch", "builtins:staticmethod", "builtins:classmethod"),
    *("builtins:property", "contextlib:contextmanager", "contextlib:asynccontextmanager", "abc:abstractmethod"),
    *("abc:abstractproperty", "typing:overload", "typing:final", "typing:override", "typing:no_type_check"),
    *("typing_extensions:overload", "typing_extensions:final", "typing_extensions:override"),
    *(
        "typing:assert_type",
        "typing_extensions:assert_type",
        "typing:reveal_type",
        "weakref:proxy",
        "copy:copy",
        "copy:deepcopy",
        "contextlib:closing",
        "contextlib:aclosing",
        "types:coroutine",
    ),
    *("functools:partialmethod", "typing:runtime_checkable", "warnings:deprecated()", "typing_extensions:deprecated()"),
}
_NOTHING_CALLED = frozenset(("-", "="))
_PARTIAL = {"functools:partial", "functools:partialmethod"}
_ENTERERS = (".enter_context", ".enter_async_context")
_CASTS = {"typing:cast", "typing_extensions:cast"}
_GROW_BY_ONE, _GROW_BY_MANY = {"append", "add"}, {"extend", "update"}
_READS = {"get", "items", "keys", "values", "copy", "index", "count", "sort", "reverse"}


def run_call(r: Reading, row: Row) -> None:
    """Read one call."""
    callee = r.value(row[1])
    arguments = r.list_values(row[2])
    hand_over(r, row, arguments)
    _note(r, row, callee, arguments)
    result = _method_result(r, row[1], arguments)
    if result is None:
        result = _plain_result(r, row, callee, arguments)
    r.result(result)


def _method_result(r: Reading, operand: int, arguments: list[Atoms]) -> Atoms | None:
    """Return what a method of a known collection or text gives; None where it is none."""
    tag = operand & 3
    if tag == ROW:
        op, base, method, _, _ = r.o.rows[operand >> 2]
        if op != Op.ATTRIBUTE or base & 3 != TEXT:
            return None
        return _text_method(r, r.o.strings[base >> 2], r.o.strings[method], arguments)
    name, _, method_name = r.o.strings[operand >> 2].rpartition(".") if tag == PATH else ("", "", "")
    if not name or "." in name:
        return None
    base_value = r.look_up(name)
    if not is_collection(base_value):
        return None
    return _collection_method(r, name, method_name, base_value, arguments)


def _text_method(r: Reading, text: str, method: str, arguments: list[Atoms]) -> Atoms | None:
    if method == "format":
        return frozenset(("~" + text.partition("{")[0],))
    if method == "split" and not arguments:
        return r.new_sequence([(False, frozenset((f"'{word}",))) for word in text.split()])
    return None


def _collection_method(r: Reading, name: str, method: str, base: Atoms, arguments: list[Atoms]) -> Atoms:
    if r.scope and name == "__all__" and name not in r.locals and method not in _READS:
        r.exports_grow = True
    if method == "get" and arguments:
        return item_of(r, base, arguments[0])
    if method in ("keys", "copy"):
        return base
    if method == "items":
        return frozenset(f"{{{atom}" if isinstance(atom, int) and atom in r.tables else "?" for atom in base)
    if method in _GROW_BY_ONE | _GROW_BY_MANY and len(arguments) == 1:
        tables = sorted(atom for atom in base if isinstance(atom, int) and atom in r.tables)
        r.bind(name, _grown_table(r, tables, arguments[0]) if tables else _grown(r, method, base, arguments[0]))
    elif method == "insert" and len(arguments) == 2:
        r.bind(name, _grown(r, "append", base, arguments[1]))
    elif method in ("remove", "discard") and len(arguments) == 1:
        left = r.elements(base) - set(map(str, arguments[0]))
        r.bind(name, r.new_sequence([(one.startswith("*"), _all_of(one)) for one in sorted(left)]))
    elif method not in _READS:
        r.bind(name, base | ANY)
    return ANY


def _all_of(element: str) -> Atoms:
    if not element.startswith("*"):
        return frozenset((element,))
    return frozenset((element[1:] + (".__all__" if ":" in element else ":__all__"),))


def _grown(r: Reading, method: str, base: Atoms, argument: Atoms) -> Atoms:
    return r.new_sequence([(True, base), (method in _GROW_BY_MANY, argument)])


def _grown_table(r: Reading, tables: list[int], argument: Atoms) -> Atoms:
    pairs = [pair for atom in tables for pair in r.tables[atom]]
    for atom in sorted(argument, key=str):
        pairs += r.tables.get(atom, [(ANY, ANY)]) if isinstance(atom, int) else [(ANY, ANY)]
    return r.new_table(pairs)


def _plain_result(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> Atoms:
    if callee & _COPIES and len(arguments) == 1 and len(callee) == 1:
        return r.new_sequence([(True, arguments[0])])
    if callee & _ASKED_LATER:
        return frozenset((f"!{r.row_at}",))
    if "builtins:getattr" in callee and len(arguments) >= 2:
        return _getattr_result(r, arguments)
    if "builtins:setattr" in callee and len(arguments) == 3:
        for name in arguments[1]:
            known = isinstance(name, str) and name.startswith("'")
            r.poke(arguments[0], str(name)[1:] if known else "?")
            if known:
                r.use(Verb.SET, arguments[0], row[4], (), ((str(name)[1:], arguments[2]),))
        return ANY
    if any(map(alike, callee)):
        return dynamic_import(r, row, callee, arguments)
    return _given(r, callee, arguments)


def _may_run(r: Reading, callee: Atoms, given: Iterable[Atoms]) -> None:
    """Note that module code may run a function of this file: it calls one, or something that is handed one."""
    if r.scope == 0 and not callee <= _SAME:
        every = NOTHING.union(callee, *given)
        if any(isinstance(atom, int) or atom[0] in "@?*" for atom in every):
            r.runs += 1


def _note(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> None:
    """Keep the call, and hand its arguments to the parameters of what it calls in this file."""
    lists, rows = r.o.lists, r.o.rows
    spread = row[2] and any(one & 3 == ROW and rows[one >> 2][0] == Op.SPLAT for one in lists[row[2]])
    named = named_values(r, row) if row[3] else {}
    bits = Bit.SPREAD if spread or "" in named else 0
    _may_run(r, callee, (*arguments, *named.values()))
    given: Iterable[Atoms] = () if callee <= _SAME else arguments  # what comes back as it was is not handed on
    if r.use(Verb.CALL, callee, row[4], given, named.items(), bits):
        r.record.use_at[r.row_at] = len(r.record.uses) - 1
        r.apply(row[1])
        if not bits and (arguments or named):
            r.record.hand_over(callee, arguments, named)


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
            found |= value if atom in _SAME else value | ANY
    return found


def _given(r: Reading, callee: Atoms, arguments: list[Atoms]) -> Atoms:
    """Return what a call gives whose callee is no collection and no importer."""
    found = NOTHING
    for atom in callee - _NOTHING_CALLED:
        found |= _given_by(r, atom, arguments)
    return found or ANY


def _given_by(r: Reading, atom: Atom, arguments: list[Atoms]) -> Atoms:
    """Return what a call of one value gives."""
    if arguments and (known := _of_arguments(r, atom, arguments)) is not None:
        return known
    return _past_the_class(r, arguments) if atom == "builtins:super" else call_of(frozenset((atom,)))


def _of_arguments(r: Reading, atom: Atom, arguments: list[Atoms]) -> Atoms | None:
    """Return what a function gives that is known to give something of its arguments; None for all others."""
    found: Atoms | None = None
    if atom in _SAME:
        found = arguments[0]
        if atom in _PARTIAL and len(arguments) > 1:
            r.record.hand_over(found, arguments[1:], {})
    elif atom in _CASTS and len(arguments) == 2:
        found = instances_of(r, arguments[0])
    elif atom == "typing:NewType" and len(arguments) == 2:
        found = arguments[1]
    elif isinstance(atom, str) and atom.endswith(_ENTERERS) and "ExitStack()" in atom:
        found = call_of(attribute_of(arguments[0], "__enter__"))
    elif atom == "builtins:type" and len(arguments) == 1:
        found = _class_of(arguments[0])
    elif atom in ("builtins:next", "builtins:anext"):
        found = elements(r, arguments[0])
    elif isinstance(atom, str) and atom.endswith((":__new__", ".__new__")):
        found = _made_of(arguments[0])
    return found


def _made_of(value: Atoms) -> Atoms:
    """Return what a class's `__new__` gives: an instance, of a class of this file as its own `__new__` made it."""
    ours = {atom for atom in value if isinstance(atom, str) and atom[0] == "@" and atom.endswith("&&")}
    return frozenset(str(atom).removesuffix("&") for atom in ours) | (
        call_of(value - ours) if value - ours else NOTHING
    )


def _class_of(value: Atoms) -> Atoms:
    """Return the class of an instance."""
    instances = [atom for atom in value if isinstance(atom, str) and atom.endswith(("()", ":&"))]
    classes = frozenset[Atom](f"{atom}&" if atom[-1] == "&" else atom[:-2].removesuffix(":") for atom in instances)
    return classes if len(instances) == len(value) else classes | ANY


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
