"""Where does code take a settings object, or make one of the objects that hold configuration?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from abutment.facts.named import home_of
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import ASIDE, used_itself

IMPORT, ACCESS, CONSTRUCTION = "import", "access", "construction"


@dataclass(frozen=True, slots=True, order=True)
class ConfigurationUse:
    """One place where configuration is taken from a global object instead of being handed in."""

    module: str
    qualname: str
    target: str  # the settings object or class, as it is defined: "app.config.settings"
    kind: str  # "import", "access" (without an import of its own), "construction"
    site: Site = field(compare=False)


def scan_configuration(
    program: Program, objects: Collection[str], classes: Collection[str]
) -> Iterator[ConfigurationUse]:
    """Yield the imports of settings objects, uses of them by other ways, and constructions of the classes.

    To make a class that stands below one of the classes is to make one. The module that defines one is left out.
    """
    imported: dict[str, set[str]] = defaultdict(set)  # module -> the objects that it imports by name
    for found in _imports(program, frozenset(objects)):
        imported[found.module].add(found.target)
        yield found
    for use, name in program.uses.of(objects, through=True) if objects else ():
        if use.verb not in ASIDE and name not in imported[use.module] and home_of(program, name) != use.module:
            yield ConfigurationUse(use.module, use.site.scope, name, ACCESS, use.site)
    below = program.uses.subclasses(classes) if classes else {}
    made = {**below, **{name: name for name in classes}}
    for use, name in program.uses.of(made.keys()) if made else ():
        target = made[name]
        if use.verb == "call" and name in used_itself(use) and home_of(program, target) != use.module:
            yield ConfigurationUse(use.module, use.site.scope, target, CONSTRUCTION, use.site)


def _imports(program: Program, objects: frozenset[str]) -> Iterator[ConfigurationUse]:
    """Yield the from-imports that run and give one of the objects, under whatever address and alias."""
    for one in program.imports():
        if one.when == "type_only" or not one.symbol:
            continue
        target = f"{one.imported}.{one.symbol}"
        if target not in objects:
            target = (program.origin(one.imported, one.symbol) or "").replace(":", ".")
        if target in objects and home_of(program, target) != one.importer:
            yield ConfigurationUse(one.importer, one.site.scope, target, IMPORT, one.site)
