"""Does every task that is given to a registry say whose it is?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from abutment.facts.named import defined, holders, home_of, settled
from abutment.facts.tasks import BLANK, DYNAMIC, MISSING, OWNED, Registry, TaskCall, scan_tasks
from abutment.facts.unproven import UNPROVEN, unproven_notes
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import (
    Named,
    lacking,
    missing,
    names_of,
    no_classes,
    read_members,
    read_named,
    read_word,
    untaken,
    variables,
)
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Permits
from abutment.model.reading import TableReader
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.semantics.uses import canonical

FIELDS = ("module", "qualname", "target", "kind")
METHODS = ("create", "create_sync", "register", "submit_threadsafe")
_RULES = {
    MISSING: Rule("ABT851", "task-without-owner", "A task is given to a registry without an owner."),
    DYNAMIC: Rule("ABT852", "dynamic-owner", "A task's owner is no literal text, so that nobody can look it up."),
    BLANK: Rule("ABT853", "blank-owner", "A task's owner is a blank text."),
}
_CLAUSES = {
    MISSING: "gives a task to {} without an owner",
    DYNAMIC: "gives a task to {} with an owner that is no literal",
    BLANK: "gives a task to {} with a blank owner",
}


@dataclass(frozen=True, slots=True)
class Written:
    """One registry as the configuration has it."""

    classes: tuple[Named, ...]
    factories: tuple[Named, ...]  # functions that give a registry
    functions: tuple[Named, ...]  # that take a task themselves
    methods: tuple[Named, ...]
    keyword: Named

    @property
    def named(self) -> tuple[Named, ...]:
        """Everything that has to be somewhere."""
        return (*self.classes, *self.factories, *self.functions)


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.tasks]` says."""

    registries: tuple[Written, ...]
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    registries = tuple(_read_registry(entry) for entry in reader.tables("registries"))
    settings = Settings(registries, read_exclude(reader))
    reader.close()
    return settings


def _read_registry(entry: TableReader) -> Written:
    classes, factories, functions = (read_named(entry, key) for key in ("classes", "factories", "functions"))
    if not (classes or factories or functions):
        entry.fault((), "names no classes, factories or functions")
    methods, keyword = read_members(entry, "methods", METHODS), read_word(entry, "keyword", "owner")
    entry.close()
    return Written(classes, factories, functions, methods, keyword)


def scan(program: Program, settings: Settings) -> Iterator[TaskCall]:
    """Yield every task that is given to a registry."""
    return scan_tasks(program, [_settled(program, one) for one in settings.registries])


def _settled(program: Program, written: Written) -> Registry:
    """Return the registry under the names by which its parts are defined."""
    classes, factories, functions = (
        list(settled(program, names_of(named))) for named in (written.classes, written.factories, written.functions)
    )
    starters = {f"{holder}.{method}" for holder in holders(classes, factories) for method in names_of(written.methods)}
    homes = {name.rpartition(".")[0] for name in (*classes, *functions)}
    return Registry(frozenset((*starters, *functions)), written.keyword.name, frozenset(homes & set(program.modules)))


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one task reads."""
    module, qualname, target, kind = key
    where = place_words(module, qualname)
    clause = _CLAUSES.get(kind, "gives a task to {} in no known way")
    return Saying(_RULES.get(kind, _RULES[MISSING]), f"{where} {clause.format(target)}")


def beside(program: Program, settings: Settings, facts: Iterable[TaskCall]) -> Extra:
    """Return what names nothing, and how many tasks were seen."""
    named = [one for registry in settings.registries for one in registry.named]
    inherited = [one for registry in settings.registries for one in _inherited(program, registry)]
    faults = [*missing(program, named), *variables(program, (*named, *inherited))]
    faults += (fault for registry in settings.registries for fault in _unlike(program, registry))
    if not settings.registries:
        faults.append(Fault("", 0, "tasks: no registry is named.", "Write [[tool.abutment.tasks.registries]]."))
    known = list(facts)
    unproven = [(one.module, one.site) for one in known if one.kind == UNPROVEN]
    seen = len(known) - len(unproven)
    doubts = unproven_notes(program, unproven, "of a registry", "tasks")
    return Extra(faults=tuple(faults), notes=(f"tasks given to registries: {seen}.", *doubts, *unseen(program, named)))


def _inherited(program: Program, registry: Written) -> Iterator[Named]:
    """Yield the methods that a class of the codebase has, its own or a base's: those are known as the base's."""
    for one in registry.classes:
        for method in names_of(registry.methods):
            name = f"{defined(program, one.name) or one.name}.{method}"
            if any(home_of(program, canonical(origin)) for origin in program.uses.origins_of(name)):
                yield Named(name, one.key, one.site)


def _unlike(program: Program, registry: Written) -> Iterator[Fault]:
    """Yield what the code says of a registry that its configuration does not: no task would ever be seen."""
    owners = [*names_of(registry.classes), *(f"{name}()" for name in names_of(registry.factories))]
    yield from no_classes(program, registry.classes)
    yield from lacking(program, owners, registry.methods)
    yield from untaken(program, owners, names_of(registry.methods), names_of(registry.functions), registry.keyword)


def _is_counted(fact: TaskCall) -> bool:
    return fact.kind not in (OWNED, UNPROVEN)


GATE = use_gate(
    name="tasks",
    question="Does every task that is given to a registry say whose it is?",
    fields=FIELDS,
    rules=tuple(_RULES.values()),
    scan=scan,
    say=say,
    remedy="Give it the name of the part that owns it, as a literal text, or have it approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("kind"),
    what=attrgetter("target"),
    counted=_is_counted,
    beside=beside,
    direction=Direction.ZERO,
    loosening=Loosening({"registries": Permits(dotted=False), "exclude": EXCLUDE}),
)
