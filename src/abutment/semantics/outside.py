"""What does other code set attributes of classes and instances to, beside what classes set on `self`?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from abutment.semantics.entries import Assigned, End, Entries
from abutment.semantics.hierarchy import Hierarchy
from abutment.semantics.meaning import Value


class Setting(NamedTuple):
    """One place where an attribute is set from outside."""

    owners: tuple[End, ...]  # the classes on which it is set, or on whose instances
    module: str
    value: Value  # as it is written in that module
    is_shared: bool  # whether it is set on a class itself, for all of its instances


class Outside:
    """What is set on classes and instances from outside; worked out by attribute, when somebody asks."""

    def __init__(self, entries: Entries, hierarchy: Hierarchy, ends: Callable[[str, Value], Iterable[End]]) -> None:
        """Take what is set where; `ends` says what it is set on."""
        self._entries, self._hierarchy, self._ends = entries, hierarchy, ends
        self.known: dict[str, tuple[Setting, ...]] = {}  # by attribute; more may be put in
        self._of: dict[tuple[End, str], tuple[Setting, ...]] = {}
        self.is_asking = False  # whether it is being worked out where something is set

    def of(self, owner: End, name: str) -> tuple[Setting, ...] | None:
        """Return what an attribute of a class is set to, or of an instance, also of one above or below it.

        While it is worked out what that code has there, what others set is not reckoned with. None where it cannot be
        told: while it is worked out what stands above a class, on which all of this depends.
        """
        if self.is_asking and not self._hierarchy.is_underway:
            return ()
        every = self._entries.assigned(name)
        if not every:
            return ()
        if self._hierarchy.is_underway:
            return None
        found = self._of.get((owner, name))
        if found is None:
            related = (one for one in self._settings(name, every) if self._is_related(owner, one))
            found = self._of[owner, name] = tuple(related)
        return found

    def _settings(self, name: str, every: Sequence[tuple[str, Assigned]]) -> tuple[Setting, ...]:
        """Return where an attribute is set; on what depends on no single asker."""
        known = self.known.get(name)
        if known is None:
            self.is_asking = True
            with self._entries.noted(self._entries.common):
                found = (self._setting(module, one) for module, one in every)
                known = self.known[name] = tuple(one for one in found if one.owners)
            self.is_asking = False
        return known

    def _setting(self, module: str, one: Assigned) -> Setting:
        owners, is_shared = set[End](), False
        for where, atom in self._ends(module, one.target):
            base, _, steps = atom.partition(":")
            if where and steps in ("", "()", "&") and self._entries.is_class(where, base):
                owners.add((where, base))
                is_shared = is_shared or not steps
        return Setting(tuple(sorted(owners)), module, one.value, is_shared)

    def _is_related(self, owner: End, setting: Setting) -> bool:
        above = self._hierarchy.ancestry
        return any(one in above(owner).classes or owner in above(one).classes for one in setting.owners)
