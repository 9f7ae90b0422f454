"""What do names stand for in the end, worked out once for all who come by them?

Names that lead to one another (a ring of imports, functions that call each other) stand for the same: they are one
*component*, and share one answer. Components are found as Tarjan does (Depth-first search and linear graph algorithms,
1972), in a loop, as a way may be longer than Python's stack. So a ring is as much work as its names are, and not as
its names times the questions that come by.

Not every name can be answered so: what is defined by itself with more to do each time (`node = node.next`) has no end.
A name that leads to such a one is left to the question that asks, and so is one that leads to more names than a
question may: that depends on the name alone, not on what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from abutment.semantics.entries import End
from abutment.semantics.following import Node, Place, Step
from abutment.semantics.names import Read

_COUNTLESS = 1 << 60  # as many as this nobody counts


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Names of which each leads to each other, or one that does not lead to itself."""

    ends: frozenset[End]  # all that they stand for
    ways: tuple[str, ...]  # what is come by in it, itself
    reads: tuple[Read, ...]  # what decided about it, itself
    below: tuple[Component, ...]  # to which others it leads at once
    size: int  # of how many names it is
    most: int  # how many there are at most, with all below


def with_below(components: Iterable[Component], seen: set[Component]) -> Iterator[Component]:
    """Yield components and all below them, but for those that were seen, each once."""
    todo = list(components)
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            yield one
            todo.extend(one.below)


class Components:
    """The components of all names that somebody came by."""

    def __init__(self, step: Callable[[Node], Step], most: int) -> None:
        """Take what says where one step leads, and to how many names one may lead."""
        self._step, self._most = step, most
        self.known: dict[Node, Component] = {}
        self.endless: set[Node] = set()  # names that lead to what has more to do each time round

    def of(self, nodes: Iterable[Node]) -> tuple[Component, ...] | None:
        """Return the components of some names; None where one has to be followed by the question itself."""
        found: dict[Component, None] = {}
        for node in nodes:
            component = self.known.get(node)
            if component is None and node not in self.endless:
                _Walk(self, self._step, self._most).follow(node)
                component = self.known.get(node)
            if component is None or not self._is_near(component):
                return None
            found[component] = None
        return tuple(found)

    def _is_near(self, component: Component) -> bool:
        """Say whether it leads to as many names as a question may; counted only where they may be more."""
        if component.most <= self._most:
            return True
        count = 0
        for one in with_below((component,), set()):
            count += one.size
            if count > self._most:
                return False
        return True


class _Frame:
    """One name on the way that is being walked."""

    def __init__(self, node: Node, step: Step, number: int) -> None:
        self.node, self.step = node, step
        self.onward = iter(step.onward())
        self.number = self.back = number  # when it was come to, and the first of those to which it leads back
        self.below: dict[Component, None] = {}


class _Walk:
    """One walk from a name to everything that is not known yet."""

    def __init__(self, components: Components, step: Callable[[Node], Step], most: int) -> None:
        self._components, self._known, self._step, self._most = components, components.known, step, most
        self._way: list[_Frame] = []
        self._waiting: list[_Frame] = []  # those of which the component is not closed
        self._numbers: dict[Node, int] = {}  # of all that were come to
        self._lengths: dict[Place, list[int]] = {}  # what was to be done at the places on the way

    def follow(self, start: Node) -> None:
        """Walk until all components are closed, or the name turns out to be none of one."""
        is_open = self._enter(start)
        while self._way and is_open:
            frame = self._way[-1]
            node = next(frame.onward, None)
            if node is None:
                self._leave(frame)
            elif (component := self._known.get(node)) is not None:
                frame.below[component] = None
            elif node in self._numbers:
                frame.back = min(frame.back, self._numbers[node])
            elif len(self._numbers) >= self._most:
                return
            else:
                is_open = self._enter(node)
        self._components.endless.update(frame.node for frame in self._waiting)

    def _enter(self, node: Node) -> bool:
        """Go on to a name; say whether it has an end, as far as this way shows."""
        if node in self._components.endless:
            return False
        frame = _Frame(node, self._step(node), len(self._numbers))
        self._numbers[node] = frame.number
        self._way.append(frame)
        self._waiting.append(frame)
        for place, length in frame.step.places:
            lengths = self._lengths.setdefault(place, [])
            if any(before < length for before in lengths):
                return False
            lengths.append(length)
        return True

    def _leave(self, frame: _Frame) -> None:
        """Go back from a name that leads nowhere else; if it leads back to none before it, its component is closed."""
        self._way.pop()
        for place, _ in frame.step.places:
            self._lengths[place].pop()
        if frame.back < frame.number:
            before = self._way[-1]
            before.back = min(before.back, frame.back)
            return
        at = next(at for at in reversed(range(len(self._waiting))) if self._waiting[at] is frame)
        component = _joined(self._waiting[at:])
        self._known.update((one.node, component) for one in self._waiting[at:])
        del self._waiting[at:]
        if self._way:
            self._way[-1].below[component] = None


def _joined(frames: list[_Frame]) -> Component:
    """Return the component of these names."""
    ways, reads, own = set[str](), set[Read](), set[End]()
    below: dict[Component, None] = {}
    for frame in frames:
        ways |= frame.step.every_way()
        reads |= frame.step.reads
        own |= frame.step.every_end()
        below.update(frame.below)
    most = min(len(frames) + sum(one.most for one in below), _COUNTLESS)
    return Component(_all_ends(own, below), tuple(ways), tuple(reads), tuple(below), len(frames), most)


def _all_ends(own: set[End], below: Iterable[Component]) -> frozenset[End]:
    """Return all ends; as they are below, where that is all, as many names pass on what one stands for."""
    largest = max((one.ends for one in below), key=len, default=frozenset[End]())
    found = largest.union(own, *(one.ends for one in below))
    return largest if len(found) == len(largest) else found
