"""What is a gate? One question about the code, and how its facts are held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.loosening import ONLY_EXCLUDE, Loosening
from abutment.model.measurement import Measurement
from abutment.model.reading import TableReader
from abutment.model.terms import Direction, Terms
from abutment.semantics.program import Program
from abutment.sources.tree import Tree


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong, with a number that never changes its meaning."""

    id: str  # "ABT301"
    name: str  # kebab-case
    summary: str  # one sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """How a gate's own facts are listed by `abutment facts`."""

    scan: Callable[[Program, Any], Iterator[Any]]  # of frozen dataclasses that hold `fields` and a `site`
    fields: tuple[str, ...]  # of the identity, in order
    word: Callable[[Any], str]  # the family's own word for a place
    what: Callable[[Any], str]  # the canonical API, the event's name
    figure: Callable[[Any], int] | None = None  # what its count is, where that is not at how many places it stands


@dataclass(frozen=True, slots=True)
class Gate:
    """One question a file. `settings` values are whatever frozen dataclass the gate's reader returns."""

    name: str
    question: str
    direction: Direction
    fields: tuple[str, ...]  # identity of a fact, in order
    rules: tuple[Rule, ...]
    remedy: str  # what to do instead; may name {policy} and {baseline}
    read_settings: Callable[[TableReader], Any]  # reads [tool.abutment.<name>]; unknown keys are decided here
    measure: Callable[[Program, Any, Grants], Measurement]
    module_fields: tuple[str, ...] = ()  # of `fields`, those that hold dotted module names: `move` rewrites them
    name_fields: tuple[str, ...] = ()  # those that hold dotted names of anything in the code: `move`, too
    tombstones: bool = True
    needs_configuration: bool = False  # `init` enables it only where it is configured
    judges_tests: bool = True  # whether roots with role "tests" are in its scope
    asks_exit: bool = False  # whether an approval has to say when it is no longer needed
    asks_expiry: bool = False  # whether an approval has to run out on a day
    reads_root_table: bool = False  # `read_settings` is handed [tool.abutment] instead of the gate's own table
    unheard: Callable[[Any], Iterable[Fault]] | None = None  # what its settings ask in vain where it is off
    prepare: Callable[[Any, Tree], Any] | None = None  # completes the settings with what only the tree can tell
    has_targets: bool = False  # an approval of debt has to say its `target_state`
    figures: bool = False  # whether a count is one fact's figure (its lines), so that their sum is no number of facts
    facts: Facts | None = None  # a family that is this gate's own, and depends on its settings
    asks_uses: bool = False  # whether it asks what the code does with what it names (`Program.uses`)
    loosening: Loosening = ONLY_EXCLUDE  # in which direction a change of its table loosens it

    takes_comments: bool = False  # a comment beside a use may grant it; the evidence then names every place

    def in_scope(self, settings: Any, module: str, role: str) -> bool:
        """Say whether a module is in the gate's scope, so that failing to read it leaves the gate unjudged."""
        if role == "tests" and not self.judges_tests:
            return False
        return not any(selector.matches(module) for selector in getattr(settings, "exclude", ()))

    def terms(self, documents: str) -> Terms:
        """Return what the judge needs, with documents below the folder `documents`."""
        return Terms(
            gate=self.name,
            fields=self.fields,
            direction=self.direction,
            tombstones=self.tombstones,
            has_targets=self.has_targets,
            figures=self.figures,
            policy=f"{documents}/{self.name}.toml",
            baseline=f"{documents}/{self.name}.jsonl",
            asks_exit=self.asks_exit,
            asks_expiry=self.asks_expiry,
        )

    def rule(self, id: str) -> Rule:
        """Return the rule with that id; raises KeyError where the gate has none."""
        return _by_id(self.rules)[id]


def _by_id(rules: tuple[Rule, ...]) -> Mapping[str, Rule]:
    return {rule.id: rule for rule in rules}


def place_words(module: str, qualname: str) -> str:
    """Return how a violation's text begins: the module, and the scope in it where there is one."""
    return module if qualname == "<module>" else f"{module}, in {qualname},"
