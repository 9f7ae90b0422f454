"""What is known while one outline is interpreted: names, values, guards?

The functions that read single rows stand in `interpret.py`, `control.py`, `calls.py` and `dynamic_imports.py`.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field

from abutment.semantics.filling import CHANGES, HELD, UNSEEN, binds, filled_elsewhere, filled_parameters
from abutment.semantics.meaning import Condition, DynamicRow, Guard, ImportRow, LazyName, Star, Value
from abutment.semantics.outline import PATH, ROW, TEXT, Op, Outline
from abutment.semantics.own_names import variables_of
from abutment.semantics.program import Flag
from abutment.semantics.provenance import GIVE_ITEM, GIVE_SAME, UNLESS, Bit
from abutment.semantics.recording import Record

# An atom of `meaning.py`, or one that lives only here: the index of a display (negative for one that was built up),
# `[3` a look-up in table 3, `[3.1` part 1 of it, `[3.1<text` with a known beginning, `{3` an item of table 3,
# `%get*x` a method of a collection of `x`,
# `$` the name that a module's `__getattr__` was asked for, `^3` the module that dynamic import 3 gave,
# `!3` what the call in row 3 gave, where that is asked for later, `=` what a name held before its final value, which
# matters to imports only, `/x:y` a type whose instance is `x:y`. Of `provenance.py`: paths with steps.
Atom = str | int
Atoms = frozenset[Atom]
Env = dict[str, Atoms]

ANY: Atoms = frozenset(("?",))
UNBOUND: Atoms = frozenset(("-",))
NOTHING: Atoms = frozenset()
NONE: Atoms = frozenset(("None",))
EARLY: Atoms = frozenset(("=",))
_SOME: tuple[bool, Atoms] = (True, NOTHING)  # a part of a sequence: any number of the others
_CONSTANTS: dict[str, Atoms] = {name: frozenset((name,)) for name in ("None", "True", "False")}
_CONSTANTS.update((str(digit), frozenset((f"#{digit}",))) for digit in range(10))
_LONGEST_PATH = 200
_BEHIND = "#by"  # ends the hidden name that holds which call gave a name its value
_MOST_ATOMS = 1_500  # of one value; texts are bounded where they are joined
_MOST_HELD, _MOST_STARS = 50, 4  # what of a display crosses a scope: so many values, in displays so deep
_OF_MODULES = frozenset(("__name__", "__package__", "__spec__", "__file__", "__path__", "__dict__", "__loader__"))
_NO_NAME = "?-@'~#[{$^!=/*+%><;"  # how atoms begin that are no module and no name in one
_NO_ATTRIBUTES = "?'~#[{$^!/"
_NOTHING_BELOW = {"-", "None", "True", "False", "="}

# Methods that give an instance what another one had.
_RESTORERS = frozenset(("__setstate__", "__deepcopy__", "__copy__"))

BUILTINS = frozenset(dir(builtins))


@dataclass(slots=True, eq=False)
class Frame:
    """A choice, loop, try or with that is still open."""

    saved: Env
    saved_dead: bool
    guard: int = 0
    condition: int = 0
    optional: bool = False
    weak: Env = field(default_factory=dict)  # all that was bound while the frame was among those that collect
    exits: list[Env] = field(default_factory=list)
    breaks: list[Env] = field(default_factory=list)
    endless: bool = False
    raised: Env = field(default_factory=dict)  # all that the body of a `try` bound, for its handlers
    in_finally: bool = False
    returns: Atoms = NOTHING  # what the function returns besides: before a `try`, and in a `finally` of what it ends
    live: bool = True  # whether anything goes on after a `finally`
    before: dict[str, Atoms | None] = field(default_factory=dict)  # what holds there, where a `finally` sees more


class Reading:
    """The state while one file is read."""

    __slots__ = (
        "_held",
        "_of_module",
        "applied_names",
        "around",
        "bound_at",
        "class_prefix",
        "class_stack",
        "collecting",
        "conditions",
        "dead",
        "dynamic",
        "env",
        "every",
        "exports_grow",
        "exposed",
        "filled",
        "filled_parameters",
        "final",
        "finals",
        "frames",
        "getattr_scope",
        "globals",
        "guard",
        "guards",
        "imports",
        "lazy",
        "locals",
        "loops",
        "nonlocals",
        "o",
        "optional",
        "parts",
        "pokes",
        "prefixes",
        "record",
        "results",
        "returned",
        "returns",
        "row_at",
        "runs",
        "scope",
        "scope_guards",
        "seen_at",
        "star_modules",
        "stars",
        "swallowing",
        "tables",
        "variables",
        "waiting",
    )

    def __init__(self, outline: Outline, uses: bool) -> None:
        self.o = outline
        self.results: dict[int, Atoms] = {}
        self.parts: dict[int, list[tuple[bool, Atoms]]] = {}  # sequences: (is splat, value)
        self.tables: dict[int, list[tuple[Atoms, Atoms]]] = {}
        self.conditions: list[Condition] = [Condition("value", (), "", ())]
        self.guards: list[Guard] = [Guard(0, 0, False)]
        self.imports: list[ImportRow] = []
        self.dynamic: list[DynamicRow] = []
        self.lazy: list[LazyName] = []
        self.pokes: set[str] = set()
        self.exports_grow = False  # whether a function changes `__all__`
        self.stars: list[Star] = []
        self.star_modules: list[str] = []
        self.bound_at: dict[str, int] = {}  # name -> how many stars had run when it was bound
        self.scope_guards: dict[int, int] = {}
        self.finals: dict[int, Env] = {}
        self.final: Env = {}
        strings, scopes = outline.strings, outline.scopes
        self.nonlocals = {strings[one] for scope in scopes for one in scope.nonlocals}
        self.globals = {strings[one] for scope in scopes for one in scope.outer}
        self.every: dict[int, Env] = {}  # scope -> name -> all that was ever bound to it
        self.record = Record(outline, uses)
        self.applied_names = _applied_names(outline) if uses else frozenset[str]()
        self.filled = filled_elsewhere(outline) if uses else {}
        self._held = {(owner, name) for name, found in self.filled.items() for owner in found.values()}
        self.filled_parameters = filled_parameters(outline) if uses else {}
        for scope, names in self.filled_parameters.items():
            for name in names:
                self.record.add(f"{self.record.definitions[scope]}{HELD}{name}", NOTHING)
        for owner, name in self._held:
            self.record.add(f"{self.record.definitions[owner]}{HELD}{name}", NOTHING)
        self._of_module: dict[str, Atoms] = {}  # the module's names as functions see them, once looked up
        self.runs = 0  # how often module code has called something that may read its names
        self.seen_at: dict[str, int] = {}  # module's name -> `runs` when it was bound
        self.exposed: Env = {}  # what else such a call found in a name than its final value
        self.getattr_scope = -1
        self.variables = variables_of(outline) if uses else frozenset[str]()
        self.swallowing: dict[int, int] = {}  # scope of a class or function -> what a `with` of it swallows
        self.row_at = 0
        self.enter(0, 0)

    def enter(self, scope: int, guard: int) -> None:
        """Begin a scope that stands under a guard."""
        self.scope, self.guard = scope, guard
        self.around: dict[str, Atoms] = {}  # names of the scopes around, once looked up
        self.env: Env = {}
        self.every[scope] = {}
        self.locals: frozenset[str] = frozenset()
        self.dead, self.optional = False, 0
        self.frames: list[Frame] = []
        self.collecting: list[Frame] = []  # frames that keep every binding, for a handler
        self.loops: list[Frame] = []
        self.class_prefix = ""
        self.class_stack: list[tuple[str, int]] = []
        self.prefixes: list[str] = []  # of the classes whose names a comprehension does not see
        self.waiting = 0  # how many generator expressions stand around that are only kept
        self.returned, self.returns = NOTHING, NOTHING  # what it is annotated to return, and does

    # ---- names

    def bind(self, name: str, atoms: Atoms) -> None:
        """Bind a name where the current scope, or the open class body, has it."""
        key = self.class_prefix + name
        atoms = self.bounded(atoms)
        if name in self.applied_names:
            self.bind(name + _BEHIND, ANY)
        if self.scope == 0:
            self._expose(key)
        self.env[key] = atoms
        for frame in self.collecting:
            frame.weak[key] = frame.weak.get(key, NOTHING) | atoms
        if not self.class_prefix:
            every = self.every[self._owner_of(name)]
            every[name] = every.get(name, NOTHING) | atoms
            if self.scope == 0:
                self.bound_at[name] = len(self.stars)

    def _expose(self, name: str) -> None:
        """Keep what a module's name held until now, if a function may have been called that reads it."""
        if self.seen_at.get(name, self.runs) < self.runs:
            self.exposed[name] = self.exposed.get(name, NOTHING) | self.env.get(name, NOTHING)
        self.seen_at[name] = self.runs

    def _owner_of(self, name: str) -> int:
        """Return the scope whose variable a binding here changes."""
        if name in self.globals and self.scope and name not in self.locals:
            return 0
        if name in self.nonlocals and self.scope and name not in self.locals:
            index = self.o.scopes[self.scope].parent
            while index > 0 and not self.has(index, name):
                index = self.o.scopes[index].parent
            return max(index, 0)
        return self.scope

    def has(self, index: int, name: str) -> bool:
        """Say whether a scope binds a name itself."""
        return binds(self.o, index, name)

    def look_up(self, name: str) -> Atoms:
        """Return what a name holds here."""
        found = self._looked_up(name)
        return found if name not in self.filled else found | self.put_into(name, self.scope)

    def put_into(self, name: str, index: int = 0) -> Atoms:
        """Return what functions put into a container that the scope of a name, or one around it, has made."""
        scopes = self.o.scopes
        while index > 0 and (index, name) not in self._held:
            if self.has(index, name):
                return NOTHING
            index = scopes[index].parent
        held = (index, name) in self._held
        return frozenset((f"*{self.record.definitions[index]}{HELD}{name}",)) if held else NOTHING

    def _looked_up(self, name: str) -> Atoms:
        found = NOTHING
        if self.class_prefix:
            found = self.env.get(self.class_prefix + name, UNBOUND)
            if name in self.globals or name in self.nonlocals:
                found |= self._ever(name)
            if "-" not in found:
                return found
            found -= UNBOUND
            return found | (self._module_name(name, self.env) if self.scope == 0 else self._function_name(name))
        return self._module_name(name, self.env) if self.scope == 0 else self._function_name(name)

    def _function_name(self, name: str) -> Atoms:
        if self.class_prefix and self.is_of_the_class(name):  # Python then asks the module, past the function
            return self._from_module(name)
        if name in self.locals:
            found = self.env.get(name, UNBOUND)
            return found | self._ever(name) if name in self.nonlocals else found
        known = self.around.get(name)
        if known is None:
            known = self.around[name] = self._name_around(name)
        return known

    def _name_around(self, name: str) -> Atoms:
        """Return what a name holds that the function does not bind: what all around has in the end."""
        scope, strings = self.o.scopes[self.scope], self.o.strings
        while scope.parent > 0 and not (scope.outer and any(strings[one] == name for one in scope.outer)):
            index, scope = scope.parent, self.o.scopes[scope.parent]
            if self.has(index, name):
                if index not in self.finals or name in self.nonlocals:
                    return frozenset((f"{self.record.definitions[index]}:%{name}",))
                return self.every[index].get(name, ANY) - UNBOUND | self._early(index, name)
        return self._from_module(name)

    def _ever(self, name: str) -> Atoms:
        """Return all that a name is ever given which some scope declares `global` or `nonlocal`."""
        index = self.scope if name in self.nonlocals and name in self.locals else 0
        return frozenset((f"{self.record.definitions[index]}:%{name}",))

    def is_of_the_class(self, name: str) -> bool:
        """Say whether the class body that is open binds a name."""
        scope, strings = self.o.scopes[self.class_stack[-1][1]], self.o.strings
        return any(strings[one] == name for one in (*scope.bound, *scope.outer))

    def _from_module(self, name: str) -> Atoms:
        known = self._of_module.get(name)
        if known is None:
            known = self._of_module[name] = self._module_name(name, self.final) | self._early(0, name)
        return known

    def _early(self, scope: int, name: str) -> Atoms:
        """Return what else a function that is called early may see in an outer name than its final value.

        A display that the name held is looked into, and what a call of this file certainly could see; of anything else
        there is only `=`.
        """
        early = self.every[scope].get(name, NOTHING) - self.finals[scope].get(name, NOTHING) - UNBOUND
        if not early:
            return NOTHING
        displays = {atom for atom in early if isinstance(atom, int)}
        filled = {atom for atom in displays if self.parts.get(atom) or self.tables.get(atom)}
        seen = early & self.exposed.get(name, NOTHING) if scope == 0 else NOTHING
        return (NOTHING if len(displays) == len(early) else EARLY).union(filled, seen - displays)

    def _module_name(self, name: str, table: Env) -> Atoms:
        found = table.get(name, UNBOUND)
        later = self.star_modules[0 if "-" in found else self.bound_at.get(name, 0) :]
        if name in self.globals:
            found |= self._ever(name)
        if "-" in found:
            found -= UNBOUND
            if name in BUILTINS or name in _OF_MODULES or "#" in name:
                found |= self._implicit(name)
            elif not later:
                found |= EARLY  # a NameError, unless somebody puts the name there from outside
        return found | {f"{module}:{name}" for module in later} if later else found

    def _implicit(self, name: str) -> Atoms:
        module = self.o.module
        if "#" in name:  # a comprehension's target, in an expression that was only searched
            return ANY
        if name == "__name__":
            return frozenset((f"'{module}",))
        if name == "__package__":
            return frozenset((f"'{module if self.o.is_package else module.rpartition('.')[0]}",))
        return frozenset((f"builtins:{name}",))

    # ---- what calls gave

    def note_call(self, name: str, operand: int) -> None:
        """Note which call gave what a name was just bound to, if one did."""
        if (row := self.call_behind(operand)) >= 0:
            self.bind(name + _BEHIND, frozenset((f"={row}",)))

    def apply(self, operand: int) -> None:
        """Say of the newest use which call gave what is called, if one certainly did."""
        if (row := self.call_behind(operand)) >= 0:
            self.record.apply(row)

    def call_behind(self, operand: int) -> int:
        """Return the row of the call that certainly gave an operand's value; -1 where there is none."""
        while operand & 3 == ROW:
            op, inner, _, _, _ = self.o.rows[operand >> 2]
            if op != Op.READ:
                return operand >> 2 if op == Op.CALL else -1
            operand = inner
        name = self.o.strings[operand >> 2] if operand & 3 == PATH else ""
        marks = self._behind(name) - UNBOUND if name in self.applied_names else NOTHING
        (mark,) = marks if len(marks) == 1 else ("?",)
        return int(mark[1:]) if isinstance(mark, str) and mark[0] == "=" else -1

    def _behind(self, name: str) -> Atoms:
        """Return the marks of the calls that may have given what a name holds here."""
        hidden = name + _BEHIND
        if self.class_prefix and self.class_prefix + name in self.env:
            return self.env.get(self.class_prefix + hidden, ANY)
        if self.scope == 0 or name in self.locals:
            return self.env.get(hidden, ANY)
        scope = self.o.scopes[self.scope]
        while scope.parent > 0:
            index, scope = scope.parent, self.o.scopes[scope.parent]
            if self.has(index, name):
                return self.finals.get(index, {}).get(hidden, ANY)
        return self.final.get(hidden, ANY)

    # ---- operands

    def value(self, operand: int) -> Atoms:
        """Return what an operand holds here."""
        tag = operand & 3
        if tag == ROW:
            return self.results.get(operand >> 2, ANY)
        if tag == PATH:
            return self.path(self.o.strings[operand >> 2])
        return frozenset((f"'{self.o.strings[operand >> 2]}",)) if tag == TEXT else ANY

    def path(self, path: str) -> Atoms:
        """Return what a dotted path holds here."""
        name, dot, rest = path.partition(".")
        if not dot and (constant := _CONSTANTS.get(path)) is not None:
            return constant
        if path[:1] == "-" or path[:1].isdigit():
            return frozenset((f"#{path}",))
        found = self.look_up(name)
        if not dot:
            return found
        if name == "__spec__" and rest in ("name", "parent") and found == {"builtins:__spec__"}:
            return self._implicit("__name__" if rest == "name" else "__package__")
        return attribute_of(found, rest)

    def list_values(self, index: int) -> list[Atoms]:
        """Return the values of a list of operands."""
        return [self.value(one) for one in self.o.lists[index]]

    def result(self, atoms: Atoms) -> None:
        """Set the current row's result."""
        self.results[self.row_at] = self.bounded(atoms)

    def bounded(self, atoms: Atoms) -> Atoms:
        """Return a value, or `?` where it may be so many things that nobody could follow them."""
        if len(atoms) <= _MOST_ATOMS or all(isinstance(atom, str) and atom[0] in "'~" for atom in atoms):
            return atoms
        self.record.is_limited = True
        return ANY

    def new_sequence(self, parts: list[tuple[bool, Atoms]]) -> Atoms:
        """Return a built-up sequence."""
        at = -len(self.parts) - len(self.tables) - 1
        self.parts[at] = parts
        return frozenset((at,))

    def new_table(self, pairs: list[tuple[Atoms, Atoms]]) -> Atoms:
        """Return a built-up table."""
        at = -len(self.parts) - len(self.tables) - 1
        self.tables[at] = pairs
        return frozenset((at,))

    def grow(self, atoms: Atoms, more: tuple[bool, Atoms]) -> bool:
        """Let built-up sequences hold more, if that is all that the atoms are, and say so; perhaps it is the last."""
        ours = [atom for atom in atoms if isinstance(atom, int) and atom in self.parts]
        if len(ours) < len(atoms):
            return False
        if not self.dead:
            for atom in ours:
                self.parts[atom] = [*self.parts[atom], more, _SOME]
        return True

    def shuffle(self, atoms: Atoms) -> None:
        """Note that nobody knows any more where in a sequence something stands."""
        for atom in atoms:
            if isinstance(atom, int) and atom in self.parts and not self.dead:
                self.parts[atom] = [_SOME, *self.parts[atom], _SOME]

    def store(self, atoms: Atoms, key: Atoms, value: Atoms) -> None:
        """Let the tables among the atoms hold a value under a key, too."""
        for atom in atoms:
            if isinstance(atom, int) and atom in self.tables and not self.dead:
                self.tables[atom] = [*self.tables[atom], (key, value)]

    def held_by(self, display: int) -> Atoms:
        """Return what a display holds, as collections of it; `?` where that is too much to say."""
        found: set[Atom] = set()
        todo, seen = [("*", display)], {display}
        while todo and len(found) < _MOST_HELD:
            depth, at = todo.pop()
            parts = [part for _, part in self.tables.get(at, ())]
            parts += [part for splat, part in self.parts.get(at, ()) if not splat]
            spread = [(depth, part) for splat, part in self.parts.get(at, ()) if splat]
            for stars, atoms in (*((depth + "*", part) for part in parts), *spread):
                for atom in atoms:
                    if not isinstance(atom, int):
                        found.add(f"{stars[1:]}{atom}" if atom[0] not in UNSEEN else "?")
                    elif atom not in seen and len(stars) < _MOST_STARS:
                        seen.add(atom)
                        todo.append((stars, atom))
        return frozenset(found) if found and len(found) < _MOST_HELD and not todo else ANY

    def elements(self, atoms: Iterable[Atom]) -> set[str]:
        """Return the texts that a collection holds, `*module` for another module's `__all__`, and "?"."""
        found: set[str] = set()
        stack, seen = list(atoms), set[Atom]()
        while stack:
            atom = stack.pop()
            if atom in seen:
                continue
            seen.add(atom)
            if isinstance(atom, int):
                for key, _ in self.tables.get(atom, ()):
                    found.update(texts_of(key))
                for splat, part in self.parts.get(atom, ()):
                    if splat:
                        stack.extend(part)
                    else:
                        found.update(texts_of(part))
            elif atom.endswith((":__all__", ".__all__")):
                found.add("*" + atom[: -len(":__all__")])
            elif atom != "-" and HELD not in atom:
                found.add("?")
        return found

    def poke(self, atoms: Atoms, name: str) -> None:
        """Note that this module sets a name (`?` for any) on other modules."""
        for atom in atoms:
            if isinstance(atom, str) and atom[:1] not in _NO_NAME and atom not in _CONSTANTS and "(" not in atom:
                self.pokes.add(f"{atom}.{name}" if ":" in atom else f"{atom}:{name}")

    # ---- guards

    def condition(self, operand: int) -> int:
        """Return the index of a test's condition; 0 where nothing about it can matter."""
        if operand & 3 == ROW:
            op, a, _, _, _ = self.o.rows[operand >> 2]
            if op == Op.MAIN:
                return self._add(Condition("main", (), "", ()))
            if op == Op.NOT:
                inner = self.condition(a)
                return self._add(Condition("not", (), "", (inner,))) if inner else 0
            if op in (Op.AND, Op.OR):
                parts = tuple(self.condition(one) for one in self.o.lists[a])
                return self._add(Condition("and" if op == Op.AND else "or", (), "", parts)) if any(parts) else 0
        if operand & 3 in (PATH, ROW):
            atoms = outward(self.value(operand))
            if any((":" in atom and atom[0] not in "@*") or atom in ("True", "False") for atom in atoms):
                named = self.spelling(operand)
                return self._add(Condition("value", atoms, named, ()))
        return 0

    def spelling(self, operand: int) -> str:
        """Return how a path that is read was written; "" for anything else."""
        if operand & 3 == ROW:
            op, a, _, _, _ = self.o.rows[operand >> 2]
            return self.spelling(a) if op == Op.READ else ""
        return self.o.strings[operand >> 2] if operand & 3 == PATH else ""

    def _add(self, condition: Condition) -> int:
        self.conditions.append(condition)
        return len(self.conditions) - 1

    def guarded(self, condition: int, negated: bool, outer: int) -> int:
        """Return the guard of an arm."""
        if not condition:
            return outer
        self.guards.append(Guard(outer, condition, negated))
        return len(self.guards) - 1

    def flags(self) -> int:
        """Return when, and whether optional, what stands here runs."""
        return (Flag.DEFERRED if self.scope else Flag.MODULE) | (Flag.OPTIONAL if self.optional else 0)

    def use(
        self,
        verb: int,
        value: Atoms,
        place: int,
        arguments: Iterable[Atoms] = (),
        named: Iterable[tuple[str, Atoms]] = (),
        bits: int = 0,
        by: str = "",
    ) -> bool:
        """Note that something is done with a value, and say whether there is anything to note."""
        if self.dead:
            return False
        for atom in value:
            if isinstance(atom, str) and atom[0] == "@" and "." in atom:
                self._note_change(atom, bits)
        scope = self.class_stack[-1][1] if self.class_stack else self.scope
        bits |= Bit.WAITING if self.waiting else 0
        return self.record.use(verb, value, (scope, self.o.places[place], self.guard), bits, arguments, named, by)

    def _note_change(self, atom: str, bits: int) -> None:
        """Note what may be in an attribute of a class of this file, where its collection or `__dict__` is changed."""
        owner, _, steps = atom.partition(":")
        held, _, done = steps.rpartition(".")
        if bits & Bit.ITEM:
            held = steps
        elif done not in CHANGES:
            return
        if held.endswith("__dict__"):
            if self.scope_name().rpartition(".")[2] not in _RESTORERS:
                self.record.open_class(owner)
        else:
            self.record.grown.add(held.rpartition(".")[2])

    def is_changed_elsewhere(self, name: str) -> bool:
        """Say whether a name of the module holds a display of other things than texts that a function changes."""
        atoms = self.final[name]
        displays = [atom for atom in atoms if isinstance(atom, int)]
        held = [part for at in displays for _, part in (*self.parts.get(at, ()), *self.tables.get(at, ()))]
        return bool(displays) and not any(isinstance(one, int) or one[0] in "'~" for part in held for one in part)

    def scope_name(self) -> str:
        """Return the qualname of the scope that holds the current row."""
        if self.class_stack:
            return self.o.strings[self.o.scopes[self.class_stack[-1][1]].qualname]
        return self.o.strings[self.o.scopes[self.scope].qualname]


