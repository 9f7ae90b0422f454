"""`abutment migrate plan --from`: what of another tool's record may be recorded here, and what has to be approved?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from abutment.adopt.foreign.carrying import Carried, Found, approvals_text, carry
from abutment.adopt.foreign.item import Item, Left, Source
from abutment.adopt.foreign.kinds import KINDS
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.migration.headers import Pairs
from abutment.baselines.migration.recording import Record
from abutment.baselines.plan import counted, refuse_partial
from abutment.baselines.reading import read_documents
from abutment.baselines.receipts import document_digest, speaks_of
from abutment.baselines.record import beyond_approvals
from abutment.cli.opening import Opening
from abutment.config import Config
from abutment.facts.diagnostics import modules_by_path
from abutment.gates import load_gates
from abutment.gates.gate import Gate
from abutment.model.measurement import Measurement
from abutment.run import Measured, Project, measure, read_all_settings
from abutment.verdicts.law import law_before_init

Documents = Sequence[tuple[str, Path, bytes]]  # kind, place and bytes of each


def records_of(opening: Opening, config: Config, documents: Documents) -> tuple[list[Record], Pairs, list[str]]:
    """Return what to record, the digests of the sources, and what there is to say: approvals, and what is left."""
    project = opening.project(config)
    items, left = _read(project, documents)
    measured = _measured(project, sorted({item.gate for item in items} & set(config.gates)))
    carried = carry(items, {name: _found(one) for name, one in measured.items()})
    records = [_record(measured[gate], counts) for gate, counts in sorted(carried.recorded.items())]
    sources = tuple((f"{kind} {place.name}", document_digest(data) or "") for kind, place, data in documents)
    return records, sources, list(_lines(carried, left, measured))


def _read(project: Project, documents: Documents) -> tuple[list[Item], list[Left]]:
    items, left = list[Item](), list[Left]()
    modules, ignores = modules_by_path(project.program), _ignores(project.config)
    for kind, place, data in documents:
        for found in KINDS[kind](Source(str(place), data, modules, ignores)):
            if isinstance(found, Item):
                items.append(found)
            else:
                left.append(found)
    return items, left


def _ignores(config: Config) -> dict[str, tuple[str, ...]]:
    """Return what each contract ignores, by its id; what is wrong with contracts is told when they are measured."""
    contracts = config.raw.table.get("contracts", ())
    tables = [table for table in contracts if isinstance(table, Mapping)] if isinstance(contracts, list) else []
    return {str(table.get("id")): tuple(map(str, table.get("ignore", ()))) for table in tables}


def _measured(project: Project, names: Iterable[str]) -> dict[str, Measured]:
    gates = load_gates(names)
    settings = read_all_settings(project.config, gates)
    documents = read_documents(project.tree, project.config.documents)
    found: dict[str, Measured] = {}
    for gate in gates:
        law = law_before_init(documents, gate.terms(project.config.documents))
        measurement = measure(project, gate, settings[gate.name], law.grants)
        refuse_partial(law, measurement, "migrate")
        found[gate.name] = Measured(gate, law, measurement)
    return found


def _found(measured: Measured) -> Found:
    gate, law, measurement = measured.gate, measured.law, measured.measurement
    return Found(
        fields=gate.fields,
        counts={key: count for key, count in beyond_approvals(law, measurement).items() if not measurement.never(key)},
        closed=_closed(gate, law),
        reviewed_only=measurement.reviewed_only,
        facts=law.terms.facts,
    )


def _closed(gate: Gate, law: Law) -> str:
    if not keeps_baseline(law.terms):
        return "takes approvals only, and nobody approved it there."
    if law.baseline is not None or any(speaks_of(receipt, gate.name) for receipt in law.receipts):
        return f"{gate.name} was recorded here before, and nothing is added to that."
    return ""


def _record(measured: Measured, counts: Mapping[tuple[str, ...], int]) -> Record:
    measurement: Measurement = measured.measurement
    conditions = tuple(sorted(measurement.conditions.items()))
    return Record(measured.gate.name, measured.gate.fields, counts, conditions, tuple(sorted(measurement.covers)))


def _lines(carried: Carried, left: Sequence[Left], measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from (one.line for one in (*left, *carried.left))
    for gate, number in sorted(carried.unnamed.items()):
        yield f"{gate}: {counted(number, 'fact')} of the code no record names: new, until it is paid or approved."
    if carried.reviewed:
        yield "# Approved elsewhere, for people to put into the policies here; what is blank they have to fill in."
        yield from approvals_text(carried.reviewed, {name: one.gate.fields for name, one in measured.items()})
