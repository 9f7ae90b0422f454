"""What do functions put into containers that somebody else made: the module, a function around, another method?

Who reads such a container in a function cannot see what is put into it after, or in another function. So what anybody
in the file puts in is kept under a name of its own (`@f:%held name`), or with the class's attribute, as a collection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from abutment.semantics.outline import PATH, Op, Outline, ScopeKind
from abutment.semantics.recording import doubted

if TYPE_CHECKING:
    from abutment.semantics.reading import Atom, Atoms, Reading

ADD_ITEM, ADD_ITEMS = {"append", "add", "appendleft"}, {"extend", "update", "extendleft"}
# Methods by which a collection comes to hold something else.
CHANGES = frozenset(("append", "add", "extend", "insert", "update", "setdefault", "appendleft"))
HELD = ":%held "  # in an atom: what functions put into a container
PUTS = ADD_ITEM | ADD_ITEMS | {"insert", "setdefault"}
FIELD = re.compile(r"(?P<owner>@[^:]+):(?:\(\)|&&?)\.(?P<name>\w+)(?P<items>(?:\[\]|\.(?:get|setdefault)\(\))*)")
_ANY: Atoms = frozenset(("?",))
_SOME: tuple[bool, Atoms] = (True, frozenset())  # a part of a sequence: any number of others
UNSEEN = "?[{$^!-=/%"  # with what an atom begins of which nothing can be told from outside of its scope


def fill(r: Reading, holder: str, base: Atoms, items: Atoms) -> None:
    """Note that items are put into what a path (or something without one, `""`) holds."""
    if not items:
        return
    _fill_fields(r, base, items)
    if not holder or "." in holder:
        return
    if holder in r.filled_parameters.get(r.scope, ()):
        r.record.add(f"{r.record.definitions[r.scope]}{HELD}{holder}", items)
    owner = r.filled.get(holder, {}).get(r.scope)
    is_declared = _is_declared(base)
    if owner is not None:
        r.record.add(f"{r.record.definitions[owner]}{HELD}{holder}", doubted(items) if is_declared else items | _ANY)
    elif is_declared:
        r.bind(holder, base | held_in(r, doubted(items)))


def _fill_fields(r: Reading, base: Atoms, items: Atoms) -> None:
    for atom in base:
        found = FIELD.fullmatch(atom) if isinstance(atom, str) and atom[0] == "@" else None
        if found is not None:
            held = held_in(r, items)
            for _ in range(found["items"].count("()") + found["items"].count("[]")):
                held = held_in(r, held)
            r.record.fill_field(found["owner"], found["name"], held)


def _is_declared(base: Atoms) -> bool:
    """Say whether the type of a container's items is declared, so that what cannot be seen of them adds nothing."""
    if any(isinstance(atom, int) for atom in base):
        return False
    return any(isinstance(atom, str) and atom[0] == "*" and HELD not in atom for atom in base)


def held_in(r: Reading, items: Atoms) -> Atoms:
    """Return a container of such items."""
    found: set[Atom] = set()
    for atom in items:
        for one in r.held_by(atom) if isinstance(atom, int) else (atom,):
            found.add(f"*{one}" if isinstance(one, str) and one[0] not in UNSEEN else "?")
    return frozenset(found)


def filled_elsewhere(outline: Outline) -> dict[str, dict[int, int]]:
    """Return the plain names of containers that a scope puts something into which it does not bind itself.

    Name -> the scope that does -> the scope whose variable it is.
    """
    found: dict[str, dict[int, int]] = {}
    for index, scope in enumerate(outline.scopes):
        if scope.kind == ScopeKind.CLASS or not index:
            continue
        for name in _put_into(outline, scope.first, scope.end):
            owner = _owner_of(outline, index, name)
            if owner != index:
                found.setdefault(name, {})[index] = owner
    return found


def filled_parameters(outline: Outline) -> dict[int, frozenset[str]]:
    """Return the parameters, by scope, into whose containers the function itself puts something."""
    found: dict[int, frozenset[str]] = {}
    for index, scope in enumerate(outline.scopes):
        if scope.kind != ScopeKind.CLASS and scope.parameters:
            names = {outline.strings[one] for one in scope.parameters}
            if filled := names.intersection(_put_into(outline, scope.first, scope.end)):
                found[index] = frozenset(filled)
    return found


def changed_names(outline: Outline) -> set[str]:
    """Return the plain names of which functions change what they hold."""
    strings, found = outline.strings, set[str]()
    for scope in outline.scopes[1:]:
        if scope.kind != ScopeKind.CLASS:
            own = {strings[one] for one in (*scope.bound, *scope.parameters)}
            done = _done_to_names(outline, scope.first, scope.end)
            changed = (name for op, name, method in done if method in (CHANGES if op == Op.CALL else ("",)))
            found.update(name for name in changed if name not in own)
    return found


def fill_by_call(r: Reading, callee: Atoms, arguments: list[Atoms], named: dict[str, Atoms]) -> None:
    """Let the displays that a function of this file is handed hold what it puts into them."""
    for atom in callee:
        scope = r.record.scope_of(frozenset((atom,)))
        filled = r.filled_parameters.get(scope, ()) if scope else ()
        if not scope or not filled:
            continue
        one, strings = r.o.scopes[scope], r.o.strings
        skipped = int(one.owner >= 0)  # of a method that is taken from its class, nobody hands the instance over here
        positional = [strings[at] for at in one.parameters[skipped : one.shape[1]]]
        for name, given in (*zip(positional, arguments, strict=False), *named.items()):
            if name in filled:
                _hold_more(r, given, f"{r.record.definitions[scope]}{HELD}{name}")


def _hold_more(r: Reading, atoms: Atoms, variable: str) -> None:
    """Let displays among the atoms hold what a variable does, too, wherever it stands in them."""
    held: Atoms = frozenset((variable,))
    for atom in atoms:
        if isinstance(atom, int) and not r.dead:
            if atom in r.tables:
                r.tables[atom] = [*r.tables[atom], (_ANY, held)]
            elif atom in r.parts:
                r.parts[atom] = [_SOME, *r.parts[atom], _SOME, (False, held), _SOME]


def _put_into(outline: Outline, first: int, end: int) -> Iterator[str]:
    for op, name, method in _done_to_names(outline, first, end):
        if name != "__all__" and (not method if op == Op.STORE else method in PUTS):
            yield name


def _done_to_names(outline: Outline, first: int, end: int) -> Iterator[tuple[int, str, str]]:
    """Yield each name of which an item is set (`STORE`) or a method is called (`CALL`), with the rest of the path."""
    for op, a, _, _, _ in outline.rows[first:end]:
        if a & 3 == PATH and op in (Op.STORE, Op.CALL):
            name, _, method = outline.strings[a >> 2].partition(".")
            yield op, name, method


def _owner_of(outline: Outline, index: int, name: str) -> int:
    """Return the scope whose variable a name is."""
    strings = outline.strings
    while index > 0:
        scope = outline.scopes[index]
        if any(strings[one] == name for one in scope.outer):
            return 0
        if binds(outline, index, name) and not any(strings[one] == name for one in scope.nonlocals):
            return index
        index = scope.parent
    return 0


def binds(outline: Outline, index: int, name: str) -> bool:
    """Say whether a scope binds a name somewhere, or has a parameter of that name."""
    scope, strings = outline.scopes[index], outline.strings
    return any(strings[one] == name for one in (*scope.bound, *scope.parameters))
