"""What does a value stand for in the end, once every scope and module is known?

`Origins` answers what a `Provenance` leaves symbolic, by rewriting: an access path is followed one step at a time
until nothing of this codebase is left to look into. Each question explores what it can reach, each place once, so that
circles need no care and an answer does not depend on what was asked before.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from abutment.semantics.meaning import Meaning, Value
from abutment.semantics.names import Names, Search
from abutment.semantics.provenance import ClassRow, FunctionRow, Provenance, Trait
from abutment.semantics.uses import ClassNames, canonical

_MOST_STEPS = 5_000  # that one question may take
_MOST_ROUNDS = 4  # that one question may come by a variable or an attribute, each time with more to do
_STEP = re.compile(r"\.?(?P<name>[^.(\[]+)|\(\)|\[\]")
_ENTERED = re.compile(r"\.__a?enter__\(\)")
# What a collection gives, by what is done with it.
_ELEMENTS = ("[]", ".get()", ".pop()", ".popleft()", ".setdefault()", ".values()[]", ".copy()[]", ".popitem()[]")
_SAME_KIND = (".copy()", ".values()")
_TYPING = ("typing.", "typing_extensions.")
_ENUM = re.compile(r"^enum\.(Int|Str|Re)?(Enum|Flag)$|\.(Integer|Text)?Choices$")

_UNSEEN = frozenset("?")

End = tuple[str, str]  # (module, `@definition:steps`), or ("", what is outside of the codebase, a constant, or `?`)


class _OriginSearch(Search):
    """A search that goes on through definitions."""

    def __init__(self, origins: Origins) -> None:
        super().__init__()
        self._origins = origins
        self.ends: set[End] = set()
        self.doubted: _OriginSearch | None = None  # a search of which `?` is no answer
        self._rounds: dict[tuple[str, str], int] = {}

    def comes_by(self, module: str, place: str) -> bool:
        """Say whether to go on from a variable or an attribute; where not, there is more than can be seen.

        What is defined by itself (`node = node.next`) would give a longer path each time round.
        """
        rounds = self._rounds[module, place] = self._rounds.get((module, place), 0) + 1
        if rounds > _MOST_ROUNDS:
            self.found.add("?")
        return rounds <= _MOST_ROUNDS

    def table(self, meaning: Meaning, name: str, bound: Value) -> Value:
        """Return what a module's table holds under a name, with all that `Meaning` leaves out."""
        row = self._origins.provenances.get(meaning.module)
        if row is None or name not in row.names:
            return bound
        found = row.values[row.names[name]]
        return (*found, "-") if "-" in bound else found

    def definition(self, module: str, atom: str, rest: str) -> None:
        """Go on from a definition, a path below it, or a collection."""
        if atom[0] == "*":
            self._collection(module, atom[1:], rest)
            return
        if atom[0] == "+":
            self._doubt(module, atom[1:], rest)
            return
        base, _, steps = atom.partition(":")
        steps += rest if steps else rest.removeprefix(".")
        self.look_up(module, base, steps)

    def _doubt(self, module: str, atom: str, rest: str) -> None:
        """Follow a value beside which a declaration is trusted: what of it cannot be seen adds nothing."""
        if self.doubted is None:
            self.doubted = _OriginSearch(self._origins)
            self.doubted.doubted = self.doubted
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

    def constant(self, atom: str, rest: str) -> None:
        """Note a constant; what is done with `None` fails, so nothing comes of it."""
        if atom != "None" or not rest:
            super().constant(atom, rest)

    def outside(self, module: str, steps: str) -> None:
        """Note what lies outside of the codebase."""
        self.found.update(_simplified(f"{module}.{steps}"))


def _simplified(path: str) -> set[str]:
    """Return a path outside of the codebase without what a `with` does: it is taken to give what it entered.

    A factory may give anything; a class, known by its capital letter (PEP 8), is taken to give its instance.
    """
    unsure = False
    while found := _ENTERED.search(path):
        entered = path[: found.start()]
        name = entered.removesuffix("()").rpartition(".")[2]
        unsure = unsure or not (name[:1].isupper() or entered == "builtins.open()")
        path = entered + path[found.end() :]
    if "()" in path and path.startswith(_TYPING):  # nothing there has instances of its own
        return {"?"}
    return {path, "?"} if unsure else {path}


class Receiver(Enum):
    """What an attribute is looked up on."""

    CLASS = 0
    INSTANCE = 1
    BELOW = 2  # an instance of the class, or of one below it: `self`
    PAST = 3  # an instance, past the class itself: `super()`