def _applied_names(outline: Outline) -> frozenset[str]:
    """Return the plain names that a call gives, and that the file calls, enters, decorates with, or returns."""
    strings, rows, lists = outline.strings, outline.rows, outline.lists
    given: set[str] = set()
    operands: list[int] = []
    for row in rows:
        if row[0] in (Op.CALL, Op.RETURN, Op.WITH):
            operands.append(row[1])
        elif row[0] in (Op.DEF, Op.END_CLASS):
            operands += lists[row[3 if row[0] == Op.DEF else 1]][::2]
        elif row[0] == Op.BIND and row[2] & 3 == ROW and rows[row[2] >> 2][0] == Op.CALL:
            given.add(strings[row[1]])
    read = (rows[one >> 2][1] if one & 3 == ROW and rows[one >> 2][0] == Op.READ else one for one in operands)
    return frozenset(given.intersection(strings[one >> 2] for one in read if one & 3 == PATH))


def outward(atoms: Atoms) -> Value:
    """Return the atoms that mean something outside this file."""
    shown = {str(atom) if _is_outward(atom) else "?" for atom in atoms if not _is_put_in(atom)}
    return tuple(sorted(shown or {"?"}))


def _is_put_in(atom: Atom) -> bool:
    """Say whether an atom is what functions put into a container, which matters to uses only."""
    return isinstance(atom, str) and HELD in atom


