"""What does each file mean, and do, unpacked only for the files that somebody asks about?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from abutment.semantics.meaning import Meaning
from abutment.semantics.provenance import Provenance
from abutment.semantics.work import unpacked_meaning, unpacked_provenance

_T = TypeVar("_T")


class _Unpacked(Mapping[str, _T]):
    """Something of each file, by module."""

    def __init__(
        self, numbers: Mapping[str, int], packed: Callable[[int], bytes], unpack: Callable[[bytes], _T]
    ) -> None:
        self._numbers, self._packed, self._unpack = numbers, packed, unpack
        self._known: dict[str, _T] = {}

    def __getitem__(self, module: str) -> _T:
        known = self._known.get(module)
        if known is None:
            known = self._known[module] = self._unpack(self._packed(self._numbers[module]))
        return known

    def __contains__(self, module: object) -> bool:
        return module in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Meanings(_Unpacked[Meaning]):
    """The meanings of all files that could be parsed, by module."""

    def __init__(self, numbers: Mapping[str, int], packed: Callable[[int], bytes]) -> None:
        """Take the number of each module's file, and what gives a file's packed meaning by that number."""
        super().__init__(numbers, packed, _meaning)


class Provenances(_Unpacked[Provenance]):
    """What all files do that could be parsed, by module."""

    def __init__(self, numbers: Mapping[str, int], packed: Callable[[int], bytes]) -> None:
        """Take the number of each module's file, and what gives by that number what a file does, packed."""
        super().__init__(numbers, packed, unpacked_provenance)


def _meaning(packed: bytes) -> Meaning:
    found = unpacked_meaning(packed)
    assert isinstance(found, Meaning), "it was parsed when it was linked"
    return found
