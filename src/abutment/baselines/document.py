"""What does a baseline say? `<gate>.jsonl`: a header line, then one sorted entry a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard

from abutment.baselines.document_bytes import conflict_line, decoding_fault, encoded, plain
from abutment.model.exact_json import exact_json
from abutment.model.grants import Recorded
from abutment.model.identity import Key, named
from abutment.model.measurement import Conditions
from abutment.model.reading import Faults, shown
from abutment.model.terms import Direction, Terms

SCHEMA = 1
_RESTORE = "Restore it from version control."
_HEADER = frozenset({"schema", "gate", "fields", "conditions"})
_NONE: Conditions = MappingProxyType({})
Lines = Mapping[str, Recorded]  # entries by the text of their lines
NO_LINES: Lines = MappingProxyType({})


def render_baseline(terms: Terms, counts: Mapping[Key, int], conditions: Conditions = _NONE) -> bytes:
    """Return the document for these counts: sorted, LF, one newline at the end; keys at 0 are left out."""
    under = {"conditions": dict(sorted(conditions.items()))} if conditions else {}
    lines = [_dumped({"schema": SCHEMA, "gate": terms.gate, "fields": list(terms.fields), **under})]
    lines += [_dumped({**named(terms.fields, key), "count": counts[key]}) for key in sorted(counts) if counts[key]]
    return encoded("\n".join(lines) + "\n")


def read_baseline(
    path: str, data: bytes, terms: Terms, faults: Faults, known: Lines = NO_LINES
) -> tuple[Recorded, ...]:
    """Return the entries in the order written; whatever is wrong goes into `faults`, each with its line.

    `known` are lines of another baseline on the same terms, which say the same in this one. A UTF-8 signature and CRLF
    are tolerated, and so is another order of entries; the next write puts them right.
    """
    marker = conflict_line(data)
    if marker:
        faults.add(path, marker, "holds merge conflict markers.", "Run `abutment resolve`.")
        return ()
    spoiled = decoding_fault(plain(data))
    if spoiled:
        faults.add(path, spoiled[0], spoiled[1], _RESTORE)
        return ()
    lines = plain(data).decode("utf-8").split("\n")
    whole = lines[-1] == ""
    if whole:
        lines.pop()
    if not any(line.strip() for line in lines):
        faults.add(path, 0, "is empty: not even a header, which a baseline without debt has.", _RESTORE)
        return ()
    if not _read_header(path, lines[0], terms, faults):
        return ()
    return _Entries(path, terms, faults, known).read(lines[1:], whole)


def lines_by_text(data: bytes, entries: Iterable[Recorded]) -> Lines:
    """Return the entries that were read from a baseline, by the text of their lines."""
    lines = plain(data).decode("utf-8").split("\n")
    return {lines[entry.line - 1]: entry for entry in entries}


def read_conditions(data: bytes) -> Conditions:
    """Return the conditions in a baseline's header; none where it names none, or is no baseline."""
    found = _header(data).get("conditions")
    return found if _are_conditions(found) else {}


def _are_conditions(found: object) -> TypeGuard[dict[str, str]]:
    return isinstance(found, dict) and bool(found) and all(isinstance(one, str) for one in found.values())


def _header(data: bytes) -> Mapping[str, object]:
    try:
        header = exact_json(plain(data).partition(b"\n")[0].decode("utf-8"))
    except ValueError:
        return {}
    return header if isinstance(header, dict) else {}


def read_terms(path: str, data: bytes, faults: Faults) -> Terms:
    """Return the gate and the fields that a baseline itself names: what is needed to read it without its gate.

    A header that names none, or another gate than the file's name does, goes into `faults`.
    """
    table = _header(data)
    gate, found = table.get("gate"), table.get("fields")
    fields = found if isinstance(found, list) else []
    names = tuple(name for name in fields if isinstance(name, str))
    if path.rpartition("/")[2] != f"{gate}.jsonl" or not names or len(set(names)) != len(fields):
        faults.add(path, 1, "has no header of a baseline of that name.", _RESTORE)
    return Terms(str(gate), names, Direction.RATCHET, tombstones=True, policy="", baseline=path)


def _read_header(path: str, line: str, terms: Terms, faults: Faults) -> bool:
    """Say whether the entries below can be read on these terms."""
    try:
        header = exact_json(line)
    except ValueError as error:
        faults.add(path, 1, f"the header {error}.", _RESTORE)
        return False
    wrong = _header_fault(header, terms)
    if wrong:
        faults.add(path, 1, *wrong)
    return wrong is None


