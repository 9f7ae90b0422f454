"""Where does code run beside the code that started it, without anybody who answers for it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from abutment.facts.concurrency import (
    OWNER,
    REGISTRY,
    RESTRICTED,
    STRUCTURED,
    Concurrency,
    ConcurrencyUse,
    Primitive,
    Restricted,
    Wait,
    scan_concurrency,
)
from abutment.facts.named import defined, home_of, settled
from abutment.gates.concurrency_list import (
    CALLBACK,
    CROSS_THREAD,
    EXECUTOR,
    KINDS,
    PRIMITIVES,
    PROCESS,
    SERVER,
    TASK,
    THREAD,
    TIMER,
)
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_name, read_named, variables
from abutment.gates.scope import Exclude, PlacedSelector, read_exclude, read_selector, unmatched
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Permits, Requires
from abutment.model.measurement import Evidence, Unused
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "target", "kind")
_RULES = {
    TASK: Rule("ABT801", "raw-task", "A task that neither a group nor its caller waits for."),
    THREAD: Rule("ABT802", "raw-thread", "A thread that nobody answers for."),
    PROCESS: Rule("ABT803", "raw-process", "A process that nobody answers for."),
    EXECUTOR: Rule("ABT804", "raw-executor", "A pool, or work in a pool, that its caller does not wait for."),
    TIMER: Rule("ABT805", "raw-timer", "A call that a timer makes later."),
    CALLBACK: Rule("ABT806", "raw-callback", "A call that the event loop makes later."),
    CROSS_THREAD: Rule("ABT807", "cross-thread-call", "Work that is handed to another thread's event loop."),
    SERVER: Rule("ABT808", "raw-server", "A server that starts something for each connection."),
}
_UNUSED = Rule("ABT809", "unused-owner", "A registry, owner or restricted context that starts nothing.")
_CLAUSES = {
    TASK: "starts a task that nobody answers for",
    THREAD: "starts a thread that nobody answers for",
    PROCESS: "starts a process that nobody answers for",
    EXECUTOR: "uses a pool that nobody waits for",
    TIMER: "has something called later that nobody answers for",
    CALLBACK: "has the event loop call something that nobody answers for",
    CROSS_THREAD: "hands another thread's loop work that nobody answers for",
    SERVER: "starts a server that nobody answers for",
}
_REMEDY = (
    "Wait for it in place (a task group, `with`, `await`), start it through a registry or in the class that ends it, "
    "or have it approved in {policy}."
)
_CLASSIFIED = (STRUCTURED, REGISTRY, OWNER, RESTRICTED)


@dataclass(frozen=True, slots=True)
class Context:
    """Modules in which some primitives are right."""

    modules: PlacedSelector
    named: tuple[Named, ...]
    site: Site


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.concurrency]` says."""

    primitives: Mapping[str, Primitive]  # the built-in ones
    also: tuple[tuple[Named, str], ...] = ()  # with their kinds
    registries: tuple[Named, ...] = ()
    owners: tuple[Named, ...] = ()
    contexts: tuple[Context, ...] = ()
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        primitives=_read_primitives(reader),
        also=tuple(_read_also(reader)),
        registries=read_named(reader, "registries"),
        owners=read_named(reader, "owners"),
        contexts=tuple(_read_contexts(reader)),
        exclude=read_exclude(reader),
    )
    twice = set(names_of(settings.registries))
    for index, name in enumerate(names_of(settings.owners)):
        if name in twice:
            reader.fault(("owners", index), f"{name!r} is a registry, too")
    reader.close()
    return settings


def _read_primitives(reader: TableReader) -> dict[str, Primitive]:
    """Read what starts something: the built-in names, without those of `not_concurrency`."""
    primitives = dict(PRIMITIVES)
    for index, name in enumerate(reader.texts("not_concurrency", ())):
        found = [one for one, primitive in primitives.items() if name in (one, primitive.target)]
        if not found:
            reader.fault(("not_concurrency", index), f"{name!r} is not in the list")
        for one in found:
            del primitives[one]
    return primitives


def _read_also(reader: TableReader) -> Iterator[tuple[Named, str]]:
    for entry in reader.tables("also"):
        yield read_name(entry, "name"), entry.choice("kind", KINDS)
        entry.close()


def _read_contexts(reader: TableReader) -> Iterator[Context]:
    for entry in reader.tables("restricted"):
        modules, named = read_selector(entry, "module"), read_named(entry, "names", least=1)
        entry.close()
        if modules is not None:
            yield Context(modules, named, Site(entry.document, entry.line()))


