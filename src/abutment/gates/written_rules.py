"""What do rules have that a project writes of its own, whichever gate they are for?"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Generic, TypeVar

from abutment.facts.named import settled
from abutment.gates.named import Named, missing, names_of, read_named
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra
from abutment.model.fault import Fault
from abutment.model.reading import TableReader
from abutment.semantics.program import Program


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """What each rule has."""

    id: str
    named: tuple[Named, ...]
    instead: str  # what to do instead; "" for the gate's own remedy

    def watched(self, program: Program) -> frozenset[str]:
        """Return what the rule is about, under the names by which it is found."""
        return frozenset(settled(program, names_of(self.named)))


Written = TypeVar("Written", bound=WrittenRule)


@dataclass(frozen=True, slots=True)
class RuleSettings(Generic[Written]):
    """A gate's table of rules."""

    rules: dict[str, Written]  # by id
    exclude: Exclude = ()

    def instead_of(self, id: str) -> str:
        """Return the remedy of a rule; "" also for one that is there no more."""
        rule = self.rules.get(id)
        return rule.instead if rule else ""


def read_rules(reader: TableReader, read_rule: Callable[[WrittenRule, TableReader], Written]) -> RuleSettings[Written]:
    """Return a gate's own table; `read_rule` adds to a rule what only that gate's rules have."""
    rules: dict[str, Written] = {}
    for entry in reader.tables("rules"):
        common = WrittenRule(_read_id(entry, rules), read_named(entry, "names", least=1), _read_instead(entry))
        rules[common.id] = read_rule(common, entry)
        entry.close()
    settings = RuleSettings(rules, read_exclude(reader))
    reader.close()
    return settings


def beside_rules(gate: str, program: Program, settings: RuleSettings[Written]) -> Extra:
    """Return a fault for each name that means nothing and where there is no rule at all, and notes on odd names."""
    rules = settings.rules.values()
    faults = [fault for rule in rules for fault in missing(program, rule.named)]
    if not rules:
        faults.append(Fault("", 0, f"{gate} has no rules.", f"Write `[[tool.abutment.{gate}.rules]]`."))
    return Extra(faults=tuple(faults), notes=tuple(note for rule in rules for note in unseen(program, rule.named)))


def _read_id(entry: TableReader, taken: Container[str]) -> str:
    """Return a rule's id; one that no approval could hold, or that another rule has, is a fault."""
    found = entry.text("id")
    if "*" in found or any(map(str.isspace, found)):
        entry.fault(("id",), f"{found!r} holds a blank or `*`", "It stands in approvals, which hold no wildcard.")
    if found in taken:
        entry.fault(("id",), f"{found!r} is the id of another rule, too")
    return found


def _read_instead(entry: TableReader) -> str:
    instead = entry.optional_text("instead")
    return f"{instead} Or have it approved in {{policy}}." if instead else ""
