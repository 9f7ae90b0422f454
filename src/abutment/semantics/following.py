"""Where does one step of an access path lead: to names that are looked up next, or to an end?

`Names` and `Stepping` take the step, and tell a `Following` where it leads. A `Step` keeps that as it is, for many who
come by (`components.py`); a `Trailing` remembers by which way one question came, and goes on until nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from abutment.semantics.entries import End, Entries
from abutment.semantics.meaning import Meaning, Value
from abutment.semantics.names import Names, Read, Search
from abutment.semantics.paths import simplified
from abutment.semantics.provenance import GIVE_ITEM, GIVE_SAME, UNLESS

_TYPING = ("typing:", "typing_extensions:")
UNSEEN: End = ("", "?")
_MOST_ROUNDS = 4  # in which one path may come by a variable or an attribute again, each time with more to do
_MOST_RETURNS = 8  # of all paths of one question to one variable or attribute, each with more to do than before
# What a collection gives, by what is done with it.
_ELEMENTS = ("[]", *(f".{name}()" for name in sorted(GIVE_ITEM)), ".items()[][]", ".popitem()[]")
_PAIRS = ((".items()", "**"), (".popitem()", "*"))  # as collections of pairs, or a pair
_SAME_KIND = ("[*]", *(f".{name}()" for name in sorted(GIVE_SAME)))

Place = tuple[str, str]  # a variable or an attribute
Node = tuple[bool, str, str, str]  # whether `?` is no answer there; module, name, and what is to be done with it


class Ground(NamedTuple):
    """What names are followed on."""

    names: Names
    entries: Entries
    is_unseen: Callable[[str, str], bool] | None  # of what class a value is; where given, it is left out of doubts
    gives_back: Callable[[str, str], bool] | None  # whether a decorator gives back what it decorates; where told


class Following(Search):
    """A search that goes on through definitions."""

    is_kept = False  # whether others go on from what is found: then `cls`, and what may be called, are ends as they are
    tells_given = False  # whether it wants to know what somebody else has put where it is found

    def __init__(self, ground: Ground) -> None:
        super().__init__()
        self.ground = ground
        self.ends: set[End] = set()
        self.ways: set[str] = set()  # the names of this codebase that it comes by, with what follows
        self.is_doubted = False  # whether `?` is no answer of it
        self.doubted: Following | None = None  # another search that is doubted; a doubted one goes on itself

    def comes_by(
        self, module: str, place: str, rest: str, again: Callable[[str, Following], None], on: Hashable = None
    ) -> bool:
        """Say whether to go on from a variable or an attribute; where not, there is more than can be seen.

        `again` goes on from there with something else to do; `on` tells apart on what an attribute is looked up.
        """
        raise NotImplementedError

    def given(self, by: str, rest: str) -> Callable[[], None]:
        """Note that a module has put there what is followed next; return what ends that. Asked if it `tells_given`."""
        raise NotImplementedError

    def note_way(self, module: str, name: str, rest: str) -> None:
        """Note a name of this codebase that the value comes by."""
        self.ways.add(f"{module}:{name.removeprefix('@')}{rest}")

    def every_end(self) -> set[End]:
        """Return what was found, also beside declarations."""
        ends = self.ends | {("", one) for one in self.found}
        if self.is_doubted:
            return ends - {UNSEEN}
        return ends if self.doubted is None else ends | self.doubted.every_end()

    def every_way(self) -> set[str]:
        """Return the names that it came by, also beside declarations."""
        return self.ways if self.doubted is None else self.ways | self.doubted.ways

    def onward(self) -> list[Node]:
        """Return what is looked up next."""
        ours = [(self.is_doubted, *one) for one in self.todo]
        return ours if self.doubted is None else [*ours, *self.doubted.onward()]

    def table(self, meaning: Meaning, name: str, bound: Value) -> Value:
        """Return what a module's table holds under a name, with all that `Meaning` leaves out."""
        found = self.ground.entries.in_table(meaning.module, name)
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
        if atom[0] == "<":
            self._by_word(module, atom, rest)
            return
        if atom[0] == UNLESS:
            gives_back = self.ground.gives_back
            if gives_back is None or not gives_back(module, atom[1:]):
                self.found.add("?")
            return
        base, _, steps = atom.partition(":")
        steps += rest if steps else rest.removeprefix(".")
        self.look_up(module, base, steps)

    def _doubt(self, module: str, atom: str, rest: str) -> None:
        """Follow a value beside which a declaration is trusted: what of it cannot be seen adds nothing."""
        if self.ground.is_unseen is not None and self.ground.is_unseen(module, atom):
            return
        if ":" not in atom and rest:
            atom, rest = f"{atom}:{rest.removeprefix('.')}", ""
        self.ground.names.follow(module, atom, rest, self._beside())

    def _beside(self) -> Following:
        if self.is_doubted:
            return self
        if self.doubted is None:
            self.doubted = type(self)(self.ground)
            self.doubted.is_doubted = True
        return self.doubted

    def _by_word(self, module: str, atom: str, rest: str) -> None:
        """Follow what a generic type stands for: what a word of `typing` is given, and of anything else an instance."""
        word, _, given = atom[1:].partition(">")
        names = self.ground.names
        found = names.resolve(module, (word,))
        is_word = bool(found) and all(one.startswith(_TYPING) for one in found)
        if is_word != given.startswith(f"{word}()"):
            names.follow(module, given, rest, self)

    def _collection(self, module: str, held: str, rest: str) -> None:
        """Go on from a collection of `held`."""
        for step in _ELEMENTS:
            if rest.startswith(step):
                self.ground.names.follow(module, held, rest[len(step) :], self)
                return
        for step, given in _PAIRS:
            if rest.startswith(step):
                self.definition(module, given + held, rest[len(step) :])
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
            self.ground.names.follow(module, given, rest[2:], self)
        elif self.is_kept and not rest:
            self.ends.add((module, f">{given}"))
        else:
            self.found.add("?")

    def constant(self, atom: str, rest: str) -> None:
        """Note a constant; what is done with `None` fails, so nothing comes of it."""
        if atom != "None" or not rest:
            super().constant(atom, rest)

    def outside(self, module: str, steps: str) -> None:
        """Note what lies outside of the codebase."""
        self.found.update(simplified(f"{module}.{steps}"))


