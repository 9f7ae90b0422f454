"""What do the names of all modules stand for? Nothing is worked out, or loaded, before somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abutment.semantics.names import Names


class Exports(Mapping[str, Mapping[str, str]]):
    """What each module's names stand for, one step further; worked out where it is asked for."""

    def __init__(self, names: Callable[[], Names]) -> None:
        """Take what gives the names; it is not asked before somebody asks for an export, which few runs do."""
        self._make = names
        self._known: dict[str, Mapping[str, str]] = {}

    @cached_property
    def _names(self) -> Names:
        return self._make()

    def __getitem__(self, module: str) -> Mapping[str, str]:
        if module not in self._known:
            from abutment.semantics.reexports import exports_of

            self._known[module] = exports_of(self._names, module)
        return self._known[module]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.meanings)

    def __len__(self) -> int:
        return len(self._names.meanings)
