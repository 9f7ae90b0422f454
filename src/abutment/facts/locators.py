"""Where does code fetch what it needs from a named runtime or a global object?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from abutment.facts.named import home_of
from abutment.model.selector import within
from abutment.model.site import Site
from abutment.semantics.program import Program


@dataclass(frozen=True, slots=True)
class Locator:
    """One thing through which code can get at others: modules, objects, classes, functions, methods."""

    id: str
    names: frozenset[str]
    allows: Callable[[str], bool]  # a module's name -> whether it may


@dataclass(frozen=True, slots=True, order=True)
class LocatorUse:
    """One access to a locator."""

    locator: str
    module: str
    qualname: str
    target: str  # the locator's name that is reached: "rig.container.Container.get"
    verb: str  # "import" of a module, "call", "read", "set", "erase", "decorate", "hand"
    site: Site = field(compare=False)
    allowed: bool = field(compare=False)  # listed, and not judged


def scan_locators(program: Program, locators: Sequence[Locator]) -> Iterator[LocatorUse]:
    """Yield every access from outside of the module, or package, that the locator's name stands in.

    A module is reached by each import that runs of it, of what stands below it, or of a name that it defines under
    another address; anything else by each use. An object that was handed in is no access to its class's module.
    """
    modules = frozenset(name for one in locators for name in one.names if name in program.modules)
    names = frozenset[str]().union(*(one.names for one in locators)) - modules
    reached = [*(_imports(program, modules) if modules else ()), *(_uses(program, names) if names else ())]
    for name, module, verb, site in reached:
        if within(module, name) or home_of(program, name) == module:
            continue
        for one in locators:
            if name in one.names:
                yield LocatorUse(one.id, module, site.scope, name, verb, site, one.allows(module))


def _imports(program: Program, modules: frozenset[str]) -> Iterator[tuple[str, str, str, Site]]:
    """Yield each import that reaches one of the modules: its name, who imports, the verb, where."""
    for row in program.imports():
        if row.when == "type_only" or row.via == "parent":
            continue
        defined = program.origin(row.imported, row.symbol) if row.symbol not in ("", "*") else None
        addresses = (row.imported, (defined or "").partition(":")[0], f"{row.imported}.{row.symbol}")
        for name in sorted({_locator_above(one, modules) for one in addresses} - {""}):
            yield name, row.importer, "import", row.site


def _locator_above(address: str, modules: frozenset[str]) -> str:
    while address and address not in modules:
        address = address.rpartition(".")[0]
    return address


def _uses(program: Program, names: frozenset[str]) -> Iterator[tuple[str, str, str, Site]]:
    """Yield each use that reaches one of the names: its name, who uses it, the verb, where.

    `state.open = True` changes the state; that it reads `state` on the way is no second access.
    """
    found: dict[tuple[str, str, int, int], tuple[str, str, str, Site]] = {}
    for use, name in program.uses.of(names, through=True):
        if use.verb != "hand":  # what is handed on was reached where it was read
            found[name, use.site.path, use.site.line, use.site.column] = (name, use.module, use.verb, use.site)
    yield from found.values()