def scan(program: Program, settings: Settings) -> Iterator[ConcurrencyUse]:
    """Yield every place that starts something, with who answers for it."""
    own = ((defined(program, one.name) or one.name, kind) for one, kind in settings.also)
    concurrency = Concurrency(
        primitives={**settings.primitives, **{name: _own(name, kind) for name, kind in own}},
        registries=tuple(settled(program, names_of(settings.registries))),
        owners=tuple(settled(program, names_of(settings.owners))),
        restricted=tuple(_restricted(program, one) for one in settings.contexts),
    )
    return scan_concurrency(program, concurrency)


def _own(name: str, kind: str) -> Primitive:
    return Primitive(name, kind, Wait.AWAITED if kind == EXECUTOR else Wait.NEVER)


def _restricted(program: Program, context: Context) -> Restricted:
    return Restricted(context.modules.selector, frozenset(settled(program, names_of(context.named))))


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one start reads."""
    module, qualname, target, kind = key
    where = place_words(module, qualname)
    if kind not in _RULES:
        return Saying(_UNUSED, f"{where} is of no known kind: {kind}")
    return Saying(_RULES[kind], f"{where} {_CLAUSES[kind]} ({target})")


def beside(program: Program, settings: Settings, facts: Iterable[ConcurrencyUse]) -> Extra:
    """Return what is classified without there being anything, and the totals."""
    known = list(facts)
    own = tuple(one for one, _ in settings.also)
    contexts = tuple(one.modules for one in settings.contexts)
    faults = (
        *missing(program, (*own, *settings.registries, *settings.owners)),
        *variables(program, own),
        *_foreign(program, (*settings.registries, *settings.owners)),
        *unmatched(contexts, program.modules),
    )
    notes = (*_totals(known), *unseen(program, own))
    unused = (*_idle_owners(program, settings, known), *_idle_contexts(program, settings, known))
    return Extra(unused=unused, faults=faults, notes=notes)


def _foreign(program: Program, named: Iterable[Named]) -> Iterator[Fault]:
    """Yield a fault for each owner that is none of the codebase: nothing that stands there is judged."""
    for one in named:
        if not home_of(program, defined(program, one.name) or one.name):
            message = f"{one.key}: {one.name} is not of this codebase."
            yield Fault(one.site.path, one.site.line, message, "Correct or delete it.")


def _idle_owners(program: Program, settings: Settings, known: Iterable[ConcurrencyUse]) -> Iterator[Unused]:
    answering = {one.by for one in known}
    for one in (*settings.registries, *settings.owners):
        home = defined(program, one.name)
        if home is not None and home_of(program, home) and home not in answering:
            yield _idle(one.name, f"nothing is started in {one.name} that it would have to answer for", one.site)


def _idle_contexts(program: Program, settings: Settings, known: Iterable[ConcurrencyUse]) -> Iterator[Unused]:
    for context in settings.contexts:
        restricted = _restricted(program, context)
        if any(map(context.modules.matches, program.modules)) and not any(
            one.kind == RESTRICTED and restricted.allows(one.module, one.target) for one in known
        ):
            text, names = context.modules.selector.text, ", ".join(sorted(names_of(context.named)))
            yield _idle(text, f"{text} starts nothing by {names}", context.site)


def _idle(name: str, text: str, site: Site) -> Unused:
    evidence = Evidence(_UNUSED.id, text, (site,), remedy="Delete the line.")
    return Unused((name, "<module>", "", "unused"), evidence)


def _totals(known: Iterable[ConcurrencyUse]) -> Iterator[str]:
    kinds = Counter(one.kind for one in known)
    for words, kept in (("nobody answers for", KINDS), ("answered for", _CLASSIFIED)):
        told = ", ".join(f"{kinds[kind]} {kind}" for kind in kept if kinds[kind])
        if told:
            yield f"{words}: {told}."


def _is_counted(fact: ConcurrencyUse) -> bool:
    return fact.kind not in _CLASSIFIED


GATE = use_gate(
    name="concurrency",
    question="Where does code run beside the code that started it, without anybody who answers for it?",
    fields=FIELDS,
    rules=(*_RULES.values(), _UNUSED),
    scan=scan,
    say=say,
    remedy=_REMEDY,
    read_settings=read_settings,
    word=attrgetter("kind"),
    what=attrgetter("target"),
    counted=_is_counted,
    beside=beside,
    loosening=Loosening(
        {
            "registries": Permits(),
            "owners": Permits(),
            "restricted": Permits(dotted=False),
            "also": Requires(),
            "not_concurrency": Permits(),
            "exclude": EXCLUDE,
        }
    ),
    takes_comments=True,
)
