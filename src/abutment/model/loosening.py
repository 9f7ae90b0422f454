"""In which direction does a change of a setting loosen the law?

Each gate and each kind of contract declares it for its own keys. Of a key that nobody declares, every change loosens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum


class All(Enum):
    """When a list stands for everything instead of for its members."""

    NEVER = "never"
    ABSENT = "absent"  # where the key is not written; an empty list stands for nothing
    EMPTY = "empty"  # where the list is empty or not written


@dataclass(frozen=True, slots=True)
class Permits:
    """A list of which each further member loosens: exclusions, allowances."""

    dotted: bool = True  # a member covers what is below it, so that a longer name is the stricter one
    all: All = All.NEVER


@dataclass(frozen=True, slots=True)
class Requires:
    """A list of which each member less loosens: what is watched, what is forbidden, where it holds."""

    dotted: bool = False  # a member covers what is below it, so that a shorter name is the stricter one
    all: All = All.NEVER
    default: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ordered:
    """A value out of a few, named from the strictest to the loosest."""

    options: tuple[object, ...]
    default: object
    part: str = ""  # with the strictest one alone, facts are judged whose first field begins so


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A number of which less loosens; a percentage may be decimal, and a text."""

    default: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """A number of which more loosens, and none at all the most, unless there is a default."""

    default: int | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """A value of which nobody can say what another one allows: every change loosens."""


@dataclass(frozen=True, slots=True)
class Free:
    """A key that only tells a reader something."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A value that is stricter where it demands more; what it demands is computed."""

    demands: Callable[[object], frozenset[str]]  # of the value, None where it is not written


@dataclass(frozen=True, slots=True)
class Tables:
    """A list of tables, each a part of the law with an id of its own: one more is stricter."""

    loosening: Loosening
    by: str = "id"
    identity: str = ""  # the field of the gate's facts that holds the id


Setting = Permits | Requires | Ordered | AtLeast | AtMost | Changes | Free | Derived | Tables


@dataclass(frozen=True, slots=True)
class Loosening:
    """What a table declares of its keys."""

    keys: Mapping[str, Setting] = field(default_factory=dict, hash=False)  # equal ones still hash alike

    def of(self, key: str) -> Setting | None:
        """Return what is declared of a key; None where every change of it loosens."""
        return self.keys.get(key)


EXCLUDE = Permits()


def switch(default: bool, *, strict: bool = True, part: str = "") -> Ordered:
    """Return the setting of a truth value, of which `strict` is the stricter one."""
    return Ordered((strict, not strict), default, part)


NOTHING_KNOWN = Loosening()
ONLY_EXCLUDE = Loosening({"exclude": EXCLUDE})
