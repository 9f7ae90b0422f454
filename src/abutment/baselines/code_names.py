"""What does the code have now, by dotted name? All that a move is held against."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from abutment.model.selector import within


def _no_definitions(_module: str) -> Collection[str]:
    return ()


@dataclass(frozen=True, slots=True)
class CodeNames:
    """What the code has now, by name."""

    modules: Collection[str]
    definitions: Callable[[str], Collection[str]] = _no_definitions  # of a module: its functions and classes, qualnames

    def holds_modules_in(self, name: str) -> bool:
        """Say whether the name is that of a module, or of a package that holds one."""
        return any(within(module, name) for module in self.modules)

    def holds(self, module: str, qualname: str) -> bool:
        """Say whether there is this scope in this module."""
        return module in self.modules and (qualname == "<module>" or qualname in self.definitions(module))

    def home(self, name: str) -> str:
        """Return the module that defines a function or class of this dotted name; "" where none does."""
        module, qualname = self._split(name)
        return module if module and qualname in self.definitions(module) else ""

    def _split(self, name: str) -> tuple[str, str]:
        """Return the longest module that a dotted name begins with ("" where there is none), and the rest."""
        module, _, rest = name.rpartition(".")
        while module and module not in self.modules:
            module, _, last = module.rpartition(".")
            rest = f"{last}.{rest}"
        return module, rest


def live_names(modules: Iterable[str]) -> frozenset[str]:
    """Return the names of these modules and of the packages above them."""
    return frozenset(name for module in modules for name in with_packages(module))


def with_packages(module: str) -> Iterator[str]:
    """Yield a dotted name and those above it."""
    while module:
        yield module
        module = module.rpartition(".")[0]
