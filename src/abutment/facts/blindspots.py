"""What can the import graph not be sure of?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from abutment.model.site import Site
from abutment.semantics.program import Blind, BlindSpot, Program


@dataclass(frozen=True, slots=True, order=True)
class BlindFact:
    """One thing that the graph cannot be sure of, and where it stands."""

    kind: str  # a value of semantics.program.Blind
    module: str
    qualname: str  # of the scope that holds it; "<module>" also for what no scope holds, as a file that is shadowed
    what: str  # the name as written, a known prefix + "?", or the other file
    site: Site = field(compare=False)


def scan_blindspots(program: Program) -> Iterator[BlindFact]:
    """Yield every blind spot of the program."""
    for spot in program.blind:
        yield BlindFact(spot.kind.value, spot.module, spot.site.scope, _what(spot), site=spot.site)


def _what(spot: BlindSpot) -> str:
    # An approval names one fact and may hold no wildcard. What follows the prefix is unknown, not "anything".
    return spot.what.replace("*", "?") if spot.kind is Blind.DYNAMIC else spot.what
