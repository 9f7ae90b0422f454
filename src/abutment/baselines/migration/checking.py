"""Do the documents, and the mutations, agree with a plan? Everything that must hold before anything is written.

Each question reads what it asks of anew. The first thing that does not agree is named, and ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby

from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.headers import DocumentChange, Pairs, Plan, set_digest
from abutment.baselines.migration.lines import Digest, key_of, packed, paired, summed
from abutment.baselines.migration.mutation import Mutation
from abutment.baselines.migration.plan_file import PlanFile
from abutment.baselines.migration.receipt import whole_stream
from abutment.baselines.migration.renewal import document_lines, new_entries, new_header
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.sources.scratch import Spool, sorted_lines

# Takes the lines of a new document and returns their digest: staged while applying, only looked at while verifying.
Sink = Callable[[str, Iterable[bytes]], str]
PLAN_AGAIN = "Plan again."


def refuse_other(file: PlanFile, approved: str) -> None:
    """Raise Refused where a plan is not the one that a person approved."""
    if file.plan.digest != approved:
        raise Refused(Fault(file.path, 1, f"is not the plan that was approved: its digest is {file.plan.digest}."))


def refuse_drift(folder: Folder, file: PlanFile, version: str) -> None:
    """Raise Refused, naming each receipt, policy or document that is not the one that the plan was made upon.

    So it does where another version of ours made the plan.

    A receipt or an approval that speaks of an older identity is nothing wrong; that it is the same one is what counts.
    """
    plan = file.plan
    if plan.abutment != version:
        made = f"was planned by abutment {plan.abutment}, and this is {version}."
        raise Refused(Fault(file.path, 1, made, PLAN_AGAIN))
    faults = [*_receipt_drift(folder, plan), *_policy_drift(folder, plan), *_document_drift(folder, plan)]
    if faults:
        raise Refused(faults)


def _receipt_drift(folder: Folder, plan: Plan) -> Iterator[Fault]:
    there, known = set(folder.receipts.names()), set(plan.receipts)
    for name in sorted(there - known):
        yield Fault(f"{folder.path}/{name}", 0, "was written after the plan was made.", PLAN_AGAIN)
    for name in sorted(known - there):
        yield Fault(f"{folder.path}/{name}", 0, "was there when the plan was made, and is missing.", PLAN_AGAIN)


def _policy_drift(folder: Folder, plan: Plan) -> Iterator[Fault]:
    found: Pairs = folder.policies(name.removesuffix(".toml") for name, _ in plan.policies)
    for name in sorted({name for name, _ in set(found) ^ set(plan.policies)}):
        yield Fault(f"{folder.path}/{name}", 0, "was changed after the plan was made.", PLAN_AGAIN)


def _document_drift(folder: Folder, plan: Plan) -> Iterator[Fault]:
    for change in plan.documents:
        document = folder.document(change.name)
        if (document.digest() or "") != change.before.digest:
            yield Fault(document.path, 0, "was changed after the plan was made.", PLAN_AGAIN)


def check_mutations(folder: Folder, file: PlanFile, sink: Sink) -> None:
    """Hand the lines of each new document to the sink; raises NotJudged at the first thing that does not agree."""
    plan = file.plan
    changes = {change.name: change for change in plan.documents}
    left = dict(changes)
    olds, news = dict[str, str](), dict[str, str]()
    stream = whole_stream(file.path, file.stream(), plan.mutations, plan.count, PLAN_AGAIN)
    for name, group in groupby(stream, key=lambda mutation: mutation.document):
        change = left.pop(name, None)
        if change is None:
            raise Refused(Fault(file.path, 0, f"{name}: its header does not name this document."))
        olds[name], news[name] = _Change(folder, change, sink).carried_out(group)
    for name, change in left.items():
        olds[name], news[name] = _Change(folder, change, sink).carried_out(())
    _refuse_other(file.path, "entries before", plan.old, set_digest(olds.items()))
    _refuse_other(file.path, "entries after", plan.new, set_digest(news.items()))


def _refuse_other(path: str, what: str, planned: str, found: str) -> None:
    if planned != found:
        raise Refused(Fault(path, 1, f"the {what} are not those that were planned.", PLAN_AGAIN))


@dataclass(frozen=True, slots=True)
class _Change:
    """One document on its way."""

    folder: Folder
    change: DocumentChange
    sink: Sink

    def carried_out(self, mutations: Iterable[Mutation]) -> tuple[str, str]:
        """Return the digests of its entries before and after; raises Refused where they are not as was planned."""
        old, new = Digest(), Digest()
        with ExitStack() as spools:
            leaving, coming, kept, came = (spools.enter_context(Spool()) for _ in range(4))
            number = 0
            for mutation in mutations:
                number += 1
                self._refuse_other_fields(mutation)
                if mutation.before is None:
                    self._refuse_adding(mutation)
                else:
                    leaving.put([packed(mutation.before, str(mutation.count))])
                if mutation.count:
                    coming.put([packed(mutation.after, str(mutation.count))])
            kept.put(self._staying(old, leaving))
            came.put(summed(sorted_lines(coming)))
            entries = new_entries(self._path, kept, came)
            digest = self.sink(
                self.change.name, document_lines(new_header(self.change), entries, self.folder.formats, new)
            )
        self._refuse_unlike("the number of its mutations", self.change.mutations, number)
        self._refuse_unlike("the number of its entries before", self.change.before.entries, old.count)
        self._refuse_unlike("the number of its entries after", self.change.after.entries, new.count)
        self._refuse_unlike("what its entries were", self.change.before.items, old.hex)
        self._refuse_unlike("what its entries become", self.change.after.items, new.hex)
        self._refuse_unlike("what it becomes", self.change.after.digest, digest)
        return old.hex, new.hex

    def _staying(self, old: Digest, leaving: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the entries that no mutation takes away; raises Refused where one takes what is not there."""
        for key, there, taken in paired(old.passing(self._entries()), leaving):
            if taken is None:
                yield key + packed((), there or "")
            elif taken != (there or "0"):
                said = "is not recorded" if there is None else f"is recorded {there} times"
                raise self._refusal(f"{', '.join(key_of(key))}: {said}, and the plan moves {taken}")

    def _entries(self) -> Iterator[bytes]:
        if not self.change.before.digest:
            return iter(())
        document = self.folder.document(self.change.name)
        header = document.header()
        before = self.change.before
        if (header.schema, header.fields, header.conditions) != (before.schema, before.fields, self.change.conditions):
            raise self._refusal("its header is not the one that was planned upon")
        return document.entries()

    def _refuse_other_fields(self, mutation: Mutation) -> None:
        """Raise Refused where an identity has not one part for each field of its document."""
        sides = ((mutation.before, self.change.before), (mutation.after, self.change.after))
        if any(key is not None and len(key) != len(side.fields) for key, side in sides):
            raise self._refusal(f"{', '.join(mutation.after)}: has not one part for each field of the document")

    def _refuse_adding(self, mutation: Mutation) -> None:
        """Raise Refused for what comes from elsewhere where a baseline is there: debt would be added to it."""
        if self.change.before.digest:
            raise self._refusal(f"{', '.join(mutation.after)}: adds debt to a baseline that is there")

    def _refuse_unlike(self, what: str, planned: object, found: object) -> None:
        if planned != found:
            raise self._refusal(f"{what} is not as planned: {found}, not {planned}")

    def _refusal(self, what: str) -> NotJudged:
        return Refused(Fault(self._path, 0, f"{what}.", PLAN_AGAIN))

    @property
    def _path(self) -> str:
        return f"{self.folder.path}/{self.change.name}"
