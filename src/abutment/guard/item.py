"""What is one thing that the law of a revision says?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from abutment.guard.rules import UNREADABLE
from abutment.guard.weight import Presence, Text, Unread, Weight
from abutment.model.fault import Fault
from abutment.model.site import Site

ABSENT = Presence(there=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that the law says. Where one side of a comparison lacks it, `absent` stands for what it then says."""

    key: str  # "cycles.hold", "boundaries grants layers, app.sync, app.db"
    rule: str  # of the guard: "ABT951"
    weight: Weight
    site: Site
    absent: Weight = ABSENT
    owners: tuple[str, ...] = ()  # keys of items that it is a part of: without one of them it says nothing
    places: Mapping[str, Site] = field(default_factory=dict)  # of the members of a list

    def place(self, member: str) -> Site:
        """Return where it says so."""
        return self.places.get(member, self.site)


def unread_item(what: str, fault: Fault) -> Item:
    """Return what could not be read as an item: whatever can be read in its place is another law."""
    site = Site(fault.path, fault.line)
    return Item(f"{what} before", UNREADABLE, Unread(fault.line_text()), site, Text("readable"))


Law = Mapping[str, Item]


def law_of_items(items: Iterable[Item]) -> Law:
    """Return the items by key; of two with one key the first one counts."""
    law: dict[str, Item] = {}
    for item in items:
        law.setdefault(item.key, item)
    return law
