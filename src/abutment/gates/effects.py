"""What does a module do to the world when it is merely imported?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from abutment.facts.effects import ENVIRONMENT_READ, ImportEffect, World, scan_effects
from abutment.facts.named import settled
from abutment.gates.effects_list import (
    CALLS,
    ENVIRONMENT,
    EVENT_LOOP,
    FILE,
    KINDS,
    NETWORK,
    PROCESS,
    PROCESS_STATE,
    READ,
    REGISTRATION,
    STATE,
    SUBPROCESS,
    THREAD,
)
from abutment.gates.egress_list import BUILT_IN
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_name, read_named, variables
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Around, Extra, Saying, use_gate
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Permits, Requires, switch
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "kind", "target", "through")
_RULES = {
    THREAD: Rule("ABT901", "thread-at-import", "Importing a module starts a thread."),
    PROCESS: Rule("ABT902", "process-at-import", "Importing a module starts a process."),
    SUBPROCESS: Rule("ABT903", "subprocess-at-import", "Importing a module runs a program."),
    NETWORK: Rule("ABT904", "network-at-import", "Importing a module opens a socket or connection."),
    FILE: Rule("ABT905", "file-at-import", "Importing a module opens or changes a file."),
    ENVIRONMENT: Rule("ABT906", "environment-at-import", "Importing a module changes the environment."),
    REGISTRATION: Rule("ABT907", "registration-at-import", "Importing a module registers something elsewhere."),
    PROCESS_STATE: Rule("ABT908", "state-at-import", "Importing a module changes what the whole process shares."),
    EVENT_LOOP: Rule("ABT909", "loop-at-import", "Importing a module runs or sets an event loop."),
    ENVIRONMENT_READ: Rule("ABT910", "environment-read-at-import", "Importing a module reads the environment."),
}
_CLAUSES = {
    THREAD: "starts a thread",
    PROCESS: "starts a process",
    SUBPROCESS: "runs a program",
    NETWORK: "opens a connection",
    FILE: "touches a file",
    ENVIRONMENT: "changes the environment",
    REGISTRATION: "registers something",
    PROCESS_STATE: "changes what the process shares",
    EVENT_LOOP: "runs or sets an event loop",
    ENVIRONMENT_READ: "reads the environment",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.effects]` says."""

    world: World  # the built-in one
    own: Mapping[str, tuple[Named, ...]]  # what the configuration adds, by kind of effect
    not_through: tuple[Named, ...] = ()
    environment_reads: bool = False
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table: what is an effect, and what is none."""
    calls, state, read = dict(CALLS), dict(STATE), set(READ)
    own: dict[str, tuple[Named, ...]] = {REGISTRATION: read_named(reader, "registries")}
    for entry in reader.tables("also"):
        kind = entry.choice("kind", KINDS)
        own[kind] = (*own.get(kind, ()), read_name(entry, "name"))
        entry.close()
    harmless = reader.texts("not_effects", ())
    for index, name in enumerate(harmless):
        if name not in calls and name not in state and name not in read and not BUILT_IN.root_of(name):
            reader.fault(("not_effects", index), f"{name!r} is not in the list")
        calls.pop(name, None)
        state.pop(name, None)
        read.discard(name)
    reads = reader.boolean("environment_reads", False)
    world = World(calls, state, frozenset(read), BUILT_IN, NETWORK, PROCESS_STATE, frozenset(harmless))
    settings = Settings(world, own, read_named(reader, "not_through"), reads, read_exclude(reader))
    reader.close()
    return settings


def scan(program: Program, settings: Settings) -> Iterator[ImportEffect]:
    """Yield what importing each module does; what is only read is left for the reader, unless it is asked for."""
    calls = dict(settings.world.calls)
    for kind, named in settings.own.items():
        calls.update(dict.fromkeys(settled(program, names_of(named)), kind))
    closed = frozenset(settled(program, names_of(settings.not_through)))
    network = settings.world.network.beyond(program.modules)
    world = replace(settings.world, calls=calls, network=network, not_through=closed)
    for one in scan_effects(program, world):
        is_listed_only = one.kind == ENVIRONMENT_READ and not settings.environment_reads
        yield replace(one, is_listed_only=True) if is_listed_only else one


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one effect reads."""
    module, qualname, kind, target, through = key
    where = place_words(module, qualname)
    what = _CLAUSES.get(kind, "does something")
    how = f" by a call of {through}" if through else ""
    rule = _RULES.get(kind, _RULES[PROCESS_STATE])
    return Saying(rule, f"importing {where} {what}{how} ({target.removeprefix('builtins.')})")


def around(facts: Sequence[ImportEffect], _grants: Grants) -> Callable[[Key], Around]:
    """Return what tells the chain of calls from the module's code to the effect."""
    first: dict[Key, ImportEffect] = {}
    for fact in sorted(facts, key=_place):
        first.setdefault(tuple(getattr(fact, name) for name in FIELDS), fact)

    def look(key: Key) -> Around:
        fact = first.get(key)
        return _chain(fact) if fact is not None and fact.calls else Around()

    return look


def _place(fact: ImportEffect) -> Site:
    return fact.site


def _chain(fact: ImportEffect) -> Around:
    places = (*(call.site for call in fact.calls[1:]), fact.inner)
    names = [call.function for call in fact.calls]
    ends = [*names[1:], fact.target.removeprefix("builtins.")]
    verbs = [*("calls" for _ in names[1:]), _verb(fact)]
    told = zip(names, verbs, ends, places, strict=True)
    steps = (f"{name} {verb} {end}: {place.place()}" for name, verb, end, place in told)
    return Around(tuple(steps), places)


def _verb(fact: ImportEffect) -> str:
    """Return what is done with the target in the end."""
    return "reads" if fact.kind == ENVIRONMENT_READ else "changes" if fact.target in STATE else "calls"


def _is_counted(fact: ImportEffect) -> bool:
    return not fact.is_listed_only


def beside(program: Program, settings: Settings, facts: Iterable[ImportEffect]) -> Extra:
    """Return what is named and is nowhere, and the totals."""
    named = [one for some in (*settings.own.values(), settings.not_through) for one in some]
    faults = (*missing(program, named), *variables(program, named))
    odd = tuple(unseen(program, named))
    kinds = Counter(one.kind for one in facts)
    told = ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))
    return Extra(faults=faults, notes=(*((f"effects at import: {told}.",) if told else ()), *odd))


def _target(fact: ImportEffect) -> str:
    return fact.target.removeprefix("builtins.")


GATE = use_gate(
    name="effects",
    question="What does a module do to the world when it is merely imported?",
    fields=FIELDS,
    rules=tuple(_RULES.values()),
    scan=scan,
    say=say,
    remedy="Do it in a function that start-up calls, or have it approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("kind"),
    what=_target,
    counted=_is_counted,
    beside=beside,
    around=around,
    asks_exit=True,
    loosening=Loosening(
        {
            "registries": Requires(),
            "environment_reads": switch(False),
            "also": Requires(),
            "not_effects": Permits(),
            "not_through": Permits(),
            "exclude": EXCLUDE,
        }
    ),
    takes_comments=True,
)
