"""What does starting load, and what does it leave alive?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from abutment.errors import NotJudged
from abutment.facts.startup import COMPONENT, MODULE, ORDER, PACKAGE, TIME, Place, StartupFact
from abutment.facts.startup_chains import Chains, Step
from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.startup_asking import Heard, failing, hear
from abutment.gates.startup_settings import LOOSENING, Settings, read_settings
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Conditions, Evidence, Measurement
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tools.configuration import digest_of
from abutment.sources.tools.place import folder_of
from abutment.sources.tree import Tree

FIELDS = ("target", "kind", "name")
_RECORDED = frozenset({MODULE, PACKAGE})  # everything else is there not at all, or approved
_MODULE = Rule("ABT061", "loaded-module", "Importing something loads a module of yours that it did not.")
_PACKAGE = Rule("ABT062", "loaded-package", "Importing something loads an installed package that it did not.")
_ALIVE = Rule("ABT063", "left-alive", "An import or a constructor leaves a thread, process, socket or file.")
_UNCLOSED = Rule("ABT064", "not-closed", "What was started and stopped leaves something alive.")
_COMPONENT = Rule("ABT065", "component", "Components are not started as the manifest has them.")
_ORDER = Rule("ABT066", "import-order", "Modules cannot be imported in one of their orders.")
_TIME = Rule("ABT067", "over-budget", "An import takes longer than its budget.")
_APPROVE = "or have it approved in {policy}."
_LOAD = f"Import it where it is needed, {_APPROVE}"
_START = f"Start it when the whole is started, and not where it is defined, {_APPROVE}"
_CLOSE = f"End it where the whole is stopped, also after a start that failed, {_APPROVE}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be started, and where."""

    settings: Settings
    folder: Path

    def place(self, program: Program) -> Place:
        """Return where the code is."""
        return Place(self.folder, program)


def prepare(settings: Settings, tree: Tree) -> Asked:
    """Take the folder along; raises NotJudged where there is none in which anything could run."""
    return Asked(settings, folder_of(tree))


def scan(program: Program, asked: Asked) -> Iterator[StartupFact]:
    """Yield everything that was found; raises NotJudged where something could not be asked."""
    heard = hear(asked.settings, asked.place(program))
    if heard.faults:
        raise NotJudged(heard.faults)
    yield from heard.facts


def measure(program: Program, asked: Asked, grants: Grants) -> Measurement:
    """Return what starting brings about, and the conditions under which it did."""
    settings = asked.settings
    heard = hear(settings, asked.place(program))
    casebook = _Casebook(program, settings, heard, grants)
    now = conditions(settings, heard.python)
    return Measurement(
        counts=Counter((one.target, one.kind, one.name) for one in heard.facts),
        describe=casebook.describe,
        looked_at=len(list(settings.targets())),
        unit="targets",
        faults=tuple(heard.faults),
        notes=tuple(heard.notes),
        covers=tuple(one.name for one in settings.targets()),
        named_parts=True,
        reviewed_only=lambda key: key[1] not in _RECORDED,
        conditions=now,
        explains=lambda before: lambda key: _explains(before, now, key),
    )


def conditions(settings: Settings, python: str) -> Conditions:
    """Return what decides which facts there are, besides the code."""
    around = {f"environment {name}": value.encode() for name, value in settings.environment}
    around |= {f"path {at}": entry.encode() for at, entry in enumerate(settings.path)}
    held = [kind for kind, is_held in _held(settings).items() if is_held]
    return {"python": python, "surroundings": digest_of(around), "held": ", ".join(held) or "nothing"}


def _held(settings: Settings) -> dict[str, bool]:
    return {MODULE: settings.first_party, PACKAGE: settings.third_party}


def _explains(before: Conditions, now: Conditions, key: Key) -> bool:
    """Say whether a change of conditions explains that a fact is there or not: which kinds are held explains these."""
    if any(before.get(name) != now.get(name) for name in {*before, *now} - {"held"}):
        return True
    kinds = set(before.get("held", "").split(", ")) ^ set(now.get("held", "").split(", "))
    return key[1] in kinds


