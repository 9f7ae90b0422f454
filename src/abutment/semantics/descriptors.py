"""Which instances with a `__get__` may an attribute hold that a class body binds?

What makes such an attribute may come by another one, and in the end by the attribute itself. So a question about one is
asked a few levels down: on each, what is asked leads one level further, and on the last one there is more than can be
told. What is told on a level depends on that level alone, so it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable

from abutment.semantics.entries import End, Entries
from abutment.semantics.following import UNSEEN
from abutment.semantics.hierarchy import Hierarchy
from abutment.semantics.meaning import Value
from abutment.semantics.names import Read

_MOST_LEVELS = 3

# On what the steps of a path depend beside the code: the levels that are left, and whether it is being asked what is
# set on classes from outside.
Standing = tuple[int, bool]


class Descriptors:
    """The descriptors of one codebase, by the values that make them."""

    def __init__(self, entries: Entries, hierarchy: Hierarchy, ends: Callable[[str, Value], frozenset[End]]) -> None:
        """Take all files' definitions and classes; `ends` says what a value is, as it stands at the time."""
        self._entries, self._hierarchy, self._ends = entries, hierarchy, ends
        self._known: dict[tuple[Standing, str, Value], tuple[tuple[End, ...], set[Read]]] = {}
        self.levels = _MOST_LEVELS  # that are left

    def ends_apart(self, module: str, value: Value) -> frozenset[End]:
        """Return what a value is for all who ask: on which level they do makes no difference."""
        levels, self.levels = self.levels, _MOST_LEVELS
        found = self._ends(module, value)
        self.levels = levels
        return found

    def of(self, standing: Standing | None, module: str, held: Value) -> tuple[End, ...]:
        """Return the classes with a `__get__` of which a value is an instance; `UNSEEN` for what cannot be told."""
        made = tuple(atom for atom in held if atom.endswith("()") or ":=" in atom)
        if not made or not self._entries.having("__get__"):
            return ()
        if standing is None:
            return self._of_made(module, made)
        known = self._known.get((standing, module, made))
        if known is None:
            reads = set[Read]()
            with self._entries.noted(reads):
                known = self._known[standing, module, made] = self._of_made(module, made), reads
        self._entries.note(known[1])
        return known[0]

    def _of_made(self, module: str, made: Value) -> tuple[End, ...]:
        if not self.levels:
            return (UNSEEN,)
        self.levels -= 1
        ends = sorted(self._ends(module, made))
        self.levels += 1
        instances = [(where, atom[:-3]) for where, atom in ends if where and atom.endswith(":()")]
        classes = [one for one in instances if self._entries.is_class(*one)]
        found = [one for one in classes if self._hierarchy.has(one, "__get__")]
        return (*found, *(one for one in ends if one == UNSEEN))
