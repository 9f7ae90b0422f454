"""What does another tool's document say of one piece of debt?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abutment.model.selector import within

Fits = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Review:
    """What a person said of it."""

    klass: str  # "debt" or "exception"
    reason: str
    owner: str = ""
    tracking: str = ""
    target_state: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """Debt that is recorded elsewhere, by as much of an identity as is told there."""

    gate: str
    place: str  # where it stands: "debt.json: settings_imports.files[3]"
    says: str  # how it reads there
    parts: Mapping[str, str | Fits]  # by field of the gate: its value, or what fits
    count: int | None = 1  # how much of it; None where it was not counted
    review: Review | None = None  # None where nobody looked at it
    absent: str = "the code has nothing of that kind that may still be granted."  # the cause, where nothing fits


@dataclass(frozen=True, slots=True)
class Left:
    """Something that cannot be carried over, and why."""

    place: str
    cause: str

    @property
    def line(self) -> str:
        """How it is told."""
        return f"NOT carried over from {self.place}: {self.cause}"


@dataclass(frozen=True, slots=True)
class Source:
    """One document, and what its reader may ask of the codebase."""

    path: str  # how messages call it
    data: bytes
    modules: Mapping[str, str] = field(default_factory=dict)  # by path of its file
    ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of each contract here, by its id


Read = Callable[[Source], Iterator[Item | Left]]


def below(name: str) -> Fits:
    """Return what fits a dotted name and everything below it."""
    return lambda text: within(text, name)


def in_function(name: str) -> Fits:
    """Return what fits a function, by its whole qualname or the end of it, and the functions inside it."""

    def fits(qualname: str) -> bool:
        outer = qualname.partition(".<locals>")[0]
        return outer == name or outer.endswith(f".{name}")

    return fits


def one_of(names: frozenset[str]) -> Fits:
    """Return what fits any of the names."""
    return names.__contains__