def _is_outward(atom: Atom) -> bool:
    """Say whether an atom is one of `meaning.py`: a path with steps is not."""
    if isinstance(atom, int) or atom[:1] in "[{$^!=/*+%><;":
        return False
    return "(" not in atom and not (atom[0] == "@" and ":" in atom) and "[" not in atom


def texts_of(atoms: Atoms) -> set[str]:
    """Return the texts among the atoms, and "?" for all others."""
    seen = (atom for atom in atoms if not _is_put_in(atom))
    return {atom if isinstance(atom, str) and atom.startswith("'") else "?" for atom in seen} or {"?"}


def attribute_of(atoms: Atoms, rest: str) -> Atoms:
    """Return what the attribute (or dotted rest) of these values may be."""
    return _step(atoms, "." + rest)


def call_of(atoms: Atoms) -> Atoms:
    """Return what a call of these values gives."""
    return _step(atoms, "()")


def element_of(atoms: Atoms) -> Atoms:
    """Return what an element or an item of these values may be."""
    held: set[Atom] = {atom[1:] for atom in atoms if isinstance(atom, str) and atom[0] == "*"}
    others = frozenset(atom for atom in atoms if isinstance(atom, int) or atom[0] != "*")
    return _step(others, "[]").union(held) if others or not held else frozenset(held)


