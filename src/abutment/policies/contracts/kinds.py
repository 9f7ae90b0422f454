"""Which kinds of contract are there, and what does one contract find in a codebase?"""

from __future__ import annotations

from dataclasses import replace

from abutment.model.reading import TableReader
from abutment.policies.contracts import (
    absent_path,
    acyclic_siblings,
    allow_only,
    external,
    forbidden,
    independence,
    layers,
    leaf,
    must_depend_on,
    protected,
    raw,
    symbol,
)
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Idle, Ignore, Kind, loosening_of
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.reading import read_contract

KINDS: tuple[Kind, ...] = (
    layers.KIND,
    forbidden.KIND,
    allow_only.KIND,
    independence.KIND,
    acyclic_siblings.KIND,
    leaf.KIND,
    must_depend_on.KIND,
    protected.KIND,
    external.KIND,
    symbol.KIND,
    absent_path.KIND,
    raw.KIND,
)
LOOSENINGS = {kind.name: loosening_of(kind) for kind in KINDS}  # in which direction each key loosens, by kind


def read_contracts(reader: TableReader) -> tuple[Contract, ...]:
    """Return the contracts below `[[tool.abutment.contracts]]`; `reader` reads `[tool.abutment]`.

    Faults go to the reader's list.
    """
    tables = reader.tables("contracts")
    contracts = [read_contract(table, KINDS) for table in tables]
    seen: set[str] = set()
    for table, contract in zip(tables, contracts, strict=True):
        if contract is not None and contract.id in seen:
            table.fault(("id",), f"{contract.id!r} is the id of an earlier contract", "Ids are kept in documents.")
        elif contract is not None:
            seen.add(contract.id)
    return tuple(contract for contract in contracts if contract is not None)


def judged(codebase: Codebase, contract: Contract) -> Findings:
    """Return what the contract finds, ignored imports left out, with each ignore that is of no use."""
    edges = codebase.edges(contract.counting)
    found = contract.kind.find(codebase, edges, contract)
    if not contract.ignore or found.faults:
        return found
    meant = {ignore: codebase.ignored(edges, ignore) for ignore in contract.ignore}
    kept = _kept(codebase, edges, contract, found, meant)
    unused = [ignore for ignore in contract.ignore if not _is_used(contract, found, ignore, meant[ignore])]
    idle, notes = found.idle, found.notes
    if contract.unused_ignores in ("gone", "unmatched"):
        idle += tuple(_idle(ignore, bool(meant[ignore])) for ignore in unused)
    elif contract.unused_ignores == "note":
        notes += tuple(f"contract {contract.id}: the ignored import {ignore.text} is not there." for ignore in unused)
    return replace(kept, idle=idle, notes=notes)


def _kept(
    codebase: Codebase,
    edges: Edges,
    contract: Contract,
    found: Findings,
    meant: dict[Ignore, frozenset[tuple[int, int]]],
) -> Findings:
    left_out = frozenset().union(*meant.values())
    kept = contract.kind.find(codebase, edges.without(left_out), contract) if left_out else found
    # Symbols and other things that are no edges of the graph are ignored by their names.
    breaches = [
        breach
        for breach in kept.breaches
        if not any(_names(ignore, breach.importer, breach.imported) for ignore in contract.ignore)
        or breach.route is not None
    ]
    return replace(kept, breaches=tuple(breaches))


def _is_used(contract: Contract, found: Findings, ignore: Ignore, meant: frozenset[tuple[int, int]]) -> bool:
    if contract.unused_ignores != "gone" and meant:
        return True
    if any(found.bears(importer, imported) for importer, imported in meant):
        return True
    return any(_names(ignore, breach.importer, breach.imported) for breach in found.breaches if breach.route is None)


def _names(ignore: Ignore, importer: str, imported: str) -> bool:
    return ignore.importer.matches(importer) and ignore.imported.matches(imported)


def _idle(ignore: Ignore, matched: bool) -> Idle:
    why = "which is nothing this contract forbids" if matched else "but there is no such import"
    return Idle(ignore.importer.text, ignore.imported.text, f"`ignore` names {ignore.text}, {why}", ignore.site)
