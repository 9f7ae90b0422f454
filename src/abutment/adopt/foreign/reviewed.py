"""What did people approve in the policies of home-made architecture scripts? Dependencies, ways out and consumers."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.adopt.foreign.item import Fits, Item, Left, Review, Source, below, one_of
from abutment.adopt.foreign.json_document import JsonDocument
from abutment.facts import events
from abutment.model.reading import TableReader

_HEAD = ("schema_version", "scope")
_CLASSES = {"temporary_debt": "debt", "contained_vendor": "exception", "approved_exception": "exception"}
_OWN = "$source"  # the owner is the module itself
_FACT = (
    *("caller", "qualname", "method", "receiver_kind", "events", "dynamic", "invalid"),
    *("handler", "registration_kind", "priority", "fingerprint"),
)


def read_dependency_policy(source: Source) -> Iterator[Item | Left]:
    """Yield components that may be circles, imports of adapters, and ways out of the process."""
    document = JsonDocument(source)
    table = document.table
    yield from document.others(table, *_HEAD, "allowed_sccs", "direct_adapter_imports", "direct_egress")
    for component in table.tables("allowed_sccs"):
        yield from document.others(component, "id", "classification", "modules", "reason", "tracking")
        yield _component(document, component)
    adapters = table.table("direct_adapter_imports")
    if adapters.keys:
        yield from document.others(adapters, "classification", "target_state", "scope", "entries")
        yield from _adapters(document, adapters)
    egress = table.table("direct_egress")
    yield from document.others(egress, "scope", "registry", "groups")
    for group in egress.tables("groups"):
        yield from _group(document, group)
    document.finished()


def _class(table: TableReader) -> str:
    return _CLASSES[table.choice("classification", tuple(_CLASSES))]


def _component(document: JsonDocument, component: TableReader) -> Item:
    """Return all imports inside of a component: what people approved is the component."""
    inside = one_of(frozenset(component.texts("modules")))
    review = Review(_class(component), component.text("reason"), tracking=component.text("tracking"))
    parts: dict[str, str | Fits] = {"importer": inside, "imported": inside}
    return Item("cycles", document.place(component), f"the component {component.text('id')}", parts, None, review)


def _adapters(document: JsonDocument, adapters: TableReader) -> Iterator[Item | Left]:
    klass, target = _class(adapters), adapters.text("target_state")
    for entry in adapters.tables("entries"):
        yield from document.others(entry, "source", "target", "tracking")
        importer, imported = entry.text("source"), entry.text("target")
        review = Review(klass, "", tracking=entry.text("tracking"), target_state=target)
        parts: dict[str, str | Fits] = {"importer": importer, "imported": imported}
        yield Item("boundaries", document.place(entry), f"{importer} imports {imported}", parts, None, review)


def _group(document: JsonDocument, group: TableReader) -> Iterator[Item | Left]:
    yield from document.others(
        group, "classification", "reason_code", "tracking", "target_state", "owner", "reason", "facts"
    )
    klass, owner = _class(group), group.text("owner", "")
    reason = f"{group.text('reason_code')}: {group.text('reason')}"
    for fact in group.tables("facts"):
        yield from document.others(fact, "source", "target", "kind", "fingerprint")
        module, target = fact.text("source"), fact.text("target")
        review = Review(
            klass,
            reason,
            owner=module if owner == _OWN else owner,
            tracking=group.text("tracking", ""),
            target_state=group.text("target_state", ""),
        )
        parts: dict[str, str | Fits] = {"module": module, "target": below(target)}
        yield Item("egress", document.place(fact), f"{module} reaches {target}", parts, None, review)


def read_runtime_contract_policy(source: Source) -> Iterator[Item | Left]:
    """Yield the consumers of events."""
    document = JsonDocument(source)
    table = document.table
    yield from document.others(table, *_HEAD, "event_consumers")
    consumers = table.table("event_consumers")
    yield from document.others(consumers, "match_mode", "entries")
    for entry in consumers.tables("entries"):
        yield from document.others(entry, *_FACT, "classification", "owner", "reason")
        yield _consumer(document, entry)
    document.finished()


def _consumer(document: JsonDocument, entry: TableReader) -> Item:
    caller, qualname, taken = entry.text("caller"), entry.text("qualname"), entry.texts("events")
    handler = entry.text("handler")
    certainty = "dynamic" if entry.boolean("dynamic", False) else "static"
    review = Review("exception", entry.text("reason"), owner=entry.text("owner"))
    names = frozenset(map(_last, taken))
    parts: dict[str, str | Fits] = {
        "module": caller,
        "qualname": qualname,
        "kind": "consume",
        "certainty": certainty,
        "events": lambda text: not names or {_last(name) for name in text.split(", ")} == names,
        "handler": _handled_by(handler),
    }
    says = f"{caller}, {qualname} has {handler} take {', '.join(taken) or 'events'}"
    return Item("events", document.place(entry), says, parts, 1, review)


def _handled_by(name: str) -> Fits:
    """Return what fits a handler, which is told there by the words in the code, and here by where it is defined."""
    return lambda handler: events.UNSEEN in (name, handler) or _last(handler) == _last(name)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
