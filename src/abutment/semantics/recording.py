"""What is kept of a file's definitions and uses while it is read?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from abutment.semantics.fields import Fields
from abutment.semantics.meaning import Meaning, Place, Value
from abutment.semantics.outline import Mark, Outline, ScopeKind
from abutment.semantics.provenance import UNLESS, ClassRow, FunctionRow, Provenance, ScopeRow, Trait, UseRow, Verb

# Atoms that mean nothing outside this file, or nothing but to an import.
_SURE = "'~#[{$^!=-/*+%>NTF"  # how atoms begin that are known as they are, `None`, `True` and `False` among them
_INNER = "[{$^!~=-/%"
_Atoms = frozenset[str | int]
_NOTHING: _Atoms = frozenset()
_ANY: _Atoms = frozenset(("?",))
_UNTOLD = frozenset(("?", "None", "-", "="))
_VARIABLE = re.compile(r"@[^:]*:\$[^.(\[]+")
_RECEIVERS = ("()", "&", "^", "&&", "^^")  # steps after which a name is looked up in a class
# `UseRow` as a plain tuple, which is made faster.
_Use = tuple[int, int, int, Place, int, int, tuple[int, ...], tuple[tuple[str, int], ...]]


class Record:
    """The growing `Provenance` of one file."""

    __slots__ = (
        "_ids",
        "_scopes",
        "applied",
        "bases",
        "by",
        "calls",
        "class_names",
        "declared",
        "definitions",
        "fields",
        "fills",
        "functions",
        "grown",
        "is_limited",
        "open_classes",
        "outline",
        "set_elsewhere",
        "use_at",
        "uses",
        "variables",
        "wanted",
    )

    def __init__(self, outline: Outline, wanted: bool) -> None:
        """Begin; nothing is kept where uses are not wanted."""
        self.outline, self.wanted = outline, wanted
        self._ids: dict[_Atoms, int] = {}
        self.is_limited = bool(outline.marks & Mark.CUT)  # whether a value was too many things to be followed
        self.uses: list[_Use] = []
        self.use_at: dict[int, int] = {}  # row of a call -> index of its use
        self.applied: dict[int, list[int]] = {}  # row of a call -> the uses in which what it gave is called
        self.by: dict[int, str] = {}  # index of a use -> the path by which it is written, from a variable of the module
        self.variables: dict[str, _Atoms] = {}
        self.calls: list[tuple[str, list[_Atoms], dict[str, _Atoms]]] = []  # of this file's own functions and classes
        self.functions: dict[int, FunctionRow] = {}  # by scope
        self.bases: dict[int, list[_Atoms]] = {}  # classes, by scope
        self.open_classes: set[int] = set()
        self.set_elsewhere: set[str] = set()  # attributes that are set on what is nothing of this file
        self.class_names: dict[int, dict[str, _Atoms]] = {}
        self.fields = Fields()
        self.grown: set[str] = set()  # attributes of which something changes what they hold
        self.fills: list[tuple[str, str, _Atoms]] = []  # what is put into containers that such attributes hold
        self.declared: set[str] = set()  # parameters' variables that have an annotation
        self.definitions = _atoms_of(outline)
        self._scopes = {atom: index for index, atom in enumerate(self.definitions)}

    def value(self, atoms: _Atoms) -> int:
        """Return the index of a value."""
        known = self._ids.get(atoms)
        if known is None:
            known = self._ids[atoms] = len(self._ids)
        return known

    def use(
        self,
        verb: int,
        value: _Atoms,
        context: tuple[int, Place, int],
        bits: int,
        arguments: Iterable[_Atoms],
        named: Iterable[tuple[str, _Atoms]],
        by: str,
    ) -> bool:
        """Keep a use of a value, and say whether there is anything to keep; `context` is scope, place and guard."""
        if not self.wanted:
            return False
        is_told = not value <= _UNTOLD or bool(by and "?" in value)
        if not is_told and not (verb == Verb.CALL and _hands_on((*arguments, *(one for _, one in named)))):
            return False
        if by:
            self.by[len(self.uses)] = by
        find = self.value
        self.uses.append(
            (
                verb,
                find(value),
                *context,
                bits,
                tuple(map(find, arguments)),
                tuple((name, find(one)) for name, one in named),
            )
        )
        return True

    def every_value(self) -> Iterable[_Atoms]:
        """Return all values that something outside a scope may ask for."""
        yield from self._ids
        yield from self.variables.values()
        yield from self.fields.every_value()
        for names in self.class_names.values():
            yield from names.values()

    def add(self, variable: str, atoms: _Atoms) -> None:
        """Note that a variable may hold these atoms, too."""
        self.variables[variable] = self.variables.get(variable, _NOTHING) | atoms

    def open_class(self, owner: str) -> None:
        """Note that a class of this file may have any attribute."""
        if self.is_class(owner):
            self.open_classes.add(self._scopes[owner])

    def is_class(self, owner: str) -> bool:
        """Say whether a definition is a class of this file."""
        return owner in self._scopes and self.outline.scopes[self._scopes[owner]].kind == ScopeKind.CLASS

    def fill_field(self, owner: str, name: str, held: _Atoms) -> None:
        """Note that something is put into the container that such an attribute holds."""
        self.fills.append((owner, name, held))

    def fill_fields(self) -> None:
        """Give attributes what is put into the containers that they hold, once all is known that they are given.

        Where the class says of what type the items are, what cannot be seen of them adds nothing. What a class above
        may have made is not known here.
        """
        for owner, name, put_in in self.fills:
            body = self.class_names.get(self._scopes.get(owner, -1), {})
            known = self.fields.known(owner, name) | body.get(name, _NOTHING)
            held = put_in if known else put_in | _ANY
            if any(isinstance(atom, str) and atom[0] == "*" for atom in known) and "?" not in known:
                items = doubted(frozenset(atom[1:] for atom in put_in if isinstance(atom, str) and atom != "?"))
                held = frozenset(f"*{atom}" for atom in items)
            self.fields.put_in(owner, name, held)

    def hand_over(self, callee: _Atoms, arguments: list[_Atoms], named: dict[str, _Atoms]) -> None:
        """Keep a call of this file's own function or class, for its parameters."""
        for atom in callee:
            if isinstance(atom, str) and atom[0] == "@":
                self.calls.append((atom, arguments, named))

    def scope_of(self, value: _Atoms) -> int | None:
        """Return the scope of the definition that a value certainly is."""
        (atom, *others) = value or ("?",)
        return self._scopes.get(atom) if not others and isinstance(atom, str) else None

    def mark(self, row: int, bit: int) -> None:
        """Say how the call in a row happens."""
        at = self.use_at.get(row)
        if at is not None:
            verb, value, scope, place, guard, bits, arguments, named = self.uses[at]
            self.uses[at] = (verb, value, scope, place, guard, bits | bit, arguments, named)

    def apply(self, row: int) -> None:
        """Say that the newest use calls, or decorates with, what the call in a row gave."""
        self.applied.setdefault(row, []).append(len(self.uses) - 1)

    def finished(self, names: dict[str, _Atoms], meaning: Meaning, held_by: Callable[[int], _Atoms]) -> Provenance:
        """Return the whole.

        `names` is the module's final table; `held_by` says what a display of the file holds, as collections (`*x`).
        """
        o, definitions = self.outline, self.definitions
        for callee, arguments, named in self.calls:
            self._bind(callee, arguments, named)
        for variable, left in self.fields.left():
            self.add(variable, left)
        final = {name: self.value(atoms) for name, atoms in names.items()}
        variables = {name: self.value(atoms) for name, atoms in self.variables.items()}
        classes = {definitions[scope]: self._class_row(scope) for scope in self.bases}
        values = [_crossing(atoms, held_by) for atoms in self._ids]
        return Provenance(
            o.module,
            values,
            final,
            variables,
            {definitions[scope]: row for scope, row in self.functions.items()},
            classes,
            tuple(
                ScopeRow(o.strings[one.qualname], one.kind, max(one.parent, 0), definitions[index])
                for index, one in enumerate(o.scopes)
            ),
            self._told_uses(values, variables),
            meaning.conditions,
            meaning.guards,
            self.is_limited,
            tuple(sorted(self.set_elsewhere)),
        )

    def _told_uses(self, values: list[Value], variables: dict[str, int]) -> tuple[UseRow, ...]:
        """Return the uses of which something may be found out: not those of parameters that nobody knows."""
        blank = {variable for variable, at in variables.items() if values[at] == ("?",)}
        told = [any(_told(atom, blank) for atom in value) for value in values]
        handed = [_hands_on((value,)) for value in values]
        applied = {self.use_at[row]: found for row, found in self.applied.items() if row in self.use_at}
        return tuple(
            UseRow(*use, tuple(self.uses[one] for one in applied.get(at, ())), self.by.get(at, ""))
            for at, use in enumerate(self.uses)
            if told[use[1]]
            or at in self.by
            or (use[0] == Verb.CALL and any(handed[at] for at in (*use[6], *(at for _, at in use[7]))))
        )

    def _bind(self, callee: str, arguments: list[_Atoms], named: dict[str, _Atoms]) -> None:
        """Give a call's arguments to the parameters of the function of this file that it certainly reaches."""
        base, _, steps = callee.partition(":")
        scope = self._scopes.get(base, -1)
        bound = False
        if scope in self.bases:  # a class is called, or something that it has
            receiver, _, name = steps.rpartition(".")
            if steps in ("", "&&"):
                receiver, name = "()", "__init__"
            if receiver not in ("", *_RECEIVERS):
                return
            bound = receiver in ("()", "&", "^")
            owner = self._only_base(scope) if receiver in ("^", "^^") else base
            scope = self._scopes.get(self._method(owner, name), -1)
        elif steps:
            return
        row = self.functions.get(scope)
        if row is None:
            return
        atom = self.definitions[scope]
        skipped = int(bool(row.owner) and not row.marks & Trait.STATIC and (bound or bool(row.marks & Trait.CLASS)))
        positional = row.parameters[skipped : row.shape[1]]
        by_name = row.parameters[row.shape[0] : row.shape[1] + row.shape[2]]
        given = [*zip(positional, arguments, strict=False)]
        given += [(name, atoms) for name, atoms in named.items() if name in by_name]
        given += _gathered(
            row, arguments[len(positional) :], [one for name, one in named.items() if name not in by_name]
        )
        for name, atoms in given:
            variable = f"{atom}:${name}"
            self.add(variable, doubted(atoms) if variable in self.declared else atoms)

    def _method(self, owner: str, name: str) -> str:
        """Return the atom of a method that a class of this file has, or takes from one; "" where it is not certain."""
        seen: set[str] = set()
        while owner not in seen:
            seen.add(owner)
            scope = self._scopes.get(owner, -1)
            held = self.class_names.get(scope, {}).get(name)
            if held:
                (first, *others) = held
                return first if not others and isinstance(first, str) else ""
            owner = self._only_base(scope)
        return ""

    def _only_base(self, scope: int) -> str:
        """Return the atom of a class's base, where it has one that is certain; else ""."""
        bases = self.bases.get(scope, [])
        if len(bases) != 1 or len(bases[0]) != 1:
            return ""
        (base,) = bases[0]
        return base if isinstance(base, str) else ""

    def _class_row(self, scope: int) -> ClassRow:
        o = self.outline
        names = self.class_names.get(scope, {})
        return ClassRow(
            tuple(map(self.value, self.bases[scope])),
            scope in self.open_classes,
            {name: self.value(_perhaps_grown(name in self.grown, atoms)) for name, atoms in names.items()},
            {name: self.value(atoms) for name, atoms in self.fields.of(self.definitions[scope])},
            tuple(name for name, atoms in names.items() if "-" in atoms),
            o.places[o.scopes[scope].place][0],
        )


