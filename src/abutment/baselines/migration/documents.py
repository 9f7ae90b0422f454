"""How is a baseline read and written line by line, whatever schema it has?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.document_bytes import encoded
from abutment.baselines.migration.lines import key_fault, packed
from abutment.baselines.streaming import plain_lines, streamed_digest
from abutment.errors import NotJudged
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.identity import Key, named

_RESTORE = "Restore it from version control."
_HEADER = frozenset({"schema", "gate", "fields", "conditions"})


@dataclass(frozen=True, slots=True)
class Format:
    """How one entry stands in a document of one schema."""

    schema: int
    read: Callable[[str, Sequence[str]], tuple[Key, int]]  # raises ValueError with what is wrong
    write: Callable[[Sequence[str], Key, int], str]


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a baseline says."""

    schema: int
    gate: str
    fields: tuple[str, ...]
    conditions: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> bytes:
        """How it is written, without its end."""
        under = {"conditions": dict(self.conditions)} if self.conditions else {}
        content = {"schema": self.schema, "gate": self.gate, "fields": list(self.fields), **under}
        return encoded(json.dumps(content, ensure_ascii=False))


def _read_entry(text: str, fields: Sequence[str]) -> tuple[Key, int]:
    entry = exact_json(text)
    if not isinstance(entry, dict) or entry.keys() != {*fields, "count"}:
        raise ValueError(f"has not exactly the fields {', '.join(fields)} and count")
    key, count = tuple(value for name in fields if isinstance(value := entry[name], str)), entry["count"]
    if len(key) != len(fields) or type(count) is not int or count < 1:
        raise ValueError("has a field that is no text, or a count that is no whole number of at least 1")
    return key, count


def _write_entry(fields: Sequence[str], key: Key, count: int) -> str:
    return json.dumps({**named(fields, key), "count": count}, ensure_ascii=False)


# Every schema that can be read, in order; the last one is written.
FORMATS = (Format(1, _read_entry, _write_entry),)
Formats = tuple[Format, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A baseline on the disk. Each question reads it anew, and none keeps it in memory."""

    disk: Disk
    place: Path
    path: str  # how messages call it
    formats: Formats = FORMATS

    @property
    def name(self) -> str:
        """Its file's name."""
        return self.place.name

    def digest(self) -> str | None:
        """Return the SHA-256 of it as it would stand on any platform, None where there is none."""
        return streamed_digest(self.disk, self.place)

    def header(self) -> Header:
        """Return its header; raises NotJudged where it has none that can be read."""
        try:
            value = exact_json(next(plain_lines(self.disk, self.place), b"").decode("utf-8"))
        except (ValueError, FileNotFoundError) as error:
            raise self._fault(1, f"has no header that can be read: it {error}") from error
        header = _header(value)
        if header is None or self.name != f"{header.gate}.jsonl":
            raise self._fault(1, "has no header of a baseline of that name")
        if header.schema not in {each.schema for each in self.formats}:
            known = ", ".join(str(each.schema) for each in self.formats)
            raise self._fault(1, f"its schema {header.schema} is not known here ({known})")
        return header

    def entries(self) -> Iterator[bytes]:
        """Yield each entry as a packed line of identity and count.

        Raises NotJudged at the first that is wrong, out of order or there twice.
        """
        header, lines = self.header(), plain_lines(self.disk, self.place)
        read = next(each.read for each in self.formats if each.schema == header.schema)
        next(lines)
        last: Key | None = None
        for number, line in enumerate(lines, start=2):
            key, count = self._entry(number, line, read, header.fields)
            if last is not None and key <= last:
                raise self._disorder(number, header.gate, key == last)
            last = key
            yield packed(key, str(count))

    def _entry(
        self, number: int, line: bytes, read: Callable[[str, Sequence[str]], tuple[Key, int]], fields: Sequence[str]
    ) -> tuple[Key, int]:
        try:
            key, count = read(line.decode("utf-8"), fields)
        except ValueError as error:
            raise self._fault(number, f"the line {error}") from error
        wrong = key_fault(key)
        if wrong:
            raise self._fault(number, f"cannot be migrated: {wrong}")
        return key, count

    def _disorder(self, number: int, gate: str, is_repeat: bool) -> NotJudged:
        what = "is the entry above it again" if is_repeat else "stands behind an entry that sorts after it"
        return self._fault(number, what, f"`abutment tighten {gate}` puts it in order.")

    def _fault(self, number: int, message: str, remedy: str = _RESTORE) -> NotJudged:
        return NotJudged(Fault(self.path, number, f"{message}.", remedy))


def rendered(header: Header, entries: Iterable[tuple[Key, int]], formats: Formats) -> Iterator[bytes]:
    """Yield the lines of a document, without their ends."""
    write = next(each.write for each in formats if each.schema == header.schema)
    yield header.line
    for key, count in entries:
        yield encoded(write(header.fields, key, count))


def _header(value: object) -> Header | None:
    if not isinstance(value, dict) or not {"schema", "gate", "fields"} <= value.keys() <= _HEADER:
        return None
    schema, gate, fields, under = value["schema"], value["gate"], value["fields"], value.get("conditions", {})
    if type(schema) is not int or not isinstance(gate, str) or not isinstance(fields, list) or not fields:
        return None
    if not isinstance(under, dict) or not all(isinstance(text, str) for text in (*fields, *under.values())):
        return None
    return Header(schema, gate, tuple(fields), tuple(sorted(under.items())))
