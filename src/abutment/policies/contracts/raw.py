"""Which import statements lead from here to there, each a debt of its own?

No parent packages, no symbols: `from app.adapters.system import rust` is an import of `app.adapters.system`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Requires
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import DYNAMIC, PASSED, TYPED, TYPED_PASSED, WAYS, WRITTEN, Edges, accepted
from abutment.policies.contracts.matching import sources
from abutment.policies.contracts.reading import patterns


@dataclass(frozen=True, slots=True)
class Raw:
    """Imports from `sources` to `target` are facts, each to be reviewed."""

    sources: tuple[Pattern, ...]
    target: tuple[Pattern, ...]


def read(reader: TableReader) -> Raw:
    """Read the keys of this kind."""
    return Raw(patterns(reader, "sources"), patterns(reader, "target"))


def find(codebase: Codebase, _edges: Edges, contract: Contract) -> Findings:
    """Return one breach for each (importer, written module)."""
    law: Raw = contract.law
    faults: list[Fault] = []
    judged = sources(codebase, contract, law.sources, faults)
    faults.extend(
        contract.fault(pattern.site, f"{pattern.text!r} matches no module, and nothing imports it.")
        for pattern in law.target
        if not codebase.select(pattern.selector)
    )
    if faults:
        return Findings(faults=tuple(faults))
    breaches: dict[tuple[str, str], Breach] = {}
    for node in sorted(judged):
        importer = codebase.names[node]
        for _row, imported in written(codebase, contract, importer):
            text = f"{importer} imports {imported}"
            breaches[importer, imported] = Breach(importer, imported, text, "needs a review")
    return Findings(tuple(breaches.values()))


def written(codebase: Codebase, contract: Contract, importer: str) -> Iterator[tuple[int, str]]:
    """Yield the importer's rows that lead to the target, with the module as it was written."""
    law: Raw = contract.law
    columns = codebase.program.columns
    rows = list(_statements(codebase, contract, importer))
    derived = set(_derived(codebase, rows))
    for row in rows:
        module, name = columns.names[columns.imported[row]], columns.names[columns.symbol[row]]
        if any(pattern.selector.matches(module) for pattern in law.target):
            if row not in derived:
                yield row, module
        # `from app import adapters` writes the target itself, though it stands as a name.
        elif name and any(_is_named(codebase, pattern, f"{module}.{name}") for pattern in law.target):
            yield row, f"{module}.{name}"


def _is_named(codebase: Codebase, pattern: Pattern, name: str) -> bool:
    """Say whether what stands as a name is a target; a wildcard means modules, and no other names."""
    return pattern.selector.name == name or (name in codebase.program.modules and pattern.selector.matches(name))


def _statements(codebase: Codebase, contract: Contract, importer: str) -> Iterator[int]:
    """Yield the rows of what is written; a package that is only passed through is, where a name is taken from it."""
    columns = codebase.program.columns
    typed = contract.counting.type_only
    bits = accepted(contract.counting) & (WRITTEN | DYNAMIC | TYPED)
    with_name = PASSED | (TYPED_PASSED if typed else 0)
    for row in codebase.rows(importer):
        way = WAYS[columns.flags[row]]
        if way & bits or (way & with_name and columns.names[columns.symbol[row]]):
            yield row


def _derived(codebase: Codebase, rows: list[int]) -> Iterator[int]:
    """Yield the rows that are there only because a name taken from a package is itself a module."""
    columns = codebase.program.columns
    named = {_place(codebase, row) for row in rows if columns.names[columns.symbol[row]]}
    for row in rows:
        if columns.names[columns.symbol[row]]:
            continue
        line, column = columns.line[row], columns.column[row]
        above, _, _ = columns.names[columns.imported[row]].rpartition(".")
        if (line, column, above) in named:
            yield row


def _place(codebase: Codebase, row: int) -> tuple[int, int, str]:
    columns = codebase.program.columns
    return columns.line[row], columns.column[row], columns.names[columns.imported[row]]


def places(codebase: Codebase, contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the statements."""
    rows = (row for row, imported in written(codebase, contract, breach.importer) if imported == breach.imported)
    return tuple(sorted({codebase.program.import_at(row).site for row in rows}))


KIND = Kind(
    name="raw",
    rule="ABT312",
    read=read,
    find=find,
    remedy="Depend on a port instead; else a person approves this import in {policy}, with owner, reason and tracking.",
    ignores=False,
    passes=False,
    reviewed_only=True,
    places=places,
    loosening=Loosening({"sources": Requires(), "target": Requires()}),
)
