"""What did a gate find, in the form in which it is compared?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants
from abutment.model.identity import Key
from abutment.model.site import Site


@dataclass(frozen=True, slots=True)
class Evidence:
    """How one key reads to a person. Asked for only where a violation is shown."""

    rule: str  # "ABT301"
    what: str  # one clause without a full stop: "app.sync imports httpx"
    sites: tuple[Site, ...] = ()  # () where the code has no such fact
    details: tuple[str, ...] = ()
    remedy: str = ""  # what to do instead; may name {policy} and {baseline}
    through: tuple[Site, ...] = ()  # further places that bring it about: later steps of a chain, a deleted file
    follows: bool = False  # excess that another fact has brought about, and that goes with it
    leader: Key = ()  # that other fact


@dataclass(frozen=True, slots=True)
class Unused:
    """An allowance that matches nothing, written in the configuration or as a comment: `gone`."""

    key: Key
    evidence: Evidence  # its first site is the allowance's place


# Under which facts were measured: the version of a tool, a digest of its configuration, a threshold, each by name.
# What was measured under others cannot be compared.
Conditions = Mapping[str, str]
_LISTED = ", "  # between the members of a condition that is a list
_NOTHING = "nothing"  # a list without members
_SHOWN = 8


def _none(_key: Key) -> bool:
    return False


def _explains_all(_before: Conditions) -> Callable[[Key], bool]:
    return lambda _key: True


@dataclass(frozen=True, slots=True)
class Measurement:
    """One gate's facts as counts by key, and the means to explain any key."""

    counts: Mapping[Key, int]
    describe: Callable[[Key], Evidence]  # total: answers for keys the code lacks, too
    looked_at: int  # how many things were examined; 0 is not judged
    unit: str  # what `looked_at` counts: "modules", "imports"
    unused: tuple[Unused, ...] = ()
    faults: tuple[Fault, ...] = ()  # any makes the gate not judged
    notes: tuple[str, ...] = ()  # lines for the reader: totals per tracking, a cut of a cycle
    beside: str = ""  # one clause on what was seen and is not judged, told whatever the verdict
    covers: tuple[str, ...] = ()  # parts of the law that were measured: contract ids
    instead_of: Mapping[str, str] = field(default_factory=dict)  # of these, those that hold what another part held
    named_parts: bool = False  # people name the parts, so that one may come back under another name
    reviewed_only: Callable[[Key], bool] = field(default=_none)
    never: Callable[[Key], bool] = field(default=_none)  # what neither hand may grant: an approval of it is a fault
    in_place: tuple[Approval, ...] = ()  # what comments in the code grant
    conditions: Conditions = field(default_factory=dict)  # under which it was measured
    # Of the conditions of a record: which keys differ from it, or may, because these are others.
    explains: Callable[[Conditions], Callable[[Key], bool]] = field(default=_explains_all)
    # Of the conditions of a record: those of today, in so far as they bear on what it holds.
    bearing: Callable[[Conditions], Conditions] | None = None
    beyond: frozenset[str] = frozenset()  # the conditions of which another one can only add to what is found
    # Whether what a key is about is there, and was not looked at, so that its absence proves nothing.
    hidden: Callable[[Key], bool] = field(default=_none)

    def conditions_beside(self, before: Conditions) -> Conditions:
        """Return the conditions of today, as they are to be held against those of a record."""
        return self.conditions if self.bearing is None else self.bearing(before)

    def by_hand(self, key: Key) -> bool:
        """Say whether a baseline grants nothing of this key."""
        return self.reviewed_only(key) or self.never(key)

    def completed(self, grants: Grants) -> Grants:
        """Return what documents grant together with what comments in the code do."""
        return replace(grants, approvals=(*grants.approvals, *self.in_place)) if self.in_place else grants


def members_changed(was: str, is_now: str) -> str:
    """Return which members of a listed condition came and went; "" where it is no list, or another one."""
    before, now = members_of(was), members_of(is_now)
    if not before & now:
        return ""
    clauses = (("without", before - now), ("with", now - before))
    return "is now " + " and ".join(f"{word} {some_of(names)}" for word, names in clauses if names)


def members_of(value: str) -> frozenset[str]:
    """Return the members of a condition that is a list."""
    return frozenset(value.split(_LISTED)) - {_NOTHING}


def written_members(members: Iterable[str]) -> str:
    """Return a condition that is a list of these."""
    return _LISTED.join(sorted(members)) or _NOTHING


def some_of(names: Iterable[str], most: int = _SHOWN) -> str:
    """Return the first names, sorted, as many as are shown, and how many more there are."""
    every = sorted(names)
    shown = ", ".join(every[:most])
    return f"{shown} and {len(every) - most} more" if len(every) > most else shown
