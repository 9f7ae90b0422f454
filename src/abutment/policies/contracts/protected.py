"""Is a protected module imported by others than those who may?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Ordered, Permits, Requires
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Idle, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import plain_breaches
from abutment.policies.contracts.matching import targets
from abutment.policies.contracts.reading import patterns

UNUSED_ALLOWANCES = ("gone", "silent")


@dataclass(frozen=True, slots=True)
class Protected:
    """Only `allowed_importers`, and its own parts, may import a protected module or package."""

    protected: tuple[Pattern, ...]
    allowed_importers: tuple[Pattern, ...]
    unused_allowances: str = "gone"


def read(reader: TableReader) -> Protected:
    """Read the keys of this kind."""
    return Protected(
        protected=patterns(reader, "protected"),
        allowed_importers=patterns(reader, "allowed_importers", least=0),
        unused_allowances=reader.choice("unused_allowances", UNUSED_ALLOWANCES, "gone"),
    )


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import by somebody else, and each allowance that nobody uses."""
    law: Protected = contract.law
    faults: list[Fault] = []
    meant = targets(codebase, contract, law.protected, faults)
    if faults:
        return Findings(faults=tuple(faults))
    entering = sorted(set(_entering(codebase, edges, law)))
    allowed = [codebase.select(pattern.selector) for pattern in law.allowed_importers]
    every = frozenset().union(*allowed)
    uninvited = plain_breaches(
        codebase, (edge for edge in entering if edge[0] not in every), lambda _a, _b: "protected", meant
    )
    importers = {importer for importer, _ in entering}
    idle = [
        _idle(law, pattern)
        for pattern, nodes in zip(law.allowed_importers, allowed, strict=True)
        if not nodes & importers and law.unused_allowances == "gone"
    ]
    return Findings(uninvited.breaches, idle=tuple(idle), bears=uninvited.bears)


def _entering(codebase: Codebase, edges: Edges, law: Protected) -> Iterator[tuple[int, int]]:
    for pattern in law.protected:
        for nodes in codebase.units(pattern.selector).values():
            for imported in nodes:
                for importer in edges.into[imported]:
                    if importer not in nodes:
                        yield importer, imported


def _idle(law: Protected, pattern: Pattern) -> Idle:
    protected = ", ".join(other.text for other in law.protected)
    return Idle(pattern.text, protected, f"{pattern.text} may import {protected} but does not", pattern.site)


KIND = Kind(
    name="protected",
    rule="ABT308",
    read=read,
    find=find,
    remedy="Go through one of the allowed importers, or add this one to `allowed_importers` in a reviewed change.",
    loosening=Loosening(
        {
            "protected": Requires(),
            "allowed_importers": Permits(),
            "unused_allowances": Ordered(UNUSED_ALLOWANCES, UNUSED_ALLOWANCES[0]),
        }
    ),
)