@dataclass(frozen=True, slots=True)
class Ancestry:
    """A class and all above it, in the order in which attributes are looked up."""

    classes: tuple[End, ...]  # first-party ones as (module, atom); others as ("", path)
    is_open: bool  # whether one of them is not known, or may have been replaced
    is_enum: bool


class Origins:
    """What values stand for, across modules."""

    def __init__(self, names: Names, provenances: Mapping[str, Provenance]) -> None:
        self.names, self.provenances = names, provenances
        self.limited: set[str] = set()  # modules in which a question led too far to be answered
        self._ancestry: dict[End, Ancestry] = {}
        self._overridden: dict[tuple[End, str], bool] = {}
        self._underway: set[End] = set()  # classes whose ancestry is being worked out …
        self._came_back: set[End] = set()  # … and those of them that this led back to
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._ways: set[str] | None = None  # what is come by, while somebody asks for it

    def resolve(self, module: str, value: Value) -> frozenset[str]:
        """Return the origins of a value that is written in `module`.

        `pkg.mod` a first-party module, `pkg.mod:C.m` a definition, `pkg.mod:C()` an instance, `requests.Session().get`
        something outside, `'text` a text, `None`; `?` for what cannot be seen.
        """
        if len(value) == 1:
            return self._origins(module, value[0]) or _UNSEEN
        return frozenset[str]().union(*(self._origins(module, atom) for atom in value)) or _UNSEEN

    def _origins(self, module: str, atom: str) -> frozenset[str]:
        known = self._known.get((module, atom))
        if known is None:
            known = self._known[module, atom] = frozenset(_shown(end) for end in self.ends(module, (atom,)))
        return known

    def ways(self, module: str, value: Value) -> frozenset[str]:
        """Return the names of this codebase by which a value comes, dotted, with what follows (`m.make().field`)."""
        found = self._ways = set()
        self.ends(module, value)
        self._ways = None
        return frozenset(map(canonical, found))

    def origins_of(self, path: str) -> frozenset[str]:
        """Return what a dotted path may stand for; nothing for a module, and for what lies outside of the codebase."""
        module, value = self._parted(path)
        return self.resolve(module, value) if value else frozenset()

    def _parted(self, path: str) -> tuple[str, Value]:
        """Return the module that a dotted path leads into, and what it names there."""
        module = path
        while module and module not in self.names.modules:
            module = module.rpartition(".")[0]
        return module, (f"{module}:{path[len(module) + 1 :]}",) if module and module != path else ()

    def names_in(self, path: str) -> ClassNames | None:
        """Return the names of a class, by its dotted path; None where it leads to no class of this codebase."""
        module, value = self._parted(path)
        ends = self.ends(module, value) if value else set()
        (end,) = ends if len(ends) == 1 else (("", ""),)
        if end[0] not in self.provenances or end[1] not in self.provenances[end[0]].classes:
            return None
        ancestry = self.ancestry(end)
        data, definitions = set[str](), set[str]()
        for where, atom in ancestry.classes:
            row = self.provenances[where] if where else None
            if row is not None:
                data.update(row.classes[atom].fields)
                for name, at in row.classes[atom].names.items():
                    (definitions if any(one[0] == "@" for one in row.values[at]) else data).add(name)
        is_open = ancestry.is_open or any(not where and not _ENUM.search(base) for where, base in ancestry.classes)
        return ClassNames(frozenset(data - definitions), frozenset(definitions), is_open)

    def _come_by(self, module: str, name: str, rest: str) -> None:
        if self._ways is not None:
            self._ways.add(f"{module}:{name.removeprefix('@')}{rest}")

    def ends(self, module: str, value: Iterable[str]) -> set[End]:
        """Return what `resolve` does, with first-party definitions as (module, atom and steps)."""
        search = _OriginSearch(self)
        for atom in value:
            self.names.follow(module, atom, "", search)
        found = self._finished(module, search)
        if search.doubted is not None:
            found |= self._finished(module, search.doubted) - {("", "?")}
        return found

    def _finished(self, module: str, search: _OriginSearch) -> set[End]:
        """Carry a search out, and return what it found."""
        seen = search.seen
        while search.todo:
            node = search.todo.pop()
            if node in seen:
                continue
            seen.add(node)
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
        row = self.provenances.get(module)
        if row is None:
            search.found.add("?")
        elif not rest:
            search.ends.add((module, name))
        elif rest[0] in "$%":
            self._variable(row, name, rest, search)
        elif name in row.classes:
            self._from_class(row, name, rest, search)
        elif name in row.functions:
            self._from_function(row, name, rest, search)
        else:
            search.found.add("?")

    # ---- functions

    def _variable(self, row: Provenance, name: str, rest: str, search: _OriginSearch) -> None:
        """Go on from what a parameter, or a name of a loop, may hold."""
        step, rest = _parted(rest)
        self._push(row, f"{name}:{step}", rest, search)

    def _push(self, row: Provenance, variable: str, rest: str, search: _OriginSearch) -> None:
        if not search.comes_by(row.module, variable):
            return
        at = row.variables.get(variable)
        for atom in row.values[at] if at is not None else ("?",):
            self.names.follow(row.module, atom, rest, search)

    def _from_function(self, row: Provenance, name: str, rest: str, search: _OriginSearch) -> None:
        function = row.functions[name]
        step, rest = _parted(rest)
        if step[0] == "=":
            self._decorated(row, name, row.scopes[int(step[1:])].atom, rest, search)
            return
        if step != "()":
            search.found.add("?")  # an attribute of a function
            return
        if function.marks & Trait.OPEN:
            search.found.add("?")
        entered = _ENTERED.match(rest)
        if function.marks & Trait.CONTEXT and entered:
            self._push(row, f"{name}:$yield", rest[entered.end() :], search)
        elif function.marks & Trait.CONTEXT:
            search.found.add("?")
        else:
            self._push(row, f"{name}:()", rest, search)

    def _decorated(self, row: Provenance, name: str, given: str, rest: str, search: _OriginSearch) -> None:
        """Go on from what a decorator of this file makes of a definition: it may give back just that."""
        parameters = row.functions[name].parameters
        same = f"{name}:${parameters[0]}" if parameters else ""
        for atom in row.values[row.variables[f"{name}:()"]] if f"{name}:()" in row.variables else ("?",):
            if same and atom.removeprefix("+") == same:
                self.names.follow(row.module, given, rest, search)
            else:
                self.names.follow(row.module, atom, rest, search)

    # ---- classes

    def _from_class(self, row: Provenance, name: str, rest: str, search: _OriginSearch) -> None:
        step, after = _parted(rest)
        if step == "[]":  # a generic class with its arguments is the class
            search.look_up(row.module, name, after.removeprefix("."))
        elif step == "()":
            self._from_instance((row.module, name), after, search, Receiver.INSTANCE)
        elif step == "&":
            self._from_instance((row.module, name), after, search, Receiver.BELOW)
        elif step == "^":
            self._from_instance((row.module, name), after, search, Receiver.PAST)
        elif self.ancestry((row.module, name)).is_enum and not step.startswith("_"):
            self._member((row.module, name), step, after, search)
        else:
            self._attribute((row.module, name), step, after, search, Receiver.CLASS)

    def _member(self, owner: End, name: str, rest: str, search: _OriginSearch) -> None:
        """Go on from a member of an enum, which is an instance of it, and not its value (Library Reference, enum)."""
        module, atom = owner
        row = self.provenances[module]
        held = self._in_body(row, row.classes[atom], name) or ()
        if any(one[0] == "@" for one in held):  # a method, or a class
            self._attribute(owner, name, rest, search, Receiver.CLASS)
            return
        step, after = _parted(rest) if rest else ("", "")
        if held and step == "value":
            self._each(row, held, after, search)
        elif held and step and self._in_body(row, row.classes[atom], step):
            self._attribute(owner, step, after, search, Receiver.INSTANCE)
        elif rest:
            search.found.add(f"{_shown(owner)}.{name}{rest}")
        else:
            search.ends.add((module, f"{atom}:{name}"))

    def _from_instance(self, owner: End, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        module, name = owner
        if self.ancestry(owner).is_open:
            search.found.add("?")
        if not rest:
            search.ends.add((module, f"{name}:{'&' if receiver is Receiver.BELOW else '()'}"))
            return
        step, after = _parted(rest)
        if step == "()":
            self._attribute(owner, "__call__", "()" + after, search, receiver)
        elif step == "[]":
            if self._has(owner, "__iter__"):
                self._attribute(owner, "__iter__", "()[]" + after, search, receiver)
            if self._has(owner, "__getitem__") or not self._has(owner, "__iter__"):
                self._attribute(owner, "__getitem__", "()" + after, search, receiver)
        elif step == "__class__":
            search.look_up(module, name, after.removeprefix("."))
        else:
            self._attribute(owner, step, after, search, receiver)

    def _attribute(self, owner: End, name: str, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        """Go on from an attribute: what is set on instances anywhere above, and what the nearest class body has."""
        if not search.comes_by(owner[0], f"{owner[1]}.{name}"):
            return
        ancestry = self.ancestry(owner)
        set_somewhere = in_a_body = False
        for module, atom in ancestry.classes[1 if receiver is Receiver.PAST else 0 :]:
            if not module:
                if not in_a_body and not set_somewhere:
                    self._from_outside(owner, atom, name, rest, search, receiver)
                continue
            row = self.provenances[module]
            found = row.classes[atom]
            fields = found.fields.get(name)
            if fields is not None:
                self._each(row, row.values[fields], rest, search)
                set_somewhere = set_somewhere or receiver is not Receiver.CLASS
            held = None if in_a_body else self._in_body(row, found, name)
            if fields is not None or held is not None:
                self._come_by(module, f"{atom}.{name}", rest)
            if held is not None:
                self._each(row, held, rest, search, called=receiver is not Receiver.CLASS)
                in_a_body = name not in found.perhaps
        if receiver is Receiver.BELOW and self._is_overridden(owner, name):
            search.found.add("?")
        outside = any(not module for module, _ in ancestry.classes)
        if not in_a_body and not set_somewhere and not outside:
            self._missing(owner, ancestry, name, rest, search, receiver)

    def _has(self, owner: End, name: str) -> bool:
        """Say whether a class of the codebase, or one above it there, has a name in its body."""
        rows = ((self.provenances[module], atom) for module, atom in self.ancestry(owner).classes if module)
        return any(self._in_body(row, row.classes[atom], name) for row, atom in rows)

    def _is_overridden(self, owner: End, name: str) -> bool:
        """Say whether a class below has an attribute of its own of that name."""
        known = self._overridden.get((owner, name))
        if known is None:
            others = (one for one in self._definers.get(name, ()) if one != owner)
            known = self._overridden[owner, name] = any(owner in self.ancestry(one).classes for one in others)
        return known

    @cached_property
    def _definers(self) -> dict[str, list[End]]:
        """Return the classes that have each name, in their body or on their instances."""
        found: dict[str, list[End]] = {}
        for row in self.provenances.values():
            for atom, one in row.classes.items():
                for name in {**one.names, **one.fields}:
                    found.setdefault(name, []).append((row.module, atom))
        return found

    @staticmethod
    def _in_body(row: Provenance, found: ClassRow, name: str) -> Value | None:
        at = found.names.get(name)
        held = row.values[at] if at is not None else ()
        return held or None

    def _each(self, row: Provenance, held: Value, rest: str, search: _OriginSearch, *, called: bool = False) -> None:
        for atom in held:
            if called and atom[0] == "@" and _is_property(row.functions.get(atom)):
                self.names.follow(row.module, f"{atom}:()", rest, search)
            else:
                self.names.follow(row.module, atom, rest, search)

    @staticmethod
    def _from_outside(owner: End, base: str, name: str, rest: str, search: _OriginSearch, receiver: Receiver) -> None:
        """Go on from an attribute that a class outside of the codebase may have."""
        of_instance = receiver is not Receiver.CLASS
        entered = _ENTERED.match(f".{name}{rest}")
        if of_instance and entered:  # what is entered is the instance itself, also of a class of ours
            module, atom = owner
            search.look_up(module, atom, "()" + f".{name}{rest}"[entered.end() :])
        elif base == "?":
            search.found.add("?")
        elif base != "builtins.object":
            search.found.update(_simplified(f"{base}{'()' if of_instance else ''}.{name}{rest}"))

    def _missing(
        self, owner: End, ancestry: Ancestry, name: str, rest: str, search: _OriginSearch, receiver: Receiver
    ) -> None:
        """Note an attribute that no class has: certainly none where all of them are known."""
        entered = _ENTERED.match(f".{name}{rest}")
        ours = [self.provenances[module].classes[atom] for module, atom in ancestry.classes if module]
        of_instance = receiver is not Receiver.CLASS
        if of_instance and entered:  # `closing`, which needs no `__enter__`
            search.look_up(owner[0], owner[1], "()" + f".{name}{rest}"[entered.end() :])
        elif (
            receiver is Receiver.BELOW  # a class below may have it
            or ancestry.is_open
            or name == "__getattr__"
            or (of_instance and any("__getattr__" in one.names for one in ours))
        ):
            search.found.add("?")
        else:
            search.found.add(f"{_shown(owner)}{'()' if of_instance else ''}.{name}{rest}")

    # ---- bases

    def ancestry(self, owner: End) -> Ancestry:
        """Return a class of the codebase with all above it (C3, as Python orders them).

        What a class is made of may lead back to the class itself; there, nothing is known of what is above it.
        """
        known = self._ancestry.get(owner)
        if known is not None:
            return known
        if owner in self._underway:
            self._came_back.add(owner)
            return Ancestry((owner,), is_open=True, is_enum=False)
        self._underway.add(owner)
        found: dict[End, Ancestry] = {}
        asked, self._ways = self._ways, None  # a value does not come by the bases of its class
        for one in self._bottom_up(owner):
            found[one] = self._ordered(one, found)
        self._ways = asked
        self._underway.discard(owner)
        self._came_back.discard(owner)
        if not self._came_back:  # otherwise it is partial, and another question may see more
            self._ancestry.update(found)
        return found.get(owner) or self._ancestry[owner]

    def _bottom_up(self, owner: End) -> list[End]:
        """Return the class and its first-party bases that are not known yet, bases first."""
        ordered: list[End] = []
        seen: set[End] = set()
        todo: list[tuple[End, bool]] = [(owner, False)]
        while todo:
            one, done = todo.pop()
            if done:
                ordered.append(one)
            elif one not in seen and one not in self._ancestry:
                seen.add(one)
                todo.append((one, True))
                todo.extend((base, False) for bases in self._bases(one) for base in bases if base[0])
        return ordered

    def _bases(self, owner: End) -> list[list[End]]:
        """Return each base of a class, as all that it may be."""
        module, atom = owner
        row = self.provenances[module]
        found: list[list[End]] = []
        for at in row.classes[atom].bases:
            value = tuple(one.removesuffix("[]").removesuffix(":") for one in row.values[at])
            found.append(sorted(self._class_of(end) for end in self.ends(module, value)))
        return found

    def _class_of(self, end: End) -> End:
        """Return a base that is a class; `?` for anything else that a base may be."""
        module, atom = end
        if not module:
            return ("", atom if atom[0] not in "?'~#*" and not atom.endswith("()") else "?")
        if atom[0] == "*":
            return ("", "?")
        return end if atom in self.provenances[module].classes else ("", "?")

    def _ordered(self, owner: End, known: Mapping[End, Ancestry]) -> Ancestry:
        module, atom = owner
        bases = self._bases(owner)
        is_open = self.provenances[module].classes[atom].is_open or any(len(one) != 1 for one in bases)
        sequences: list[list[End]] = []
        for one in bases:
            for base in one:
                above = (known.get(base) or self._ancestry.get(base)) if base[0] else None
                is_open = is_open or base[1] == "?" or (above is not None and above.is_open)
                # A class that is its own ancestor is one that Python refuses.
                sequences.append(list(above.classes) if above is not None else [base])
        sequences.append([base for one in bases for base in one])
        merged = (owner, *_merged(sequences))
        return Ancestry(merged, is_open, any(not where and _ENUM.search(path) for where, path in merged))


def _merged(sequences: list[list[End]]) -> list[End]:
    """Return the C3 merge (The Python 2.3 Method Resolution Order); in the order found where there is none."""
    merged: list[End] = []
    rest = [deque(sequence) for sequence in sequences if sequence]
    behind = Counter(one for sequence in sequences for one in sequence[1:])  # how often each stands in a tail
    while rest:
        chosen = next((sequence[0] for sequence in rest if not behind[sequence[0]]), None)
        if chosen is None:  # Python refuses such bases
            chosen = rest[0][0]
            rest = [deque(one for one in sequence if one != chosen) for sequence in rest]
            behind = Counter(one for sequence in rest for one in list(sequence)[1:])
        else:
            for sequence in rest:
                if sequence[0] == chosen:
                    sequence.popleft()
                    behind.subtract([sequence[0]] if sequence else ())
        merged.append(chosen)
        rest = [sequence for sequence in rest if sequence]
    return merged


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
        return atom
    if atom[0] == "*":
        return "?"
    base, _, steps = atom.partition(":")
    steps = "()" if steps == "&" else steps
    dot = "." if steps and steps[0] != "(" else ""
    return f"{module}:{base[1:].partition('#')[0]}{dot}{steps}"
