"""What does a method of a container give, and what does it do to it?

A display of the file is followed item by item; of a container of which only the type is known (`*x`), each item is one.
"""

from __future__ import annotations

from abutment.semantics.filling import ADD_ITEM, ADD_ITEMS, PUTS, fill
from abutment.semantics.outline import PATH, ROW, TEXT, Op
from abutment.semantics.reading import (
    ANY,
    EARLY,
    NONE,
    NOTHING,
    Atom,
    Atoms,
    Reading,
    attribute_of,
    call_of,
    element_of,
    elements,
    is_collection,
    item_of,
)

_SETS = {"union", "intersection", "difference", "symmetric_difference"}
_TAKES = {"popitem", "setdefault"}
_AT_FRONT = {"appendleft", "extendleft"}
_MOVES = {"pop", "popleft", "sort", "reverse"}
_CHANGES_NOTHING = {"index", "count", "sort", "reverse", "get", "keys", "items", "values", "copy"} | _SETS


def method_result(r: Reading, operand: int, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms | None:
    """Return what a method of a known container or text gives; None where it is none."""
    tag = operand & 3
    if tag == ROW:
        op, base, method, _, _ = r.o.rows[operand >> 2]
        if op != Op.ATTRIBUTE:
            return None
        if base & 3 == TEXT:
            return _text_method(r, r.o.strings[base >> 2], r.o.strings[method], arguments)
        if r.o.strings[method] in PUTS:
            fill(r, "", r.value(base), _added(r, r.o.strings[method], arguments, named))
        return _read_by(r, r.value(base), r.o.strings[method], arguments)
    holder, _, method_name = r.o.strings[operand >> 2].rpartition(".") if tag == PATH else ("", "", "")
    if not holder:
        return None
    if method_name in PUTS:
        fill(r, holder, r.path(holder), _added(r, method_name, arguments, named))
    if "." in holder:
        return None
    base_value = r.look_up(holder)
    result = _read_by(r, base_value, method_name, arguments)
    if is_collection(base_value):
        _change_by(r, holder, method_name, base_value, arguments, named)
    return result


def _text_method(r: Reading, text: str, method: str, arguments: list[Atoms]) -> Atoms | None:
    if method == "format":
        return frozenset(("~" + text.partition("{")[0],))
    if method == "split" and not arguments:
        return r.new_sequence([(False, frozenset((f"'{word}",))) for word in text.split()])
    return None


def _read_by(r: Reading, base: Atoms, method: str, arguments: list[Atoms]) -> Atoms | None:
    """Return what a method gives of containers; None where there is none among what it is called on."""
    displays = frozenset(atom for atom in base if isinstance(atom, int))
    held = frozenset(atom for atom in base if isinstance(atom, str) and atom[0] == "*")
    if not displays and not held:
        return ANY if is_collection(base) else None
    found = _of_displays(r, displays, method, arguments) if displays else NOTHING
    if held:
        found |= pairs(r, ANY, element_of(held), method) or call_of(attribute_of(held, method)) | _default(arguments)
    others = base - displays - held - EARLY
    return found | call_of(attribute_of(others, method)) if others else found


def pairs(r: Reading, first: Atoms, second: Atoms, method: str = "items") -> Atoms:
    """Return what gives pairs, or a pair, as methods of a mapping do; nothing for other methods."""
    if method not in ("items", "popitem"):
        return NOTHING
    pair = r.new_sequence([(False, first), (False, second)])
    return pair if method == "popitem" else r.new_sequence([(True, NOTHING), (False, pair)])


def _default(arguments: list[Atoms]) -> Atoms:
    """Return what a look-up gives instead, of which nothing comes where it is `None`."""
    return arguments[1] - NONE if len(arguments) > 1 else NOTHING


def may_hold(atoms: Atoms) -> bool:
    """Say whether something is known of the items of a value."""
    return is_collection(atoms) or any(isinstance(atom, str) and atom[0] == "*" for atom in atoms)


def _of_displays(r: Reading, base: Atoms, method: str, arguments: list[Atoms]) -> Atoms:
    if method in ("get", "setdefault", "pop") and arguments:
        return item_of(r, base, arguments[0]) | _default(arguments)
    if method in ("pop", "popleft"):
        return elements(r, base)
    if method in ("keys", "copy"):
        return base
    if method == "values":
        return r.new_sequence([(True, NOTHING), (False, values_of(r, base))])
    if method == "items":
        return frozenset(f"{{{atom}" if atom in r.tables else "?" for atom in base if isinstance(atom, int))
    if method in _SETS:
        return r.new_sequence([(True, base), *((True, one) for one in arguments)])
    if method == "popitem":
        return pairs(r, ANY, values_of(r, base), method)
    return ANY


def values_of(r: Reading, base: Atoms) -> Atoms:
    """Return what the values of these mappings may be."""
    found: set[Atom] = set()
    for atom in base:
        pairs = r.tables.get(atom, ()) if isinstance(atom, int) else ()
        found.update(*(value for _, value in pairs))
    return frozenset(found) or ANY


# ---- what changes a container


def _change_by(
    r: Reading, holder: str, method: str, base: Atoms, arguments: list[Atoms], named: dict[str, Atoms]
) -> None:
    """Put in, or take out, what a method of a container does."""
    if r.scope and holder == "__all__" and holder not in r.locals and method not in _CHANGES_NOTHING:
        r.exports_grow = True
    tables = sorted(atom for atom in base if isinstance(atom, int) and atom in r.tables)
    if method == "setdefault" and len(arguments) == 2:
        r.store(base, arguments[0], arguments[1])
    elif method in _MOVES:
        r.shuffle(base)
    elif tables and method == "update" and len(arguments) <= 1:
        r.bind(holder, _grown_table(r, tables, arguments, named))
    elif method in ADD_ITEM | ADD_ITEMS and len(arguments) == 1:
        _grow(r, holder, base, (method in ADD_ITEMS, arguments[0]))
        if method in _AT_FRONT:
            r.shuffle(base)
    elif method == "insert" and len(arguments) == 2:
        _grow(r, holder, base, (False, arguments[1]))
        r.shuffle(base)
    elif method in ("remove", "discard") and len(arguments) == 1:
        _take(r, holder, base, arguments[0])
    elif method not in _CHANGES_NOTHING | _TAKES:
        r.bind(holder, base | ANY)


def _take(r: Reading, holder: str, base: Atoms, item: Atoms) -> None:
    """Take a text out of a sequence; of what is no text, nobody knows what is left."""
    texts = r.elements(base)
    if texts == {"?"}:
        r.shuffle(base)
        return
    left = sorted(texts - set(map(str, item)))
    r.bind(holder, r.new_sequence([(True, NOTHING), *((one.startswith("*"), _all_of(one)) for one in left)]))


def _added(r: Reading, method: str, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms:
    """Return the items that a method puts into a container."""
    if method in ADD_ITEM and len(arguments) == 1:
        return arguments[0]
    if method in ("insert", "setdefault") and len(arguments) == 2:
        return arguments[1]
    if method in ADD_ITEMS and len(arguments) <= 1:
        return NOTHING.union(*(_items_of(r, one) for one in arguments), *named.values())
    return NOTHING


def _items_of(r: Reading, given: Atoms) -> Atoms:
    """Return the items of a container: of a mapping its values."""
    tables = frozenset(atom for atom in given if atom in r.tables)
    others = given - tables
    return (values_of(r, tables) if tables else NOTHING) | (elements(r, others) if others else NOTHING)


def _all_of(element: str) -> Atoms:
    if not element.startswith("*"):
        return frozenset((element,))
    return frozenset((element[1:] + (".__all__" if ":" in element else ":__all__"),))


def _grow(r: Reading, holder: str, base: Atoms, more: tuple[bool, Atoms]) -> None:
    """Let a sequence grow, under whatever other name it is known as well."""
    if not r.grow(base, more):
        r.bind(holder, r.new_sequence([(True, base), more]))


def _pairs(r: Reading, tables: list[int]) -> list[tuple[Atoms, Atoms]]:
    return [pair for atom in tables for pair in r.tables[atom]]


def _grown_table(r: Reading, tables: list[int], arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms:
    pairs = _pairs(r, tables)
    for atom in sorted(NOTHING.union(*arguments), key=str):
        pairs += pairs_of(r, atom)
    return r.new_table([*pairs, *pairs_of_keywords(named)])


def pairs_of(r: Reading, atom: Atom) -> list[tuple[Atoms, Atoms]]:
    """Return what a mapping, or the pairs that one is made of, gives."""
    if not isinstance(atom, int):
        return [(ANY, element_of(frozenset((atom,))))]
    if atom in r.tables:
        return r.tables[atom]
    found = []
    for one in sorted(elements(r, frozenset((atom,))), key=str):
        pair = r.parts.get(one, []) if isinstance(one, int) else []
        found.append((pair[0][1], pair[1][1]) if len(pair) == 2 else (ANY, ANY))
    return found


def pairs_of_keywords(named: dict[str, Atoms]) -> list[tuple[Atoms, Atoms]]:
    """Return what keyword arguments are in a mapping that is made of them."""
    return [(frozenset((f"'{name}",)) if name else ANY, held) for name, held in named.items()]
