"""What do the debt fixtures of home-made architecture scripts say? Configuration and transaction debt, as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.adopt.foreign.item import Fits, Item, Left, Review, Source, in_function
from abutment.adopt.foreign.json_document import JsonDocument
from abutment.facts import configuration, transactions
from abutment.model.reading import TableReader

_ENTRIES = ("foundational_settings_boundaries", "composition_root_oper_boundaries")
_ENDS = ("model_transaction_calls", "oper_transaction_calls")
_OPENS = ("model_session_factories", "oper_session_factories")
_HEAD = ("schema_version", "scope")


def read_configuration_debt(source: Source) -> Iterator[Item | Left]:
    """Yield the files that import settings, the objects that are made, and the boundaries that a script approved."""
    document = JsonDocument(source)
    table = document.table
    yield from document.others(table, *_HEAD, "settings_imports", "system_config_oper_constructions", *_ENTRIES)
    section = table.table("settings_imports")
    files = section.texts("files", ())
    if section.integer("count", len(files)) != len(files):
        section.fault(("count",), f"there are {len(files)} files.")
    for at, path in enumerate(files):
        place, says = document.place(section, "files", at), f"{path} imports settings"
        module = source.modules.get(path)
        if module is None:
            yield Left(place, f"{path} is no module of this codebase.")
        else:
            # One entry a file there, however often it imports them.
            yield Item("configuration", place, says, {"module": module, "kind": configuration.IMPORT}, None)
    for call in document.counted(table, "system_config_oper_constructions", "calls"):
        yield from document.others(call, "file", "name")
        yield _made(document, call, call.text("name"), None)
    for name in _ENTRIES:
        for entry in document.counted(table, name, "entries") if name in table else ():
            yield from document.others(entry, "file", "name", "reason")
            review = Review("exception", entry.text("reason"))
            if name == _ENTRIES[0]:
                yield _imported(document, entry, review)
            else:
                yield _made(document, entry, entry.text("name", ""), review)
    document.finished()


def _imported(document: JsonDocument, entry: TableReader, review: Review) -> Item | Left:
    module = document.module(entry, "file")
    if not module:
        return document.no_module(entry, "file")
    parts: dict[str, str | Fits] = {"module": module, "kind": configuration.IMPORT}
    return Item("configuration", document.place(entry), f"{entry.text('file')} imports settings", parts, None, review)


def _made(document: JsonDocument, call: TableReader, name: str, review: Review | None) -> Item | Left:
    module = document.module(call, "file")
    if not module:
        return document.no_module(call, "file")
    parts: dict[str, str | Fits] = {"module": module, "kind": configuration.CONSTRUCTION}
    says = f"{call.text('file')} constructs {name or 'an object'}"
    return Item("configuration", document.place(call), says, parts, 1, review)


def read_transaction_debt(source: Source) -> Iterator[Item | Left]:
    """Yield the decorators, commits, rollbacks and sessions of functions that do not own transactions."""
    document = JsonDocument(source)
    table = document.table
    yield from document.others(table, *_HEAD, "model_decorators", *_ENDS, *_OPENS)
    for method in document.counted(table, "model_decorators", "methods"):
        yield from document.others(method, "decorator", "file", "method")
        yield _decorated(document, method)
    for name in _ENDS:
        for call in document.counted(table, name, "calls"):
            yield from document.others(call, "file", "method", "operation")
            operation = call.choice("operation", (transactions.COMMIT, transactions.ROLLBACK))
            yield _used(document, call, operation, operation)
    for name in _OPENS:
        for call in document.counted(table, name, "calls"):
            yield from document.others(call, "file", "method", "operation")
            yield _used(document, call, call.text("operation"), transactions.OPEN)
    document.finished()


def _decorated(document: JsonDocument, entry: TableReader) -> Item | Left:
    """Return a decorator, which here stands in the scope around the function that it decorates."""
    module = document.module(entry, "file")
    if not module:
        return document.no_module(entry, "file")
    method, decorator = entry.text("method"), entry.text("decorator")
    parts: dict[str, str | Fits] = {
        "module": module,
        "operation": transactions.DECORATE,
        "qualname": in_function(method.rpartition(".")[0] or "<module>"),
        "target": lambda target: target.rpartition(".")[2] == decorator,
    }
    return Item("transactions", document.place(entry), f"{entry.text('file')}, {method}: {decorator}", parts)


def _used(document: JsonDocument, entry: TableReader, what: str, operation: str) -> Item | Left:
    module = document.module(entry, "file")
    if not module:
        return document.no_module(entry, "file")
    method = entry.text("method")
    parts: dict[str, str | Fits] = {"module": module, "operation": operation, "qualname": in_function(method)}
    return Item("transactions", document.place(entry), f"{entry.text('file')}, {method}: {what}", parts)
