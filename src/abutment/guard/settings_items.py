"""What do the keys of one table say, as items of law?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from abutment.errors import NotJudged
from abutment.guard.item import Item
from abutment.guard.rules import SETTINGS
from abutment.guard.spelling import members, spelled, tables
from abutment.guard.weight import NOT_THERE, Demands, Permitted, Presence, Rank, Remark, Required, Text, Weight
from abutment.model.loosening import (
    All,
    AtLeast,
    AtMost,
    Changes,
    Derived,
    Free,
    Loosening,
    Ordered,
    Permits,
    Requires,
    Setting,
    Tables,
)
from abutment.model.percent import Percent, exact_percent
from abutment.model.site import Site

Place = Callable[[tuple[str | int, ...]], Site]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a configuration: what it is called in keys, and where its keys stand."""

    name: str  # "cycles", "contracts.layers"; "" for the topmost one
    owners: tuple[str, ...]  # keys of the items without which it says nothing
    values: Mapping[str, object]
    place: Place

    def key(self, key: str) -> str:
        """Return what a key of this table is called."""
        return f"{self.name}.{key}" if self.name else key

    def below(self, key: str, index: int, name: str, values: Mapping[str, object]) -> Table:
        """Return the table that is one member of a list in this one; its name is also the key of its own item."""
        return Table(name, (name,), values, lambda path: self.place((key, index, *path)))


def items_of(table: Table, loosening: Loosening) -> Iterator[Item]:
    """Yield an item for each declared key, written or not, and for each written one that nobody declares."""
    for key, setting in loosening.keys.items():
        if isinstance(setting, Tables):
            yield from _parts(table, key, setting)
        else:
            yield _item(table, key, _weight(setting, table.values.get(key)))
            yield from _judged_only_if_strict(table, key, setting)
    for key in table.values:
        if loosening.of(key) is None:
            yield _item(table, key, Text(spelled(table.values[key])))


def _item(table: Table, key: str, weight: Weight) -> Item:
    written = table.values.get(key)
    places = {name: table.place((key, index)) for index, name in enumerate(members(written))}
    site = table.place((key,) if key in table.values else ())
    return Item(table.key(key), SETTINGS, weight, site, Text(NOT_THERE), table.owners, places)


def _parts(table: Table, key: str, setting: Tables) -> Iterator[Item]:
    for index, values in enumerate(tables(table.values.get(key))):
        name = f"{table.key(key)} {spelled(values.get(setting.by))}"
        below = table.below(key, index, name, values)
        yield Item(name, SETTINGS, Presence(), below.place(()), owners=table.owners)
        rest = {name: value for name, value in values.items() if name != setting.by}
        yield from items_of(Table(below.name, below.owners, rest, below.place), setting.loosening)


def _judged_only_if_strict(table: Table, key: str, setting: Setting) -> Iterator[Item]:
    """Yield the item to which those grants belong that are only asked for with the strictest value."""
    if isinstance(setting, Ordered) and setting.part and table.values.get(key, setting.default) == setting.options[0]:
        part = f"{table.name} part {setting.part}"
        yield Item(part, SETTINGS, Remark("judged"), table.place((key,)), Remark(NOT_THERE), table.owners)


def _weight(setting: Setting, value: object) -> Weight:
    """Return how much a value allows; one that is not of the declared shape is only a text."""
    if isinstance(setting, Free):
        return Remark(spelled(value))
    if isinstance(setting, Derived):
        return _derived(setting, value)
    if isinstance(setting, Ordered):
        return _ranked(setting, setting.default if value is None else value)
    if isinstance(setting, AtLeast):
        return _at_least(setting.default if value is None else value)
    if isinstance(setting, AtMost):
        return _limited(setting.default if value is None else value)
    if isinstance(setting, Changes) or (value is not None and not isinstance(value, list)):
        return Text(NOT_THERE if value is None else spelled(value))
    assert isinstance(setting, Permits | Requires)
    everything = setting.all is not All.NEVER and (value is None or (setting.all is All.EMPTY and not value))
    if isinstance(setting, Permits):
        return Permitted(frozenset(members(value)), everything, "." if setting.dotted else "")
    named = frozenset(setting.default if value is None else members(value))
    return Required(named, everything, "." if setting.dotted else "")


def _limited(value: object) -> Weight:
    if value is None:
        return Rank(math.inf, NOT_THERE)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Rank(value, spelled(value))
    return Text(spelled(value))


def _at_least(value: object) -> Weight:
    """Return how much a number demands; a percentage may be written as a text, and means what its digits say."""
    exact = value if type(value) is int else exact_percent(value)
    if isinstance(exact, Percent):
        return Rank(-exact.value, exact.text)
    return Text(spelled(value)) if exact is None else Rank(-exact, str(exact))


def _derived(setting: Derived, value: object) -> Weight:
    try:
        return Demands(setting.demands(value), spelled(value) if value is not None else NOT_THERE)
    except NotJudged:
        return Text(spelled(value))


def _ranked(setting: Ordered, value: object) -> Weight:
    for rank, option in enumerate(setting.options):
        if option == value and type(option) is type(value):
            return Rank(rank, spelled(value))
    return Text(spelled(value))