def part_of(atoms: Atoms) -> Atoms:
    """Return what a slice of these values gives."""
    return _step(atoms, "[*]")


def _step(atoms: Atoms, step: str) -> Atoms:
    if len(atoms) == 1:
        (atom,) = atoms
        return frozenset((_stepped(atom, step) or "?",))
    found = {_stepped(atom, step) for atom in atoms}
    found.discard("")
    return frozenset(found) or ANY


def _stepped(atom: Atom, step: str) -> str:
    """Return a path with one step more; "" for what has none."""
    if isinstance(atom, str) and atom[0] in "*%":
        return _of_collection(atom, step)
    if isinstance(atom, str) and atom[0] == ">":
        return atom[1:] if step == "()" else "?"
    if isinstance(atom, str) and atom[0] == UNLESS:
        return atom
    if isinstance(atom, int) or atom[0] in _NO_ATTRIBUTES or len(atom) > _LONGEST_PATH:
        return "?"
    if ":" in atom:
        return atom + (step if atom[-1] != ":" else step.removeprefix("."))
    return "" if atom in _NOTHING_BELOW else f"{atom}:{step.removeprefix('.')}"


def _of_collection(atom: str, step: str) -> str:
    """Return what a step gives of a collection (`*x`), or of one of its methods (`%get*x`)."""
    if atom[0] == "*":
        if step == "[*]":
            return atom
        return f"%{step[1:]}{atom}" if step[0] == "." and "." not in step[1:] else "?"
    method, _, held = atom[1:].partition("*")
    if step != "()":
        return "?"
    if method in GIVE_ITEM:
        return held
    if method in GIVE_SAME:
        return f"*{held}"
    return f"**{held}" if method == "items" else f"*{held}" if method == "popitem" else "?"


