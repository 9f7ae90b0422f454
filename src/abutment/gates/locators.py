"""Who fetches what it needs from a named runtime or a global object?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from abutment.facts.locators import Locator, LocatorUse, scan_locators
from abutment.facts.named import missing_names
from abutment.gates.allowances import allows, missing, unused
from abutment.gates.gate import Rule, place_words
from abutment.gates.scope import Exclude, PlacedSelectors, read_exclude, read_selectors
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Unused
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.semantics.program import Program

FIELDS = ("locator", "module", "qualname", "target", "verb")
_ACCESS = Rule("ABT671", "locator-access", "A runtime or global object is used by a module that may not.")
_IDLE = Rule("ABT672", "unused-allowance", "A module that may use a locator, and does not.")
_SAID = {"call": "calls", "set": "changes", "erase": "changes", "import": "imports", "decorate": "decorates with"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.locators]` says."""

    locators: tuple[Locator, ...]
    allowed: dict[str, PlacedSelectors]  # by a locator's id
    instead: dict[str, str]
    named: tuple[tuple[str, Site], ...]
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    locators: list[Locator] = []
    allowed: dict[str, PlacedSelectors] = {}
    instead: dict[str, str] = {}
    named: list[tuple[str, Site]] = []
    for entry in reader.tables("rules"):
        locator = entry.text("id")
        if "*" in locator or any(map(str.isspace, locator)):
            entry.fault(("id",), f"{locator!r} holds a blank or `*`", "It stands in approvals, which hold no wildcard.")
        if locator in allowed:
            entry.fault(("id",), f"{locator!r} is the id of another rule, too")
        names = entry.texts("names", least=1)
        named += [(name, Site(reader.document, entry.line("names", at))) for at, name in enumerate(names)]
        allowed[locator] = read_selectors(entry, "allow")
        instead[locator] = entry.optional_text("instead") or ""
        entry.close()
        locators.append(Locator(locator, frozenset(names), _allowing(allowed[locator])))
    settings = Settings(tuple(locators), allowed, instead, tuple(named), read_exclude(reader))
    reader.close()
    return settings


def _allowing(allowances: PlacedSelectors) -> Callable[[str], bool]:
    return lambda module: allows(allowances, module)


def scan(program: Program, settings: Settings) -> Iterator[LocatorUse]:
    """Yield every access, also those that are allowed."""
    return scan_locators(program, settings.locators)


def say(key: Key, settings: Settings) -> Saying:
    """Return how one access reads."""
    locator, module, qualname, target, verb = map(str, key)
    where = place_words(module, qualname)
    clause = f"{where} {_SAID.get(verb, 'uses')} {target} (rule {locator})"
    instead = settings.instead.get(locator, "")
    return Saying(_ACCESS, clause, f"{instead} Or have it approved in {{policy}}." if instead else "")


def beside(program: Program, settings: Settings, facts: Iterable[LocatorUse]) -> Extra:
    """Return the allowances of no use, and the names that mean nothing."""
    absent = missing_names(program, (name for name, _ in settings.named))
    idle = tuple(_idle(settings, tuple(facts)))
    faults = [*missing("locators", settings.named, absent)]
    if not settings.locators:
        faults.append(Fault("", 0, "locators has no rules.", "Write `[[tool.abutment.locators.rules]]`."))
    return Extra(unused=idle, faults=tuple(faults))


def _idle(settings: Settings, facts: tuple[LocatorUse, ...]) -> Iterator[Unused]:
    for locator, allowances in settings.allowed.items():
        doing = {one.module for one in facts if one.locator == locator}
        what = f"may use what the rule {locator} names and does not"
        yield from unused(allowances, doing, what, _IDLE, partial(_allowance, locator))


def _allowance(locator: str, text: str) -> Key:
    return (locator, text, "", "", "allow")


def _is_counted(fact: LocatorUse) -> bool:
    return not fact.allowed


def _verb(fact: LocatorUse) -> str:
    return fact.verb


def _target(fact: LocatorUse) -> str:
    return fact.target


GATE = use_gate(
    name="locators",
    question="Who fetches what it needs from a named runtime or a global object?",
    fields=FIELDS,
    rules=(_ACCESS, _IDLE),
    scan=scan,
    say=say,
    remedy="Take what is needed as an argument, or have the access approved in {policy}.",
    read_settings=read_settings,
    word=_verb,
    what=_target,
    counted=_is_counted,
    beside=beside,
)
