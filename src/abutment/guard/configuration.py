"""What does the configuration say, as items of law?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abutment.baselines.law import keeps_baseline
from abutment.guard.item import Item, unread_item
from abutment.guard.revision import Gates, Revision
from abutment.guard.roots import exclude_weight, roots_weight
from abutment.guard.rules import NAME, SETTINGS
from abutment.guard.settings_items import Table, items_of
from abutment.guard.spelling import members, spelled, tables
from abutment.guard.weight import NOT_THERE, Presence, Rank, Remark, Text
from abutment.model.loosening import NOTHING_KNOWN, Loosening, Requires
from abutment.policies.contracts.kinds import LOOSENINGS

WHOLE = "configuration"
BOUNDARIES = "boundaries"
GUARD_LOOSENING = Loosening({"commands": Requires(), "files": Requires()})
_OFF = Rank(1, "off")
_SHARED = ("roots", "exclude", "documents", "gates", "contracts", NAME)


def gate_key(name: str) -> str:
    """Return the key of the item that says whether a gate is on."""
    return f"gate {name}"


def contract_key(id: object) -> str:
    """Return the key of the item that says that there is a contract."""
    return f"contract {spelled(id)}"


def configuration_items(revision: Revision, gates: Gates) -> Iterator[Item]:
    """Yield what the configuration says; without one, only what kept it from being read."""
    for fault in revision.faults:
        yield unread_item(WHOLE, fault)
    if revision.settings is None:
        return
    yield Item(WHOLE, SETTINGS, Presence(), revision.place(()))
    yield from _shared(revision)
    for name in sorted({*gates.known, *revision.switched_on(), *revision.documented()}):
        yield from _gate(revision, gates, name)
    for key, value in revision.table.items():
        if key not in _SHARED and key not in gates.known:
            yield Item(key, SETTINGS, Text(spelled(value)), revision.place((key,)), Text(NOT_THERE), (WHOLE,))


def _shared(revision: Revision) -> Iterator[Item]:
    table = revision.table
    places = {pattern: revision.place(("exclude", at)) for at, pattern in enumerate(members(table.get("exclude")))}
    roots = revision.place(("roots",))
    yield Item("roots", SETTINGS, roots_weight(table.get("roots")), roots, owners=(WHOLE,))
    exclude = exclude_weight(table.get("exclude"))
    yield Item("exclude", SETTINGS, exclude, revision.place(("exclude",)), owners=(WHOLE,), places=places)
    folder = Remark(revision.documents.folder)
    yield Item("documents", SETTINGS, folder, revision.place(("documents",)), owners=(WHOLE,))
    yield from items_of(_table(revision, NAME, (WHOLE,)), GUARD_LOOSENING)


def _gate(revision: Revision, gates: Gates, name: str) -> Iterator[Item]:
    gate, on = gates.get(name), revision.switched_on()
    if name in on:
        site = revision.place(("gates", on.index(name)))
        yield Item(gate_key(name), SETTINGS, Rank(0, "on"), site, _OFF, (WHOLE,))
    elif name in revision.documented() and (gate is None or keeps_baseline(gate.terms(revision.documents.folder))):
        # Documents hold nothing by themselves. But whoever names the gate has it judged by them, and without them not
        # at all, so that its settings come and go with them.
        documents = Rank(_OFF.rank, "off, with documents")
        yield Item(gate_key(name), SETTINGS, documents, revision.place(("gates",)), _OFF, (WHOLE,))
    yield from items_of(
        _table(revision, name, (gate_key(name), WHOLE)), gate.loosening if gate is not None else NOTHING_KNOWN
    )
    if name == BOUNDARIES:
        yield from _contracts(revision)


def _table(revision: Revision, name: str, owners: tuple[str, ...]) -> Table:
    values = revision.table.get(name)
    return Table(
        name, owners, values if isinstance(values, Mapping) else {}, lambda path: revision.place((name, *path))
    )


def _contracts(revision: Revision) -> Iterator[Item]:
    for index, values in enumerate(tables(revision.table.get("contracts"))):
        key, kind = contract_key(values.get("id")), spelled(values.get("kind"))
        as_kind, site = f"{key} of kind {kind}", revision.place(("contracts", index))
        yield Item(key, SETTINGS, Presence(), site, owners=(gate_key(BOUNDARIES),))
        yield Item(as_kind, SETTINGS, Presence(), site, owners=(key,))
        rest = {name: value for name, value in values.items() if name not in ("id", "kind")}
        yield from items_of(
            _contract_table(revision, index, key, (as_kind,), rest), LOOSENINGS.get(kind, NOTHING_KNOWN)
        )


def _contract_table(
    revision: Revision, index: int, name: str, owners: tuple[str, ...], values: Mapping[str, object]
) -> Table:
    return Table(name, owners, values, lambda path: revision.place(("contracts", index, *path)))
