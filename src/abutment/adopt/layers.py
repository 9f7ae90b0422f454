"""Which layers do the imports of a codebase already keep, nearly always?

A proposal is law only as far as it is fact: between two layers at most one import in fifty goes up. Everything else
is said as a comment with its figures. An import counts once for each pair of modules, at import time or deferred,
as the contract counts it; imports for the type checker and the parents of a target do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from abutment.adopt.ordering import Order, Weights, above, arrange, between
from abutment.facts.graph import WRITTEN, import_graph
from abutment.semantics.program import Program

MOST_CHILDREN = 60  # more than a person would order by hand
FEWEST_IMPORTS = 5  # fewer are no evidence
MOST_PACKAGES = 20  # root packages that are looked at
_MOST_LINES = 12  # comment lines of one sort


@dataclass(frozen=True, slots=True)
class Figures:
    """How many imports between the children of one package speak for its layers, and how many do not."""

    total: int
    down: int  # from a layer to a lower one
    up: int  # against the order: today's debt
    inside: int  # within one layer
    unplaced: int  # from or to a child that is in no layer


@dataclass(frozen=True, slots=True)
class Proposal:
    """What can be said about the direct children of one package."""

    package: str  # "" for the top-level packages themselves
    order: Order
    figures: Figures
    comments: tuple[str, ...]

    @property
    def is_law(self) -> bool:
        """Say whether there is an order worth writing down as a contract."""
        return len(self.order.layers) > 1 and self.figures.total >= FEWEST_IMPORTS

    @property
    def id(self) -> str:
        """The contract's name."""
        return f"layers-{self.package}" if self.package else "layers"

    def contract(self) -> dict[str, object]:
        """Return the contract as its table in the configuration."""
        return {"id": self.id, "kind": "layers", "layers": [" : ".join(layer) for layer in self.order.layers]}


def propose_layers(program: Program) -> tuple[Proposal, ...]:
    """Return one proposal for the top-level packages, if there are several, and one for each of them."""
    family = _Family(program)
    weights = family.weigh()
    parents = [parent for parent in family.parents() if len(family.children(parent)) > 1]
    return tuple(propose(parent, family.children(parent), weights[parent]) for parent in parents[:MOST_PACKAGES])


def propose(package: str, children: Sequence[str], weights: Weights) -> Proposal:
    """Return what the imports between the children of a package speak for."""
    too_many = len(children) > MOST_CHILDREN
    order = Order((), (), tuple(sorted(children))) if too_many else arrange(weights, children)
    figures = _figures(order, weights)
    return Proposal(package, order, figures, tuple(_comments(package, children, order, figures, weights)))


