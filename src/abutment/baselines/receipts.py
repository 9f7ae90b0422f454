"""What did we write, and how low was each debt ever recorded? `receipts/<digest>.json`, one a write, never edited.

Receipts have no order: two branches each add theirs, and a merge is the union of files. What is said of a key is
therefore a minimum, which no order changes. Where a write has to raise a key (debt moved onto it, a re-recording),
its receipt names in `supersedes` those it has seen, and they no longer speak of the keys that it touches.
A receipt that a branch added unseen goes on speaking: the lower count wins.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from abutment.baselines.document_bytes import conflict_line, decoding_fault, encoded, plain
from abutment.model.exact_json import exact_json
from abutment.model.grants import Level
from abutment.model.identity import Key, named
from abutment.model.reading import Faults, TableReader, shown

SCHEMA = 1
_RESTORE = "Receipts are never edited: restore it from version control."


class How(StrEnum):
    """Why a key has the count that a receipt gives it."""

    RECORDED = "recorded"  # found at `init`
    PAID = "paid"  # the code has less; at 0 a tombstone
    PROMOTED = "promoted"  # an approval covers what the baseline no longer does
    MOVED = "moved"  # its module, function or class has another name now, or had before
    RERECORDED = "rerecorded"  # what it means has changed: another tool version, another threshold


RAISING = frozenset({How.MOVED, How.RERECORDED})  # may give a key more than the receipts that they supersede
_HOWS = {how.value: how for how in How}


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    """One key that a write changed."""

    key: Key
    count: int  # in the baseline, after the write
    how: How


@dataclass(frozen=True, slots=True)
class Part:
    """One gate's share of a write."""

    gate: str
    fields: tuple[str, ...]
    touches: tuple[Touch, ...] = ()  # sorted; none for snapshots
    covers: tuple[str, ...] = ()  # parts of the law that were recorded: contract ids
    conditions: tuple[tuple[str, str], ...] = ()  # under which the facts were measured, by name, sorted
    moves: tuple[tuple[Key, Key], ...] = ()  # of a migration: the identities before and after of what moved
    renews: bool = False  # its facts are told apart by other fields now: what is superseded speaks of none of them


