"""Is something used where a rule bans it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from abutment.facts.bans import Ban, BannedUse, scan_bans
from abutment.gates.gate import Rule, place_words
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.gates.watched import read_names
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site
from abutment.semantics.program import Program

FIELDS = ("ban", "module", "qualname", "target")
_USED = Rule("ABT501", "banned-use", "Something is called, read or changed where a rule bans it.")


@dataclass(frozen=True, slots=True)
class _Place:
    """One selector of a rule, and where it is written."""

    text: str  # "no-print: in: 'app'"
    selector: Selector
    site: Site


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.bans]` says."""

    bans: tuple[Ban, ...]
    instead: dict[str, str]  # by a ban's id
    places: tuple[_Place, ...] = ()
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    bans: list[Ban] = []
    instead: dict[str, str] = {}
    places: list[_Place] = []
    for entry in reader.tables("rules"):
        ban = _read_ban(entry, places)
        if "*" in ban.id or any(map(str.isspace, ban.id)):
            entry.fault(("id",), f"{ban.id!r} holds a blank or `*`", "It stands in approvals, which hold no wildcard.")
        if ban.id in instead:
            entry.fault(("id",), f"{ban.id!r} is the id of another rule, too")
        instead[ban.id] = entry.optional_text("instead") or ""
        entry.close()
        bans.append(ban)
    settings = Settings(tuple(bans), instead, tuple(places), read_exclude(reader))
    reader.close()
    return settings


def _read_ban(entry: TableReader, places: list[_Place]) -> Ban:
    ban, names = entry.text("id"), frozenset(read_names(entry, "names", least=1))
    inside, outside = _read_selectors(entry, "in", ban, places), _read_selectors(entry, "except", ban, places)

    def covers(module: str) -> bool:
        return (not inside or any(one.matches(module) for one in inside)) and not any(
            one.matches(module) for one in outside
        )

    return Ban(ban, names, covers)


def _read_selectors(entry: TableReader, key: str, ban: str, places: list[_Place]) -> list[Selector]:
    found: list[Selector] = []
    for index, text in enumerate(entry.texts(key, ())):
        try:
            selector = Selector(text)
        except ValueError as error:
            entry.fault((key, index), str(error))
            continue
        found.append(selector)
        places.append(_Place(f"{ban}: {key}: {text!r}", selector, Site(entry.document, entry.line(key, index))))
    return found


def scan(program: Program, settings: Settings) -> Iterator[BannedUse]:
    """Yield every banned use."""
    return scan_bans(program, settings.bans)


def say(key: Key, settings: Settings) -> Saying:
    """Return how one banned use reads."""
    ban, module, qualname, target = key
    where = place_words(module, qualname)
    instead = settings.instead.get(ban, "")
    remedy = f"{instead} Or have it approved in {{policy}}." if instead else ""
    return Saying(_USED, f"{where} uses {target}, which the rule {ban} bans", remedy)


def beside(program: Program, settings: Settings, _facts: Iterable[BannedUse]) -> Extra:
    """Return a fault for each selector that matches nothing, and where there is no rule at all."""
    faults = [] if settings.bans else [Fault("", 0, "bans has no rules.", "Write `[[tool.abutment.bans.rules]]`.")]
    faults += (
        Fault(
            one.site.path,
            one.site.line,
            f"bans.rules: {one.text} matches no module.",
            "Correct the name, or delete the line.",
        )
        for one in settings.places
        if not any(map(one.selector.matches, program.modules))
    )
    return Extra(faults=tuple(faults))


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
    beside=beside,
)
