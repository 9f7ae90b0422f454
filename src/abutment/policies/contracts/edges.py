"""Who imports whom, and which of the ways in which an import can happen count?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from abutment.policies.contracts.contract import Counting
from abutment.semantics.program import Flag

# One bit for each way in which an import can count; an edge has the bits of all its statements.
WRITTEN, DYNAMIC, LAZY, PASSED, TYPED, TYPED_PASSED = 1, 2, 4, 8, 16, 32
NODE_BITS = 32
NODE_MASK = (1 << NODE_BITS) - 1


def _way(flags: int) -> int:
    if flags & Flag.TYPE_ONLY:
        return TYPED_PASSED if flags & Flag.PARENT else TYPED
    if flags & Flag.PARENT:
        return PASSED
    return DYNAMIC if flags & Flag.DYNAMIC else LAZY if flags & Flag.LAZY else WRITTEN


WAYS = bytes(_way(flags) for flags in range(256))
ALL_WAYS = (WRITTEN, DYNAMIC, LAZY, PASSED, TYPED, TYPED_PASSED)
THROUGH = (PASSED, TYPED_PASSED)
PASSING = {WRITTEN: PASSED, DYNAMIC: PASSED, LAZY: PASSED, TYPED: TYPED_PASSED}


def accepted(counting: Counting) -> int:
    """Return the bits of the imports that are counted as such, chains aside."""
    bits = WRITTEN if counting.statements else WRITTEN | DYNAMIC | LAZY
    if counting.type_only:
        bits |= TYPED
    if counting.parents:
        bits |= PASSED | (TYPED_PASSED if counting.type_only else 0)
    return bits


class Edges:
    """Who imports whom under one way of counting."""

    def __init__(self, names: list[str], pairs: Iterable[int], implied: Iterable[int]) -> None:
        """Take edges as `importer << 32 | imported`; `implied` ones are only there for chains to lead through."""
        self.names = names
        self.pairs = frozenset(pairs)
        self.implied = frozenset(implied) - self.pairs
        self.out: list[list[int]] = [[] for _ in names]
        for pair in sorted(self.pairs | self.implied):
            importer, imported = pair >> NODE_BITS, pair & NODE_MASK
            if importer != imported:
                self.out[importer].append(imported)

    @cached_property
    def into(self) -> list[list[int]]:
        """For each node, who imports it, in ascending order."""
        into: list[list[int]] = [[] for _ in self.names]
        for importer, targets in enumerate(self.out):
            for imported in targets:
                into[imported].append(importer)
        return into

    def is_implied(self, importer: int, imported: int) -> bool:
        """Say whether the edge is only there for chains to lead through."""
        return importer << NODE_BITS | imported in self.implied

    def without(self, pairs: Collection[tuple[int, int]]) -> Edges:
        """Return the edges but for some."""
        gone = {importer << NODE_BITS | imported for importer, imported in pairs}
        return Edges(self.names, self.pairs - gone, self.implied - gone)