class _Family:
    """Which modules are whose children, where only code counts and not its tests."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._children: dict[str, set[str]] = defaultdict(set)
        for name in program.modules:
            if not self._is_test(name) and "/" not in name:  # a path for a name: no import can reach it
                parts = name.split(".")
                for depth in range(len(parts)):
                    self._children[".".join(parts[:depth])].add(".".join(parts[: depth + 1]))

    def _is_test(self, name: str) -> bool:
        return self._program.modules[name].role == "tests"

    def children(self, parent: str) -> list[str]:
        """Return the direct children of a package, "" for the top-level ones."""
        return sorted(self._children.get(parent, ()))

    def parents(self) -> list[str]:
        """Return whose children are to be ordered: the top, and each root package.

        A package that holds nothing but one package (`google`, `google.cloud`) stands for that one.
        """
        packages = []
        for top in self.children(""):
            while len(below := self.children(top)) == 1 and self.children(below[0]):
                top = below[0]  # noqa: PLW2901 - the loop walks down from the top-level package
            packages.append(top)
        return ["", *packages]

    def weigh(self) -> dict[str, Counter[tuple[str, str]]]:
        """Return for each of the parents how many imports there are between which of its children."""
        graph = import_graph(self._program, WRITTEN, leaves_out=self._is_test)
        places = {parent: (parent.count(".") + 1 if parent else 0) for parent in self.parents()}
        weights: dict[str, Counter[tuple[str, str]]] = {parent: Counter() for parent in places}
        split = [name.split(".") for name in graph.names]
        for importer, imported in graph.edges():
            one, other = split[importer], split[imported]
            for parent, depth in places.items():
                if len(one) > depth and len(other) > depth and one[depth] != other[depth]:
                    stem = parent.split(".") if parent else []
                    if one[:depth] == stem and other[:depth] == stem:
                        weights[parent][".".join(one[: depth + 1]), ".".join(other[: depth + 1])] += 1
        return weights


def _figures(order: Order, weights: Weights) -> Figures:
    level = {name: height for height, layer in enumerate(order.layers) for name in layer}
    down = up = inside = unplaced = 0
    for (importer, imported), count in weights.items():
        if importer not in level or imported not in level:
            unplaced += count
        elif level[importer] == level[imported]:
            inside += count
        elif level[importer] < level[imported]:
            down += count
        else:
            up += count
    return Figures(sum(weights.values()), down, up, inside, unplaced)


def _comments(package: str, children: Sequence[str], order: Order, figures: Figures, weights: Weights) -> Iterator[str]:
    where = f"direct children of {package}" if package else "top-level packages"
    none = f"No layers proposed among the {where}"
    if len(children) > MOST_CHILDREN:
        yield f"{none}: they are {len(children)}, and {MOST_CHILDREN} are the most looked at."
        return
    if figures.total < FEWEST_IMPORTS:
        yield f"{none}: {_imports(figures.total)} between them, too few to tell an order."
        return
    if len(order.layers) < 2:
        yield f"{none}: {_imports(figures.total)} between them, and no order could be told."
    else:
        placed = sum(map(len, order.layers))
        yield (
            f"{placed} of {len(children)} {where} in {len(order.layers)} layers, by {_imports(figures.total)} between "
            f"them: {figures.down} go down, {figures.up} up, {figures.inside} stay in a layer, {figures.unplaced} "
            f"come from or go to a child in no layer."
        )
    yield from _bounded(_against(order, weights))
    yield from _bounded(_undecided(order, weights))
    yield from _bounded(_left_out(order, weights))
    if order.unlinked:
        yield f"In no layer, as no import ties them to one: {', '.join(order.unlinked)}."


def _against(order: Order, weights: Weights) -> Iterator[str]:
    """Yield the pairs in which some import goes up: debt from the first day."""
    for high, upper in enumerate(order.layers):
        for lower in order.layers[high + 1 :]:
            for one in upper:
                for other in lower:
                    if up := weights.get((other, one), 0):
                        yield f"Up: {other} imports {one} ({up} of {between(weights, one, other)} between the two)."


def _undecided(order: Order, weights: Weights) -> Iterator[str]:
    """Yield the pairs inside a layer that import each other: the reason why they share it."""
    for layer in order.layers:
        for pair in _mutual(layer, layer, weights):
            yield f"One layer, as each imports the other: {pair}."


def _left_out(order: Order, weights: Weights) -> Iterator[str]:
    placed = [name for layer in order.layers for name in layer]
    for name in order.left_out:
        pairs = list(_mutual([name], placed, weights))
        if pairs:
            yield f"In no layer: {name}. No order with {_pairs(pairs)}."
        else:
            yield f"In no layer: {name}. No order with it explains as much as the one without it."


def _mutual(some: Iterable[str], others: Iterable[str], weights: Weights) -> list[str]:
    """Return the pairs of which neither stands above the other, the most balanced first."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for one in some:
        for other in others:
            if between(weights, one, other) and not above(weights, one, other) and not above(weights, other, one):
                first, second = sorted((one, other))
                there, back = weights.get((first, second), 0), weights.get((second, first), 0)
                found[first, second] = (-min(there, back), f"{first} and {second} ({there} against {back})")
    return [text for _, text in sorted(found.values())]


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    every = list(lines)
    yield from every[:_MOST_LINES]
    if len(every) > _MOST_LINES:
        yield f"… and {len(every) - _MOST_LINES} more such lines."


def _pairs(pairs: Sequence[str]) -> str:
    return f"one of the others: {pairs[0]}" if len(pairs) == 1 else f"{len(pairs)} of the others, such as {pairs[0]}"


def _imports(count: int) -> str:
    return "1 import" if count == 1 else f"{count} imports"
