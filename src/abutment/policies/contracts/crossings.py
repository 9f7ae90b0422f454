"""Which modules of one group import modules of another, directly or through modules of no group?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

from abutment.facts.digraph import spread, strong_components
from abutment.model.selector import within
from abutment.policies.contracts.edges import Edges

Ends = tuple[int, int]


class Crossings:
    """The imports and chains that lead from a group into one it may not reach.

    `groups` gives each grouped node its group; nodes without one are *inner* and only lead on. `illegal` gives
    for a group the groups it may not reach, one bit each: there may be thousands. The ends of a chain are
    grouped, its inner nodes are not, so they are the last module of the one side and the first of the other.
    """

    def __init__(self, edges: Edges, groups: Mapping[int, int], illegal: Mapping[int, int], *, indirect: bool) -> None:
        self._edges, self._groups, self._indirect = edges, groups, indirect
        self._illegal = {group: targets for group, targets in illegal.items() if targets}
        self._trees: dict[int, dict[int, int]] = {}

    def ends(self) -> Iterator[Ends]:
        """Yield (importer, imported) once each, in order."""
        reach = self._reach() if self._indirect else {}
        for node in sorted(self._groups):
            bad = self._illegal.get(self._groups[node])
            if not bad:
                continue
            found = {target for target in self._hops(node) if bad >> self._groups[target] & 1}
            bits = 0
            for target in self._edges.out[node]:
                bits |= reach.get(target, 0)
            if bits:
                found.update(self._unpacked(bits & self._mask(self._groups[node])))
            for target in sorted(found):
                yield node, target

    def is_direct(self, start: int, end: int) -> bool:
        """Say whether the first imports the second itself."""
        return end in self._edges.out[start]

    def chain(self, start: int, end: int) -> tuple[str, ...]:
        """Return the names along the shortest chain; of equally short ones the first in order of name."""
        if start not in self._trees:
            self._trees[start] = self._tree(start)
        came_from, way = self._trees[start], [end]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return tuple(self._edges.names[node] for node in reversed(way))

    def bears(self, importer: int, imported: int) -> bool:
        """Say whether an edge lies on an illegal import or chain, so that leaving it out can matter."""
        targets = self._behind(imported)
        return any(targets & self._illegal.get(group, 0) for group in _numbers(self._before(importer)))

    def _hops(self, node: int) -> Iterator[int]:
        """Yield the direct targets that are grouped.

        A package that only runs on the way is none where what lies behind it is in the same group: one import
        of `app.db.models` is one breach, not another one for `app.db`.
        """
        targets = [target for target in self._edges.out[node] if target in self._groups]
        for target in targets:
            if self._edges.is_implied(node, target) and self._passes(node, target, targets):
                continue
            yield target

    def _passes(self, node: int, package: int, targets: Sequence[int]) -> bool:
        names, groups = self._edges.names, self._groups
        return any(
            groups[target] == groups[package]
            and target != package
            and within(names[target], names[package])
            and not self._edges.is_implied(node, target)
            for target in targets
        )

    def _reach(self) -> dict[int, int]:
        """Return for each inner node that matters the bits of all targets to which inner ways lead from it."""
        leading = self._leading_to_targets()
        starts = {
            target
            for node, group in self._groups.items()
            if group in self._illegal
            for target in self._edges.out[node]
            if target in leading
        }
        if not starts:
            return {}
        inner = sorted(_closure(self._edges.out, starts, leading))
        place = {node: index for index, node in enumerate(inner)}
        successors = [[place[target] for target in self._edges.out[node] if target in place] for node in inner]
        own = [self._packed(self._hops(node)) for node in inner]
        return dict(zip(inner, collected(successors, own), strict=True))

    def _leading_to_targets(self) -> set[int]:
        wanted = reduce(or_, self._illegal.values(), 0)
        first = {
            importer
            for node, group in self._groups.items()
            if wanted >> group & 1
            for importer in self._edges.into[node]
            if importer not in self._groups
        }
        inner = _Outside(self._groups)
        return _closure(self._edges.into, first, inner)

    @cached_property
    def _order(self) -> list[int]:
        return sorted(self._groups)

    @cached_property
    def _index(self) -> dict[int, int]:
        return {node: index for index, node in enumerate(self._order)}

    def _packed(self, nodes: Iterable[int]) -> int:
        bits = 0
        for node in nodes:
            bits |= 1 << self._index[node]
        return bits

    def _unpacked(self, bits: int) -> Iterator[int]:
        return (self._order[index] for index in _numbers(bits))

    def _mask(self, group: int) -> int:
        if group not in self._masks:
            bad = self._illegal[group]
            self._masks[group] = self._packed(node for node in self._order if bad >> self._groups[node] & 1)
        return self._masks[group]

    @cached_property
    def _masks(self) -> dict[int, int]:
        return {}

    def _tree(self, start: int) -> dict[int, int]:
        came_from: dict[int, int] = {start: -1}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for target in self._edges.out[node]:
                if target not in came_from:
                    came_from[target] = node
                    if target not in self._groups:
                        waiting.append(target)
        return came_from

    def _before(self, node: int) -> int:
        """Return the bits of the groups from which a chain can come to the node."""
        if node in self._groups:
            return 1 << self._groups[node]
        return self._spread_forward[node] if self._indirect else 0

    def _behind(self, node: int) -> int:
        """Return the bits of the groups to which a chain can lead from the node."""
        if node in self._groups:
            return 1 << self._groups[node]
        return self._spread_back[node] if self._indirect else 0

    @cached_property
    def _spread_forward(self) -> list[int]:
        return spread(self._edges.out, self._seeds(), self._groups)

    @cached_property
    def _spread_back(self) -> list[int]:
        return spread(self._edges.into, self._seeds(), self._groups)

    def _seeds(self) -> dict[int, int]:
        return {node: 1 << group for node, group in self._groups.items()}


class _Outside:
    """Everything that is not in a mapping."""

    def __init__(self, inside: Mapping[int, int]) -> None:
        self._inside = inside

    def __contains__(self, node: object) -> bool:
        return node not in self._inside


def _closure(successors: Sequence[Sequence[int]], starts: Iterable[int], allowed: _Outside | set[int]) -> set[int]:
    seen = set(starts)
    waiting = list(seen)
    while waiting:
        for target in successors[waiting.pop()]:
            if target not in seen and target in allowed:
                seen.add(target)
                waiting.append(target)
    return seen


def collected(successors: Sequence[Sequence[int]], own: Sequence[int]) -> list[int]:
    """Return for each node the bits of its own and of all nodes to which a way leads from it."""
    head = list(range(len(successors)))
    members: dict[int, list[int]] = {}
    for component in strong_components(successors):
        members[component[0]] = component
        for node in component:
            head[node] = component[0]
    bits = [0] * len(successors)
    for node in _deepest_first(successors, head, members):
        for member in members.get(node, (node,)):
            bits[node] |= own[member]
            for target in successors[member]:
                bits[node] |= bits[head[target]]
    return [bits[head[node]] for node in range(len(successors))]


def _deepest_first(
    successors: Sequence[Sequence[int]], head: Sequence[int], members: Mapping[int, Sequence[int]]
) -> Iterator[int]:
    """Yield each component by its head, after all that it leads to."""
    seen = [False] * len(successors)
    for root in sorted(set(head)):
        if seen[root]:
            continue
        seen[root] = True
        trail = [(root, _beyond(root, successors, head, members))]
        while trail:
            node, targets = trail[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    trail.append((target, _beyond(target, successors, head, members)))
                    break
            else:
                trail.pop()
                yield node


def _beyond(
    node: int, successors: Sequence[Sequence[int]], head: Sequence[int], members: Mapping[int, Sequence[int]]
) -> Iterator[int]:
    return (head[target] for member in members.get(node, (node,)) for target in successors[member])


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