def _gathered(row: FunctionRow, rest: list[_Atoms], named: list[_Atoms]) -> Iterator[tuple[str, _Atoms]]:
    """Yield what `*args` and `**kwargs` are collections of, where a call has something left for them."""
    _, positional, by_name, *several = row.shape
    names = row.parameters[positional + by_name :]
    for at, left in enumerate((rest, named)):
        if several[at] and left:
            held = _NOTHING.union(*left)
            yield names[at * several[0]], frozenset(_held_once(one) for one in held - _UNTOLD) | (held & _ANY)


def _perhaps_grown(is_grown: bool, atoms: _Atoms) -> _Atoms:
    return atoms | _ANY if is_grown and any(isinstance(atom, int) for atom in atoms) else atoms


def _held_once(atom: str | int) -> str | int:
    return f"*{atom}" if isinstance(atom, str) and ":" in atom and atom[0] not in _INNER else "?"


def doubted(atoms: _Atoms) -> _Atoms:
    """Return values beside which a declaration is trusted: what of them cannot be seen adds nothing."""
    seen = (atom for atom in atoms - _ANY if isinstance(atom, int) or atom[0] != UNLESS)
    return frozenset(f"+{atom}" if isinstance(atom, str) and atom[0] not in _SURE else atom for atom in seen)