def merged(envs: list[Env]) -> Env:
    """Return the union of environments; a name that one of them lacks may be unbound."""
    first, *others = envs
    for other in others:
        merged = dict(first)
        for name, atoms in other.items():
            mine = first.get(name, UNBOUND)
            if mine is not atoms:
                merged[name] = mine | atoms
        for name in first.keys() - other.keys():
            merged[name] = first[name] | UNBOUND
        first = merged
    return first


def elements(r: Reading, atoms: Iterable[Atom]) -> Atoms:
    """Return what an element of these values may be; of a table, what its keys are."""
    found: set[Atom] = set()
    todo, seen = list(atoms), set[Atom]()
    while todo:
        atom = todo.pop()
        if atom in seen:
            continue
        seen.add(atom)
        if isinstance(atom, int):
            found.update(*(part for splat, part in r.parts.get(atom, ()) if not splat))
            found.update(*(key for key, _ in r.tables.get(atom, ())))
            todo += [one for splat, part in r.parts.get(atom, ()) if splat for one in part - EARLY]
        else:
            found |= frozenset((atom,)) if atom.startswith("{") else element_of(frozenset((atom,)))
    return frozenset(found) or ANY


def is_collection(atoms: Atoms) -> bool:
    """Say whether a value may be a display that we follow, or another module's `__all__`."""
    return any(isinstance(atom, int) or atom.endswith(":__all__") for atom in atoms)


def is_splat(r: Reading, operand: int) -> bool:
    """Say whether an operand is `*value` or `**value`."""
    return operand & 3 == ROW and r.o.rows[operand >> 2][0] == Op.SPLAT


def item_of(r: Reading, base: Atoms, key: Atoms) -> Atoms:
    """Return what a table holds under a key, or a sequence at a place that is not known."""
    found: set[Atom] = set()
    for atom in base:
        pairs = r.tables.get(atom, ()) if isinstance(atom, int) else ()
        if not pairs:
            found |= elements(r, frozenset((atom,)))
        elif key == {"$"}:
            found.add(f"[{atom}")
        elif all(map(_is_constant, key)):
            values = [value for one, value in pairs if one & key or not all(map(_is_constant, one))]
            found.update(*values) if values else found.add("?")
        else:
            found.update(ANY, *(value for _, value in pairs if not any(isinstance(held, int) for held in value)))
    return frozenset(found)


def _is_constant(atom: Atom) -> bool:
    return isinstance(atom, str) and atom[0] in "'#"
