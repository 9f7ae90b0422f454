"""Which events are sent, who takes them, and has a person looked at every handler?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter

from abutment.facts.event_api import CONSUME, PRODUCE, EventApi, Method, read_signature
from abutment.facts.event_names import DYNAMIC, INVALID
from abutment.facts.events import EventUse, scan_events
from abutment.facts.named import holders, settled
from abutment.facts.unproven import UNPROVEN, unproven_notes
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, lacking, missing, names_of, no_classes, placed, read_named
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Requires, Tables
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "kind", "method", "events", "certainty", "handler", "priority")
_CERTAINTY = FIELDS.index("certainty")
_SENT = Rule("ABT681", "event-producer", "A call that sends events.")
_TAKEN = Rule("ABT682", "event-consumer", "A handler that is registered for events.")
_UNSEEN = Rule("ABT683", "dynamic-event", "A call that sends, or a handler that takes, events that cannot be seen.")
_WRONG = Rule("ABT684", "invalid-event", "An event that its enum does not have.")


@dataclass(frozen=True, slots=True)
class Written:
    """One API as the configuration has it."""

    api: EventApi  # but for what it names
    classes: tuple[Named, ...]  # also those by which one is handed in
    instances: tuple[Named, ...]
    factories: tuple[Named, ...]  # functions that give a receiver
    enums: tuple[Named, ...]
    methods: tuple[Named, ...]  # where each stands

    @property
    def receivers(self) -> tuple[Named, ...]:
        """What the methods are called on."""
        return (*self.classes, *self.instances)

    def settled(self, program: Program) -> EventApi:
        """Return the API under the names by which its parts are defined."""
        classes, instances, factories, enums = (
            tuple(settled(program, names_of(named)))
            for named in (self.classes, self.instances, self.factories, self.enums)
        )
        return replace(self.api, receivers=(*holders(classes, factories), *instances), enums=enums)


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.events]` says."""

    apis: tuple[Written, ...]
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    apis: dict[str, Written] = {}
    for entry in reader.tables("apis"):
        written = _read_api(entry)
        if written.api.id in apis:
            entry.fault(("id",), f"{written.api.id!r} is the id of another API, too")
        apis[written.api.id] = written
    settings = Settings(tuple(apis.values()), read_exclude(reader))
    reader.close()
    return settings


def _read_api(entry: TableReader) -> Written:
    classes, instances, ports, factories, enums = (
        read_named(entry, key) for key in ("classes", "instances", "ports", "factories", "enums")
    )
    classes += ports
    if not classes and not instances and not factories:
        entry.fault((), "one of classes, instances, factories, ports has to be there")
    places: list[Named] = []
    methods = tuple(_read_methods(entry, places))
    if not methods:
        entry.fault((), "one of produce, consume, decorate has to be there")
    api = EventApi(
        id=entry.text("id"),
        receivers=(),
        methods=methods,
        event=entry.optional_text("event") or "",
        handler=entry.text("handler", "handler"),
        priority=entry.text("priority", "priority"),
        decorated=entry.optional_text("decorated") or "",
    )
    for key in ("event", "handler", "priority"):
        if key in entry and methods and not any(getattr(api, key) in one.signature.names for one in methods):
            entry.fault((key,), f"{getattr(api, key)!r} is a parameter of none of the methods")
    entry.close()
    return Written(api, classes, instances, factories, enums, tuple(places))


def _read_methods(entry: TableReader, places: list[Named]) -> Iterator[Method]:
    """Yield the methods, and note where each stands."""
    many = set(entry.texts("many", ()))
    seen: set[str] = set()
    for key, kind in (("produce", PRODUCE), ("consume", CONSUME), ("decorate", CONSUME)):
        for index, text in enumerate(entry.texts(key, ())):
            try:
                name, signature = read_signature(text)
            except ValueError as error:
                entry.fault((key, index), str(error))
                continue
            if name in seen:
                entry.fault((key, index), f"{name!r} is there twice")
            seen.add(name)
            places.append(placed(entry, name, key, index))
            yield Method(name, kind, signature, key == "decorate", name in many)
    for name in sorted(many - seen):
        entry.fault(("many",), f"{name!r} is none of the methods")


