"""Is something used where a rule bans it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.facts.bans import Ban, BannedUse, scan_bans
from abutment.gates.gate import Rule
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.use_gate import Saying, use_gate
from abutment.model.identity import Key
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.semantics.program import Program

FIELDS = ("ban", "module", "qualname", "target")
_USED = Rule("ABT501", "banned-use", "Something is called, read or changed where a rule bans it.")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.bans]` says."""

    bans: tuple[Ban, ...]
    instead: dict[str, str]  # by a ban's id
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    bans: list[Ban] = []
    instead: dict[str, str] = {}
    for entry in reader.tables("rules"):
        ban = _read_ban(entry)
        if any(ban.id == other.id for other in bans):
            entry.fault(("id",), f"{ban.id!r} is the id of another rule, too")
        instead[ban.id] = entry.optional_text("instead") or ""
        entry.close()
        bans.append(ban)
    settings = Settings(tuple(bans), instead, read_exclude(reader))
    reader.close()
    return settings


def _read_ban(entry: TableReader) -> Ban:
    inside, outside = _read_selectors(entry, "in"), _read_selectors(entry, "except")

    def covers(module: str) -> bool:
        return (not inside or any(one.matches(module) for one in inside)) and not any(
            one.matches(module) for one in outside
        )

    return Ban(entry.text("id"), frozenset(entry.texts("names", least=1)), covers)


def _read_selectors(entry: TableReader, key: str) -> tuple[Selector, ...]:
    found: list[Selector] = []
    for index, text in enumerate(entry.texts(key, ())):
        try:
            found.append(Selector(text))
        except ValueError as error:
            entry.fault((key, index), str(error))
    return tuple(found)


def scan(program: Program, settings: Settings) -> Iterator[BannedUse]:
    """Yield every banned use."""
    return scan_bans(program, settings.bans)


def say(key: Key, settings: Settings) -> Saying:
    """Return how one banned use reads."""
    ban, module, qualname, target = key
    where = module if qualname == "<module>" else f"{module}, in {qualname},"
    return Saying(_USED, f"{where} uses {target}, which the rule {ban} bans", settings.instead.get(ban, ""))


def _verb(fact: BannedUse) -> str:
    return fact.verb


def _target(fact: BannedUse) -> str:
    return fact.target


GATE = use_gate(
    name="bans",
    question="Is something used where a rule bans it?",
    fields=FIELDS,
    rules=(_USED,),
    scan=scan,
    say=say,
    remedy="Do it the way the rule says, or have it approved in {policy}.",
    read_settings=read_settings,
    word=_verb,
    what=_target,
)
