"""Where does code run beside the code that started it, without anybody who answers for it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

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
from abutment.facts.definitions import defined
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
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Unused
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
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
class Settings:
    """What `[tool.abutment.concurrency]` says."""

    concurrency: Concurrency
    exclude: Exclude = ()
    written: dict[str, Site] = field(default_factory=dict)  # registries and owners: where each stands
    contexts: tuple[tuple[Restricted, Site], ...] = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    written: dict[str, Site] = {}
    registries = _read_names(reader, "registries", written)
    owners = _read_names(reader, "owners", written)
    contexts = tuple(_read_restricted(reader))
    concurrency = Concurrency(_read_primitives(reader), registries, owners, tuple(one for one, _ in contexts))
    settings = Settings(concurrency, read_exclude(reader), written, contexts)
    reader.close()
    return settings


def _read_names(reader: TableReader, key: str, written: dict[str, Site]) -> tuple[str, ...]:
    names = reader.texts(key, ())
    for index, name in enumerate(names):
        if name in written:
            reader.fault((key, index), f"{name!r} is there twice")
        written[name] = Site(reader.document, reader.line(key, index))
    return names


def _read_primitives(reader: TableReader) -> dict[str, Primitive]:
    """Read what starts something: the built-in names, those of `also`, without those of `not_concurrency`."""
    primitives = dict(PRIMITIVES)
    for entry in reader.tables("also"):
        name, kind = entry.text("name"), entry.choice("kind", KINDS)
        primitives[name] = Primitive(name, kind, Wait.AWAITED if kind == EXECUTOR else Wait.NEVER)
        entry.close()
    for index, name in enumerate(reader.texts("not_concurrency", ())):
        found = [one for one, primitive in primitives.items() if name in (one, primitive.target)]
        if not found:
            reader.fault(("not_concurrency", index), f"{name!r} is not in the list")
        for one in found:
            del primitives[one]
    return primitives


def _read_restricted(reader: TableReader) -> Iterator[tuple[Restricted, Site]]:
    for entry in reader.tables("restricted"):
        module, names = entry.text("module"), entry.texts("names", least=1)
        entry.close()
        if module.strip():
            try:
                yield Restricted(Selector(module), frozenset(names)), Site(reader.document, entry.line())
            except ValueError as error:
                entry.fault(("module",), str(error))


def scan(program: Program, settings: Settings) -> Iterator[ConcurrencyUse]:
    """Yield every place that starts something, with who answers for it."""
    concurrency = settings.concurrency
    return scan_concurrency(
        program,
        replace(
            concurrency,
            registries=_settled(program, concurrency.registries),
            owners=_settled(program, concurrency.owners),
        ),
    )


def _settled(program: Program, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(defined(program, name) or name for name in names)


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
    faults, unused = [], []
    for name, site in settings.written.items():
        home = defined(program, name)
        if home is None or not _is_ours(program, home):
            faults.append(Fault(site.path, site.line, f"concurrency: the code defines no {name}.", "Correct the name."))
        elif not any(one.by == home for one in known):
            unused.append(_idle(name, f"nothing is started in {name} that it would have to answer for", site))
    for context, site in settings.contexts:
        if not any(context.selector.matches(module) for module in program.modules):
            text = f"concurrency.restricted: {context.selector.text!r} matches no module."
            faults.append(Fault(site.path, site.line, text, "Correct the name, or delete the entry."))
        elif not any(one.kind == RESTRICTED and context.allows(one.module, one.target) for one in known):
            names = ", ".join(sorted(context.names))
            unused.append(_idle(context.selector.text, f"{context.selector.text} starts nothing by {names}", site))
    return Extra(unused=tuple(unused), faults=tuple(faults), notes=tuple(_totals(known)))


def _is_ours(program: Program, name: str) -> bool:
    return name.partition(".")[0] in program.modules


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


def _kind(fact: ConcurrencyUse) -> str:
    return fact.kind


def _api(fact: ConcurrencyUse) -> str:
    return fact.target


GATE = use_gate(
    name="concurrency",
    question="Where does code run beside the code that started it, without anybody who answers for it?",
    fields=FIELDS,
    rules=(*_RULES.values(), _UNUSED),
    scan=scan,
    say=say,
    remedy=_REMEDY,
    read_settings=read_settings,
    word=_kind,
    what=_api,
    counted=_is_counted,
    beside=beside,
)
