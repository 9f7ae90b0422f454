"""Which new name is which old one? Told by how alike the two things are; no name is taken twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

Alike = Callable[[str, str], float]  # 0 for another thing


def one_to_one(olds: Collection[str], news: Collection[str], alike: Alike) -> Mapping[str, str]:
    """Return the new name of each old one that has one; all are dotted, and what is around a name goes before it.

    What stands where its surroundings went, under the name that it had, goes before the most alike.
    """
    became: dict[str, str] = {}
    left = set(news)
    for level in _levels(olds):
        for pairs in (_in_their_place(level, left, became), _of_one_name(level, left), _all(level, left)):
            open_ = ((old, new) for old, new in pairs if old not in became and new in left)
            found = ((alike(old, new), old, new) for old, new in open_)
            for _score, old, new in sorted((one for one in found if one[0]), key=lambda one: (-one[0], one[1:])):
                if old not in became and new in left:
                    became[old] = new
                    left.remove(new)
    return became


def _levels(names: Collection[str]) -> list[list[str]]:
    levels: dict[int, list[str]] = defaultdict(list)
    for name in sorted(names):
        levels[name.count(".")].append(name)
    return [levels[depth] for depth in sorted(levels)]


def _in_their_place(level: list[str], left: set[str], became: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for old in level:
        around, _dot, last = old.rpartition(".")
        new = f"{became.get(around, around)}.{last}"
        if new in left:
            yield old, new


def _of_one_name(level: list[str], left: set[str]) -> Iterator[tuple[str, str]]:
    ends: dict[str, list[str]] = defaultdict(list)
    for new in sorted(left):
        ends[_last(new)].append(new)
    for old in level:
        yield from ((old, new) for new in ends[_last(old)])


def _all(level: list[str], left: set[str]) -> Iterator[tuple[str, str]]:
    news = sorted(left)
    yield from ((old, new) for old in level for new in news)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
