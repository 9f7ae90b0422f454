"""What does a method of a list, set or table give that is written down in the file, and what does it do to it?"""

from __future__ import annotations

from abutment.semantics.reading import ANY, NOTHING, Atoms, Reading, elements, item_of

_GROW_BY_ONE, _GROW_BY_MANY = {"append", "add"}, {"extend", "update"}
_KEEP = {"get", "items", "keys", "values", "copy", "index", "count", "sort", "reverse"}  # what is held


def collection_method(r: Reading, name: str, method: str, arguments: list[Atoms]) -> Atoms:
    """Return what a method of a collection gives that a name holds, and do to it what the method does."""
    if r.scope and name == "__all__" and name not in r.locals and method not in _KEEP:
        r.exports_grow = True
    base = r.look_up(name)
    known = _asked(r, method, base, arguments)
    if known is None:
        _change(r, name, method, base, arguments)
    return known or ANY


def _asked(r: Reading, method: str, base: Atoms, arguments: list[Atoms]) -> Atoms | None:
    """Return what a method gives that gives something of the collection; None for all others."""
    tables = _tables(r, base)
    found: Atoms | None = None
    if method in ("get", "setdefault") and arguments:
        found = _item_or(r, method, base, arguments)
    elif method in ("keys", "copy"):
        found = base
    elif method == "items":
        found = frozenset(f"{{{atom}" if atom in tables else "?" for atom in base)
    elif method == "values" and len(tables) == len(base):
        found = r.new_sequence([(True, NOTHING), *((False, value) for at in tables for _, value in r.tables[at])])
    elif method == "pop" and not tables:
        r.shuffle(base)
        found = elements(r, base)
    elif method == "pop" and arguments:
        found = item_of(r, base, arguments[0]).union(*arguments[1:])
    return found


def _change(r: Reading, name: str, method: str, base: Atoms, arguments: list[Atoms]) -> None:
    tables = _tables(r, base)
    if method in _GROW_BY_ONE | _GROW_BY_MANY and len(arguments) == 1:
        if tables:
            r.bind(name, _grown_table(r, tables, arguments[0]))
        else:
            _grow(r, name, base, (method in _GROW_BY_MANY, arguments[0]))
    elif method == "insert" and len(arguments) == 2:
        _grow(r, name, base, (False, arguments[1]))
        r.shuffle(base)
    elif method in ("remove", "discard") and len(arguments) == 1:
        left = r.elements(base) - set(map(str, arguments[0]))
        r.bind(name, r.new_sequence([(True, NOTHING), *((one.startswith("*"), _all_of(one)) for one in sorted(left))]))
    elif method in ("sort", "reverse"):
        r.shuffle(base)
    elif method not in _KEEP:
        r.bind(name, base | ANY)


def _tables(r: Reading, base: Atoms) -> list[int]:
    return sorted(atom for atom in base if isinstance(atom, int) and atom in r.tables)


def _item_or(r: Reading, method: str, base: Atoms, arguments: list[Atoms]) -> Atoms:
    """Return what a table holds under a key, or what it is to give where it may hold nothing."""
    found = item_of(r, base, arguments[0])
    if len(arguments) < 2 or "?" not in found:
        return found
    if method == "setdefault":
        r.store(base, arguments[0], arguments[1])
    return found | arguments[1]


def _all_of(element: str) -> Atoms:
    if not element.startswith("*"):
        return frozenset((element,))
    return frozenset((element[1:] + (".__all__" if ":" in element else ":__all__"),))


def _grow(r: Reading, name: str, base: Atoms, more: tuple[bool, Atoms]) -> None:
    """Let a sequence grow, under whatever other name it is known as well."""
    if not r.grow(base, more):
        r.bind(name, r.new_sequence([(True, base), more]))


def _grown_table(r: Reading, tables: list[int], argument: Atoms) -> Atoms:
    pairs = [pair for atom in tables for pair in r.tables[atom]]
    for atom in sorted(argument, key=str):
        pairs += r.tables.get(atom, [(ANY, ANY)]) if isinstance(atom, int) else [(ANY, ANY)]
    return r.new_table(pairs)
