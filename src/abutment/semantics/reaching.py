"""Does code reach for what its value comes by, or did somebody else put that where the code finds it?

A class that keeps whatever it is given knows nothing of it (`self.wrapped`): who gives it reached for it. So a
`Reaching` remembers on each path whether a value was handed in: by a parameter, by an attribute set by another module
on an instance, or by a class below. What is reached by a name of some module on the way is reached for, whoever
fills it: the name is a holder that all may ask (`app.holder.current.debug`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING, NamedTuple

from abutment.semantics.entries import End
from abutment.semantics.following import Following, Ground, after_collection
from abutment.semantics.uses import canonical

if TYPE_CHECKING:
    from abutment.semantics.stepping import Stepping

_OF_SELF = re.compile(r"[*+>]*(?P<class>@[^:]+):&")


class _State(NamedTuple):
    """How the name that is followed came to be where it is read."""

    left: int  # if it was handed in, how long that is which the asker does with it; below 0 otherwise
    giver: str = ""  # the module that handed it in


_OWN = _State(-1)  # nothing says yet that anybody did
_NAMED = _State(-2)  # a module's name leads there


class Way(NamedTuple):
    """One name of this codebase by which a value comes, with what follows."""

    path: str
    given: str  # how much of it was handed in; "" where the code reaches for it


def reached(stepping: Stepping, ground: Ground, module: str, atom: str, most: int) -> Collection[Way]:
    """Return the ways of what an atom stands for that is written in `module`; none where it leads to too many names."""
    owner = _OF_SELF.match(atom)
    family = stepping.hierarchy.ancestry((module, owner["class"])).classes if owner else ()
    search = Reaching(ground, module, family)
    ground.names.follow(module, atom, "", search)
    is_told = search.run(stepping.go_on, most)
    return [Way(canonical(one.path), canonical(one.given)) for one in search.told] if is_told else ()


class Reaching(Following):
    """A search that keeps apart what is handed in; what is at its ends does not matter to it."""

    tells_given = True

    def __init__(self, ground: Ground, module: str, family: Collection[End]) -> None:
        """Take the module whose code asks, and the class in which it asks for an attribute of `self`, with those above.

        What such a class was handed of what it makes itself is its own.
        """
        super().__init__(ground)
        self.module, self._family = module, family
        self.told: set[Way] = set()
        self._state = _OWN
        self._next: list[tuple[tuple[str, str, str], _State]] = []

    def run(self, go_on: Callable[[str, str, str, Following], None], most: int) -> bool:
        """Follow all names to their ends; say whether they were no more than that."""
        seen = set[tuple[tuple[str, str, str], _State]]()
        while self._next:
            one = self._next.pop()
            if one not in seen:
                if len(seen) == most:
                    return False
                seen.add(one)
                node, self._state = one
                go_on(*node, self)
        return True

    def look_up(self, module: str, name: str, rest: str = "") -> None:
        """Note a name to be followed, and how it was come by."""
        super().look_up(module, name, rest)
        self._next.extend((node, self._state) for node in self.todo)
        self.todo.clear()

    def note_way(self, module: str, name: str, rest: str) -> None:
        """Note a name by which the value comes, and how much of that was handed in.

        What the module that has it hands out itself nobody else reaches for, so that the asker has to answer for it.
        """
        path = f"{module}:{name.removeprefix('@')}{rest}"
        left, giver = self._state
        is_given = 0 <= left <= len(rest) and giver != module
        self.told.add(Way(path, path[: len(path) - left] if is_given else ""))
        if name[0] != "@" and not is_given:
            self._state = _NAMED

    def comes_by(
        self, module: str, place: str, rest: str, _again: Callable[[str, Following], None], _on: Hashable = None
    ) -> bool:
        """Note a parameter, which brings what somebody handed in, and where what the asker itself does leads on."""
        left = self._state.left
        if left >= 0 and (len(rest) < left or (module, place.partition(".")[0]) in self._family):
            self._state = _OWN
        if ":$" in place and ":$yield" not in place:
            self._hand(module, rest)
        return True

    def given(self, by: str, rest: str) -> Callable[[], None]:
        """Note that a module has put there what is followed next; return what ends that."""
        before = self._state
        if by != self.module:
            self._hand(by, rest)

        def end() -> None:
            self._state = before

        return end

    def _hand(self, giver: str, rest: str) -> None:
        if self._state == _OWN:
            self._state = _State(len(rest), giver)

    def _collection(self, module: str, held: str, rest: str) -> None:
        """Go on from a collection: who is handed one, is handed what is in it."""
        before = self._state
        if len(rest) <= before.left:
            self._state = _State(len(after_collection(rest)), before.giver)
        super()._collection(module, held, rest)
        self._state = before

    def _beside(self) -> Following:
        return self
