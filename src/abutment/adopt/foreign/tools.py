"""What did ratchets around other tools record? Counts by file and code, and figures by function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from abutment.adopt.foreign.item import Fits, Item, Left, Read, Source
from abutment.adopt.foreign.json_document import JsonDocument
from abutment.baselines.document_bytes import plain
from abutment.errors import NotJudged
from abutment.facts import sizes
from abutment.facts.diagnostics import without_positions
from abutment.model.fault import Fault

# What mypy says, as mypy-baseline keeps it: the line is 0 unless somebody asked for the true one.
_MYPY_LINE = re.compile(r"(?P<path>[^:]+):\d+(?::\d+)?: (?P<level>\w+): (?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?")


def read_mypy_baseline(source: Source) -> Iterator[Item | Left]:
    """Yield the errors in a file of mypy-baseline; a line that is none is a fault."""
    try:
        lines = plain(source.data).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise NotJudged(Fault(source.path, 0, f"is no UTF-8 text (byte {error.start}).")) from error
    for number, line in enumerate(lines, start=1):
        found = _MYPY_LINE.fullmatch(line)
        if found is None:
            raise NotJudged(Fault(source.path, number, f"is no line of mypy-baseline: {line[:80]!r}."))
        place, module = f"{source.path}:{number}", source.modules.get(found["path"].replace("\\", "/"))
        if module is None:
            yield Left(place, f"{found['path']} is no module of this codebase.")
        elif found["level"] == "error":
            message = without_positions(found["message"])
            parts = {"module": module, "code": found["code"] or "unknown", "message": message}
            yield Item("mypy", place, f"{found['path']}: {message}", dict(parts))
        else:
            yield Left(place, f"{found['level']}: only errors are held here.")


def by_code(gate: str) -> Read:
    """Return the reader of a table of counts by file and code."""
    return partial(_read_by_code, gate)


def _read_by_code(gate: str, source: Source) -> Iterator[Item | Left]:
    document = JsonDocument(source)
    for path in document.table.keys:
        codes = document.value[path] if isinstance(document.value, dict) else {}
        for code, count in document.numbers(codes, path).items():
            place, module = f"{source.path}: {path}.{code}", source.modules.get(path)
            if module is None:
                yield Left(place, f"{path} is no module of this codebase.")
            else:
                yield Item(gate, place, f"{path} has {count} of {code}", {"module": module, "code": code}, count)
    document.finished()


def read_complexity(source: Source) -> Iterator[Item | Left]:
    """Yield figures above their limits: the third kind of document has ruff's, the first two lengths in lines."""
    document = JsonDocument(source)
    whole: object = document.value
    read = _length
    if isinstance(whole, dict) and "schema_version" in whole:
        yield from document.others(document.table, "schema_version", "thresholds", "metrics")
        whole, read = whole.get("metrics"), _figure
    if not isinstance(whole, dict):
        document.table.fault(("metrics",), "expected figures by rule.")
    for rule, figures in whole.items() if isinstance(whole, dict) else ():
        for name, value in document.numbers(figures, rule).items():
            yield read(source, f"{source.path}: {rule}.{name}", rule, name, value)
    document.finished()


def _figure(source: Source, place: str, rule: str, name: str, value: int) -> Item | Left:
    return _measured("complexity", source, place, name, value, {"rule": rule})


def _length(source: Source, place: str, rule: str, name: str, value: int) -> Item | Left:
    kind = {"class": sizes.CLASS, "file": sizes.FILE}.get(rule, sizes.FUNCTION)
    return _measured("sizes", source, place, name, value, {"kind": kind})


def _measured(
    gate: str, source: Source, place: str, name: str, value: int, told: Mapping[str, str | Fits]
) -> Item | Left:
    path, _, qualname = name.partition(":")
    module = source.modules.get(path)
    if module is None:
        return Left(place, f"{path} is no module of this codebase.")
    parts = {"module": module, **told, "qualname": _called(qualname or "<module>")}
    return Item(gate, place, f"{name} has {value}", parts, value)


def _called(name: str) -> Fits:
    """Return what fits a qualname, whether what is inside of a function says so or not."""
    return lambda qualname: qualname.replace(".<locals>", "") == name.replace(".<locals>", "")
