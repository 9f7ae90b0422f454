"""What would be recorded of another tool's debt? A first baseline, never more than the code has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from abutment.baselines.migration.documents import Header, rendered
from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.headers import DocumentChange, Pairs, Plan, Side
from abutment.baselines.migration.lines import Digest, packed
from abutment.baselines.migration.mutation import Mutation, read_mutations
from abutment.baselines.migration.planning import plan_header
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.sources.scratch import Spool


@dataclass(frozen=True, slots=True)
class Record:
    """What is to be recorded of one gate."""

    gate: str
    fields: tuple[str, ...]
    counts: Mapping[Key, int]
    conditions: Pairs = ()
    covers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its baseline's name."""
        return f"{self.gate}.jsonl"


def plan_records(folder: Folder, records: Sequence[Record], sources: Pairs, version: str, spool: Spool) -> Plan:
    """Return the header of the plan that records these; its mutations are appended to the spool.

    Raises Refused where there is a baseline: nothing is added to it.
    """
    folder.refuse_unread()
    mutations = Digest()
    changes = []
    for record in sorted(records, key=lambda each: each.gate):
        document = folder.document(record.name)
        if document.digest() is not None:
            raise Refused(Fault(document.path, 0, "is there already, and nothing is added to it."))
        spool.put(mutations.passing(_mutations(record, spool.count)))
        changes.append(_change(folder, record))
    for _ in read_mutations("the plan", spool):
        pass  # what `apply` would refuse is not written
    policies = folder.policies(record.gate for record in records)
    return plan_header(folder, changes, version, mutations, policies, (), sources)


def _mutations(record: Record, first: int) -> Iterator[bytes]:
    for ordinal, key in enumerate(sorted(record.counts), start=first):
        yield Mutation(ordinal, record.name, None, key, record.counts[key]).line


def _change(folder: Folder, record: Record) -> DocumentChange:
    header = Header(folder.formats[-1].schema, record.gate, record.fields, record.conditions)
    entries = [(key, record.counts[key]) for key in sorted(record.counts)]
    whole, items = Digest(), Digest()
    _exhaust(whole.passing(rendered(header, entries, folder.formats)))
    _exhaust(items.passing(packed(key, str(count)) for key, count in entries))
    before = Side(header.schema, record.fields, "", Digest().hex, 0)
    after = Side(header.schema, record.fields, whole.hex, items.hex, items.count)
    return DocumentChange(record.name, record.gate, before, after, len(entries), record.conditions, record.covers)


def _exhaust(lines: Iterable[bytes]) -> None:
    for _ in lines:
        pass