def _header_fault(header: object, terms: Terms) -> tuple[str, str] | None:
    """Return (what is wrong, remedy) of the header, or None."""
    if not isinstance(header, dict) or "schema" not in header:
        return "is no baseline of abutment: the first line has no schema.", _RESTORE
    schema = schema_fault(header["schema"])
    if schema:
        return schema
    unknown = sorted(set(header) - _HEADER)
    if unknown:
        return f"the header has unknown fields: {', '.join(unknown)}.", "Delete them, or restore the file."
    if header.get("gate") != terms.gate:
        return f"is the baseline of the gate {shown(header.get('gate'))}, not of {terms.gate}.", _RESTORE
    if header.get("fields") != list(terms.fields):
        return (
            f"its entries have other fields than {', '.join(terms.fields)}.",
            "Regenerate it with the version that wrote it, then upgrade.",
        )
    if "conditions" in header and not _are_conditions(header["conditions"]):
        return f"conditions: expected texts by name, found {shown(header['conditions'])}.", _RESTORE
    return None


def schema_fault(found: object) -> tuple[str, str] | None:
    """Return (what is wrong, remedy) of a schema number that is not ours, or None."""
    if isinstance(found, bool) or not isinstance(found, int):
        return f"schema: expected a whole number, found {shown(found)}.", _RESTORE
    if found > SCHEMA:
        return f"schema {found} was written by a newer abutment (known here: {SCHEMA}).", "Upgrade abutment."
    if found < SCHEMA:
        return (
            f"schema {found} is older than this abutment reads (known here: {SCHEMA}).",
            "Regenerate it with the version that wrote it, then upgrade.",
        )
    return None


class _Entries:
    """Reads entry after entry; the first one of a key counts, a second one is a fault."""

    def __init__(self, path: str, terms: Terms, faults: Faults, known: Lines) -> None:
        self._path, self._terms, self._faults, self._said = path, terms, faults, known
        self._known = {*terms.fields, "count"}
        self._lines: dict[Key, int] = {}

    def read(self, lines: Sequence[str], whole: bool) -> tuple[Recorded, ...]:
        """Return the entries; `whole` says whether the last line has its end."""
        last = len(lines) + 1
        entries = (
            self._entry(line, number, cut=number == last and not whole) for number, line in enumerate(lines, start=2)
        )
        return tuple(entry for entry in entries if entry is not None)

    def _entry(self, line: str, number: int, cut: bool) -> Recorded | None:
        said = self._said.get(line)
        if said is not None:
            return None if self._repeats(said.key, number) else Recorded(said.key, said.count, number)
        if not line.strip():
            self._fault(number, "the line is blank.", "Delete it.")
            return None
        try:
            entry = exact_json(line)
        except ValueError as error:
            self._fault(number, "the last line is cut off." if cut else f"the line {error}.", _RESTORE)
            return None
        if not isinstance(entry, dict):
            self._fault(number, f"expected an entry, found {shown(entry)}.", _RESTORE)
            return None
        key, count = self._key(entry, number), self._count(entry, number)
        for name in sorted(set(entry) - self._known):
            self._fault(number, f"{name}: unknown field.", "Delete it, or restore the file.")
        if key is None or count is None or self._repeats(key, number):
            return None
        return Recorded(key, count, number)

    def _key(self, entry: Mapping[str, object], number: int) -> Key | None:
        values = [entry.get(name) for name in self._terms.fields]
        key = tuple(value for value in values if isinstance(value, str))
        if len(key) == len(values):
            return key
        for name, value in zip(self._terms.fields, values, strict=True):
            if not isinstance(value, str):
                found = f"found {shown(value)}" if name in entry else "which is missing"
                self._fault(number, f"{name}: expected text, {found}.", _RESTORE)
        return None

    def _count(self, entry: Mapping[str, object], number: int) -> int | None:
        count = entry.get("count")
        if isinstance(count, int) and not isinstance(count, bool) and count >= 1:
            return count
        found = f"found {shown(count)}" if "count" in entry else "which is missing"
        self._fault(number, f"count: expected a whole number of at least 1, {found}.", _RESTORE)
        return None

    def _repeats(self, key: Key, number: int) -> bool:
        first = self._lines.setdefault(key, number)
        if first == number:
            return False
        self._fault(number, f"is the entry of line {first} again.", "Keep one of them, the one with the lower count.")
        return True

    def _fault(self, number: int, message: str, remedy: str) -> None:
        self._faults.add(self._path, number, message, remedy)


def _dumped(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
