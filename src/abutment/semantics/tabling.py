"""What does a value stand for that is come by through places which lead back to themselves with more to do?

`origins.py` follows a path with all that is still to be done with what is found. That is quick, and explodes where many
variables and attributes are each defined by the others (`statement = statement.where()`): there is more to do each time
round, in ever other orders. Here each place (a variable, or an attribute as it is looked up on one class) is worked out
once, with nothing to be done with what it holds; whoever comes by waits for what is found there, and goes on from each
with what is left to do. So there is as much to follow as there are places, times what they hold. This is the saturation
of a pushdown system (Bouajjani, Esparza and Maler, Reachability analysis of pushdown automata, 1997), as tabling does
it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator

from abutment.semantics.entries import End
from abutment.semantics.following import Following, Ground
from abutment.semantics.names import CONSTANTS, Read
from abutment.semantics.paths import ENTERED, simplified

_Key = tuple[str, str, tuple[Hashable, str]]  # module, variable or attribute, on what, and with what done at once
_Again = Callable[[str, Following], None]
_MOST_CALLS, _MOST_ATTRIBUTES = 5, 8  # of a path outside of the codebase, once what it gives was kept somewhere
_ENTERS = (".__enter__", ".__aenter__")


class Place(Following):
    """What is found at one place, or (without a key) what a question asks for."""

    def __init__(self, table: Tabling, key: _Key | None, above: Place | None = None) -> None:
        super().__init__(table.ground)
        self.above = above or self  # the place itself, of the search that stands beside a declaration
        self.key = key
        self.is_kept = key is not None
        self.begin: _Again | None = None
        self.is_begun = key is None
        self.first = ""  # what is done with it at once
        self.told: set[End] = set()
        self.waiting: dict[tuple[Place, str], None] = {}  # who goes on from here, and with what
        self.waits_for: dict[Place, None] = {}
        self.reads: set[Read] = set()
        self._table = table

    def comes_by(self, module: str, place: str, rest: str, again: _Again, on: Hashable = None) -> bool:
        """Wait for what is found at a place, and go on from that; what is entered is looked at as a whole."""
        if ENTERED.match(rest.removeprefix("()")) or place.endswith(_ENTERS):
            return True
        first = "()" if on is not None and rest.startswith("()") else ""  # a method knows on what it is called
        key = (module, place, (on, first))
        if rest == first and key == self.key and not self.is_begun:
            self.is_begun = True
            return True
        self._table.wait(key, again, self, rest[len(first) :])
        return False

    def note_way(self, module: str, name: str, rest: str) -> None:
        """Note nothing: what is come by depends on who asks."""

    def with_doubted(self) -> Iterator[Place]:
        """Yield the search, and the one of which `?` is no answer, if there is one."""
        yield self
        if isinstance(self.doubted, Place):
            yield self.doubted

    def _beside(self) -> Following:
        if self.is_doubted:
            return self
        if self.doubted is None:
            self.doubted = Place(self._table, self.key, self)
            self.doubted.is_doubted = self.doubted.is_begun = True
        return self.doubted


class Tabling:
    """All places that were worked out."""

    def __init__(self, ground: Ground, go_on: Callable[[str, str, str, Following], None], most: int) -> None:
        """Take what takes a step from a name, and how many steps the places may take to which one question leads."""
        self.ground, self._go_on, self._most = ground, go_on, most
        self._places: dict[_Key, Place] = {}
        self._todo: deque[Place] = deque()
        self._steps = 0

    def ends(self, module: str, value: Iterable[str]) -> frozenset[End] | None:
        """Return what a value stands for, and note what decided; None where that leads to too many names."""
        question = Place(self, None)
        for atom in value:
            self.ground.names.follow(module, atom, "", question)
        self._todo.append(question)
        self._steps = 0
        while self._todo:
            self._work_on(self._todo.popleft())
            if self._steps > self._most:
                self._places.clear()  # what was begun is not finished
                self._todo.clear()
                return None
        every = set(_reachable(question))
        for place in every:
            self.ground.entries.note(place.reads)
        return frozenset(question.told) if sum(_work_for(one, every) for one in every) <= self._most else None

    def wait(self, key: _Key, begin: _Again, search: Place, rest: str) -> None:
        """Let a search go on, with what is left to do, from all that is found at a place."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = Place(self, key)
            place.begin, place.first = begin, key[2][1]
            self._todo.append(place)
        search.above.waits_for[place] = None
        if (search, rest) not in place.waiting:
            place.waiting[search, rest] = None
            for end in place.told if self._steps <= self._most else ():
                self._go_on_from(end, rest, search)

    def _work_on(self, place: Place) -> None:
        with self.ground.entries.noted(place.reads):
            if place.begin is not None:
                begin, place.begin = place.begin, None
                begin(place.first, place)
            self._follow(place)
        new = place.every_end() - place.told
        place.told |= new
        for search, rest in list(place.waiting):
            for end in new if self._steps <= self._most else ():
                self._go_on_from(end, rest, search)

    def _follow(self, place: Place) -> None:
        for search in place.with_doubted():
            while search.todo and self._steps <= self._most:
                node = search.todo.pop()
                if node not in search.seen:
                    search.seen.add(node)
                    self._steps += 1
                    self._go_on(*node, search)

    def _go_on_from(self, end: End, rest: str, search: Place) -> None:
        """Go on from one thing that was found."""
        self._steps += 1
        module, atom = end
        if module and not rest and search.above.key is not None:
            search.ends.add(end)
        elif module:
            search.definition(module, atom, rest)
        elif atom in CONSTANTS or atom[0] in "'~#":
            search.constant(atom, rest)
        elif rest and atom in self.ground.names.modules:
            self.ground.names.follow(atom, atom, rest, search)
        else:
            search.found.update({atom, "?"} if _is_by_itself(atom, rest) else simplified(f"{atom}{rest}"))
        self._todo.append(search.above)


def _is_by_itself(path: str, rest: str) -> bool:
    """Say whether a path outside of the codebase would do the same again, or very much."""
    done = path.partition("(")[2]
    if len(rest) > 2 and rest in done:
        return True
    return path.count("(") + rest.count("(") >= _MOST_CALLS or path.count(".") + rest.count(".") > _MOST_ATTRIBUTES


def _work_for(place: Place, every: set[Place]) -> int:
    """Return how many steps it takes to work a place out, and to go on from it for every place of one question."""
    waiting = sum(search.above in every for search, _ in place.waiting)
    return sum(len(search.seen) for search in place.with_doubted()) + len(place.told) * waiting


def _reachable(question: Place) -> Iterator[Place]:
    todo, seen = [question], {question}
    while todo:
        place = todo.pop()
        yield place
        new = place.waits_for.keys() - seen
        seen |= new
        todo.extend(new)