def scan(program: Program, settings: Settings) -> Iterator[EventUse]:
    """Yield every producer and consumer."""
    return scan_events(program, [one.settled(program) for one in settings.apis])


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one producer or consumer reads."""
    module, qualname, kind, method, events, certainty, handler, priority = map(str, key)
    where = place_words(module, qualname)
    told = "events that cannot be seen" if events == "?" else events.replace("?", "others that cannot be seen")
    if kind == PRODUCE:
        rule, clause = _SENT, f"{where} sends {told} by {method}"
    else:
        rank = "" if priority == "<default>" else f" with priority {priority}"
        rule, clause = _TAKEN, f"{where} has {handler} take {told}{rank} by {method}"
    rule = {INVALID: _WRONG, DYNAMIC: _UNSEEN}.get(certainty, rule)
    remedy = "Name a member of the enum." if certainty == INVALID else _REVIEW if kind == CONSUME else ""
    return Saying(rule, clause, remedy)


_REVIEW = "Have the handler reviewed: write its approval in {policy}, or take the registration out."


def review(_settings: Settings, grants: Grants) -> Iterator[Fault]:
    """Yield each approval of an event that its enum does not have: no reason makes it one."""
    for approval in grants.approvals:
        if approval.key[_CERTAINTY] == INVALID:
            message = "an event that its enum does not have cannot be approved."
            yield Fault(approval.site.path, approval.site.line, message, "Name a member of the enum in the code.")


def beside(program: Program, settings: Settings, facts: Iterable[EventUse]) -> Extra:
    """Return who is alone: events that are sent and never taken, and the reverse; and the totals."""
    known = list(facts)
    counted = [one for one in known if _is_counted(one)]
    unproven = [(one.module, one.site) for one in known if one.word == UNPROVEN]
    doubts = unproven_notes(program, unproven, "of a manager", "events")
    faults = tuple(fault for one in settings.apis for fault in _unlike(program, one))
    if not settings.apis:
        faults = (Fault("", 0, "events has no APIs.", "Write `[[tool.abutment.events.apis]]`."),)
    looked_for = (name for one in settings.apis for name in (*one.receivers, *one.factories, *one.enums))
    kinds = {method.kind for one in settings.apis for method in one.api.methods}
    return Extra(
        notes=(*(_notes(counted, kinds) if counted else ()), *doubts, *unseen(program, looked_for)), faults=faults
    )


def _unlike(program: Program, written: Written) -> Iterator[Fault]:
    """Yield what an API names and the code does not have: nothing would ever be seen of it."""
    yield from missing(program, (*written.receivers, *written.factories, *written.enums))
    yield from no_classes(program, (*written.classes, *written.enums))
    owners = (*names_of(written.receivers), *(f"{name}()" for name in names_of(written.factories)))
    yield from lacking(program, owners, written.methods)


def _notes(facts: list[EventUse], kinds: Container[str]) -> Iterator[str]:
    """Yield who is alone, unless all of the other side are outside of the code: `kinds` are those that are seen."""
    sent, taken = _names(facts, PRODUCE), _names(facts, CONSUME)
    for text, names, other in (
        ("produced, never consumed", sent - taken, CONSUME),
        ("consumed, never produced", taken - sent, PRODUCE),
    ):
        if other not in kinds:
            continue
        unseen = sum(one.certainty == DYNAMIC for one in facts if one.kind == other)
        doubt = f" (but for {unseen} dynamic {other}r{'s' * (unseen != 1)})" if unseen else ""
        if names:
            yield f"{text}{doubt}: {', '.join(sorted(names))}."
    yield f"names of events: {len(sent | taken)}; {_totals(facts, PRODUCE)}; {_totals(facts, CONSUME)}."


def _names(facts: Iterable[EventUse], kind: str) -> frozenset[str]:
    return frozenset[str]().union(*(one.names for one in facts if one.kind == kind and one.certainty != INVALID))


def _totals(facts: Iterable[EventUse], kind: str) -> str:
    found = Counter(one.certainty for one in facts if one.kind == kind)
    told = ", ".join(f"{found[one]} {one}" for one in ("static", DYNAMIC, INVALID) if found[one])
    return f"{kind}rs: {found.total()}" + (f" ({told})" if told else "")


def _is_counted(fact: EventUse) -> bool:
    return fact.word == fact.kind


def _is_consumer(key: Key) -> bool:
    return CONSUME in key[2:3]


GATE = use_gate(
    name="events",
    question="Which events are sent, who takes them, and has a person looked at every handler?",
    fields=FIELDS,
    rules=(_SENT, _TAKEN, _UNSEEN, _WRONG),
    scan=scan,
    say=say,
    remedy="Send it where the others are sent, or have the producer approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("word"),
    what=attrgetter("events"),
    counted=_is_counted,
    beside=beside,
    review=review,
    reviewed_only=_is_consumer,
    loosening=Loosening(
        {
            "apis": Tables(
                Loosening(
                    dict.fromkeys(
                        ("classes", "instances", "factories", "ports", "produce", "consume", "decorate"), Requires()
                    )
                )
            ),
            "exclude": EXCLUDE,
        }
    ),
)
