"""Who fetches what it needs from a named runtime or a global object?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from abutment.facts.locators import Locator, LocatorUse, scan_locators
from abutment.gates.allowances import unused
from abutment.gates.gate import Rule, place_words
from abutment.gates.scope import PlacedSelectors, read_selectors, selects
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.gates.written_rules import RuleSettings, WrittenRule, beside_rules, read_rules
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
class Written(WrittenRule):
    """One rule as the configuration has it."""

    allowed: PlacedSelectors

    def allows(self, module: str) -> bool:
        """Say whether the module may use what the rule names."""
        return selects(self.allowed, module)


Settings = RuleSettings[Written]


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    return read_rules(reader, _read_rule)


def _read_rule(rule: WrittenRule, entry: TableReader) -> Written:
    return Written(rule.id, rule.named, rule.instead, read_selectors(entry, "allow"))


def scan(program: Program, settings: Settings) -> Iterator[LocatorUse]:
    """Yield every access, also those that are allowed."""
    rules = settings.rules.values()
    return scan_locators(program, [Locator(one.id, one.watched(program), one.allows) for one in rules])


def say(key: Key, settings: Settings) -> Saying:
    """Return how one access reads."""
    locator, module, qualname, target, verb = map(str, key)
    where = place_words(module, qualname)
    clause = f"{where} {_SAID.get(verb, 'uses')} {target} (rule {locator})"
    return Saying(_ACCESS, clause, settings.instead_of(locator))


def beside(program: Program, settings: Settings, facts: Iterable[LocatorUse]) -> Extra:
    """Return the allowances of no use, and the names that mean nothing."""
    return replace(beside_rules("locators", program, settings), unused=tuple(_idle(settings, tuple(facts))))


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
