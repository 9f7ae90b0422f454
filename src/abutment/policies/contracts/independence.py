"""Do modules that must know nothing of each other import each other?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Requires
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import judged_groups
from abutment.policies.contracts.matching import members as members_of
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class Independence:
    """None of the modules may import another; `app.services.*` stands for every child."""

    modules: tuple[Pattern, ...]


def read(reader: TableReader) -> Independence:
    """Read the keys of this kind."""
    return Independence(patterns(reader, "modules"))


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import, or chain, between two of the modules."""
    law: Independence = contract.law
    faults: list[Fault] = []
    members: dict[str, frozenset[int]] = {}
    for pattern in law.modules:
        members_of(codebase, contract, (pattern,), faults)
        members.update(codebase.units(pattern.selector))
    groups = disjoint(codebase, contract, members, faults)
    if len(members) < 2 and not faults:
        faults.append(contract.fault(contract.site, "needs at least two modules to be independent of each other."))
    if not faults and codebase.judged.isdisjoint(groups):
        faults.append(contract.fault(contract.site, "none of its modules has imports that this gate judges."))
    if faults:
        return Findings(faults=tuple(faults))
    names = list(members)
    every = (1 << len(names)) - 1
    illegal = {group: every ^ 1 << group for group in range(len(names))}
    return judged_groups(
        codebase, edges, contract, groups, illegal, why=lambda a, b: f"{names[a]} and {names[b]} are independent"
    )


def disjoint(
    codebase: Codebase, contract: Contract, members: dict[str, frozenset[int]], faults: list[Fault]
) -> dict[int, int]:
    """Return each node's group, in the order of the members; one fault for each pair that shares modules."""
    groups: dict[int, int] = {}
    names, told = list(members), set[tuple[int, int]]()
    for group, nodes in enumerate(members.values()):
        for node in sorted(nodes):
            other = groups.setdefault(node, group)
            if other != group and (other, group) not in told:
                told.add((other, group))
                message = f"{names[other]!r} and {names[group]!r} both hold {codebase.names[node]}."
                faults.append(contract.fault(contract.site, message, "A module can have one place only."))
    return groups


KIND = Kind(
    name="independence",
    rule="ABT304",
    read=read,
    find=find,
    remedy="Move what both need to a module below them, or let a module above them bring the two together.",
    indirect=True,
    loosening=Loosening({"modules": Requires()}),
)
