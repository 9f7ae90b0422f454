"""What does a plan say before its first mutation, and what does the receipt say that stays of it?

Both are one line of canonical JSON, so that the line's digest is the digest of everything: it holds the digest of the
mutations below it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from abutment.errors import NotJudged
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.reading import Faults, TableReader

SCHEMA = 1
VERB = "migrate"
_PLAN_AGAIN = "Plan again; a plan is never edited."
_RESTORE = "Receipts are never edited: restore it from version control."
# A gate's name is a file's name: nothing that leads elsewhere, or that a file system or the journal cannot hold.
_GATE = re.compile(r"(?!\.)[^/\\:\x00-\x1f\x7f\ud800-\udfff]{1,100}")
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One document before a migration, or after it."""

    schema: int
    fields: tuple[str, ...]
    digest: str  # of the document; "" where there was none
    items: str  # digest of its entries, in order
    entries: int


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What a migration does to one baseline."""

    name: str  # below the documents' folder
    gate: str
    before: Side
    after: Side
    mutations: int
    conditions: Pairs = ()
    covers: tuple[str, ...] = ()  # contract ids that were covered under another name

    @property
    def renews(self) -> bool:
        """Say whether the facts are told apart by other fields now, so that earlier receipts speak no more of them."""
        return self.before.digest != "" and self.before.fields != self.after.fields


@dataclass(frozen=True, slots=True)
class Plan:
    """All of a plan but its mutations."""

    abutment: str  # the version that planned
    documents: tuple[DocumentChange, ...]
    receipts: tuple[str, ...]  # every receipt that was there, below the documents' folder, sorted
    policies: Pairs  # name and digest of each gate's; "" where there was none
    sources: Pairs  # name and digest of what else it was made from
    old: str  # digest of the entries as they are
    mutations: str  # digest of the mutations
    new: str  # digest of the entries as they will be
    count: int  # mutations in all
    edits: tuple[str, ...] = ()  # for people to make: nothing of ours writes a policy

    @property
    def line(self) -> bytes:
        """How it is written, without its end."""
        return _canonical({"schema": SCHEMA, **asdict(self)})

    @property
    def digest(self) -> str:
        """What a person approves: it changes with everything that the plan says."""
        return hashlib.sha256(self.line).hexdigest()


@dataclass(frozen=True, slots=True)
class Done:
    """All of a migration's receipt but its mutations."""

    abutment: str  # the version that applied
    intent: str  # the plan's digest
    documents: tuple[DocumentChange, ...]
    supersedes: tuple[str, ...]  # the receipts that it has seen, below the documents' folder
    old: str
    mutations: str
    new: str
    count: int

    @staticmethod
    def of(plan: Plan, version: str) -> Done:
        """Return the receipt of a plan that was applied by this version."""
        return Done(version, plan.digest, plan.documents, plan.receipts, plan.old, plan.mutations, plan.new, plan.count)

    @property
    def line(self) -> bytes:
        """How it is written, without its end."""
        return _canonical({"schema": SCHEMA, "verb": VERB, **asdict(self)})

    @property
    def digest(self) -> str:
        """The first 32 hexadecimal digits of the SHA-256 of its line, which are its file's name."""
        return hashlib.sha256(self.line).hexdigest()[:32]

    @property
    def file_name(self) -> str:
        """The name of its file below `migrations/`."""
        return f"{self.digest}.jsonl"


def set_digest(items: Iterable[tuple[str, str]]) -> str:
    """Return the digest of a set of documents by the digest of each one's entries."""
    return hashlib.sha256(_canonical([list(pair) for pair in sorted(items)])).hexdigest()


