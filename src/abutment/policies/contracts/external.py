"""Is a third-party package used where it may not be?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import All, Loosening, Permits, Requires, switch
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.forbidden import Forbidden, between
from abutment.policies.contracts.groups import plain_breaches
from abutment.policies.contracts.matching import sources
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class External:
    """`modules` may not import `banned`, or may import no packages outside the roots but `allowed`."""

    modules: tuple[Pattern, ...]
    banned: tuple[Pattern, ...] = ()
    allowed: tuple[Pattern, ...] | None = None
    stdlib: bool = True  # beside an allow-list, the standard library is allowed


def read(reader: TableReader) -> External:
    """Read the keys of this kind."""
    if ("banned" in reader) == ("allowed" in reader):
        reader.fault(
            (), "needs either `banned` or `allowed`", "Say which packages may not, or which alone may be used."
        )
    law = External(
        modules=patterns(reader, "modules"),
        banned=patterns(reader, "banned", optional=True),
        allowed=patterns(reader, "allowed", optional=True, least=0) if "allowed" in reader else None,
        stdlib=reader.boolean("stdlib", True),
    )
    if "stdlib" in reader and law.allowed is None:
        reader.fault(("stdlib",), "means nothing beside `banned`", "Delete it.")
    if "indirect" in reader and law.allowed is not None:
        reader.fault(("indirect",), "means nothing beside `allowed`", "Delete it.")
    return law


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import, or for a ban every chain, to a package that may not be used."""
    law: External = contract.law
    faults = list(_first_party(codebase, contract, (*law.banned, *(law.allowed or ()))))
    if faults:
        return Findings(faults=tuple(faults))
    if law.allowed is None:
        return between(codebase, edges, contract, Forbidden(law.modules, law.banned), "banned there")
    judged = sources(codebase, contract, law.modules, faults)
    if faults:
        return Findings(faults=tuple(faults))
    return plain_breaches(codebase, _beyond(codebase, edges, judged, law), lambda _a, _b: "not on the list")


def _first_party(codebase: Codebase, contract: Contract, named: tuple[Pattern, ...]) -> Iterator[Fault]:
    for pattern in named:
        meant = codebase.select(pattern.selector)
        # Of a namespace that several distributions share, a part may be somebody else's.
        if any(map(codebase.internal, meant)) or (not meant and codebase.owns(pattern.selector.name)):
            message = f"{pattern.text!r} is first-party."
            yield contract.fault(pattern.site, message, 'Write a contract of kind "forbidden" or "allow_only".')


def _beyond(codebase: Codebase, edges: Edges, judged: frozenset[int], law: External) -> Iterator[tuple[int, int]]:
    allowed = frozenset().union(*(codebase.select(pattern.selector) for pattern in law.allowed or ()))
    for importer in sorted(judged):
        for imported in edges.out[importer]:
            if codebase.internal(imported) or imported in allowed:
                continue
            if not (law.stdlib and codebase.is_standard(imported)):
                yield importer, imported


KIND = Kind(
    name="external",
    rule="ABT309",
    read=read,
    find=find,
    remedy="Call the module of yours that wraps the package.",
    indirect=True,
    loosening=Loosening(
        {
            "modules": Requires(dotted=True),
            "banned": Requires(dotted=True),
            "allowed": Permits(all=All.ABSENT),
            "stdlib": switch(True, strict=False),
        }
    ),
)
