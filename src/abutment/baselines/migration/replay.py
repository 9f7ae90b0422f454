"""Was this plan applied already, and is everything still as that left it? Neither sources nor the stream are read."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.headers import DocumentChange, Done, Plan
from abutment.baselines.migration.lines import Digest, key_of, packed, paired, summed
from abutment.baselines.migration.mutation import Mutation
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.sources.scratch import sorted_lines

_SINCE = "It was applied, and documents were changed since: there is nothing left to apply."


def applied_before(folder: Folder, plan: Plan) -> str:
    """Return the receipt of the plan below the folder, "" where there is none.

    Raises NotJudged where the receipt is not whole, Refused where a document is not as that says, or where the
    receipt of this plan tells of something else.
    """
    for name in folder.receipts.migrations():
        done, mutations = folder.receipts.done(name)
        if done.intent != plan.digest:
            continue
        path = f"{folder.path}/{name}"
        if done != Done.of(plan, done.abutment):
            raise Refused(Fault(path, 1, "has the digest of this plan, and tells of another intent."))
        for _ in mutations:
            pass  # each is looked at: an ordinal that is missing ends it here
        for change in done.documents:
            _refuse_changed(folder, name, change)
        return name
    return ""


def _refuse_changed(folder: Folder, receipt: str, change: DocumentChange) -> None:
    document = folder.document(change.name)
    items, header = Digest(), document.header()
    for _ in items.passing(document.entries()):
        pass
    if items.hex != change.after.items:
        for fault in _unlike(folder, receipt, change):
            raise Refused(fault)
        raise Refused(Fault(document.path, 0, "has other entries besides those that were migrated.", _SINCE))
    if (header.schema, header.fields, header.conditions) != (
        change.after.schema,
        change.after.fields,
        change.conditions,
    ):
        raise Refused(Fault(document.path, 1, "has another header than the migration gave it.", _SINCE))


def _unlike(folder: Folder, receipt: str, change: DocumentChange) -> Iterator[Fault]:
    """Yield each migrated entry that is not there as the receipt says."""
    document = folder.document(change.name)
    _, mutations = folder.receipts.done(receipt)
    for key, said, there in paired(summed(sorted_lines(_live(mutations, change.name))), document.entries()):
        if said is not None and said != there:
            what = "is missing" if there is None else f"says {there}"
            yield Fault(document.path, 0, f"{', '.join(key_of(key))}: {what}, and the migration left {said}.", _SINCE)


def _live(mutations: Iterator[Mutation], name: str) -> Iterator[bytes]:
    for mutation in mutations:
        if mutation.document == name and mutation.count:
            yield packed(mutation.after, str(mutation.count))
