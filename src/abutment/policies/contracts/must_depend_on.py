"""Does a module use what it must use, and leave alone what it must not?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from abutment.facts.digraph import reachable
from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Requires
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Kind, Pattern, import_places
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.forbidden import Forbidden, between
from abutment.policies.contracts.matching import sources, targets
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class MustDependOn:
    """Each of the modules, as a whole, imports each of `must` and none of `not`."""

    modules: tuple[Pattern, ...]
    must: tuple[Pattern, ...]
    must_not: tuple[Pattern, ...] = ()


def read(reader: TableReader) -> MustDependOn:
    """Read the keys of this kind."""
    return MustDependOn(
        modules=patterns(reader, "modules"),
        must=patterns(reader, "must"),
        must_not=patterns(reader, "not", optional=True),
    )


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return a breach for each missing import, and one for each import of what must be left alone."""
    law: MustDependOn = contract.law
    faults: list[Fault] = []
    for pattern in law.modules:
        sources(codebase, contract, (pattern,), faults)
    targets(codebase, contract, law.must, faults)
    targets(codebase, contract, law.must_not, faults)
    if faults:
        return Findings(faults=tuple(faults))
    units = {name: nodes for pattern in law.modules for name, nodes in codebase.units(pattern.selector).items()}
    missing = tuple(_missing(codebase, edges, contract, units))
    if not law.must_not:
        return Findings(missing)
    taken = between(codebase, edges, contract, Forbidden(law.modules, law.must_not), "must leave it alone")
    return replace(taken, breaches=(*missing, *taken.breaches))


def _missing(
    codebase: Codebase, edges: Edges, contract: Contract, units: dict[str, frozenset[int]]
) -> Iterator[Breach]:
    law: MustDependOn = contract.law
    for name, nodes in units.items():
        judged = nodes & codebase.judged
        if not judged:
            continue
        if contract.indirect:
            reached = reachable(edges.out, judged)
        else:
            reached = {imported for importer in judged for imported in edges.out[importer]}
        for pattern in law.must:
            if not codebase.select(pattern.selector) & (reached - nodes):
                verb = "reach" if contract.indirect else "import"
                yield Breach(name, pattern.text, f"{name} does not {verb} {pattern.text}", "must depend on it")


def places(codebase: Codebase, contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the imports that must not be, or the file from which one is missing."""
    if breach.ends[0] < 0:
        return codebase.file_of(breach.importer)
    return import_places(codebase, contract, breach)


KIND = Kind(
    name="must_depend_on",
    rule="ABT307",
    read=read,
    find=find,
    remedy="Add the import that is missing, or take out the one that must not be.",
    indirect=True,
    ignores=False,
    places=places,
    loosening=Loosening({"modules": Requires(), "must": Requires(), "not": Requires()}),
)
