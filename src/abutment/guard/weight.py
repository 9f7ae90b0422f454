"""How much does an item of law allow, and in which ways is one looser than another?

A weight answers one question of another one of its kind: what does that allow which I do not? No answer means that it
is as strict. Weights of two kinds cannot be compared, which counts as looser.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Protocol

from abutment.model.measurement import members_changed

THERE, NOT_THERE = "there", "not there"


@dataclass(frozen=True, slots=True)
class Change:
    """One way in which an item is looser than it was."""

    member: str  # of a list; "" for the item as a whole
    before: str
    after: str
    words: str  # how it reads behind the item's name: "`app.old` was added"


class Weight(Protocol):
    """What an item of law allows."""

    @property
    def says(self) -> str:
        """How it reads; two weights that read alike are one law."""

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield each way in which `after` is looser than this."""


@dataclass(frozen=True, slots=True)
class Text:
    """A value of which nobody knows what it allows: another one is looser."""

    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where the two differ."""
        yield from _other(self, after)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A document that nobody here understands: another one may grant more, and none at all grants nothing."""

    digest: str  # "" where there is none

    @property
    def says(self) -> str:
        """Its digest."""
        return f"sha256 {self.digest}" if self.digest else NOT_THERE

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where there is another one."""
        if after != Foreign(""):
            yield from _other(self, after)


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be read, and why: whatever can be read now is another law."""

    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where it can be read, or cannot for another reason."""
        if after != self:
            yield Change("", self.says, after.says, f"could not be read: {self.says}")


@dataclass(frozen=True, slots=True)
class Remark:
    """A value that only tells a reader something."""

    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change only for a value of another kind."""
        if not isinstance(after, Remark):
            yield from _other(self, after)


@dataclass(frozen=True, slots=True)
class Measured:
    """A condition under which debt was measured; "" where nothing was measured yet, or is any more."""

    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where it was measured under one condition and then under another one."""
        if not isinstance(after, Measured) or (self.says and after.says and self != after):
            words = members_changed(self.says, after.says)
            yield from [Change("", self.says, after.says, words)] if words else _other(self, after)


@dataclass(frozen=True, slots=True)
class Presence:
    """Something that holds as long as it is there."""

    there: bool = True

    @property
    def says(self) -> str:
        """Whether it is there."""
        return THERE if self.there else NOT_THERE

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where it was taken away."""
        if not isinstance(after, Presence):
            yield from _other(self, after)
        elif self.there and not after.there:
            yield Change("", THERE, NOT_THERE, "was removed")


@dataclass(frozen=True, slots=True)
class Rank:
    """One of several values; a higher rank is looser."""

    rank: float | Fraction
    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield a change where the rank has risen."""
        if not isinstance(after, Rank) or after.rank > self.rank:
            yield from _other(self, after)


@dataclass(frozen=True, slots=True)
class _Members:
    """A list of names; `everything` stands for all there could be."""

    members: frozenset[str]
    everything: bool = False
    separator: str = ""  # "." or "/": a member means everything below it, too

    @property
    def says(self) -> str:
        """The members."""
        return "everything" if self.everything else _listed(self.members)


@dataclass(frozen=True, slots=True)
class Permitted(_Members):
    """A list of which each member allows something."""

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield each member that was added and that no member covers."""
        if not isinstance(after, Permitted):
            yield from _other(self, after)
        elif after.everything and not self.everything:
            yield Change("", self.says, after.says, "allows everything now")
        elif not self.everything:
            for member in _uncovered(after.members, self.members, self.separator):
                yield Change(member, NOT_THERE, THERE, f"{member!r} was added")


