"""What does one receipt say of a gate's keys, asked without holding the receipt in memory?

It is read as `render_receipt` lays it out, one key a line, and its digest is taken of what passes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.receipts import How
from abutment.baselines.streaming import plain_lines
from abutment.errors import NotJudged
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.identity import Key

Said = tuple[Key, int, How]
_GATES = '"gates": ['
_KEYS = '"keys": ['
_HEAD = ("schema", "verb", "reason", "tools", "supersedes", "documents")


@dataclass(slots=True)
class ReceiptFile:
    """One receipt on the disk; `read` fills the rest."""

    disk: Disk
    place: Path
    path: str  # how messages call it
    fields: tuple[str, ...] = ()  # of the gate that was asked for; () where it had no share
    covers: tuple[str, ...] = ()

    def read(self, gate: str) -> Iterator[Said]:
        """Yield what it says of a gate's keys; raises NotJudged where it was edited, at the latest at the end."""
        try:
            yield from self._read(gate)
        except (ValueError, KeyError, TypeError, StopIteration, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not isinstance(error.__cause__, StopIteration):
                raise
            raise self._edited("is not laid out as abutment writes it") from error

    def superseded(self) -> tuple[str, ...]:
        """Return the digests of the receipts that it supersedes, which stand before its keys."""
        lines = (line.decode("utf-8") for line in plain_lines(self.disk, self.place))
        try:
            _expect(next(lines, "") == "{")
            return tuple(_texts(_head(lines)[0]["supersedes"]))
        except (ValueError, StopIteration) as error:
            raise self._edited("is not laid out as abutment writes it") from error

    def _read(self, gate: str) -> Iterator[Said]:
        lines = (line.decode("utf-8") for line in plain_lines(self.disk, self.place))
        _expect(next(lines) == "{")
        head, rest = _head(lines)
        whole = hashlib.sha256(f'{{"documents":{_canonical(head["documents"])},"gates":['.encode("ascii"))
        comma = ""
        while rest != "]":
            part, rest, has_keys = _part(next(lines))
            whole.update(f"{comma}{_canonical({**part, 'keys': []})[:-2]}".encode("ascii"))
            if part["gate"] == gate:
                self._note(part)
            if has_keys:
                rest = yield from self._share(lines, whole, part["gate"] == gate)
            whole.update(b"]}")
            comma = ","
        _expect(next(lines) == "}" and next(lines, "") == "")
        whole.update(f"],{_canonical({name: head[name] for name in _HEAD if name != 'documents'})[1:]}".encode("ascii"))
        if self.place.name != f"{whole.hexdigest()[:32]}.json":
            raise self._edited("its name is not the digest of its content")

    def _share(self, lines: Iterator[str], whole: hashlib._Hash, is_asked: bool) -> Generator[Said, None, str]:
        """Yield the keys of a share that was asked for, and return what follows it."""
        rest = ""
        for number, key in enumerate(_keys(lines)):
            said, rest = key
            whole.update(f"{',' if number else ''}{_canonical(said)}".encode("ascii"))
            if is_asked:
                yield _said(said, self.fields)
        return rest

    def _note(self, part: Mapping[str, object]) -> None:
        self.fields, self.covers = tuple(_texts(part["fields"])), tuple(_texts(part["covers"]))

    def _edited(self, what: str) -> NotJudged:
        return NotJudged(Fault(self.path, 0, f"{what}.", "Receipts are never edited: restore it from version control."))


def _head(lines: Iterator[str]) -> tuple[Mapping[str, object], str]:
    """Return the members before the gates, and what follows them in their line."""
    head: dict[str, object] = {}
    for name in _HEAD:
        line = next(lines).strip()
        value = _table(exact_json("{" + line.removesuffix(",") + "}"))
        _expect(list(value) == [name])
        head |= value
    line = next(lines).strip()
    _expect(line.startswith(_GATES))
    return head, line.removeprefix(_GATES)


def _part(line: str) -> tuple[Mapping[str, object], str, bool]:
    """Return a gate's share without its keys, what follows it where it has none, and whether it has some."""
    line = line.strip()
    has_keys = line.endswith(_KEYS)
    head, _, rest = line.rpartition(_KEYS)
    rest = "" if has_keys else rest.removeprefix("]}")
    return _table(exact_json(head.rstrip().removesuffix(",") + "}")), rest.removeprefix(","), has_keys


def _keys(lines: Iterator[str]) -> Iterator[tuple[Mapping[str, object], str]]:
    """Yield each key of a share, with what follows the share where it is the last one."""
    for line in lines:
        text, rest = line.strip(), ""
        ends = next((end for end in ("]},", "]}]") if text.endswith(end)), "")
        if ends:
            text, rest = text.removesuffix(ends), ends[2:].removeprefix(",")
        yield _table(exact_json(text.removesuffix(",") if not ends else text)), rest
        if ends:
            return


def _said(value: Mapping[str, object], fields: tuple[str, ...]) -> Said:
    _expect(value.keys() == {*fields, "count", "how"})
    count = value["count"]
    _expect(type(count) is int and count >= 0)
    assert isinstance(count, int)
    return tuple(_texts([value[name] for name in fields])), count, How(str(value["how"]))


def _texts(value: object) -> list[str]:
    _expect(isinstance(value, list) and all(isinstance(text, str) for text in value))
    return [str(text) for text in value] if isinstance(value, list) else []


def _table(value: object) -> dict[str, object]:
    _expect(isinstance(value, dict))
    return value if isinstance(value, dict) else {}


def _expect(holds: bool) -> None:
    if not holds:
        raise ValueError("is laid out in another way")


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