@dataclass(frozen=True, slots=True, order=True)
class DocumentChange:
    """One document before and after a write, by digest; None where there was none."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True)  # no slots: a cached property needs a place
class Receipt:
    """One write of ours."""

    verb: str
    documents: tuple[DocumentChange, ...] = ()
    parts: tuple[Part, ...] = ()
    tools: tuple[tuple[str, str], ...] = ()  # (tool, version), sorted
    reason: str = ""
    supersedes: tuple[str, ...] = ()  # digests of receipts, sorted
    kept_as: str = ""  # of a migration, which has a file of its own kind: that file, below the documents

    @cached_property
    def digest(self) -> str:
        """The first 32 hexadecimal digits of the SHA-256 of its canonical content: its file's name."""
        if self.kept_as:
            return self.kept_as.rpartition("/")[2].partition(".")[0]
        text = json.dumps(_content(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return self.place.rpartition("/")[2]

    @property
    def place(self) -> str:
        """Its file, below the documents' folder."""
        return self.kept_as or f"receipts/{self.digest}.json"


Known = Mapping[tuple[str, bytes], Receipt]  # what receipts say that were read before, by path and bytes
NOTHING_KNOWN: Known = MappingProxyType({})


def document_digest(data: bytes | None) -> str | None:
    """Return the SHA-256 of a document as it would stand on any platform, or None for an absent one."""
    return None if data is None else hashlib.sha256(plain(data)).hexdigest()


def render_receipt(receipt: Receipt) -> bytes:
    """Return the receipt's file: one key a line, so that a diff can be read."""
    head = "".join(f" {_dumped(name)}: {_dumped(value)},\n" for name, value in _head(receipt).items())
    gates = ",".join(_rendered_part(part) for part in receipt.parts)
    return encoded(f'{{\n{head} "gates": [{gates}]\n}}\n')


def _rendered_part(part: Part) -> str:
    head = "".join(f"{_dumped(name)}: {_dumped(value)}, " for name, value in _part_head(part).items())
    keys = ",".join(f"\n  {_dumped(_touch_content(part, touch))}" for touch in part.touches)
    return f'\n {{{head}"keys": [{keys}]}}'


def _content(receipt: Receipt) -> dict[str, object]:
    gates = [
        {**_part_head(part), "keys": [_touch_content(part, touch) for touch in part.touches]} for part in receipt.parts
    ]
    return {**_head(receipt), "gates": gates}


def _head(receipt: Receipt) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "verb": receipt.verb,
        "reason": receipt.reason,
        "tools": dict(receipt.tools),
        "supersedes": list(receipt.supersedes),
        "documents": [_change_content(change) for change in receipt.documents],
    }


def _change_content(change: DocumentChange) -> dict[str, str]:
    digests = (("before", change.before), ("after", change.after))
    return {"path": change.path, **{name: digest for name, digest in digests if digest is not None}}


def _part_head(part: Part) -> dict[str, object]:
    under = {"conditions": dict(part.conditions)} if part.conditions else {}
    return {"gate": part.gate, "fields": list(part.fields), "covers": list(part.covers), **under}


def _touch_content(part: Part, touch: Touch) -> dict[str, object]:
    return {**named(part.fields, touch.key), "count": touch.count, "how": touch.how.value}


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def levels(receipts: Iterable[Receipt], gate: str) -> Mapping[Key, Level]:
    """Return for each key of a gate the lowest count recorded, and whether it was paid off.

    A key that was promoted or moved to 0 has the level 0 and is no tombstone.
    """
    shares = _shares(receipts, gate)
    silenced = _superseded(shares)
    found: dict[Key, Level] = {}
    for receipt, part in shares:
        spoken: Collection[Key] = silenced.get(receipt.digest, ()) if silenced else ()
        for touch in part.touches:
            if touch.key in spoken:
                continue
            level = found.get(touch.key)
            paid_off = touch.count == 0 and touch.how is How.PAID
            if level is None:
                found[touch.key] = Level(touch.count, paid_off)
            else:
                found[touch.key] = Level(min(level.count, touch.count), level.paid_off or paid_off)
    return found


def _shares(receipts: Iterable[Receipt], gate: str) -> list[tuple[Receipt, Part]]:
    """Return a gate's share of each write that speaks of its facts by the fields that they have now."""
    every = tuple(receipts)
    before = outgrown(every, gate)
    return [(one, part) for one in every if one.digest not in before for part in one.parts if part.gate == gate]


def outgrown(receipts: Iterable[Receipt], gate: str) -> frozenset[str]:
    """Return the digests of the receipts that speak of a gate's facts by fields that were migrated since."""
    renewing = (each for each in receipts if any(part.renews and part.gate == gate for part in each.parts))
    return frozenset(chain.from_iterable(each.supersedes for each in renewing))


def _superseded(shares: Sequence[tuple[Receipt, Part]]) -> Mapping[str, set[Key]]:
    """Return, by receipt, the keys of which it no longer speaks."""
    silenced: dict[str, set[Key]] = {}
    for receipt, part in shares:
        if receipt.supersedes:
            keys = {touch.key for touch in part.touches if touch.how in RAISING}
            for digest in receipt.supersedes:
                silenced.setdefault(digest, set()).update(keys)
    return silenced


def set_aside(receipts: Iterable[Receipt], gate: str) -> Mapping[Key, int]:
    """Return the keys that a re-recording took out as something else holds them now, with the count they had."""
    shares = _shares(receipts, gate)
    silenced = _superseded(shares)
    spoken = [(t, t.key in silenced.get(receipt.digest, ())) for receipt, part in shares for t in part.touches]
    dropped = [touch for touch, silent in spoken if not silent and not touch.count]
    out = {touch.key for touch in dropped if touch.how is How.RERECORDED}
    out.difference_update(touch.key for touch in dropped if touch.how is How.PAID)
    before: dict[Key, int] = {}
    for touch, silent in spoken:
        if touch.key in out and (silent or touch.count):
            before[touch.key] = min(touch.count, before.get(touch.key, touch.count))
    return {key: count for key, count in before.items() if count}


def speaking_of(receipts: Iterable[Receipt], gate: str, keys: Iterable[Key]) -> tuple[str, ...]:
    """Return the digests of the receipts that touch one of the keys: what a raising write has to supersede."""
    wanted = frozenset(keys)
    return tuple(
        sorted(
            receipt.digest
            for receipt in receipts
            if any(part.gate == gate and any(touch.key in wanted for touch in part.touches) for part in receipt.parts)
        )
    )


def speaks_of(receipt: Receipt, gate: str) -> bool:
    """Say whether a gate had a share in the write."""
    return any(part.gate == gate for part in receipt.parts)


def covered(receipts: Iterable[Receipt], gate: str) -> frozenset[str]:
    """Return the parts of a gate's law that some write has recorded."""
    parts = chain.from_iterable(receipt.parts for receipt in receipts)
    return frozenset(chain.from_iterable(part.covers for part in parts if part.gate == gate))


def read_receipts(files: Mapping[str, bytes], faults: Faults, known: Known = NOTHING_KNOWN) -> dict[str, Receipt]:
    """Return the receipts of these files (path -> bytes) by path, sorted; what is wrong goes into `faults`.

    A file whose name is not the digest of its content was edited by hand, or its write was not ours. What is `known` of
    a path and its bytes is taken as it is, as they are all that a receipt is read from.
    """
    read = {path: known.get((path, files[path])) or _read_receipt(path, files[path], faults) for path in sorted(files)}
    return {path: receipt for path, receipt in read.items() if receipt is not None}


def _read_receipt(path: str, data: bytes, faults: Faults) -> Receipt | None:
    own = Faults()
    receipt = _parsed(path, data, own)
    if receipt is not None and not own.found and path.rpartition("/")[2] != receipt.file_name:
        own.add(path, 0, f"its name is not the digest of its content, which is {receipt.digest}.", _RESTORE)
    faults.found += own.found
    return None if own.found else receipt


def _parsed(path: str, data: bytes, faults: Faults) -> Receipt | None:
    marker, spoiled = conflict_line(data), decoding_fault(plain(data))
    if marker:
        faults.add(path, marker, "holds merge conflict markers.", _RESTORE)
        return None
    if spoiled:
        faults.add(path, spoiled[0], spoiled[1], _RESTORE)
        return None
    try:
        value = exact_json(plain(data).decode("utf-8"))
    except ValueError as error:
        faults.add(path, 0, f"the receipt {error}.", _RESTORE)
        return None
    return _read(TableReader(path, value, faults, lambda _at: 0), faults)


def _read(table: TableReader, faults: Faults) -> Receipt | None:
    schema = table.integer("schema")
    if faults.found or schema != SCHEMA:
        if not faults.found:
            newer = "a newer" if schema > SCHEMA else "an older"
            table.fault(("schema",), f"{schema} was written by {newer} abutment (known here: {SCHEMA}).")
        return None
    receipt = Receipt(
        verb=table.text("verb"),
        reason=table.text("reason", blank=True),
        tools=_read_pairs(table.table("tools")),
        supersedes=table.texts("supersedes"),
        documents=tuple(_read_change(each) for each in table.tables("documents")),
        parts=tuple(_read_part(each) for each in table.tables("gates")),
    )
    table.close()
    return receipt


def _read_pairs(table: TableReader) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, table.text(name)) for name in table.keys))


