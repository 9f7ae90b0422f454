"""What does a value stand for in the end, once every scope and module is known?

`Origins` answers what a `Provenance` leaves symbolic, by rewriting: an access path is followed one step at a time
until nothing of this codebase is left to look into. Each question explores what it can reach, each place once, so that
circles need no care and an answer does not depend on what was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from abutment.model.selector import nearest
from abutment.semantics.ancestry import ENUM, Ancestry
from abutment.semantics.entries import End, Entries
from abutment.semantics.hierarchy import Hierarchy, Holder, Receiver
from abutment.semantics.meaning import Meaning, Value
from abutment.semantics.names import Names, Read, Search
from abutment.semantics.outside import Outside
from abutment.semantics.provenance import GIVE_ITEM, GIVE_SAME, FunctionRow, Provenance, Trait
from abutment.semantics.uses import ClassNames, Parameters, canonical

_MOST_STEPS = 5_000  # that one question may take
_MOST_ROUNDS = 4  # in which one path may come by a variable or an attribute again, each time with more to do
_MOST_RETURNS = 8  # of all paths of one question to one variable or attribute, each with more to do than before
_STEP = re.compile(r"\.?(?P<name>[^.(\[]+)|\(\)|\[\*?\]")
_ENTERED = re.compile(r"\.__a?enter__\(\)")
_FROM_STACK = re.compile(r"ExitStack\(\)\.enter_(async_)?context\(\)")
# What a collection gives, by what is done with it.
_ELEMENTS = ("[]", *(f".{name}()" for name in sorted(GIVE_ITEM)), ".items()[][]", ".popitem()[]")
_SAME_KIND = ("[*]", *(f".{name}()" for name in sorted(GIVE_SAME)))
# What is taken out of an object: an attribute or item of what a call gave, or of an element.
_TAKEN_OUT = re.compile(r"\(\)[.(\[]|\[\*?\]")
_TAKEN_FROM = re.compile(r"[$%&)\]][^.(\[]*[.(\[]|\[")  # the same in an access path: of a parameter, an instance, …
_TYPING = ("typing.", "typing_extensions.")

# Classes from outside that add nothing that anybody would name.
_BARE = ("builtins.object", "abc.ABC", *(f"{one}{name}" for one in _TYPING for name in ("Protocol", "Generic")))

_UNSEEN = frozenset("?")
# How attributes are looked up on what a step gives: an instance, `self`, `super()`, `cls`, `super()` in a class method.
_RECEIVERS = {
    "()": Receiver(),
    "&": Receiver(is_below=True),
    "^": Receiver(is_below=True, is_past=True),
    "&&": Receiver(is_class=True, is_below=True),
    "^^": Receiver(is_class=True, is_below=True, is_past=True),
}
_CLASS = Receiver(is_class=True)


class _Trail(NamedTuple):
    """The variables and attributes by which a question came to where it is, the last one first."""

    place: tuple[str, str]
    length: int  # of what was still to be done there
    before: _Trail | None


class _OriginSearch(Search):
    """A search that goes on through definitions."""

    def __init__(self, origins: Origins, judges: bool) -> None:
        super().__init__()
        self._origins, self._judges = origins, judges
        self.ends: set[End] = set()
        self.doubted: _OriginSearch | None = None  # a search of which `?` is no answer
        self._trail: _Trail | None = None
        self._trails: dict[tuple[str, str, str], _Trail | None] = {}  # by which each name was come to first
        self._visits: dict[tuple[str, str], int] = {}
        self._returns: dict[tuple[str, str], int] = {}

    def look_up(self, module: str, name: str, rest: str = "") -> None:
        """Note a name to be followed, and by what it is come to."""
        self._trails.setdefault((module, name, rest), self._trail)
        super().look_up(module, name, rest)

    def begin(self, node: tuple[str, str, str]) -> None:
        """Go on from a name that was noted."""
        self._trail = self._trails.get(node)

    def comes_by(self, module: str, place: str, rest: str) -> bool:
        """Say whether to go on from a variable or an attribute; where not, there is more than can be seen.

        What is defined by itself (`node = node.next`) would give a longer path each time round.
        """
        visited, before = (module, place), self._trail
        self._trail = _Trail(visited, len(rest), before)
        visits = self._visits[visited] = self._visits.get(visited, 0) + 1
        if visits > _MOST_ROUNDS and self._is_too_long(visited, len(rest), before):
            self.found.add("?")
            return False
        return True

    def _is_too_long(self, visited: tuple[str, str], length: int, trail: _Trail | None) -> bool:
        """Say whether this path came by a place too often, with less to do; many others may come by it, too."""
        rounds = 0
        while trail is not None and rounds < _MOST_ROUNDS:
            rounds += trail.place == visited and trail.length < length
            trail = trail.before
        if rounds:
            self._returns[visited] = self._returns.get(visited, 0) + 1
        return rounds >= _MOST_ROUNDS or self._returns.get(visited, 0) > _MOST_RETURNS

    def table(self, meaning: Meaning, name: str, bound: Value) -> Value:
        """Return what a module's table holds under a name, with all that `Meaning` leaves out."""
        found = self._origins.entries.in_table(meaning.module, name)
        if found is None:
            return bound
        return (*found, "-") if "-" in bound else found

    def definition(self, module: str, atom: str, rest: str) -> None:
        """Go on from a definition, a path below it, or a collection."""
        if atom[0] == "*":
            self._collection(module, atom[1:], rest)
            return
        if atom[0] == "+":
            self._doubt(module, atom[1:], rest)
            return
        if atom[0] == ">":
            self._callable(module, atom[1:], rest)
            return
        base, _, steps = atom.partition(":")
        steps += rest if steps else rest.removeprefix(".")
        self.look_up(module, base, steps)

    def _doubt(self, module: str, atom: str, rest: str) -> None:
        """Follow a value beside which a declaration is trusted: what of it cannot be seen adds nothing."""
        if self._judges and self._origins.is_unseen(module, atom):
            return
        if self.doubted is None:
            self.doubted = _OriginSearch(self._origins, self._judges)
            self.doubted.doubted = self.doubted
        self.doubted._trail = self._trail
        if ":" not in atom and rest:
            atom, rest = f"{atom}:{rest.removeprefix('.')}", ""
        self._origins.names.follow(module, atom, rest, self.doubted)

    def _collection(self, module: str, held: str, rest: str) -> None:
        """Go on from a collection of `held`."""
        for step in _ELEMENTS:
            if rest.startswith(step):
                self._origins.names.follow(module, held, rest[len(step) :], self)
                return
        for step in _SAME_KIND:
            if rest.startswith(step):
                self.definition(module, "*" + held, rest[len(step) :])
                return
        if rest:
            self.found.add("?")
        else:
            self.ends.add((module, "*" + held))

    def _callable(self, module: str, given: str, rest: str) -> None:
        """Go on from something that gives `given` when it is called."""
        if rest.startswith("()"):
            self._origins.names.follow(module, given, rest[2:], self)
        else:
            self.found.add("?")

    def constant(self, atom: str, rest: str) -> None:
        """Note a constant; what is done with `None` fails, so nothing comes of it."""
        if atom != "None" or not rest:
            super().constant(atom, rest)

    def outside(self, module: str, steps: str) -> None:
        """Note what lies outside of the codebase."""
        self.found.update(_simplified(f"{module}.{steps}"))


