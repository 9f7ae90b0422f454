"""Which names have become which, by the thousand? A file of pairs, each held against what the code has now."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from abutment.baselines.code_names import CodeNames, live_names
from abutment.baselines.document_bytes import BOM
from abutment.baselines.renaming import Renaming
from abutment.errors import NotJudged, Refused
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.selector import within
from abutment.sources.toml_document import load_toml

_QUOTED = 'A name with dots stands in quotes: `"app.old" = "app.new"`.'


@dataclass(frozen=True, slots=True)
class Pair:
    """One name that somebody says has become another."""

    old: str
    new: str
    line: int


def read_names(path: str, data: bytes) -> tuple[Pair, ...]:
    """Return the pairs of a file: TOML (`"app.old" = "app.new"`), JSON Lines (`{"old": …, "new": …}`) or CSV (old,new).

    Raises NotJudged with every line that is no pair of two dotted names, and every name that is there twice.
    """
    read = {"toml": _from_toml, "jsonl": _from_json_lines, "csv": _from_csv}.get(path.rpartition(".")[2].lower())
    if read is None:
        raise NotJudged(Fault(path, 0, "is neither TOML, JSON Lines nor CSV, by its ending.", "Call it `….csv`."))
    pairs, faults = list[Pair](), list[Fault]()
    seen: dict[str, int] = {}
    for number, old, new in read(path, data.removeprefix(BOM)):
        wrong = _pair_fault(old, new, seen.setdefault(old, number), number)
        if wrong:
            faults.append(Fault(path, number, wrong))
        pairs.append(Pair(old, new, number))
    if faults or not pairs:
        raise NotJudged(faults or Fault(path, 0, "names nothing."))
    return tuple(pairs)


def _pair_fault(old: str, new: str, first: int, number: int) -> str:
    malformed = next((name for name in (old, new) if not name or not all(name.split("."))), None)
    if malformed is not None:
        return f"{malformed!r} is no dotted name."
    if old == new:
        return f"{old} becomes itself."
    return "" if first == number else f"{old} is named in line {first} already."


def _from_toml(path: str, data: bytes) -> Iterator[tuple[int, str, str]]:
    document = load_toml(path, data)
    for old, new in document.table.items():
        if isinstance(new, dict):
            fault = Fault(path, document.locate((old,)), f"{old} is a table, and no name.", _QUOTED)
            raise NotJudged(fault)
        yield document.locate((old,)), old, new if isinstance(new, str) else ""


def _from_json_lines(path: str, data: bytes) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            value = exact_json(line.decode("utf-8"))
        except ValueError as error:
            raise NotJudged(Fault(path, number, f"the line {error}.")) from error
        texts = [value[name] for name in ("old", "new")] if isinstance(value, dict) and value.keys() == _ENDS else []
        yield (number, *_two(texts))


_ENDS = {"old", "new"}


def _from_csv(path: str, data: bytes) -> Iterator[tuple[int, str, str]]:
    try:
        rows = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
        for row in rows:
            if row and _two(row) != ("old", "new"):
                yield (rows.line_num, *_two(row))
    except (csv.Error, UnicodeDecodeError) as error:
        raise NotJudged(Fault(path, 0, f"cannot be read: {error}.")) from error


def _two(texts: Iterable[object]) -> tuple[str, str]:
    found = [text.strip() for text in texts if isinstance(text, str)]
    return (found[0], found[1]) if len(found) == 2 else ("", "")


def borne_out(path: str, pairs: Iterable[Pair], code: CodeNames) -> tuple[Renaming, ...]:
    """Return the pairs as renamings; raises Refused with each that the code does not look as if it had happened."""
    live = live_names(code.modules)
    renamings, faults = list[Renaming](), list[Fault]()
    for pair in pairs:
        home = "" if pair.new in live else code.home(pair.new)
        renamings.append(Renaming(pair.old, pair.new, home))
        wrong = _refuted(pair, home, live, code)
        if wrong:
            faults.append(Fault(path, pair.line, wrong))
    if faults:
        raise Refused(faults)
    return tuple(renamings)


def _refuted(pair: Pair, home: str, live: Collection[str], code: CodeNames) -> str:
    old, new = pair.old, pair.new
    if new not in live and not home:
        return f"there is no module {new}, and no function or class of that name."
    if home and old in live:
        return f"{old} is a module, which has not become the function or class {new}."
    is_there = (old in live and not within(new, old)) or (home and code.home(old))
    return f"{old} is still there, so it has not become {new}." if is_there else ""
