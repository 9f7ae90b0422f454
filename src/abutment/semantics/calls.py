"""What does a call give, and what does it do to the collection it is made on?"""

from __future__ import annotations

from abutment.semantics.dynamic_imports import dynamic_import, hand_over, name_lazy_attributes
from abutment.semantics.outline import PATH, ROW, TEXT, Op, Row
from abutment.semantics.reading import ANY, Atom, Atoms, Reading, attribute_of, is_collection, item_of

_COPIES = {f"builtins:{name}" for name in ("list", "tuple", "set", "frozenset", "sorted")}
_ASKED_LATER = {"lazy_loader:attach", "contextlib:suppress"}
_GROW_BY_ONE, _GROW_BY_MANY = {"append", "add"}, {"extend", "update"}
_READS = {"get", "items", "keys", "values", "copy", "index", "count", "sort", "reverse"}


def run_call(r: Reading, row: Row) -> None:
    """Read one call."""
    callee = r.value(row[1])
    arguments = r.list_values(row[2])
    hand_over(r, row, arguments)
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
            r.poke(arguments[0], name[1:] if isinstance(name, str) and name.startswith("'") else "?")
        return ANY
    return dynamic_import(r, row, callee, arguments)


def _getattr_result(r: Reading, arguments: list[Atoms]) -> Atoms:
    found = set[Atom]()
    for name in arguments[1]:
        if isinstance(name, str) and name.startswith("'"):
            found |= attribute_of(arguments[0], name[1:])
        else:
            found.add("?")
    if any(isinstance(atom, str) and atom.startswith("^") for atom in arguments[0]):
        name_lazy_attributes(r, arguments[1])
    return frozenset(found)
