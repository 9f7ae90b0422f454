"""How is a document's table read exactly, with every fault collected before anything is refused?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TypeVar

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.likeness import nearest

Path = tuple[str | int, ...]
Locate = Callable[[Path], int]
T = TypeVar("T")
_MISSING = object()


class Faults:
    """The faults of one or more documents, raised together."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, path: str, line: int, message: str, remedy: str = "") -> None:
        """Note one fault."""
        self.found.append(Fault(path, line, message, remedy))

    def raise_if_any(self) -> None:
        """Raise NotJudged with all faults in order of place, if there is one."""
        if self.found:
            raise NotJudged(sorted(set(self.found)))


class TableReader:
    """Reads one table field by field; wrong types and unknown fields become faults, never defaults.

    `at` is the table's path inside the document (`("approvals", 3)`); `locate` turns such a path into a
    line (1-based, 0 where it cannot be told). Each method returns a value of its type even after a fault,
    so that reading goes on and the document's other faults are found as well.
    """

    def __init__(self, document: str, table: object, faults: Faults, locate: Locate, at: Path = ()) -> None:
        self.document, self.at, self._faults, self._locate = document, at, faults, locate
        self._seen: set[str] = set()
        self._table: Mapping[str, object] = table if isinstance(table, Mapping) else {}
        if not isinstance(table, Mapping):
            self.fault((), f"expected a table, found {shown(table)}")

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def is_text(self, key: str) -> bool:
        """Say whether a text stands at the key, where something else may as well."""
        return isinstance(self._table.get(key), str)

    @property
    def keys(self) -> tuple[str, ...]:
        """The table's own keys, as written."""
        return tuple(self._table)

    def line(self, *below: str | int) -> int:
        """Return the line of the table, or of something below it."""
        return self._locate((*self.at, *below))

    def name(self, *below: str | int) -> str:
        """Return what messages call the table, or something below it: `rules[0].names[1]`."""
        return dotted((*self.at, *below))

    def fault(self, below: Sequence[str | int], message: str, remedy: str = "") -> None:
        """Note a fault at a place below this table."""
        name = self.name(*below)
        self._faults.add(self.document, self.line(*below), f"{name}: {message}" if name else message, remedy)

    def text(self, key: str, default: str | None = None, *, blank: bool = False) -> str:
        """Return a text; a blank one is a fault unless allowed. Mandatory where there is no default."""
        value = self._take(key, str, "text", default)
        if not blank and key in self._table and isinstance(value, str) and not value.strip():
            self.fault((key,), "must not be empty")
        return value if value is not None else ""

    def optional_text(self, key: str) -> str | None:
        """Return a text, or None where the key is absent."""
        if key in self._table:
            return self.text(key)
        self._seen.add(key)
        return None

    def integer(self, key: str, default: int | None = None, *, least: int = 0) -> int:
        """Return a whole number (`true` is none) that is at least `least`."""
        value = self._take(key, int, "a whole number", default)
        if value is not None and value < least:
            self.fault((key,), f"expected at least {least}, found {value}")
        return value if value is not None else least

    def number(self, key: str) -> float | None:
        """Return a number above 0 (`true` and `nan` are none), or None where the key is absent."""
        self._seen.add(key)
        value = self._table.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
            return float(value)
        self.fault((key,), f"expected a number above 0, found {shown(value)}")
        return None

    def value(self, key: str) -> object:
        """Return whatever stands there, to be read further by the caller; None where the key is absent."""
        self._seen.add(key)
        return self._table.get(key)

    def boolean(self, key: str, default: bool) -> bool:
        """Return a truth value."""
        value = self._take(key, bool, "true or false", default)
        return default if value is None else value

    def choice(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """Return one of the options."""
        value = self._take(key, str, "text", default)
        if value is not None and value not in options:
            self.fault((key,), f"expected one of {', '.join(options)}, found {shown(value)}")
            return options[0]
        return value if value is not None else options[0]

    def day(self, key: str) -> date | None:
        """Return a date, which TOML writes without quotes, or None where the key is absent."""
        self._seen.add(key)
        value = self._table.get(key)
        if value is None:
            return None
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        remedy = "Write it without quotes." if isinstance(value, str) else ""
        self.fault((key,), f"expected a date such as 2027-01-31, found {shown(value)}", remedy)
        return None

    def texts(self, key: str, default: Sequence[str] | None = None, *, least: int = 0) -> tuple[str, ...]:
        """Return a list of non-blank texts with at least `least` members."""
        values = self.values(key, default, least=least)
        good: list[str] = []
        for index, value in enumerate(values):
            if isinstance(value, str) and value.strip():
                good.append(value)
            else:
                self.fault((key, index), f"expected text, found {shown(value)}")
        return tuple(good)

    def values(self, key: str, default: Sequence[object] | None = None, *, least: int = 0) -> tuple[object, ...]:
        """Return a list of anything, to be read further by the caller."""
        found = self._take(key, list, "a list", None if default is None else list(default))
        if found is not None and key in self._table and len(found) < least:
            self.fault((key,), f"expected at least {least} entries, found {len(found)}")
        return tuple(found) if found is not None else ()

    def table(self, key: str) -> TableReader:
        """Return a reader of the table below `key`; an absent one reads as empty."""
        self._seen.add(key)
        return TableReader(self.document, self._table.get(key, {}), self._faults, self._locate, (*self.at, key))

    def tables(self, key: str) -> tuple[TableReader, ...]:
        """Return a reader for each table of the list below `key`; absent means none."""
        values = self.values(key, ())
        return tuple(
            TableReader(self.document, value, self._faults, self._locate, (*self.at, key, index))
            for index, value in enumerate(values)
        )

    def member(self, key: str, index: int) -> TableReader:
        """Return a reader of the table that is one member of the list below `key`."""
        values = self._table.get(key)
        value = values[index] if isinstance(values, list) and index < len(values) else None
        return TableReader(self.document, value, self._faults, self._locate, (*self.at, key, index))

    def ignore(self, *keys: str) -> None:
        """Mark keys as known, which someone else reads."""
        self._seen.update(keys)

    def close(self) -> None:
        """Note a fault for each key that nobody asked for."""
        known = sorted(self._seen)
        for key in self._table:
            if key not in self._seen:
                self.fault((key,), "unknown key", _near(key, known))

    def _take(self, key: str, kind: type[T], word: str, default: T | None) -> T | None:
        self._seen.add(key)
        value = self._table.get(key, _MISSING)
        if value is _MISSING:
            if default is None:
                self.fault((), f"{key} is missing: expected {word}")
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fault((key,), f"expected {word}, found {shown(value)}")
            return default
        return value


def dotted(path: Iterable[str | int]) -> str:
    """Return `approvals[3].owner` for `("approvals", 3, "owner")`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def shown(value: object) -> str:
    """Return a short picture of a value for a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _near(key: str, known: Sequence[str]) -> str:
    near = nearest(key, known)
    if near:
        return f"Did you mean {near}?"
    return f"Known here: {', '.join(known)}." if known else ""
