"""What of another tool's record is debt that the code has, and may be recorded or has to be approved?

An item tells a part of an identity; the code's facts tell the whole. Never more is carried over than the record admits,
and never more than the code has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abutment.adopt.foreign.item import Item, Left, Review
from abutment.model.identity import Key, named


@dataclass(frozen=True, slots=True)
class Found:
    """What the code has of one gate's facts, beyond what people approve."""

    fields: tuple[str, ...]
    counts: Mapping[Key, int]
    closed: str = ""  # why nothing of it may be recorded; "" where it may
    reviewed_only: Callable[[Key], bool] = field(default=lambda _key: False)
    facts: Callable[[Iterable[int]], int] = sum  # of how many facts counts of different keys speak


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One fact that somebody approved elsewhere: for a person to approve here."""

    gate: str
    key: Key
    count: int
    review: Review


@dataclass(frozen=True, slots=True)
class Carried:
    """What comes of a record."""

    recorded: Mapping[str, Mapping[Key, int]]  # by gate
    reviewed: tuple[Reviewed, ...]
    left: tuple[Left, ...]
    unnamed: Mapping[str, int]  # by gate: how many facts the code has that no record names


def carry(items: Iterable[Item], found: Mapping[str, Found]) -> Carried:
    """Return what is carried over; what people approved is looked for before what was only recorded."""
    every = sorted(items, key=lambda item: item.review is None)
    rests = {gate: _Rest(one) for gate, one in found.items()}
    recorded: dict[str, dict[Key, int]] = defaultdict(lambda: defaultdict(int))
    reviewed: list[Reviewed] = []
    left: list[Left] = []
    for item in every:
        cause = _cause(item, found)
        if cause:
            left.append(Left(item.place, f"{item.says}: {cause}"))
            continue
        taken = rests[item.gate].take(item)
        if not taken:
            left.append(Left(item.place, f"{item.says}: {item.absent}"))
        for key, count in taken.items():
            if item.review is not None:
                reviewed.append(Reviewed(item.gate, key, count, item.review))
            elif cause := _refused(found[item.gate], key):
                left.append(Left(item.place, f"{item.says}: {cause}"))
            else:
                recorded[item.gate][key] += count
    unnamed = {gate: rest.facts for gate, rest in rests.items() if rest.facts}
    return Carried({gate: dict(counts) for gate, counts in recorded.items()}, _joined(reviewed), tuple(left), unnamed)


def _cause(item: Item, found: Mapping[str, Found]) -> str:
    if item.gate not in found:
        return f"the gate {item.gate} is not here, or not switched on."
    lacking = sorted(set(item.parts) - set(found[item.gate].fields))
    return f"{item.gate} does not tell its facts apart by {', '.join(lacking)}." if lacking else ""


def _refused(found: Found, key: Key) -> str:
    """Return why a fact that nobody approved cannot be recorded; "" where it can."""
    reviewed_only = "takes approvals only, and nobody approved it there."
    return found.closed or (reviewed_only if found.reviewed_only(key) else "")


def _joined(reviewed: Iterable[Reviewed]) -> tuple[Reviewed, ...]:
    """Return one for each fact: of two reviews of one fact the first one speaks."""
    whole: dict[tuple[str, Key], Reviewed] = {}
    for one in reviewed:
        before = whole.get((one.gate, one.key))
        count = one.count + (before.count if before is not None else 0)
        whole[one.gate, one.key] = Reviewed(one.gate, one.key, count, (before or one).review)
    return tuple(whole[place] for place in sorted(whole))


class _Rest:
    """What is not carried over yet of one gate's facts, looked up by the fields of which an item tells the value."""

    def __init__(self, found: Found) -> None:
        self._fields, self._left = found.fields, dict(found.counts)
        self._number = found.facts
        self._indexes: dict[tuple[str, ...], dict[Key, list[Key]]] = {}

    @property
    def facts(self) -> int:
        """How many facts are left."""
        return self._number(self._left.values())

    def take(self, item: Item) -> dict[Key, int]:
        """Return what an item admits of it, and count it no more."""
        taken: dict[Key, int] = {}
        budget = item.count
        for key in self._fitting(item):
            number = self._left[key] if budget is None else min(self._left[key], budget)
            if number:
                taken[key] = number
                self._left[key] -= number
                budget = None if budget is None else budget - number
        return taken

    def _fitting(self, item: Item) -> Iterator[Key]:
        exact = {name: part for name, part in item.parts.items() if isinstance(part, str)}
        fits = [(self._fields.index(name), part) for name, part in item.parts.items() if not isinstance(part, str)]
        for key in self._index(tuple(exact)).get(tuple(exact.values()), ()):
            if all(part(key[at]) for at, part in fits):
                yield key

    def _index(self, names: tuple[str, ...]) -> Mapping[Key, Sequence[Key]]:
        if names not in self._indexes:
            places = [self._fields.index(name) for name in names]
            index: dict[Key, list[Key]] = defaultdict(list)
            for key in sorted(self._left):
                index[tuple(key[at] for at in places)].append(key)
            self._indexes[names] = dict(index)
        return self._indexes[names]


def approvals_text(reviewed: Iterable[Reviewed], fields: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the approvals as TOML, by gate, for people to put into the policies; what is blank they have to fill in."""
    import tomlkit

    def quoted(text: str) -> str:
        return str(tomlkit.item(text).as_string())

    gate = ""
    for one in reviewed:
        if one.gate != gate:
            gate = one.gate
            yield f"# {gate}.toml"
        review = one.review
        lines = ["[[approvals]]", *(f"{name} = {quoted(part)}" for name, part in named(fields[gate], one.key).items())]
        lines += [f"count = {one.count}"] if one.count != 1 else []
        members = {"class": review.klass, "owner": review.owner, "reason": review.reason}
        members |= {"tracking": review.tracking} if review.tracking or review.klass == "debt" else {}
        members |= {"target_state": review.target_state} if review.target_state else {}
        yield "\n".join([*lines, *(f"{name} = {quoted(text)}" for name, text in members.items())])
