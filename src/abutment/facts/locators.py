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

    Of a module, imports that run count, and what is reached in it without one; of anything else each use.
    """
    modules = {name for one in locators for name in one.names if name in program.modules}
    importing: set[tuple[str, str]] = set()
    for found, name in _imports(program, locators, modules):
        importing.add((found.module, name))
        yield found
    names = frozenset[str]().union(*(one.names for one in locators))
    seen: set[tuple[str, Site]] = set()  # a call, and what it is handed, are one access
    for use, name in program.uses.of(names, through=True) if names else ():
        if (use.module, name) in importing or _is_at_home(program, name, use.module) or (name, use.site) in seen:
            continue
        seen.add((name, use.site))
        for one in locators:
            if name in one.names:
                allowed = one.allows(use.module)
                yield LocatorUse(one.id, use.module, use.site.scope, name, use.verb, use.site, allowed)


def _imports(program: Program, locators: Sequence[Locator], modules: set[str]) -> Iterator[tuple[LocatorUse, str]]:
    """Yield the imports of the modules among the locators' names, or of what stands below one."""
    for row in program.imports() if modules else ():
        if row.when == "type_only" or row.via == "parent":
            continue
        for one in locators:
            for name in sorted(one.names & modules):
                if _reaches(row.imported, row.symbol, name) and not _is_at_home(program, name, row.importer):
                    found = (one.id, row.importer, row.site.scope, name, "import", row.site, one.allows(row.importer))
                    yield LocatorUse(*found), name


def _reaches(imported: str, symbol: str, name: str) -> bool:
    return within(imported, name) or (symbol not in ("", "*") and f"{imported}.{symbol}" == name)


def _is_at_home(program: Program, name: str, module: str) -> bool:
    """Say whether a module is the one that defines the name, or lies in the package that is the name."""
    return within(module, name) or home_of(program, name) == module