@dataclass(frozen=True, slots=True)
class Required(_Members):
    """A list of which each member holds something."""

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield each member that was taken out and that no member covers."""
        if not isinstance(after, Required):
            yield from _other(self, after)
        elif self.everything and not after.everything:
            yield Change("", self.says, after.says, f"held everywhere, and holds for {after.says} only")
        elif not after.everything:
            for member in _uncovered(self.members, after.members, self.separator):
                yield Change(member, THERE, NOT_THERE, f"{member!r} was taken out")


@dataclass(frozen=True, slots=True)
class Demands:
    """A value by what follows from it: the more, the stricter."""

    demands: frozenset[str]
    says: str

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield one change where it no longer demands all that it did."""
        if not isinstance(after, Demands):
            yield from _other(self, after)
            return
        lost = sorted(self.demands - after.demands)
        if lost:
            more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            yield Change("", self.says, after.says, f"no longer asks that {lost[0]}{more}")


@dataclass(frozen=True, slots=True)
class Granted:
    """What one fact is granted by both hands."""

    recorded: int = 0  # by the baseline, as far as receipts bear it out
    debt: int = 0
    exceptions: int = 0
    lifts: bool = False
    until: date | None = None  # the day on which the last grant ends; None where there is none, or one without an end
    level: int = 0  # the lowest count that receipts recorded
    paid_off: bool = False  # it may not return

    @property
    def total(self) -> int:
        """All that is granted."""
        return self.recorded + self.debt + self.exceptions

    @property
    def says(self) -> str:
        """How it reads."""
        counts = ((self.recorded, "recorded"), (self.debt, "debt"), (self.exceptions, "exception"))
        parts = [f"{count} {word}" for count, word in counts if count] or ["nothing"]
        parts += [f"until {self.until.isoformat()}"] if self.until else []
        parts += ["lifts"] if self.lifts else []
        parts += ["paid off"] if self.paid_off else []
        parts += [f"level {self.level}"] if self.level != self.recorded else []
        return ", ".join(parts)

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield one change where anything that matters of a grant has become more."""
        if not isinstance(after, Granted):
            yield from _other(self, after)
            return
        ways = list(self._ways(after))
        if ways:
            yield Change("", self.says, after.says, ", and ".join(ways))

    def _ways(self, after: Granted) -> Iterator[str]:
        if after.total > self.total:
            yield f"{after.total} instead of {self.total}"
        elif after.exceptions > self.exceptions:
            yield f"is an exception now ({self.says} before)"
        elif self._ends_before(after):
            yield f"ends later: {_end(after.until)}, {_end(self.until)} before"
        if after.lifts and not self.lifts:
            yield "may return although it was paid (`lifts`)"
        if self.paid_off and not after.paid_off:
            yield "is no longer recorded as paid"
        elif after.level > self.level and after.total <= self.total:
            yield f"may rise to {after.level} again, as the recorded level was {self.level}"

    def _ends_before(self, after: Granted) -> bool:
        return self.until is not None and after.total > 0 and (after.until is None or after.until > self.until)


def _end(day: date | None) -> str:
    return "never" if day is None else f"on {day.isoformat()}"


def _other(before: Weight, after: Weight) -> Iterator[Change]:
    if before != after:
        yield Change("", before.says, after.says, f"went from {before.says} to {after.says}")


def _uncovered(names: Collection[str], by: Collection[str], separator: str) -> list[str]:
    return sorted(name for name in names if name not in by and not (separator and _is_below(name, by, separator)))


def _is_below(name: str, others: Collection[str], separator: str) -> bool:
    """Say whether one of the others is a name that means all of this one."""
    bare = name.removeprefix("=")
    return any(_means(other, bare, separator) for other in others)


def _means(other: str, name: str, separator: str) -> bool:
    stem = other.rstrip(separator)
    if separator == "/" and "/" in stem:  # then one in front says nothing more
        stem, name = stem.lstrip("/"), name.lstrip("/")
    if separator == "/" and "/" not in stem.lstrip("/"):
        return False  # a pattern without a slash inside is a name at any depth
    return name == stem or name.startswith(stem + separator)


def _listed(members: Collection[str]) -> str:
    return ", ".join(sorted(members)) or "nothing"
