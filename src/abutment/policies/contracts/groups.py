"""How does what lies between groups of modules become breaches?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from abutment.model.fault import Fault
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings
from abutment.policies.contracts.crossings import Crossings
from abutment.policies.contracts.edges import Edges

MOST = 250_000  # a contract with more breaches is one that nobody meant; its baseline could not be read


def judged_groups(
    codebase: Codebase,
    edges: Edges,
    contract: Contract,
    groups: Mapping[int, int],
    illegal: Mapping[int, int],
    *,
    why: Callable[[int, int], str],
    meant: Collection[int] = (),
) -> Findings:
    """Return a breach for each pair of ends between groups that may not reach each other.

    `why` says for two groups what is wrong between them; `meant` are the nodes that the contract names as
    targets (see `Codebase.shown`).
    """
    crossings = Crossings(edges, groups, illegal, indirect=contract.indirect)
    breaches: dict[tuple[str, str], Breach] = {}
    for start, end in crossings.ends():
        importer, imported = codebase.names[start], codebase.shown(end, meant)
        direct = crossings.is_direct(start, end)
        verb = "imports" if direct else "reaches"
        text = f"{importer} {verb} {imported}{'' if direct else ' through other modules'}"
        reason = why(groups[start], groups[end])
        found = Breach(importer, imported, text, reason, (start, end), None if direct else crossings)
        if breaches.get((importer, imported), found).route is not None or (importer, imported) not in breaches:
            breaches[importer, imported] = found
        if len(breaches) > MOST:
            return Findings(faults=(_too_many(contract),))
    return Findings(tuple(breaches.values()), bears=crossings.bears)


def plain_breaches(
    codebase: Codebase,
    edges: Iterable[tuple[int, int]],
    why: Callable[[int, int], str],
    meant: Collection[int] | None = None,
) -> Findings:
    """Return a breach for each edge; `why` says what is wrong with it. Without `meant`, bases are what is named."""
    breaches: dict[tuple[str, str], Breach] = {}
    found: set[tuple[int, int]] = set()
    for edge in edges:
        start, end = edge
        importer = codebase.names[start]
        imported = codebase.shown(end, codebase.bases if meant is None else meant)
        text = f"{importer} imports {imported}"
        breaches[importer, imported] = Breach(importer, imported, text, why(start, end), edge)
        found.add(edge)
    return Findings(tuple(breaches.values()), bears=lambda a, b: (a, b) in found)


def _too_many(contract: Contract) -> Fault:
    return contract.fault(
        contract.site,
        f"there are more than {MOST:,} breaches; nobody could review them.",
        "Make it narrower, or leave out `indirect`.",
    )