def after_collection(rest: str) -> str:
    """Return what is left to be done with what a collection gives."""
    step = next((one for one in (*_ELEMENTS, *_SAME_KIND) if rest.startswith(one)), "")
    return rest[len(step) :]


class Step(Following):
    """Where one step leads, whoever takes it."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        self.places: list[tuple[Place, int]] = []  # what it comes by, and the length of what was still to be done there
        self.reads: set[Read] = set()  # what decided about it

    def comes_by(
        self, module: str, place: str, rest: str, _again: Callable[[str, Following], None], _on: Hashable = None
    ) -> bool:
        """Note a variable or an attribute, and go on."""
        self.places.append(((module, place), len(rest)))
        return True


class _Trail(NamedTuple):
    """The variables and attributes by which a question came to where it is, the last one first."""

    place: Place
    length: int  # of what was still to be done there
    before: _Trail | None


class Trailing(Following):
    """A search that knows by which way it came, and leaves one on which there is more to do each time round."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        self._trail: _Trail | None = None
        self._trails: dict[tuple[str, str, str], _Trail | None] = {}  # by which each name was come to first
        self._visits: dict[Place, int] = {}
        self._returns: dict[Place, int] = {}

    def look_up(self, module: str, name: str, rest: str = "") -> None:
        """Note a name to be followed, and by what it is come to."""
        self._trails.setdefault((module, name, rest), self._trail)
        super().look_up(module, name, rest)

    def with_doubted(self) -> tuple[Trailing, ...]:
        """Return the search, and the one of which `?` is no answer, if there is one."""
        return (self, self.doubted) if isinstance(self.doubted, Trailing) else (self,)

    def give_up(self) -> None:
        """Leave what is still to be followed: there is more than can be told."""
        self.found, self.ends, self.todo = {"?"}, set(), []

    def begin(self, node: tuple[str, str, str]) -> None:
        """Go on from a name that was noted."""
        self._trail = self._trails.get(node)

    def _beside(self) -> Following:
        found = super()._beside()
        assert isinstance(found, Trailing)
        found._trail = self._trail
        return found

    def comes_by(
        self, module: str, place: str, rest: str, _again: Callable[[str, Following], None], _on: Hashable = None
    ) -> bool:
        """Say whether to go on from a variable or an attribute.

        What is defined by itself (`node = node.next`) would give a longer path each time round.
        """
        visited, before = (module, place), self._trail
        self._trail = _Trail(visited, len(rest), before)
        visits = self._visits[visited] = self._visits.get(visited, 0) + 1
        if visits > _MOST_ROUNDS and self._is_too_long(visited, len(rest), before):
            self.found.add("?")
            return False
        return True

    def _is_too_long(self, visited: Place, length: int, trail: _Trail | None) -> bool:
        """Say whether this path came by a place too often, with less to do; many others may come by it, too."""
        rounds = 0
        while trail is not None and rounds < _MOST_ROUNDS:
            rounds += trail.place == visited and trail.length < length
            trail = trail.before
        if rounds:
            self._returns[visited] = self._returns.get(visited, 0) + 1
        return rounds >= _MOST_ROUNDS or self._returns.get(visited, 0) > _MOST_RETURNS
