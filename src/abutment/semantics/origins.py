"""What does a value stand for in the end, once every scope and module is known?

`Origins` answers what a `Provenance` leaves symbolic, by rewriting: an access path is followed one step at a time
(`stepping.py`) until nothing of this codebase is left to look into. What names stand for that have an end is worked out
once for all questions (`components.py`); the others each question explores by itself, each name once. So circles need
no care, and an answer does not depend on what was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from abutment.model.selector import nearest
from abutment.semantics.ancestry import ENUM
from abutment.semantics.components import Component, Components, with_below
from abutment.semantics.descriptors import Standing
from abutment.semantics.entries import End, Entries, Noted
from abutment.semantics.following import Ground, Node, Step, Trailing
from abutment.semantics.hierarchy import Hierarchy
from abutment.semantics.meaning import Value
from abutment.semantics.names import Names, Read
from abutment.semantics.outside import Outside
from abutment.semantics.paths import TYPING, is_unseen, shown
from abutment.semantics.provenance import DECORATED, FunctionRow, Provenance, Trait
from abutment.semantics.reaching import Way, reached
from abutment.semantics.stepping import Stepping
from abutment.semantics.tabling import Tabling
from abutment.semantics.uses import ClassNames, Parameters, canonical

_MOST_STEPS = 5_000  # that one question may take, one path at a time
_MOST_NAMES = 80_000  # steps to which it may lead, once each place on the way is worked out by itself
_NEAR = 16  # names that are found again sooner than what they stand for is kept
# In an access path, what is taken out of an object that nobody may know: of a parameter, an instance, an element.
_TAKEN_FROM = re.compile(r"[$%&)\]][^.(\[]*[.(\[]|\[")

# Classes from outside that add nothing that anybody would name.
_BARE = ("builtins.object", "abc.ABC", *(f"{one}{name}" for one in TYPING for name in ("Protocol", "Generic")))

_UNSEEN = frozenset("?")
_OTHER = Trait.ASYNC | Trait.GENERATOR | Trait.CONTEXT | Trait.OPEN | Trait.DECORATED  # a call gives more than a return

_Judged = dict[tuple[Standing, str, str], tuple[bool, set[Read]]]  # what was judged of an atom, with what decided


class _Answer(NamedTuple):
    """What a value stands for, and how that was found."""

    ends: frozenset[End]
    ways: frozenset[str] | None  # what the value is come by, but for that in `below`; None where they are not known
    below: tuple[Component, ...]


class Origins:
    """What values stand for, across modules."""

    def __init__(self, names: Names, provenances: Mapping[str, Provenance]) -> None:
        self.names, self.provenances = names, provenances
        self.entries = Entries(names, provenances)
        self.limited: set[str] = set()  # modules in which a question led too far to be answered
        self._reads: dict[str, set[Read]] = {}  # by module: what decided about the values that are written there
        self._stepping = Stepping(names, provenances, self.entries, self.ends)
        self._judging = _Way(self._stepping, Ground(names, self.entries, self._is_unseen, self._gives_back))
        self._trusting = _Way(self._stepping, Ground(names, self.entries, None, None))
        self._known: dict[tuple[str, str], frozenset[str]] = {}  # the origins of each atom
        self._found: dict[tuple[str, str], _Answer] = {}  # how they were found, until somebody asks for the ways
        self._ways: dict[tuple[str, str], frozenset[str]] = {}
        self._canonical: dict[str, str] = {}
        self._below: dict[str, set[Component]] = {}  # by module: components that decided, too
        self._unseen: _Judged = {}
        self._giving_back: _Judged = {}

    @property
    def hierarchy(self) -> Hierarchy:
        """Which classes stand above and below others."""
        return self._stepping.hierarchy

    @property
    def set_outside(self) -> Outside:
        """What is set on classes and instances from outside."""
        return self._stepping.set_outside

    def resolve(self, module: str, value: Value) -> frozenset[str]:
        """Return the origins of a value that is written in `module`.

        `pkg.mod` a first-party module, `pkg.mod:C.m` a definition, `pkg.mod:C()` an instance, `requests.Session().get`
        something outside, `'text` a text, `None`; `?` for what cannot be seen.
        """
        if len(value) == 1:
            return self._told(module, value[0]) or _UNSEEN
        return frozenset[str]().union(*(self._told(module, atom) for atom in value)) or _UNSEEN

    def ways(self, module: str, value: Value) -> frozenset[str]:
        """Return the names of this codebase by which a value comes, dotted, with what follows (`m.make().field`)."""
        return frozenset[str]().union(*(self._ways_of(module, atom) for atom in value))

    def reached(self, module: str, atom: str) -> Collection[Way]:
        """Return the names of this codebase by which a value comes, as `ways` does, with what of them was handed in."""
        told = reached(self._stepping, self._judging.ground, module, atom, _MOST_STEPS)
        return told or [Way(path, "") for path in self._ways_of(module, atom)]  # there are some, but too many

    def canonical(self, origin: str) -> str:
        """Return `uses.canonical` of an origin, worked out once, as most of them stand in many places."""
        known = self._canonical.get(origin)
        if known is None:
            known = self._canonical[origin] = canonical(origin)
        return known

    def _ways_of(self, module: str, atom: str) -> frozenset[str]:
        known = self._ways.get((module, atom))
        if known is None:
            self._told(module, atom)
            answer = self._found.pop((module, atom))
            if answer.ways is None:
                self.limited.add(module)
                return frozenset()
            every = answer.ways.union(*(one.ways for one in with_below(answer.below, set())))
            known = self._ways[module, atom] = frozenset(map(canonical, every))
        return known

    def _told(self, module: str, atom: str) -> frozenset[str]:
        known = self._known.get((module, atom))
        if known is None:
            with self.noted(module):
                answer = self._found[module, atom] = self._answer(self._judging, module, (atom,))
            self._below.setdefault(module, set()).update(answer.below)
            known = self._known[module, atom] = frozenset(map(shown, answer.ends))
        return known

    def noted(self, module: str) -> Noted:
        """Note what is looked at meanwhile as what the module depends on."""
        return self.entries.noted(self._reads.setdefault(module, set()))

    def looked_at(self) -> Iterator[tuple[str, set[Read]]]:
        """Yield each module that was asked about, and all that decided about the values that are written there."""
        for module, reads in self._reads.items():
            below = with_below(self._below.get(module, ()), set())
            yield module, reads.union(*(one.reads for one in below))

    @cached_property
    def tops(self) -> frozenset[str]:
        """The first segments of all modules' names."""
        return frozenset(name.partition(".")[0] for name in self.names.modules)

    def is_function(self, origin: str) -> bool:
        """Say whether an origin is a function that this codebase defines."""
        return self._row_of(origin) is not None

    def is_generator(self, origin: str) -> bool:
        """Say whether an origin certainly is a generator function of this codebase."""
        row = self._row_of(origin)
        return row is not None and bool(row.marks & Trait.GENERATOR)

    def _row_of(self, origin: str) -> FunctionRow | None:
        module, colon, path = origin.partition(":")
        row = self.provenances.get(module) if colon else None
        return row.functions.get(f"@{path}") if row is not None else None

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
        ends = self.ends(module, value) if value else frozenset()
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
        ends = self.ends(module, value) if value else frozenset()
        rows = [self.provenances[where].functions.get(atom) if where else None for where, atom in ends]
        functions = [row for row, end in zip(rows, ends, strict=True) if row is not None and self.is_as_written(*end)]
        if not rows or len(functions) < len(rows):
            return None
        names = (name for row in functions for name in row.parameters[row.shape[0] : row.shape[1] + row.shape[2]])
        return Parameters(frozenset(names), any(row.shape[4] for row in functions))

    def is_as_written(self, module: str, atom: str) -> bool:
        """Say whether no decorator may have put something else in the place of a function of the codebase."""
        marks = self.provenances[module].functions[atom].marks
        if marks & Trait.OPEN or not marks & Trait.DECORATED:
            return not marks & Trait.OPEN
        return not self.ends(module, self.entries.variable(module, f"{atom}{DECORATED}"))

    def ends(self, module: str, value: Value) -> frozenset[End]:
        """Return what `resolve` does, with first-party definitions as (module, atom and steps)."""
        return self._ends(self._judging, module, value)

    def _ends(self, way: _Way, module: str, value: Value) -> frozenset[End]:
        answer = self._answer(way, module, value)
        for one in with_below(answer.below, set()):
            self.names.reads.update(one.reads)
        return answer.ends

    def _answer(self, way: _Way, module: str, value: Value) -> _Answer:
        """Return what a value stands for: found by exploring, or as is known of the names to which it leads."""
        search = Trailing(way.ground)
        for atom in value:
            self.names.follow(module, atom, "", search)
        at_once, onward = search.every_end(), search.onward()
        if not onward:
            return _Answer(frozenset(at_once), frozenset(search.every_way()), ())
        standing = self._stepping.standing
        if standing is not None and not self._explore(search, _NEAR):
            below = way.components(standing).of(onward)
            if below is not None:
                return _Answer(frozenset(at_once).union(*(one.ends for one in below)), frozenset(), below)
        if not self._explore(search, _MOST_STEPS):
            ends = way.tabling(standing).ends(module, value)
            if ends is not None:
                return _Answer(ends, None, ())
            self.limited.add(module)
            for one in search.with_doubted():
                one.give_up()
        return _Answer(frozenset(search.every_end()), frozenset(search.every_way()), ())

    def _explore(self, search: Trailing, most: int) -> bool:
        """Follow names until none is left; say whether there were no more than that."""
        is_explored = self._is_explored(search, most)
        return all(self._is_explored(one, most) for one in search.with_doubted()[1:]) and is_explored

    def _is_explored(self, search: Trailing, most: int) -> bool:
        while search.todo:
            if len(search.seen) + len(search.todo) > most:
                return False
            node = search.todo.pop()
            if node not in search.seen:
                search.seen.add(node)
                search.begin(node)
                self._stepping.go_on(*node, search)
        return True

    def _is_unseen(self, module: str, atom: str) -> bool:
        """Say whether nobody can tell of what class a value is that is written in `module`."""
        if _TAKEN_FROM.search(atom) is None:
            return False
        return self._once(self._unseen, self._tells_nothing, module, atom)

    def _gives_back(self, module: str, atom: str) -> bool:
        """Say whether a decorator, as it is written in `module`, certainly gives back what it decorates."""
        return self._once(self._giving_back, self._returns_its_argument, module, atom)

    def _once(self, known: _Judged, judge: Callable[[str, str], bool], module: str, atom: str) -> bool:
        """Return what is judged of a value, worked out once for each standing."""
        standing = self._stepping.standing
        if standing is None:
            return judge(module, atom)
        found = known.get((standing, module, atom))
        if found is None:
            reads = set[Read]()
            with self.entries.noted(reads):
                found = known[standing, module, atom] = judge(module, atom), reads
        self.entries.note(found[1])
        return found[0]

    def _returns_its_argument(self, module: str, atom: str) -> bool:
        """Say so of all that a decorator may be: a function of the codebase that returns its first parameter alone."""
        ends = self._ends(self._trusting, module, (atom,))
        return bool(ends) and all(where and self._is_same(where, found) for where, found in ends)

    def _is_same(self, module: str, atom: str) -> bool:
        row = self.entries.function(module, atom)
        if row is None or row.owner or not row.parameters or row.marks & _OTHER:
            return False
        return self.entries.variable(module, f"{atom}:()") == (f"{atom}:${row.parameters[0]}",)

    def _tells_nothing(self, module: str, atom: str) -> bool:
        """Say so with what in turn stands beside a declaration: no question leads to another one."""
        return all(map(is_unseen, self._ends(self._trusting, module, (atom,))))


class _Way:
    """One way of reading declarations: with what stands beside them judged, or taken as it is."""

    def __init__(self, stepping: Stepping, ground: Ground) -> None:
        self.ground, self._stepping = ground, stepping
        self._components: dict[Standing, Components] = {}
        self._tablings: dict[Standing, Tabling] = {}

    def components(self, standing: Standing) -> Components:
        """Return what is known of names while steps depend on that."""
        known = self._components.get(standing)
        if known is None:
            known = self._components[standing] = Components(self._step, _MOST_STEPS)
        return known

    def tabling(self, standing: Standing | None) -> Tabling:
        """Return what is known of places then; nothing while a class is worked out."""
        known = self._tablings.get(standing) if standing is not None else None
        if known is None:
            known = Tabling(self.ground, self._stepping.go_on, _MOST_NAMES)
            if standing is not None:
                self._tablings[standing] = known
        return known

    def _step(self, node: Node) -> Step:
        """Return where one step leads from a name."""
        is_doubted, module, name, rest = node
        step = Step(self.ground)
        step.is_doubted = is_doubted
        with self.ground.entries.noted(step.reads):
            self._stepping.go_on(module, name, rest, step)
        return step