def read_plan_line(path: str, line: bytes) -> Plan:
    """Return a plan's first line; raises NotJudged where it is none, or not as it was written."""
    table, faults = _table(path, line, _PLAN_AGAIN)
    plan = Plan(
        abutment=table.text("abutment"),
        documents=_documents(table),
        receipts=table.texts("receipts"),
        policies=_pairs(table, "policies"),
        sources=_pairs(table, "sources"),
        old=table.text("old"),
        mutations=table.text("mutations"),
        new=table.text("new"),
        count=table.integer("count"),
        edits=table.texts("edits"),
    )
    for name, _ in plan.policies:
        if not name.endswith(".toml") or not _GATE.fullmatch(name.removesuffix(".toml")):
            table.fault(("policies",), f"{name!r} is no policy of a gate.")
    table.close()
    faults.raise_if_any()
    _refuse_edited(path, line, plan.line, _PLAN_AGAIN)
    return plan


def read_done_line(path: str, line: bytes) -> Done:
    """Return the first line of a migration's receipt; raises NotJudged where it is none or was edited."""
    table, faults = _table(path, line, _RESTORE)
    table.choice("verb", (VERB,))
    done = Done(
        abutment=table.text("abutment"),
        intent=table.text("intent"),
        documents=_documents(table),
        supersedes=table.texts("supersedes"),
        old=table.text("old"),
        mutations=table.text("mutations"),
        new=table.text("new"),
        count=table.integer("count"),
    )
    table.close()
    faults.raise_if_any()
    _refuse_edited(path, line, done.line, _RESTORE)
    if path.rpartition("/")[2] != done.file_name:
        raise NotJudged(Fault(path, 1, f"its name is not the digest of its first line, {done.digest}.", _RESTORE))
    return done


def _table(path: str, line: bytes, remedy: str) -> tuple[TableReader, Faults]:
    try:
        value = exact_json(line.decode("utf-8"))
    except ValueError as error:
        raise NotJudged(Fault(path, 1, f"the first line {error}.", remedy)) from error
    faults = Faults()
    table = TableReader(path, value, faults, lambda _at: 1)
    schema = table.integer("schema")
    if not faults.found and schema != SCHEMA:
        table.fault(("schema",), f"{schema} was written by another abutment (known here: {SCHEMA}).")
    faults.raise_if_any()
    return table, faults


def _refuse_edited(path: str, found: bytes, line: bytes, remedy: str) -> None:
    if found != line:
        raise NotJudged(Fault(path, 1, "the first line is not as abutment writes it.", remedy))


def _documents(table: TableReader) -> tuple[DocumentChange, ...]:
    changes = tuple(_document(each) for each in table.tables("documents"))
    names = [change.name for change in changes]
    if names != sorted(set(names)):
        table.fault(("documents",), "are not in order, each once.")
    return changes


def _document(table: TableReader) -> DocumentChange:
    change = DocumentChange(
        name=table.text("name"),
        gate=table.text("gate"),
        before=_side(table.table("before")),
        after=_side(table.table("after")),
        mutations=table.integer("mutations"),
        conditions=_pairs(table, "conditions"),
        covers=table.texts("covers"),
    )
    if change.name != f"{change.gate}.jsonl" or not _GATE.fullmatch(change.gate):
        table.fault(("name",), f"{change.name!r} is no baseline of {change.gate!r}.")
    table.close()
    return change


def _side(table: TableReader) -> Side:
    side = Side(
        schema=table.integer("schema"),
        fields=table.texts("fields"),
        digest=table.text("digest", blank=True),
        items=table.text("items"),
        entries=table.integer("entries"),
    )
    if not side.fields or len({*side.fields, "count"}) <= len(side.fields):
        table.fault(("fields",), f"{', '.join(side.fields) or 'nothing'} cannot tell entries apart.")
    table.close()
    return side


def _pairs(table: TableReader, key: str) -> Pairs:
    pairs = [value for value in table.values(key) if isinstance(value, list) and len(value) == 2]
    texts = [(one, other) for one, other in pairs if isinstance(one, str) and isinstance(other, str)]
    if len(texts) != len(table.values(key)):
        table.fault((key,), "expected pairs of texts")
    return tuple(texts)


def _canonical(value: Mapping[str, object] | list[list[str]]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")
