"""Which order of a few things do the imports between them speak for?

A thing stands above another where it imports it and hardly anything speaks against it. Things that import one
another share a layer; where that would put nearly everything into one layer, a few are left out so that the others
can be ordered. Small whole numbers as sets of bits keep this quick, and every tie is broken by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Weights = Mapping[tuple[str, str], int]  # (importer, imported) -> how many imports

AGAINST = 50  # one import in fifty may speak against an order: at most 2 %


@dataclass(frozen=True, slots=True)
class Order:
    """Layers from the top down, and who is in none."""

    layers: tuple[tuple[str, ...], ...]  # members of a layer may import one another
    left_out: tuple[str, ...]  # no order with some of the others could be told
    unlinked: tuple[str, ...]  # no import ties them to a placed one outside their own layer


def between(weights: Weights, one: str, other: str) -> int:
    """Return how many imports there are between two things, both ways."""
    return weights.get((one, other), 0) + weights.get((other, one), 0)


def above(weights: Weights, one: str, other: str) -> bool:
    """Say whether `one` imports `other` and at most 2 % of the imports between them go the other way."""
    down = weights.get((one, other), 0)
    return down > 0 and weights.get((other, one), 0) * AGAINST <= between(weights, one, other)


def arrange(weights: Weights, names: Sequence[str]) -> Order:
    """Return the order of the names for which the weights speak."""
    search = _Search(weights, sorted(names))
    chosen = search.best_choice()
    levels = search.levels(chosen)
    linked = search.linked(chosen)
    layers = tuple(tuple(search.names_of(level & linked)) for level in levels if level & linked)
    everyone = (1 << len(names)) - 1
    return Order(
        layers=layers,
        left_out=tuple(search.names_of(everyone & ~chosen)),
        unlinked=tuple(search.names_of(chosen & ~linked)),
    )


class _Search:
    """Looks for the choice of names whose layers explain most."""

    def __init__(self, weights: Weights, names: Sequence[str]) -> None:
        self._names = names
        numbers = range(len(names))
        self._over = [0] * len(names)  # for each name, the set of those that it imports and that are not above it
        self._worth = [[0] * len(names) for _ in names]
        for one in numbers:
            for other in numbers:
                down = weights.get((names[one], names[other]), 0) if one != other else 0
                if down and not above(weights, names[other], names[one]):
                    self._over[one] |= 1 << other
                # Worth grows with the logarithm, so that one pair with thousands of imports does not decide alone.
                self._worth[one][other] = between(weights, names[one], names[other]).bit_length() if one != other else 0

    def names_of(self, members: int) -> Iterator[str]:
        """Yield the names of a set, in order."""
        return (self._names[number] for number in _numbers(members))

    def best_choice(self) -> int:
        """Return the set of names to place: leave out one at a time, keep the best, then put back what fits."""
        chosen = (1 << len(self._names)) - 1
        best, best_worth = chosen, self._explained(chosen)
        while tangled := [
            number for group in self._groups(chosen) if group & (group - 1) for number in _numbers(group)
        ]:
            worth, without = max((self._explained(chosen & ~(1 << number)), -number) for number in tangled)
            chosen &= ~(1 << -without)
            if worth > best_worth:
                best, best_worth = chosen, worth
        for number in range(len(self._names)):
            with_it = best | 1 << number
            if with_it != best and self._explained(with_it) > best_worth:
                best, best_worth = with_it, self._explained(with_it)
        return best

    def levels(self, chosen: int) -> list[int]:
        """Return the layers as sets, top first: each group as low as what it imports allows."""
        groups = self._groups(chosen)
        level_of: dict[int, int] = {}
        while len(level_of) < len(groups):
            for group in groups:
                below = [other for other in groups if other != group and self._imports(group) & other]
                if group not in level_of and all(other in level_of for other in below):
                    level_of[group] = 1 + max((level_of[other] for other in below), default=-1)
        levels = [0] * (1 + max(level_of.values(), default=-1))
        for group, level in level_of.items():
            levels[level] |= group
        return levels[::-1]

    def linked(self, chosen: int) -> int:
        """Return those that some import ties to a member of another group."""
        linked = 0
        for group in self._groups(chosen):
            for number in _numbers(group):
                for other in _numbers(chosen & ~group):
                    if self._worth[number][other]:
                        linked |= group | 1 << other
        return linked

    def _imports(self, group: int) -> int:
        found = 0
        for number in _numbers(group):
            found |= self._over[number]
        return found

    def _explained(self, chosen: int) -> int:
        """Return the worth of all pairs that stand in different groups, which is what an order says something about."""
        groups = self._groups(chosen)
        total = 0
        for group in groups:
            for number in _numbers(group):
                worth = self._worth[number]
                total += sum(worth[other] for other in _numbers(chosen & ~group))
        return total // 2

    def _groups(self, chosen: int) -> list[int]:
        """Return the strongly connected groups of the chosen, single ones included, in order of name."""
        reach = [self._over[number] & chosen if chosen >> number & 1 else 0 for number in range(len(self._names))]
        for through in _numbers(chosen):
            bit, onward = 1 << through, reach[through]
            reach = [seen | onward if seen & bit else seen for seen in reach]
        groups: list[int] = []
        left = chosen
        while left:
            first = (left & -left).bit_length() - 1
            group = left & -left
            for other in _numbers(reach[first] & left):
                if reach[other] >> first & 1:
                    group |= 1 << other
            groups.append(group)
            left &= ~group
        return groups


def _numbers(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
