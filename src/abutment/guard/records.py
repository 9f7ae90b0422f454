"""Which receipts are there, as items of law? They are never edited and never go."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.guard.configuration import gate_key
from abutment.guard.item import Item, unread_item
from abutment.guard.revision import Gates, Revision
from abutment.guard.rules import RECORDS
from abutment.guard.weight import Presence
from abutment.model.site import Site


def record_items(revision: Revision, _gates: Gates) -> Iterator[Item]:
    """Yield an item for each receipt; the one of a single gate goes with it."""
    folder = revision.documents.folder
    for name, receipt in revision.receipts.items():
        gates = {part.gate for part in receipt.parts}
        key = f"receipt {name} ({receipt.verb})"
        owners = (gate_key(gates.pop()),) if len(gates) == 1 else ()
        yield Item(key, RECORDS, Presence(), Site(f"{folder}/{receipt.place}"), owners=owners)
    for fault in revision.documents.faults:
        yield unread_item(fault.path, fault)
