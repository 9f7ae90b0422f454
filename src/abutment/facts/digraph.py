"""Which answers does a directed graph of small integers give, whatever its nodes stand for?

A graph is a list of successor lists, each in ascending order. Nothing here recurses, so a chain of ten
thousand imports is no danger, and every answer depends on the graph alone, never on where a walk began.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

Successors = Sequence[Sequence[int]]
Part = Successors | Mapping[int, Sequence[int]]  # of a graph: node to successors, closed in itself


def strong_components(successors: Successors) -> list[list[int]]:
    """Return the strongly connected components of two nodes or more, members and components in ascending order."""
    size = len(successors)
    found = [0] * size  # when a node was met, from 1; 0 = not yet
    low = [0] * size  # the earliest node it is known to reach; `size + 1` once its component is complete
    open_nodes: list[int] = []
    components: list[list[int]] = []
    clock = 0
    for root in range(size):
        if found[root]:
            continue
        clock += 1
        found[root] = low[root] = clock
        open_nodes.append(root)
        trail = [(root, iter(successors[root]))]
        while trail:
            node, edges = trail[-1]
            for target in edges:
                if not found[target]:
                    clock += 1
                    found[target] = low[target] = clock
                    open_nodes.append(target)
                    trail.append((target, iter(successors[target])))
                    break
                low[node] = min(low[node], low[target])
            else:
                trail.pop()
                if trail:
                    parent = trail[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == found[node]:
                    component = _closed(node, open_nodes, low, size + 1)
                    if len(component) > 1:
                        components.append(component)
    return sorted(components)


def _closed(head: int, open_nodes: list[int], low: list[int], closed: int) -> list[int]:
    """Take the component that `head` completes off the stack; `closed` is above every time, so it lowers nothing."""
    component: list[int] = []
    node = -1
    while node != head:
        node = open_nodes.pop()
        low[node] = closed
        component.append(node)
    return sorted(component)


def shortest_chain(
    successors: Part, sources: Iterable[int], targets: Collection[int], avoiding: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the shortest way from a source to a target, both ends included, or () where there is none.

    Inner nodes are neither sources, targets nor avoided. Among equally short chains the one that comes first
    when compared node by node is returned. A source that is a target is a chain by itself.
    """
    starts = sorted(set(sources))
    came_from = dict.fromkeys(starts, -1)
    waiting = deque(starts)
    while waiting:
        node = waiting.popleft()
        if node in targets:
            return _way_to(node, came_from)
        if node in avoiding:
            continue
        for target in successors[node]:
            if target not in came_from:
                came_from[target] = node
                waiting.append(target)
    return ()


def _way_to(node: int, came_from: Mapping[int, int]) -> tuple[int, ...]:
    way: list[int] = []
    while node >= 0:
        way.append(node)
        node = came_from[node]
    return tuple(reversed(way))


def reachable(successors: Part, sources: Iterable[int]) -> set[int]:
    """Return every node to which a way leads from a source, the sources included."""
    seen = set(sources)
    waiting = list(seen)
    while waiting:
        for target in successors[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def spread(successors: Successors, seeds: Mapping[int, int], stopping: Collection[int] = ()) -> list[int]:
    """Return for each node the bits of all seeds from which a way leads to it; a seed has its own bits.

    One walk answers for as many groups of modules as there are bits. A node in `stopping` receives bits but
    hands on only those that it was seeded with.
    """
    reached = [0] * len(successors)
    fresh = dict(seeds)  # bits that a node has received and not yet handed on
    waiting = deque(sorted(seeds))
    for node, bits in seeds.items():
        reached[node] = bits
    while waiting:
        node = waiting.popleft()
        bits = fresh.pop(node, 0)
        if node in stopping:
            bits &= seeds.get(node, 0)
        for target in successors[node] if bits else ():
            added = bits & ~reached[target]
            if added:
                reached[target] |= added
                if target not in fresh:
                    waiting.append(target)
                fresh[target] = fresh.get(target, 0) | added
    return reached
