"""Is something used where a rule bans it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from abutment.facts.bans import Ban, BannedUse, scan_bans
from abutment.gates.gate import Rule, place_words
from abutment.gates.scope import PlacedSelectors, read_selectors, selects, unmatched
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.gates.written_rules import RuleSettings, WrittenRule, beside_rules, read_rules
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, All, Free, Loosening, Permits, Requires, Tables
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("ban", "module", "qualname", "target")
_USED = Rule("ABT501", "banned-use", "Something is called, read or changed where a rule bans it.")


@dataclass(frozen=True, slots=True)
class Written(WrittenRule):
    """One rule as the configuration has it."""

    inside: PlacedSelectors  # where it holds; () for everywhere
    outside: PlacedSelectors  # where it does not

    def covers(self, module: str) -> bool:
        """Say whether the rule holds in the module."""
        return (not self.inside or selects(self.inside, module)) and not selects(self.outside, module)


Settings = RuleSettings[Written]


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    return read_rules(reader, _read_rule)


def _read_rule(rule: WrittenRule, entry: TableReader) -> Written:
    inside, outside = read_selectors(entry, "in"), read_selectors(entry, "except")
    return Written(rule.id, rule.named, rule.instead, inside, outside)


def scan(program: Program, settings: Settings) -> Iterator[BannedUse]:
    """Yield every banned use."""
    return scan_bans(program, [Ban(one.id, one.watched(program), one.covers) for one in settings.rules.values()])


def say(key: Key, settings: Settings) -> Saying:
    """Return how one banned use reads."""
    ban, module, qualname, target = key
    where = place_words(module, qualname)
    return Saying(_USED, f"{where} uses {target}, which the rule {ban} bans", settings.instead_of(ban))


def beside(program: Program, settings: Settings, _facts: Iterable[BannedUse]) -> Extra:
    """Return a fault for each name and selector that means nothing, and where there is no rule at all."""
    extra = beside_rules("bans", program, settings)
    every = (unmatched((*rule.inside, *rule.outside), program.modules) for rule in settings.rules.values())
    return replace(extra, faults=(*extra.faults, *chain.from_iterable(every)))


GATE = use_gate(
    name="bans",
    question="Is something used where a rule bans it?",
    fields=FIELDS,
    rules=(_USED,),
    scan=scan,
    say=say,
    remedy="Do it the way the rule says, or have it approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("verb"),
    what=attrgetter("target"),
    beside=beside,
    loosening=Loosening(
        {
            "rules": Tables(
                Loosening(
                    {
                        "names": Requires(dotted=True),
                        "in": Requires(dotted=True, all=All.EMPTY),
                        "except": Permits(),
                        "instead": Free(),
                    }
                ),
                identity="ban",
            ),
            "exclude": EXCLUDE,
        }
    ),
    takes_comments=True,
)
