"""Is something used where a rule bans it?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from abutment.facts.bans import Ban, BannedUse, scan_bans
from abutment.facts.named import settled
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_named
from abutment.gates.scope import Exclude, PlacedSelectors, read_exclude, read_selectors, selects, unmatched
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.gates.written_rules import read_id, read_instead
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, All, Free, Loosening, Permits, Requires, Tables
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("ban", "module", "qualname", "target")
_USED = Rule("ABT501", "banned-use", "Something is called, read or changed where a rule bans it.")


@dataclass(frozen=True, slots=True)
class Written:
    """One rule as the configuration has it."""

    id: str
    named: tuple[Named, ...]
    inside: PlacedSelectors  # where it holds; () for everywhere
    outside: PlacedSelectors  # where it does not
    instead: str

    def covers(self, module: str) -> bool:
        """Say whether the rule holds in the module."""
        return (not self.inside or selects(self.inside, module)) and not selects(self.outside, module)


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.bans]` says."""

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
        inside=read_selectors(entry, "in"),
        outside=read_selectors(entry, "except"),
        instead=read_instead(entry),
    )
    entry.close()
    return rule


def scan(program: Program, settings: Settings) -> Iterator[BannedUse]:
    """Yield every banned use."""
    rules = settings.rules.values()
    return scan_bans(
        program, [Ban(one.id, frozenset(settled(program, names_of(one.named))), one.covers) for one in rules]
    )


def say(key: Key, settings: Settings) -> Saying:
    """Return how one banned use reads."""
    ban, module, qualname, target = key
    where = place_words(module, qualname)
    rule = settings.rules.get(ban)
    return Saying(_USED, f"{where} uses {target}, which the rule {ban} bans", rule.instead if rule else "")


def beside(program: Program, settings: Settings, _facts: Iterable[BannedUse]) -> Extra:
    """Return a fault for each name and selector that means nothing, and where there is no rule at all."""
    notes: list[str] = []
    faults = [] if settings.rules else [Fault("", 0, "bans has no rules.", "Write `[[tool.abutment.bans.rules]]`.")]
    for rule in settings.rules.values():
        faults += missing(program, rule.named)
        notes += unseen(program, rule.named)
        faults += unmatched((*rule.inside, *rule.outside), program.modules)
    return Extra(faults=tuple(faults), notes=tuple(notes))


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
