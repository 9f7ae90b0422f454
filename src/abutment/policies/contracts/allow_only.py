"""Does anything import more than the few things it may?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Permits, Requires, switch
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import plain_breaches
from abutment.policies.contracts.matching import sources, targets
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class AllowOnly:
    """`sources` may import themselves and `allowed`, nothing else first-party."""

    sources: tuple[Pattern, ...]
    allowed: tuple[Pattern, ...]
    externals: bool = False  # packages outside the roots are judged, too
    stdlib: bool = True  # the standard library is always allowed


def read(reader: TableReader) -> AllowOnly:
    """Read the keys of this kind."""
    return AllowOnly(
        sources=patterns(reader, "sources"),
        allowed=patterns(reader, "allowed", least=0),
        externals=reader.boolean("externals", False),
        stdlib=reader.boolean("stdlib", True),
    )


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import of something else."""
    law: AllowOnly = contract.law
    faults: list[Fault] = []
    judged = sources(codebase, contract, law.sources, faults)
    allowed = targets(codebase, contract, law.allowed, faults)
    if faults:
        return Findings(faults=tuple(faults))
    own = [codebase.select(pattern.selector) for pattern in law.sources]
    beyond = (edge for edge in _judged(codebase, edges, judged, law) if not _allowed(edge, allowed, own))
    return plain_breaches(codebase, beyond, lambda _a, _b: "not on the list")


def _judged(codebase: Codebase, edges: Edges, judged: frozenset[int], law: AllowOnly) -> Iterator[tuple[int, int]]:
    for importer in sorted(judged):
        for imported in edges.out[importer]:
            if codebase.internal(imported) or (law.externals and not (law.stdlib and codebase.is_standard(imported))):
                yield importer, imported


def _allowed(edge: tuple[int, int], allowed: frozenset[int], own: list[frozenset[int]]) -> bool:
    importer, imported = edge
    return imported in allowed or any(importer in part and imported in part for part in own)


KIND = Kind(
    name="allow_only",
    rule="ABT303",
    read=read,
    find=find,
    remedy="Use what is allowed there, or widen `allowed` in a reviewed change of the contract.",
    loosening=Loosening(
        {
            "sources": Requires(),
            "allowed": Permits(),
            "externals": switch(False),
            "stdlib": switch(True, strict=False),
        }
    ),
)
