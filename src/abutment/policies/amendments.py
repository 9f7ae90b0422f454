"""Which loosenings of the law did a person decide? `amendments.toml`, read exactly and never written."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from abutment.errors import NotJudged
from abutment.model.reading import Faults, TableReader
from abutment.model.site import Site
from abutment.policies.approvals import read_word
from abutment.sources.toml_document import TomlDocument, load_toml

SCHEMA = 1
_DECISION = ("what", "decided_by", "reason", "date", "expires", "digest")
_ID = re.compile(r"[^\s*]+")


@dataclass(frozen=True, slots=True, order=True)
class Amended:
    """One thing that was loosened: what it is called, what the law said, and what it says."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Amendment:
    """One decision of a person, about a set of loosenings."""

    id: str
    what: str
    decided_by: str
    reason: str
    decided_on: date | None
    expires: date | None  # the last UTC day on which it covers anything
    items: tuple[Amended, ...]
    digest: str
    site: Site

    def holds_on(self, today: date) -> bool:
        """Say whether it covers anything on that UTC day."""
        return self.expires is None or today <= self.expires


@dataclass(frozen=True, slots=True)
class Spent:
    """Decisions that were carried out already; another id makes none of them a new one."""

    ids: frozenset[str] = frozenset()
    decisions: frozenset[tuple[str, ...]] = frozenset()

    def holds(self, one: Amendment) -> bool:
        """Say whether the amendment is one of them."""
        said = (one.what, one.decided_by, one.reason, one.decided_on, one.expires, one.digest)
        return one.id in self.ids or tuple(map(_plain, said)) in self.decisions


def digest_of(items: Iterable[Amended]) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 over the set of items, in whatever order."""
    rows = sorted({(item.key, item.before, item.after) for item in items})
    text = json.dumps(rows, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def read_amendments(path: str, data: bytes | None) -> tuple[Amendment, ...]:
    """Return the amendments in the order written; raises NotJudged with every fault. Without a document, none."""
    if data is None:
        return ()
    faults = Faults()
    document = load_toml(path, data)
    table = TableReader(path, document.table, faults, document.locate)
    if table.integer("schema", least=1) != SCHEMA:
        table.fault(("schema",), f"is for another abutment (known here: {SCHEMA})", "Upgrade abutment.")
    amendments = tuple(_read(each) for each in table.tables("amendments"))
    table.close()
    _name_repeats(path, amendments, faults)
    faults.raise_if_any()
    return amendments


def _read(entry: TableReader) -> Amendment:
    name = read_word(entry, "id")
    if name and not _ID.fullmatch(name):
        entry.fault(("id",), f"{name!r} must hold no blank and no `*`")
    amendment = Amendment(
        id=name,
        what=read_word(entry, "what"),
        decided_by=read_word(entry, "decided_by"),
        reason=read_word(entry, "reason"),
        decided_on=_mandatory_day(entry, "date"),
        expires=entry.day("expires"),
        items=_read_items(entry),
        digest=entry.text("digest"),
        site=Site(entry.document, entry.line()),
    )
    entry.close()
    right = digest_of(amendment.items)
    if amendment.digest != right:
        remedy = "Take what `abutment draft guard` prints, so that what was decided is what is there."
        entry.fault(("digest",), "is not that of these items: they were edited after they were drafted", remedy)
    return amendment


def _mandatory_day(entry: TableReader, key: str) -> date | None:
    if key not in entry:
        entry.fault((), f"{key} is missing: expected a date such as 2027-01-31")
    return entry.day(key)


def _read_items(entry: TableReader) -> tuple[Amended, ...]:
    tables = entry.tables("items")
    if not tables:
        entry.fault(("items",), "an amendment without items amends nothing")
    found = [Amended(one.text("key"), one.text("before", blank=True), one.text("after", blank=True)) for one in tables]
    for one in tables:
        one.close()
    return tuple(found)


def _name_repeats(path: str, amendments: Iterable[Amendment], faults: Faults) -> None:
    first: dict[str, Amendment] = {}
    for amendment in amendments:
        earlier = first.setdefault(amendment.id, amendment)
        if earlier is not amendment:
            line = amendment.site.line
            faults.add(path, line, f"the amendment of line {earlier.site.line} has the id {amendment.id!r}, too.")


def spent_amendments(path: str, data: bytes | None) -> Spent | None:
    """Return an earlier revision's amendments, which cover nothing any more; None where they are unknown."""
    if data is None:
        return Spent()
    try:
        document: TomlDocument = load_toml(path, data)
    except NotJudged:
        return None
    entries = document.table.get("amendments", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return None
    ids = frozenset(str(entry.get("id")) for entry in entries)
    return Spent(ids, frozenset(tuple(_plain(entry.get(key)) for key in _DECISION) for entry in entries))


def _plain(value: object) -> str:
    return "" if value is None else str(value).strip()


def draft_amendment(items: Iterable[Amended], today: date, *, new: bool) -> str:
    """Return an amendment to be filled in, as TOML to print; `new` makes it a whole document.

    Who decided, and why, is empty: a fault until a person writes it.
    """
    import tomlkit

    def quoted(text: str) -> str:
        return tomlkit.item(text).as_string()

    rows = sorted(set(items))
    digest = digest_of(rows)
    head = [f"schema = {SCHEMA}", ""] if new else []
    listed = [
        f"  {{ key = {quoted(row.key)}, before = {quoted(row.before)}, after = {quoted(row.after)} }}," for row in rows
    ]
    return "\n".join(
        (
            *head,
            "[[amendments]]",
            f"id = {quoted(f'{today.isoformat()}-{digest[:8]}')}",
            'what = ""  # one line: what is allowed now that was not',
            'decided_by = ""  # a person',
            'reason = ""',
            f"date = {today.isoformat()}",
            f"digest = {quoted(digest)}  # over the items, so that nothing is added to what was decided",
            "items = [",
            *listed,
            "]",
            "",
        )
    )
