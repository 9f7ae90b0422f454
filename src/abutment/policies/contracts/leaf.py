"""Does a module that should stand on its own import first-party code?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Requires
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import plain_breaches
from abutment.policies.contracts.matching import sources
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class Leaf:
    """None of the modules imports first-party code from outside itself."""

    modules: tuple[Pattern, ...]


def read(reader: TableReader) -> Leaf:
    """Read the keys of this kind."""
    return Leaf(patterns(reader, "modules"))


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every first-party import that leads out of one of the modules."""
    law: Leaf = contract.law
    faults: list[Fault] = []
    for pattern in law.modules:
        sources(codebase, contract, (pattern,), faults)
        faults.extend(_holding_all(codebase, contract, pattern))
    if faults:
        return Findings(faults=tuple(faults))
    return plain_breaches(
        codebase, _leading_out(codebase, edges, law), lambda _a, _b: "must import nothing first-party"
    )


def _holding_all(codebase: Codebase, contract: Contract, pattern: Pattern) -> Iterator[Fault]:
    """Yield a fault where one of the modules is all there is: then no import can ever lead out of it."""
    for name, nodes in codebase.units(pattern.selector).items():
        if codebase.first_party <= nodes:
            yield contract.fault(pattern.site, f"{name!r} is all of the first-party code: nothing can lead out of it.")


def _leading_out(codebase: Codebase, edges: Edges, law: Leaf) -> Iterator[tuple[int, int]]:
    for pattern in law.modules:
        for nodes in codebase.units(pattern.selector).values():
            for importer in sorted(nodes & codebase.judged):
                for imported in edges.out[importer]:
                    if codebase.internal(imported) and imported not in nodes:
                        yield importer, imported


KIND = Kind(
    name="leaf",
    rule="ABT306",
    read=read,
    find=find,
    remedy="Take what it needs as an argument, or move what it imports into it.",
    loosening=Loosening({"modules": Requires()}),
)