def _crossing(atoms: _Atoms, held_by: Callable[[int], _Atoms]) -> Value:
    """Return the atoms as another scope or file may read them, sorted; of a display, what it holds."""
    if len(atoms) == 1:
        (atom,) = atoms
        if isinstance(atom, str):
            shown = _shown(atom)
            return (shown,) if shown else ()
    displays = {atom for atom in atoms if isinstance(atom, int)}
    found = {_shown(atom) for atom in atoms.difference(displays).union(*map(held_by, displays))}
    found.discard("")
    return tuple(sorted(found))


def _shown(atom: str | int) -> str:
    if isinstance(atom, int) or atom[0] in _INNER:
        return "" if atom in ("-", "=") else "?"
    return atom


def _hands_on(values: Iterable[Iterable[str | int]]) -> bool:
    """Say whether something that a module elsewhere has is among values: a call may hand it on, whatever is called."""
    return any(
        isinstance(atom, str) and ":" in atom and atom[0].isidentifier() and not atom.startswith("builtins:")
        for value in values
        for atom in value
    )


def _told(atom: str, blank: set[str]) -> bool:
    """Say whether something may be found out about an atom."""
    if atom[0] != "@":
        return ":" in atom or atom[0].isidentifier() or atom[0] == "."
    found = _VARIABLE.match(atom)
    return found is None or found[0] not in blank


def _atoms_of(outline: Outline) -> list[str]:
    """Return the atom of every scope's definition; the second definition of one name ends in `#2`."""
    seen: dict[int, int] = {}
    found = []
    for scope in outline.scopes:
        count = seen[scope.qualname] = seen.get(scope.qualname, 0) + 1
        name = outline.strings[scope.qualname]
        found.append(f"@{name}" if count == 1 else f"@{name}#{count}")
    return found
