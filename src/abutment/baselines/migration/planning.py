"""What would a migration change? Everything is read and written line by line, and nothing of it but a plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby

from abutment.baselines.migration.documents import Document, Header
from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.headers import DocumentChange, Pairs, Plan, Side, set_digest
from abutment.baselines.migration.levels import Levels
from abutment.baselines.migration.lines import (
    Digest,
    key_of,
    packed,
    packed_pair,
    paired,
    summed,
    unpacked_pair,
)
from abutment.baselines.migration.mutation import Mutation, read_mutations
from abutment.baselines.migration.renewal import document_lines, new_entries
from abutment.baselines.migration.rewriting import Asked, Rewriting
from abutment.baselines.renaming import NameFields
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.sources.scratch import Spool, sorted_lines

PAID = " paid"


@dataclass(frozen=True, slots=True)
class Subject:
    """One gate, as a migration sees it."""

    gate: str
    fields: tuple[str, ...]  # of its facts, today
    places: NameFields
    approved: Collection[Key] = field(default_factory=frozenset)  # what people approve of it


def plan_migration(
    folder: Folder, subjects: Sequence[Subject], asked: Asked, version: str, spool: Spool, edits: Iterable[str] = ()
) -> Plan:
    """Return the plan's header; its mutations are appended to the spool.

    Raises Refused where nothing would change, where a line says more than receipts recorded, where debt would come
    back that was paid, and where something was changed while it was read.
    """
    folder.refuse_unread()
    before = _basis(folder, subjects)
    changes: list[DocumentChange] = []
    mutations = Digest()
    for subject in sorted(subjects, key=lambda each: each.gate):
        document = folder.document(f"{subject.gate}.jsonl")
        with _Renewal(folder, document, subject, asked) as renewal:
            spool.put(mutations.passing(renewal.mutations(spool.count)))
            changes.extend(renewal.changes(folder))
    if not changes:
        raise Refused(Fault(folder.path, 0, "nothing that is recorded here would change."))
    for _ in read_mutations("the plan", spool):
        pass  # what `apply` would refuse is not written
    if _basis(folder, subjects) != before:
        raise Refused(Fault(folder.path, 0, "was changed while it was read.", "Run the command again."))
    policies = folder.policies(subject.gate for subject in subjects)
    return plan_header(folder, changes, version, mutations, policies, tuple(edits))


def _basis(folder: Folder, subjects: Sequence[Subject]) -> object:
    names = [f"{subject.gate}.jsonl" for subject in subjects]
    gates = [subject.gate for subject in subjects]
    return folder.receipts.names(), folder.policies(gates), [folder.document(name).digest() for name in names]


def plan_header(
    folder: Folder,
    changes: list[DocumentChange],
    version: str,
    mutations: Digest,
    policies: Pairs,
    edits: tuple[str, ...],
    sources: Pairs = (),
) -> Plan:
    """Return the header of a plan that makes these changes."""
    return Plan(
        abutment=version,
        documents=tuple(changes),
        receipts=folder.receipts.names(),
        policies=policies,
        sources=sources,
        old=set_digest((change.name, change.before.items) for change in changes),
        mutations=mutations.hex,
        new=set_digest((change.name, change.after.items) for change in changes),
        count=mutations.count,
        edits=edits,
    )


class _Renewal:
    """One baseline's share of a plan. What is too much for memory waits in spools until it is closed."""

    def __init__(self, folder: Folder, document: Document, subject: Subject, asked: Asked) -> None:
        self._document, self._subject, self._asked = document, subject, asked
        self._header = document.header()
        self._rewrite = Rewriting.of(
            subject.gate, document.path, self._header.fields, subject.fields, subject.places, asked
        )
        self._renews = self._header.fields != subject.fields
        self._levels = Levels(folder.receipts, subject.gate)
        self._old = Digest()
        self._count = 0

    def __enter__(self) -> _Renewal:
        """Read everything once, and sort it into what stays, what moves and which tombstones might."""
        self._open = ExitStack()
        self._told, self._kept, self._live, self._tombs, self._came, self._carried = (
            self._open.enter_context(Spool()) for _ in range(6)
        )
        try:
            self._sort_out()
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(self, *_how: object) -> None:
        self._open.close()

    def mutations(self, first: int) -> Iterator[bytes]:
        """Yield the lines of its mutations, in order of the identities before, with ordinals from `first` on."""
        for ordinal, line in enumerate(merge(self._live, self._carried), start=first):
            before, after, count = unpacked_pair(line)
            self._count += 1
            yield Mutation(ordinal, self._document.name, before, after, int(count)).line

    def changes(self, folder: Folder) -> Iterator[DocumentChange]:
        """Yield what becomes of the document, where anything does."""
        schema = folder.formats[-1].schema
        if not self._count and schema == self._header.schema and not self._renews:
            return
        before = self._header
        after = Header(schema, before.gate, self._subject.fields, before.conditions)
        items, whole = Digest(), Digest()
        for _ in whole.passing(document_lines(after, self._entries(), folder.formats, items)):
            pass
        old = Side(before.schema, before.fields, self._document.digest() or "", self._old.hex, self._old.count)
        new = Side(after.schema, after.fields, whole.hex, items.hex, items.count)
        yield DocumentChange(
            self._document.name, before.gate, old, new, self._count, before.conditions, tuple(self._renamed_covers())
        )

    def _sort_out(self) -> None:
        self._told.put(self._levels.lines())
        live = ((before, after, count) for before, after, count in self._sorted_out() if count)
        self._live.put(packed_pair(before, after, str(count)) for before, after, count in live)
        arriving = (unpacked_pair(line) for line in self._live)
        self._came.put(summed(sorted_lines(packed(after, count) for _, after, count in arriving)))
        self._refuse_returning()
        self._carried.put(sorted_lines(self._surviving()))

    def _sorted_out(self) -> Iterator[tuple[Key, Key, int]]:
        """Yield what moves (the identities before and after, the count); put aside what stays, and the tombstones."""
        for raw, entry, told in paired(self._old.passing(self._document.entries()), self._told):
            before = key_of(raw)
            after = self._rewrite(before)
            is_same = after == before and not self._renews
            if entry is not None:
                self._refuse_powerless(before, int(entry), told)
                if is_same:
                    self._kept.put([packed(before, entry)])
                else:
                    yield before, after, int(entry)
            elif told is not None and told.endswith(PAID) and not is_same:
                self._tombs.put([packed_pair(after, before, "0")])

    def _entries(self) -> Iterator[bytes]:
        return new_entries(self._document.path, self._kept, self._came)

    def _surviving(self) -> Iterator[bytes]:
        """Yield the tombstones that go along, by the identity before.

        Where something is recorded or approved under the new identity, that holds it, and no tombstone may.
        """
        waiting = groupby(sorted_lines(self._tombs), key=lambda line: line.partition(b"\x01")[0])
        groups = ((key, [unpacked_pair(line)[1] for line in lines]) for key, lines in waiting)
        for after, befores in _without(groups, self._entries()):
            if after not in self._subject.approved:
                yield from (packed_pair(before, after, "0") for before in befores)

    def _refuse_powerless(self, key: Key, count: int, told: str | None) -> None:
        level = int(told.removesuffix(PAID)) if told is not None else 0
        if count > level:
            self._refuse(
                key,
                f"the line says {count}, and receipts recorded {level}",
                f"`abutment tighten {self._subject.gate}` puts it right.",
            )

    def _refuse_returning(self) -> None:
        """Raise Refused where debt comes to an identity that was paid: it may not return by a migration."""
        if self._renews:
            return  # what was told of the new identities was told of others
        for key, comes, told in paired(self._came, self._told):
            if comes is not None and told is not None and told.endswith(PAID):
                self._refuse(key_of(key), "was paid before and may not return by a migration", "")

    def _refuse(self, key: Key, what: str, remedy: str) -> None:
        raise Refused(Fault(self._document.path, 0, f"{', '.join(key)}: {what}.", remedy))

    def _renamed_covers(self) -> Iterator[str]:
        """Yield what parts of the law are called now that some write has recorded under another name."""
        parts: Mapping[str, str] = self._asked.values.get((self._subject.gate, self._subject.fields[0]), {})
        yield from sorted(parts[part] for part in self._levels.covers if part in parts)


def _without(groups: Iterable[tuple[bytes, list[Key]]], entries: Iterable[bytes]) -> Iterator[tuple[Key, list[Key]]]:
    """Yield the groups whose identity is not among the entries; both are in order."""
    there = (line.partition(b"\x01")[0] for line in entries)
    at = next(there, None)
    for key, befores in groups:
        while at is not None and at < key:
            at = next(there, None)
        if at != key:
            yield key_of(key), befores
