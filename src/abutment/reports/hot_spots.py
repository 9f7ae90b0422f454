"""Which places are furthest above a limit? One JSON document, the furthest first."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

SCHEMA = 1


@dataclass(frozen=True, slots=True, order=True)
class HotSpot:
    """One function, class or file above one limit."""

    path: str
    line: int
    qualname: str
    what: str  # "complexity", "nesting", "lines of a function"
    figure: int
    limit: int

    @property
    def percent(self) -> int:
        """How much of its limit it is, rounded down."""
        return self.figure * 100 // self.limit


def render_hot_spots(spots: Iterable[HotSpot]) -> str:
    """Return the document; the same bytes for the same code."""
    ranked = sorted(spots, key=lambda spot: (-spot.percent, spot))
    rows = [{**asdict(spot), "percent": spot.percent} for spot in ranked]
    return json.dumps({"schema": SCHEMA, "hot_spots": rows}, ensure_ascii=False, indent=2) + "\n"