def _is_unseen(end: End) -> bool:
    """Say whether nobody can tell of what class an end is: also what is taken out of an object from outside."""
    module, atom = end
    return not module and (atom == "?" or (atom[0] not in "'~#" and _TAKEN_OUT.search(atom) is not None))


def _simplified(path: str) -> set[str]:
    """Return a path outside of the codebase without what a `with` does: it is taken to give what it entered.

    A factory may give anything; a class, known by its capital letter (PEP 8), is taken to give its instance.
    """
    path = path.replace("().__class__", "")
    unsure = False
    while found := _ENTERED.search(path):
        entered = path[: found.start()]
        name = entered.removesuffix("()").rpartition(".")[2]
        unsure = unsure or not (name[:1].isupper() or entered == "builtins.open()")
        path = entered + path[found.end() :]
    if _FROM_STACK.search(path):  # what it was given to enter
        return {"?"}
    if "()" in path and path.startswith(_TYPING):  # nothing there has instances of its own
        return {"?"}
    return {path, "?"} if unsure else {path}


class _Told(NamedTuple):
    """What one atom stands for, and the names of this codebase by which that is found."""

    origins: frozenset[str]
    ways: frozenset[str]


class Origins:
    """What values stand for, across modules."""

    def __init__(self, names: Names, provenances: Mapping[str, Provenance]) -> None:
        self.names, self.provenances = names, provenances
        self.entries = Entries(names, provenances)
        self.limited: set[str] = set()  # modules in which a question led too far to be answered
        self.reads: dict[str, set[Read]] = {}  # by module: what decided about the values that are written there
        self.hierarchy = Hierarchy(self.entries, self._ends_apart)
        self.set_outside = Outside(self.entries, self.hierarchy, self._ends_apart)
        self._made: set[tuple[str, Value]] = set()  # attributes of which it is being worked out what makes them
        self._known: dict[tuple[str, str], _Told] = {}
        self._unseen: dict[tuple[str, str], tuple[bool, set[Read]]] = {}  # with what decided about it
        self._ways: set[str] = set()  # what the value is come by that is being followed

    def resolve(self, module: str, value: Value) -> frozenset[str]:
        """Return the origins of a value that is written in `module`.

        `pkg.mod` a first-party module, `pkg.mod:C.m` a definition, `pkg.mod:C()` an instance, `requests.Session().get`
        something outside, `'text` a text, `None`; `?` for what cannot be seen.
        """
        if len(value) == 1:
            return self._told(module, value[0]).origins or _UNSEEN
        return frozenset[str]().union(*(self._told(module, atom).origins for atom in value)) or _UNSEEN

    def ways(self, module: str, value: Value) -> frozenset[str]:
        """Return the names of this codebase by which a value comes, dotted, with what follows (`m.make().field`)."""
        return frozenset[str]().union(*(self._told(module, atom).ways for atom in value))

    def _told(self, module: str, atom: str) -> _Told:
        """Return all that is asked of an atom: following it is what takes time, so that is done once for both."""
        known = self._known.get((module, atom))
        if known is None:
            self._ways = set()
            with self.noted(module):
                origins = frozenset(map(_shown, self.ends(module, (atom,))))
            known = self._known[module, atom] = _Told(origins, frozenset(map(canonical, self._ways)))
        return known

    @contextmanager
    def noted(self, module: str) -> Iterator[None]:
        """Note what is looked at meanwhile as what the module depends on."""
        with self.entries.noted(self.reads.setdefault(module, set())):
            yield

    def origins_of(self, path: str) -> frozenset[str]:
        """Return what a dotted path may stand for; nothing for a module, and for what lies outside of the codebase."""
        module, value = self._parted(path)
        return self.resolve(module, value) if value else frozenset()

    def _parted(self, path: str) -> tuple[str, Value]:
        """Return the module that a dotted path leads into, and what it names there."""
        module = nearest(path, self.names.modules)
        return module, (f"{module}:{path[len(module) + 1 :]}",) if module and module != path else ()

    def names_in(self, path: str) -> ClassNames | None:
        """Return the names of a class, by its dotted path; None where it leads to no class of this codebase.

        What is defined twice (in a `try`, and in its `except`) has the names of both.
        """
        module, value = self._parted(path)
        ends = self.ends(module, value) if value else set()
        rows = [self.provenances.get(where) for where, _ in ends]
        if not ends or any(row is None or atom not in row.classes for row, (_, atom) in zip(rows, ends, strict=True)):
            return None
        found = [self._names_of(end) for end in ends]
        return ClassNames(
            frozenset().union(*(one.data for one in found)),
            frozenset().union(*(one.definitions for one in found)),
            any(one.is_open for one in found),
        )

    def _names_of(self, owner: End) -> ClassNames:
        ancestry = self.hierarchy.ancestry(owner)
        data, definitions = set[str](), set[str]()
        for where, atom in ancestry.classes:
            row = self.provenances[where] if where else None
            if row is not None:
                data.update(row.classes[atom].fields)
                for name, at in row.classes[atom].names.items():
                    is_defined = any(one[0] == "@" and ":" not in one for one in row.values[at])
                    (definitions if is_defined else data).add(name)
        unseen = any(not where and not (ENUM.search(base) or base in _BARE) for where, base in ancestry.classes)
        is_open = ancestry.is_open or unseen or "__getattr__" in definitions
        return ClassNames(frozenset(data - definitions), frozenset(definitions), is_open)

    def parameters_of(self, path: str) -> Parameters | None:
        """Return what a function may be given by name, by its dotted path; None where that cannot be told."""
        module, value = self._parted(path)
        ends = self.ends(module, value) if value else set()
        rows = [self.provenances[where].functions.get(atom) if where else None for where, atom in ends]
        functions = [row for row in rows if row is not None and not row.marks & Trait.OPEN]
        if not rows or len(functions) < len(rows):
            return None
        names = (name for row in functions for name in row.parameters[row.shape[0] : row.shape[1] + row.shape[2]])
        return Parameters(frozenset(names), any(row.shape[4] for row in functions))

    def _come_by(self, module: str, name: str, rest: str) -> None:
        self._ways.add(f"{module}:{name.removeprefix('@')}{rest}")

    def _bare_ends(self, module: str, value: Iterable[str], *, judges: bool = True) -> set[End]:
        """Return what a value is that is only looked at: nothing comes by it."""
        asked, self._ways = self._ways, set()
        found = self.ends(module, value, judges=judges)
        self._ways = asked
        return found

    def _ends_apart(self, module: str, value: Iterable[str]) -> set[End]:
        """Return what a value is for all who ask: what is being followed meanwhile makes no difference."""
        made, self._made = self._made, set()
        found = self._bare_ends(module, value)
        self._made = made
        return found

    def ends(self, module: str, value: Iterable[str], *, judges: bool = True) -> set[End]:
        """Return what `resolve` does, with first-party definitions as (module, atom and steps).

        With `judges`, what nobody can tell the class of is left out where the class is declared.
        """
        search = _OriginSearch(self, judges)
        for atom in value:
            self.names.follow(module, atom, "", search)
        found = self._finished(module, search)
        if search.doubted is not None:
            found |= self._finished(module, search.doubted) - {("", "?")}
        return found

    def is_unseen(self, module: str, atom: str) -> bool:
        """Say whether nobody can tell of what class a value is that is written in `module`."""
        if _TAKEN_FROM.search(atom) is None:
            return False
        if self._made or self.hierarchy.is_underway or self.set_outside.is_asking:  # what is told now is partial
            return self._tells_nothing(module, atom)
        known = self._unseen.get((module, atom))
        if known is None:
            reads = set[Read]()
            with self.entries.noted(reads):
                known = self._unseen[module, atom] = self._tells_nothing(module, atom), reads
        self.entries.note(known[1])
        return known[0]

    def _tells_nothing(self, module: str, atom: str) -> bool:
        """Say so with what in turn stands beside a declaration: no question leads to another one."""
        return all(map(_is_unseen, self._bare_ends(module, (atom,), judges=False)))

    def _finished(self, module: str, search: _OriginSearch) -> set[End]:
        """Carry a search out, and return what it found."""
        seen = search.seen
        while search.todo:
            node = search.todo.pop()
            if node in seen:
                continue
            seen.add(node)
            search.begin(node)
            if len(seen) + len(search.todo) > _MOST_STEPS:
                self.limited.add(module)
                return {("", "?")}
            self._go_on(*node, search)
        return search.ends | {("", one) for one in search.found}

    def _go_on(self, module: str, name: str, rest: str, search: _OriginSearch) -> None:
        if name[0] != "@":
            self._come_by(module, name, rest)
            self.names.expand(module, name, rest, search)
            return
        if module not in self.provenances:
            search.found.add("?")
        elif not rest:
            search.ends.add((module, name))
        elif rest[0] in "$%":
            self._variable(module, name, rest, search)
        elif self.entries.is_class(module, name):
            self._from_class(module, name, rest, search)
        elif (function := self.entries.function(module, name)) is not None:
            self._from_function(module, name, function, rest, search)
        else:
            search.found.add("?")

    # ---- functions

    def _variable(self, module: str, name: str, rest: str, search: _OriginSearch) -> None:
        """Go on from what a parameter, or a name of a loop, may hold."""
        step, rest = _parted(rest)
        self._push(module, f"{name}:{step}", rest, search)

    def _push(self, module: str, variable: str, rest: str, search: _OriginSearch) -> None:
        if search.comes_by(module, variable, rest):
            for atom in self.entries.variable(module, variable):
                self.names.follow(module, atom, rest, search)

    def _from_function(self, module: str, name: str, function: FunctionRow, rest: str, search: _OriginSearch) -> None:
        step, rest = _parted(rest)
        if step[0] == "=":
            given = self.entries.body_of(module, int(step[1:]))
            self._decorated(module, name, function, given, rest, search)
            return
        if step != "()":
            search.found.add("?")  # an attribute of a function
            return
        if function.marks & Trait.OPEN:
            search.found.add("?")
        entered = _ENTERED.match(rest)
        if function.marks & Trait.CONTEXT and entered:
            self._push(module, f"{name}:$yield", rest[entered.end() :], search)
        elif function.marks & Trait.CONTEXT:
            search.found.add("?")
        else:
            self._push(module, f"{name}:()", rest, search)

    def _decorated(
        self, module: str, name: str, function: FunctionRow, given: str, rest: str, search: _OriginSearch
    ) -> None:
        """Go on from what a decorator of this file makes of a definition: it may give back just that."""
        self._come_by(module, given.partition("#")[0], rest)
        same = f"{name}:${function.parameters[0]}" if function.parameters else ""
        for atom in self.entries.variable(module, f"{name}:()"):
            if same and atom.removeprefix("+") == same:
                self.names.follow(module, given, rest, search)
            else:
                self.names.follow(module, atom, rest, search)

    # ---- classes

    def _from_class(self, module: str, name: str, rest: str, search: _OriginSearch) -> None:
        step, after = _parted(rest)
        if step == "[]":  # a generic class with its arguments is the class
            search.look_up(module, name, after.removeprefix("."))
        elif step[0] == "=":  # it decorates something, which is to make an instance
            self._from_receiver((module, name), "()", after, search)
        elif step in _RECEIVERS:
            self._from_receiver((module, name), step, after, search)
        elif self.hierarchy.ancestry((module, name)).is_enum and not step.startswith("_"):
            self._member((module, name), step, after, search)
        else:
            self._attribute((module, name), step, after, search, _CLASS)

    def _from_receiver(self, owner: End, step: str, rest: str, search: _OriginSearch) -> None:
        """Go on from an instance of a class, from `self`, `cls` or `super()`."""
        module, atom = owner
        receiver = _RECEIVERS[step]
        if step == "()" and self.hierarchy.has(owner, "__new__"):
            self._attribute(owner, "__new__", "()" + rest, search, _CLASS)
        if not receiver.is_class:
            self._from_instance(owner, rest, search, receiver)
        elif not rest:
            self._each_below(owner, search)
        elif rest.startswith(("()", "[]")):
            search.look_up(module, atom, ("&" if rest[0] == "(" else "&&") + rest[2:])
        else:
            self._attribute(owner, *_parted(rest), search, receiver)

    def _each_below(self, owner: End, search: _OriginSearch) -> None:
        """Note a class and all below it: what a class method is called on."""
        below = self.hierarchy.classes_below(owner)
        search.ends.add(owner)
        if below is None:
            search.found.add("?")
        else:
            search.ends.update(below)

    def _member(self, owner: End, name: str, rest: str, search: _OriginSearch) -> None:
        """Go on from a member of an enum, which is an instance of it, and not its value (Library Reference, enum)."""
        module, atom = owner
        held = self.entries.body(module, atom, name)
        if any(one[0] == "@" for one in held):  # a method, or a class
            self._attribute(owner, name, rest, search, _CLASS)
            return
        step, after = _parted(rest) if rest else ("", "")
        if held and step == "value":
            self._each(module, held, after, search)
        elif held and step and self.entries.body(module, atom, step):
            self._attribute(owner, step, after, search, Receiver())
        elif rest:
            search.found.add(f"{_shown(owner)}.{name}{rest}")
        else:
            search.ends.add((module, f"{atom}:{name}"))

    def _from_instance(self, owner: End, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        module, name = owner
        if self.hierarchy.ancestry(owner).is_open or (rest and self.hierarchy.has(owner, "__getattribute__")):
            search.found.add("?")
        if not rest:
            search.ends.add((module, f"{name}:{'&' if receiver.is_below else '()'}"))
            return
        step, after = _parted(rest)
        if step == "()":
            self._attribute(owner, "__call__", "()" + after, search, receiver)
        elif step == "[*]":
            self._attribute(owner, "__getitem__", "()" + after, search, receiver)
        elif step == "[]":
            has_iter = self.hierarchy.has(owner, "__iter__")
            if has_iter:
                self._attribute(owner, "__iter__", "()[]" + after, search, receiver)
            if not has_iter or self.hierarchy.has(owner, "__getitem__"):
                self._attribute(owner, "__getitem__", "()" + after, search, receiver)
        elif step == "__class__":
            search.look_up(module, name, f"&&{after}" if receiver.is_below else after.removeprefix("."))
        else:
            self._attribute(owner, step, after, search, receiver)

    def _attribute(self, owner: End, name: str, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        """Go on from an attribute: what is set on instances anywhere above, and what the nearest class body has."""
        if not search.comes_by(owner[0], f"{owner[1]}.{name}", rest):
            return
        settings = self.set_outside.of(owner, name)
        if settings is None:
            search.found.add("?")
        for setting in settings or ():
            self._each(setting.module, setting.value, rest, search)
        for holder in self.hierarchy.holders(owner, name, receiver):
            if holder.how != "missing" or not settings:
                self._from_holder(holder, owner, name, rest, search, receiver)

    def _from_holder(
        self, holder: Holder, owner: End, name: str, rest: str, search: _OriginSearch, receiver: Receiver
    ) -> None:
        how, (module, atom) = holder
        if how == "outside":
            self._from_outside(owner, atom, name, rest, search, receiver)
        elif how == "missing":
            self._missing(owner, name, rest, search, receiver)
        elif how == "unseen":
            search.found.add("?")
        else:
            self._come_by(module, f"{atom}.{name}", rest)
            found = self.entries.attribute(module, atom, name)
            if how == "field":
                self._each(module, found.field or (), rest, search)
            else:
                held = found.body or ()
                self._each(module, held, rest, search, called=not receiver.is_class)
                self._by_descriptor(module, held, rest, search)

    def _by_descriptor(self, module: str, held: Value, rest: str, search: _OriginSearch) -> None:
        """Go on from what a class's attribute gives that is an instance of a class with a `__get__`."""
        made = [atom for atom in held if atom.endswith("()") or ":=" in atom]
        if not made or (module, held) in self._made or not self.entries.having("__get__"):
            return
        self._made.add((module, held))
        for where, atom in sorted(self._bare_ends(module, made)):
            base, _, steps = atom.partition(":")
            is_instance = steps == "()" and where and self.entries.is_class(where, base)
            if is_instance and self.hierarchy.has((where, base), "__get__"):
                self._attribute((where, base), "__get__", "()" + rest, search, _RECEIVERS["()"])
        self._made.discard((module, held))

    def _each(self, module: str, held: Value, rest: str, search: _OriginSearch, *, called: bool = False) -> None:
        for atom in held:
            if called and atom[0] == "@" and _is_property(self.entries.function(module, atom)):
                self.names.follow(module, f"{atom}:()", rest, search)
            else:
                self.names.follow(module, atom, rest, search)

    @staticmethod
    def _from_outside(owner: End, base: str, name: str, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        """Go on from an attribute that a class outside of the codebase may have."""
        of_instance = not receiver.is_class
        entered = _ENTERED.match(f".{name}{rest}")
        if of_instance and entered:  # what is entered is the instance itself, also of a class of ours
            module, atom = owner
            search.look_up(module, atom, "()" + f".{name}{rest}"[entered.end() :])
        elif base == "?":
            search.found.add("?")
        elif base != "builtins.object":
            search.found.update(_simplified(f"{base}{'()' if of_instance else ''}.{name}{rest}"))

    def _missing(self, owner: End, name: str, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        """Note an attribute that no class has: certainly none where all of them are known."""
        ancestry = self.hierarchy.ancestry(owner)
        entered = _ENTERED.match(f".{name}{rest}")
        of_instance = not receiver.is_class
        if of_instance and entered:  # `closing`, which needs no `__enter__`
            search.look_up(owner[0], owner[1], "()" + f".{name}{rest}"[entered.end() :])
        elif (
            ancestry.is_open
            or name == "__getattr__"
            or self.entries.is_set_on_unknown(name)
            or (of_instance and self._may_answer_any(ancestry))
        ):
            search.found.add("?")
        elif not receiver.is_below:
            search.found.add(f"{_shown(owner)}{'()' if of_instance else ''}.{name}{rest}")
        elif not (self.hierarchy.is_overridden(owner, name) and self.hierarchy.is_closed_below(owner)):
            search.found.add("?")  # a class below may have it

    def _may_answer_any(self, ancestry: Ancestry) -> bool:
        ours = ((module, atom) for module, atom in ancestry.classes if module)
        return any(self.entries.attribute(*one, "__getattr__").body is not None for one in ours)


def _is_property(row: FunctionRow | None) -> bool:
    return row is not None and bool(row.marks & Trait.PROPERTY)


def _parted(steps: str) -> tuple[str, str]:
    """Return the first step without its dot, and the rest."""
    found = _STEP.match(steps)
    if found is None:  # no path that the engine writes
        raise ValueError(f"no access path: {steps!r}")
    return found["name"] or found[0], steps[found.end() :]


def _shown(end: End) -> str:
    """Return an end as text."""
    module, atom = end
    if not module:
        return atom.replace("[*]", "[]")
    if atom[0] == "*":
        return "?"
    base, _, steps = atom.partition(":")
    steps = "()" if steps == "&" else steps.replace("[*]", "[]")
    dot = "." if steps and steps[0] != "(" else ""
    name = base[1:] if "<lambda>#" in base else base[1:].partition("#")[0]  # lambdas of one function are told apart
    return f"{module}:{name}{dot}{steps}"
