"""What has a link learnt that the next one can start from, and how is it kept?"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from abutment.semantics.link import Linked
from abutment.semantics.names import Groundwork, Read


@dataclass(frozen=True, slots=True)
class Footing:
    """What a later link of the same modules can start from."""

    groundwork: Groundwork
    asked: tuple[Read, ...]  # every binding that some module's imports depend on
    reads: Mapping[str, bytes]  # module -> `array("I")` of numbers in `asked`
    sizes: tuple[int, int]  # of the columns' names and of `asked`, when all modules were linked last


def footing_of(linked: Linked) -> Footing:
    """Return what a later link can start from, after all modules have been linked."""
    numbers: dict[Read, int] = {}
    reads = {module: numbered(outside(module, found), numbers) for module, found in linked.reads.items()}
    sizes = len(linked.program.columns.names), len(numbers)
    return Footing(linked.names.groundwork, tuple(numbers), reads, sizes)


def outside(module: str, reads: Iterable[Read]) -> Iterator[Read]:
    """Yield what a module depends on elsewhere; an edit of the module itself affects it in any case."""
    return (read for read in reads if read[0] != module)


def numbered(reads: Iterable[Read], numbers: dict[Read, int]) -> bytes:
    """Return the numbers of what a module depends on."""
    return array("I", [numbers.setdefault(read, len(numbers)) for read in sorted(reads)]).tobytes()


def array_of(data: bytes) -> array[int]:
    """Return the numbers that were kept as bytes."""
    found = array("I")
    found.frombytes(data)
    return found


def readers_of(asked: Sequence[Read], reads: Mapping[str, bytes], changed: Set[Read]) -> frozenset[str]:
    """Return the modules that depend on something that changed; `reads` has numbers in `asked` by module."""
    numbers = {number for number, read in enumerate(asked) if read in changed}
    if not numbers:
        return frozenset()
    return frozenset(module for module, found in reads.items() if not numbers.isdisjoint(array_of(found)))


def packed_footing(footing: Footing) -> bytes:
    """Return a footing as bytes."""
    ground = footing.groundwork
    public = {module: dict(names) for module, names in ground.public.items()}
    common = (sorted(ground.poked), public, sorted(ground.open), sorted(ground.reads))
    return marshal.dumps((common, footing.asked, dict(footing.reads), footing.sizes))


def unpacked_footing(data: bytes) -> Footing:
    """Return the footing that `packed_footing` gave."""
    (poked, public, opened, common), asked, reads, sizes = marshal.loads(data)
    return Footing(Groundwork(frozenset(poked), public, frozenset(opened), frozenset(common)), asked, reads, sizes)
