"""Where does code fetch what it needs from a named runtime or a global object?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from abutment.facts.changed import CHANGING, changed_there
from abutment.facts.giving import asked_for
from abutment.facts.named import home_of
from abutment.model.selector import nearest, within
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import ASIDE


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
    verb: str  # "import" of a module, "call", "read", "set", "erase", "decorate"
    site: Site = field(compare=False)
    allowed: bool = field(compare=False)  # listed, and not judged


def scan_locators(program: Program, locators: Sequence[Locator]) -> Iterator[LocatorUse]:
    """Yield every access from outside of the module, or package, that the locator's name stands in.

    A module is reached by each import that runs of it, of what stands below it, or of a name that it defines under
    another address; anything else by each use. An object that was handed in is no access to its class's module.
    """
    named = frozenset[str]().union(*(one.names for one in locators))
    modules = named & program.modules.keys()
    names = named - modules
    imports = dict.fromkeys(_imports(program, modules) if modules else ())  # a statement may take many names
    reached = (*imports, *_uses(program, names))
    for name, module, verb, site in reached:
        if within(module, name) or home_of(program, name) == module:
            continue
        for one in locators:
            if name in one.names:
                yield LocatorUse(one.id, module, site.scope, name, verb, site, one.allows(module))


_Reached = tuple[str, str, str, Site]  # the locator's name, who reaches it, the verb, where


def _imports(program: Program, modules: frozenset[str]) -> Iterator[_Reached]:
    """Yield each import that reaches one of the modules."""
    for row in program.imports():
        if row.when == "type_only" or row.via == "parent":
            continue
        defined = program.origin(row.imported, row.symbol) if row.symbol else None
        addresses = ((defined or "").partition(":")[0], f"{row.imported}.{row.symbol}")
        for name in sorted({nearest(one, modules) for one in addresses} - {""}):
            yield name, row.importer, "import", row.site


def _uses(program: Program, names: frozenset[str]) -> Iterator[_Reached]:
    """Yield each use that reaches one of the names; what is handed on was reached where it was read.

    `state.open = True` changes the state; that it reads `state` on the way is no second access.
    """
    found = {
        (name, use.module, use.verb, use.site): None
        for use, name in program.uses.of(names, through=True, handed=False)
        if use.verb not in ASIDE
    }
    found.update(((name, use.module, "read", use.site), None) for use, name in asked_for(program, names))
    is_changed = changed_there(((name, module), site) for name, module, verb, site in found if verb in CHANGING)
    for one in found:
        name, module, verb, site = one
        if verb != "read" or not is_changed((name, module), site):
            yield one