class _Casebook:
    """How each fact reads to a person."""

    def __init__(self, program: Program, settings: Settings, heard: Heard, grants: Grants) -> None:
        self._granted = {one.key for one in grants.recorded} | {one.key for one in grants.approvals}
        self._facts: dict[Key, StartupFact] = {(one.target, one.kind, one.name): one for one in reversed(heard.facts)}
        self._chains = Chains(program, heard.answers)
        self._modes = {name for mode in settings.modes for name in (mode.target.name, failing(mode.target.name))}
        self._budget = settings.budget

    def describe(self, key: Key) -> Evidence:
        """Return how a key reads; also for one that the code lacks."""
        target, kind, name = key
        fact = self._facts.get(key)
        sites = (fact.site,) if fact and fact.site.path else ()
        if kind in _RECORDED:
            return self._loaded(target, kind, name) if fact else self._plain(target, kind, name)
        if kind == COMPONENT:
            return Evidence(_COMPONENT.id, f"mode {target}: {name}", sites, remedy=f"Mend the start, {_APPROVE}")
        if kind == ORDER:
            why = f": {fact.words}" if fact else ""
            what = f"importing {target} one after the other fails at {name}{why}"
            return Evidence(_ORDER.id, what, sites, remedy=f"Let one of them not import the other, {_APPROVE}")
        if kind == TIME:
            took = f"takes {fact.words}, and its budget is {self._budget:g}" if fact else "is over its budget"
            return Evidence(_TIME.id, f"importing {target} {took}", sites, remedy=f"Import less, {_APPROVE}")
        return self._alive(target, f"leaves a {kind} alive: {name}", sites)

    def _plain(self, target: str, kind: str, name: str) -> Evidence:
        rule, words = (_MODULE, name) if kind == MODULE else (_PACKAGE, f"the package {name}")
        return Evidence(rule.id, f"importing {target} loads {words}", remedy=_LOAD)

    def _loaded(self, target: str, kind: str, name: str) -> Evidence:
        plain, steps = self._plain(target, kind, name), self._chains.to(target, name)
        sites = tuple(step.site for step in reversed(steps) if step.site.path)
        leader = self._leader(target, steps[:-1])
        return Evidence(
            rule=plain.rule,
            what=plain.what,
            sites=sites[:1] or (self._facts[target, kind, name].site,),
            details=tuple(step.words for step in steps) or self._untold(target, name),
            remedy=plain.remedy,
            through=sites[1:],
            follows=bool(leader),
            leader=leader,
        )

    def _leader(self, target: str, steps: tuple[Step, ...]) -> Key:
        """Return the first newcomer on the way to another one, which goes with it; () where there is none."""
        for step in steps:
            for key in ((target, MODULE, step.imported), (target, PACKAGE, step.imported.partition(".")[0])):
                if key in self._facts and key not in self._granted:
                    return key
        return ()

    def _untold(self, target: str, name: str) -> tuple[str, ...]:
        return () if f"{target}.".startswith(f"{name}.") else ("no import in the code leads there.",)

    def _alive(self, target: str, what: str, sites: tuple[Site, ...]) -> Evidence:
        if target in self._modes:
            return Evidence(_UNCLOSED.id, f"mode {target} {what}", sites, remedy=_CLOSE)
        doing = "calling" if ":" in target else "importing"
        return Evidence(_ALIVE.id, f"{doing} {target} {what}", sites, remedy=_START)


GATE = Gate(
    name="startup",
    question="What does starting load, and what does it leave alive?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    module_fields=("target", "name"),
    rules=(_MODULE, _PACKAGE, _ALIVE, _UNCLOSED, _COMPONENT, _ORDER, _TIME),
    remedy=_LOAD,
    read_settings=read_settings,
    measure=measure,
    prepare=prepare,
    tombstones=False,
    needs_configuration=True,
    facts=Facts(scan, FIELDS, attrgetter("kind"), attrgetter("name")),
    loosening=LOOSENING,
)