def _read_change(table: TableReader) -> DocumentChange:
    change = DocumentChange(table.text("path"), table.optional_text("before"), table.optional_text("after"))
    table.close()
    return change


def _read_part(table: TableReader) -> Part:
    fields = table.texts("fields", least=1)
    part = Part(
        gate=table.text("gate"),
        fields=fields,
        covers=table.texts("covers"),
        conditions=_read_pairs(table.table("conditions")),
        touches=_read_touches(table, fields),
    )
    table.close()
    return part


def _read_touches(table: TableReader, fields: tuple[str, ...]) -> tuple[Touch, ...]:
    """Return the keys; a receipt may hold tens of thousands, so that a reader is made only where one is wrong."""
    known = {*fields, "count", "how"}
    touches = []
    for index, value in enumerate(table.values("keys")):
        touch = _touch(value, fields) if isinstance(value, dict) and value.keys() == known else None
        if touch is None:
            table.fault(("keys", index), f"expected text in {', '.join(fields)}, a count and how; found {shown(value)}")
        else:
            touches.append(touch)
    return tuple(touches)


def _touch(value: Mapping[str, object], fields: tuple[str, ...]) -> Touch | None:
    key = tuple(text for name in fields if isinstance(text := value[name], str))
    count, how = value["count"], value["how"]
    if len(key) != len(fields) or type(count) is not int or count < 0 or not isinstance(how, str) or how not in _HOWS:
        return None
    return Touch(key, count, _HOWS[how])
