"""What is one step of a migration, and is a stream of them whole, in order and within its limits?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from abutment.baselines.migration.lines import key_fault
from abutment.errors import NotJudged
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.reading import shown

MOST_IN_DOCUMENT = 500_000
MOST = 600_000
BATCH = 128  # mutations that are held at once while they are written
_FIELDS = frozenset({"ordinal", "document", "before", "after", "count"})


@dataclass(frozen=True, slots=True)
class Mutation:
    """One entry that gets another identity. No mutation changes a count."""

    ordinal: int  # from 0, without a gap
    document: str  # the baseline's name
    before: Key | None  # None where another tool's document is the source
    after: Key
    count: int  # 0 for a tombstone: debt that was paid and may not return under the new name either

    @property
    def place(self) -> tuple[str, Key]:
        """What the order of a stream follows."""
        return self.document, self.after if self.before is None else self.before

    @property
    def line(self) -> bytes:
        """How it is written, without its end."""
        content = {
            "ordinal": self.ordinal,
            "document": self.document,
            "before": self.before,
            "after": self.after,
            "count": self.count,
        }
        return json.dumps(content, ensure_ascii=True).encode("ascii")

    @property
    def says(self) -> str:
        """How a message names it."""
        return f"{self.document}: {', '.join(self.before or self.after)}"


# A stream that may be read again: each call begins it anew. The lines are without their ends.
Stream = Callable[[], Iterator[bytes]]


def read_mutations(path: str, lines: Iterable[bytes]) -> Iterator[Mutation]:
    """Yield the mutations of a stream.

    Raises NotJudged at the first that is malformed, out of order, there twice, behind a gap, or beyond a limit.
    """
    number, counts, last = 0, dict[str, int](), None
    for number, line in enumerate(lines):
        mutation = _read(path, number, line)
        counts[mutation.document] = counts.get(mutation.document, 0) + 1
        _refuse(path, number, _stream_fault(mutation, number, counts, last))
        yield mutation
        last = mutation


def _stream_fault(found: Mutation, number: int, counts: Mapping[str, int], last: Mutation | None) -> str:
    if found.ordinal != number:
        return f"{found.says}: has the ordinal {found.ordinal}, where {number} has to stand"
    if number >= MOST or counts[found.document] > MOST_IN_DOCUMENT:
        return f"{found.says}: is beyond what one migration may hold ({MOST_IN_DOCUMENT} of a document, {MOST} in all)"
    if last is not None and found.place <= last.place:
        twice = "is there twice" if found.place == last.place else f"stands behind {last.says}, which sorts after it"
        return f"{found.says}: {twice}"
    return key_fault((*(found.before or ()), *found.after))


def _read(path: str, number: int, line: bytes) -> Mutation:
    try:
        value = exact_json(line.decode("utf-8"))
    except ValueError as error:
        raise _fault(path, number, f"the line {error}") from error
    if not isinstance(value, dict) or value.keys() != _FIELDS:
        raise _fault(path, number, f"expected {', '.join(sorted(_FIELDS))}; found {_named(value)}")
    mutation = _mutation(value)
    if mutation is None:
        raise _fault(path, number, "a field has not the type that it has to have")
    return mutation


def _named(value: object) -> str:
    return ", ".join(sorted(map(str, value))) if isinstance(value, dict) else shown(value)


def _mutation(value: Mapping[str, object]) -> Mutation | None:
    ordinal, document, count = value["ordinal"], value["document"], value["count"]
    before, after = _key(value["before"]), _key(value["after"])
    if type(ordinal) is not int or not isinstance(document, str) or type(count) is not int or count < 0:
        return None
    if after is None or (before is None and value["before"] is not None):
        return None
    return Mutation(ordinal, document, before, after, count)


def _key(value: object) -> Key | None:
    if not isinstance(value, list):
        return None
    parts = tuple(part for part in value if isinstance(part, str))
    return parts if parts and len(parts) == len(value) else None


def _refuse(path: str, number: int, wrong: str) -> None:
    if wrong:
        raise _fault(path, number, wrong)


def _fault(path: str, number: int, wrong: str) -> NotJudged:
    return NotJudged(Fault(path, number + 2, f"{wrong}.", "Plan again; a plan is never edited."))
