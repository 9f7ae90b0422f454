"""What does each file mean, and do, unpacked only for the files that somebody asks about?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from abutment.semantics.meaning import Meaning
from abutment.semantics.provenance import Provenance
from abutment.semantics.work import unpacked_meaning, unpacked_provenance


class Meanings(Mapping[str, Meaning]):
    """The meanings of all files that could be parsed, by module."""

    def __init__(self, numbers: Mapping[str, int], packed: Callable[[int], bytes]) -> None:
        """Take the number of each module's file, and what gives a file's packed meaning by that number."""
        self._numbers, self._packed = numbers, packed
        self._known: dict[str, Meaning] = {}

    def __getitem__(self, module: str) -> Meaning:
        known = self._known.get(module)
        if known is None:
            found = unpacked_meaning(self._packed(self._numbers[module]))
            assert isinstance(found, Meaning), f"{module} was parsed when it was linked"
            known = self._known[module] = found
        return known

    def __contains__(self, module: object) -> bool:
        return module in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Provenances(Mapping[str, Provenance]):
    """What all files do that could be parsed, by module."""

    def __init__(self, numbers: Mapping[str, int], packed: Callable[[int], bytes]) -> None:
        """Take the number of each module's file, and what gives by that number what a file does, packed."""
        self._numbers, self._packed = numbers, packed
        self._known: dict[str, Provenance] = {}

    def __getitem__(self, module: str) -> Provenance:
        known = self._known.get(module)
        if known is None:
            known = self._known[module] = unpacked_provenance(self._packed(self._numbers[module]))
        return known

    def __contains__(self, module: object) -> bool:
        return module in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
