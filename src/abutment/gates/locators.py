"""Who fetches what it needs from a named runtime or a global object?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from abutment.facts.locators import Locator, LocatorUse, scan_locators
from abutment.facts.named import settled
from abutment.gates.allowances import unused
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_named
from abutment.gates.scope import Exclude, PlacedSelectors, read_exclude, read_selectors, selects
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.gates.written_rules import read_id, read_instead
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Free, Loosening, Permits, Requires, Tables
from abutment.model.measurement import Unused
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("locator", "module", "qualname", "target", "verb")
_ACCESS = Rule("ABT671", "locator-access", "A runtime or global object is used by a module that may not.")
_IDLE = Rule("ABT672", "unused-allowance", "A module that may use a locator, and does not.")
_SAID = {"call": "calls", "set": "changes", "erase": "changes", "import": "imports", "decorate": "decorates with"}


@dataclass(frozen=True, slots=True)
class Written:
    """One rule as the configuration has it."""

    id: str
    named: tuple[Named, ...]
    allowed: PlacedSelectors
    instead: str

    def allows(self, module: str) -> bool:
        """Say whether the module may use what the rule names."""
        return selects(self.allowed, module)


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.locators]` says."""

    rules: dict[str, Written]  # by id
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    rules: dict[str, Written] = {}
    for entry in reader.tables("rules"):
        rule = _read_rule(entry, rules)
        rules[rule.id] = rule
    settings = Settings(rules, read_exclude(reader))
    reader.close()
    return settings


def _read_rule(entry: TableReader, taken: Container[str]) -> Written:
    rule = Written(
        id=read_id(entry, taken),
        named=read_named(entry, "names", least=1),
        allowed=read_selectors(entry, "allow"),
        instead=read_instead(entry),
    )
    entry.close()
    return rule


def scan(program: Program, settings: Settings) -> Iterator[LocatorUse]:
    """Yield every access, also those that are allowed."""
    rules = settings.rules.values()
    return scan_locators(
        program, [Locator(one.id, frozenset(settled(program, names_of(one.named))), one.allows) for one in rules]
    )


def say(key: Key, settings: Settings) -> Saying:
    """Return how one access reads."""
    locator, module, qualname, target, verb = map(str, key)
    where = place_words(module, qualname)
    clause = f"{where} {_SAID.get(verb, 'uses')} {target} (rule {locator})"
    rule = settings.rules.get(locator)
    return Saying(_ACCESS, clause, rule.instead if rule else "")


def beside(program: Program, settings: Settings, facts: Iterable[LocatorUse]) -> Extra:
    """Return the allowances of no use, and the names that mean nothing."""
    idle = tuple(_idle(settings, tuple(facts)))
    faults = [fault for rule in settings.rules.values() for fault in missing(program, rule.named)]
    notes = [note for rule in settings.rules.values() for note in unseen(program, rule.named)]
    if not settings.rules:
        faults.append(Fault("", 0, "locators has no rules.", "Write `[[tool.abutment.locators.rules]]`."))
    return Extra(unused=idle, faults=tuple(faults), notes=tuple(notes))


def _idle(settings: Settings, facts: tuple[LocatorUse, ...]) -> Iterator[Unused]:
    for rule in settings.rules.values():
        doing = {one.module for one in facts if one.locator == rule.id}
        what = f"may use what the rule {rule.id} names and does not"
        yield from unused(rule.allowed, doing, what, _IDLE, partial(_allowance, rule.id))


def _allowance(locator: str, text: str) -> Key:
    return (locator, text, "", "", "allow")


def _is_counted(fact: LocatorUse) -> bool:
    return not fact.allowed


GATE = use_gate(
    name="locators",
    question="Who fetches what it needs from a named runtime or a global object?",
    fields=FIELDS,
    rules=(_ACCESS, _IDLE),
    scan=scan,
    say=say,
    remedy="Take what is needed as an argument, or have the access approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("verb"),
    what=attrgetter("target"),
    counted=_is_counted,
    beside=beside,
    loosening=Loosening(
        {
            "rules": Tables(
                Loosening({"names": Requires(dotted=True), "allow": Permits(), "instead": Free()}), identity="locator"
            ),
            "exclude": EXCLUDE,
        }
    ),
)
