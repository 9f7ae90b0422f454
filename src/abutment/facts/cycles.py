"""Which modules import one another in circles, by which statements, and what would break each circle?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from abutment.facts.digraph import shortest_chain
from abutment.facts.graph import ImportGraph
from abutment.semantics.program import Import, Program

if TYPE_CHECKING:
    from abutment.facts.cut import Cut


class Cycles:
    """The import cycles of one graph. A component is known by its number, in order of its first member."""

    def __init__(self, program: Program, graph: ImportGraph) -> None:
        """Look at the graph's components; what costs more is worked out when it is asked for."""
        self.program, self.graph = program, graph
        self.components = graph.components
        self._inner: dict[int, dict[int, list[int]]] = {}
        self._cuts: dict[int, Cut] = {}

    @cached_property
    def named(self) -> list[list[str]]:
        """Each component's members by name, in order."""
        return [[self.graph.names[node] for node in members] for members in self.components]

    @cached_property
    def component_of(self) -> dict[int, int]:
        """Node to component, for the nodes that are in one."""
        return {node: number for number, members in enumerate(self.components) for node in members}

    def component_named(self, module: str) -> int:
        """Return the component that a module is in, or -1."""
        return self.component_of.get(self.graph.number.get(module, -1), -1)

    def inner(self, component: int) -> dict[int, list[int]]:
        """Return what each member imports inside the component."""
        if component not in self._inner:
            of = self.component_of
            self._inner[component] = {
                node: [target for target in self.graph.successors[node] if of.get(target) == component]
                for node in self.components[component]
            }
        return self._inner[component]

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield every edge inside a component."""
        for component in range(len(self.components)):
            for importer, targets in self.inner(component).items():
                for imported in targets:
                    yield importer, imported

    def imports(self, importer: int, imported: int) -> list[Import]:
        """Return every statement by which one module imports another, in order of place."""
        found = (self.program.import_at(row) for row in self.graph.rows(importer, imported))
        # `from m import a, b` has a row for each name, and is one statement.
        return list({one.site: one for one in found}.values())

    def way_back(self, component: int, importer: int, imported: int) -> list[Import]:
        """Return the shortest chain from what is imported to its importer, one statement a step."""
        chain = shortest_chain(self.inner(component), [imported], [importer])
        return [self.step(a, b) for a, b in pairwise(chain)]

    def circle_through(self, component: int, node: int) -> list[Import]:
        """Return a shortest circle of imports through a member, one statement a step."""
        circles = [
            [self.step(node, first), *self.way_back(component, node, first)] for first in self.inner(component)[node]
        ]
        return min(circles, key=len)

    def step(self, importer: int, imported: int) -> Import:
        """Return the statement to show: what is written says more than what runs on the way."""
        return min(self.imports(importer, imported), key=lambda one: (one.via == "parent", one.site))

    def pull(self, importer: int, imported: int) -> int:
        """Return by how many more edges the packages of the two are tied this way than the other way.

        The packages are those directly below what both have in common. An import against the grain is negative.
        """
        names = self.graph.names
        one, other = _apart(names[importer], names[imported])
        return self._ties[one, other] - self._ties[other, one]

    @cached_property
    def _ties(self) -> Counter[tuple[str, str]]:
        names = self.graph.names
        pairs = (
            (names[node], names[target]) for node, targets in enumerate(self.graph.successors) for target in targets
        )
        return Counter(_apart(importer, imported) for importer, imported in pairs)

    def cut(self, component: int) -> Cut:
        """Return a small set of imports without which the component holds no cycle."""
        if component not in self._cuts:
            from abutment.facts.cut import cut_component  # only where there are cycles

            self._cuts[component] = cut_component(self.graph, self.components[component])
        return self._cuts[component]


def _apart(one: str, other: str) -> tuple[str, str]:
    """Return the two names down to the first part in which they differ."""
    mine, theirs = one.split("."), other.split(".")
    alike = 0
    while mine[alike : alike + 1] == theirs[alike : alike + 1] != []:
        alike += 1
    return ".".join(mine[: alike + 1]), ".".join(theirs[: alike + 1])
