"""On which terms are a gate's facts held?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Which changes a gate allows, and by whose hand."""

    EXACT = "exact"  # a person's document, equal
    RATCHET = "ratchet"  # our document, equal, may only fall
    SNAPSHOT = "snapshot"  # our document, equal, may be re-recorded with `record`
    CEILING = "ceiling"  # a set limit from above
    FLOOR = "floor"  # a set limit from below
    ZERO = "zero"  # none at all


@dataclass(frozen=True, slots=True)
class Terms:
    """What the judge has to know of a gate, and nothing of how its facts were found."""

    gate: str
    fields: tuple[str, ...]  # names of the identity's parts
    direction: Direction
    tombstones: bool  # paid debt may not return without a person lifting it
    policy: str  # path of <gate>.toml, relative to the root
    baseline: str  # path of <gate>.jsonl, relative to the root
    asks_exit: bool = False  # an approval of either class has to say, as `target_state`, when it is no longer needed
    asks_expiry: bool = False  # an approval of either class has to run out on a day
    has_targets: bool = False  # an approval of debt has to name the state that the code is to reach
    figures: bool = False  # a count is the figure of one fact (its lines), not how often it is there

    def facts(self, counts: Iterable[int]) -> int:
        """Return of how many facts these counts of different keys speak."""
        return sum(count > 0 for count in counts) if self.figures else sum(counts)
