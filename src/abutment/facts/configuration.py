"""Where does code take a settings object, or make one of the objects that hold configuration?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from abutment.facts.giving import asked_for, givers
from abutment.facts.handed_on import may_be_made
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

    To make a class that stands below one of the classes is to make one. The module that defines one is left out, and
    what it gives (`get_settings()`, `app.settings`) is one of them as well.
    """
    imported: dict[str, set[str]] = defaultdict(set)  # module -> the objects that it imports by name
    for found in _imports(program, frozenset(objects)):
        imported[found.module].add(found.target)
        yield found
    below = program.uses.subclasses(classes)
    made = {**below, **{name: name for name in classes}}
    given = givers(program, objects, made)
    yield from _accesses(program, objects, given, imported)
    yield from _constructions(program, made, given)


def _accesses(
    program: Program, objects: Collection[str], given: Mapping[str, str], imported: Mapping[str, Collection[str]]
) -> Iterator[ConfigurationUse]:
    """Yield the uses of settings objects by modules that do not import them by name, once a place."""
    by = {**{name: name for name in objects}, **{name: of for name, of in given.items() if of in objects}}
    used = [pair for pair in program.uses.of(by.keys(), through=True, handed=False) if pair[0].verb not in ASIDE]
    seen: set[tuple[str, Site]] = set()
    for use, name in (*used, *asked_for(program, by)):
        target = by[name]
        is_elsewhere = target not in imported.get(use.module, ()) and home_of(program, target) != use.module
        if is_elsewhere and (target, use.site) not in seen:
            seen.add((target, use.site))
            yield ConfigurationUse(use.module, use.site.scope, target, ACCESS, use.site)


def _constructions(program: Program, made: Mapping[str, str], given: Mapping[str, str]) -> Iterator[ConfigurationUse]:
    """Yield where the classes are made: called, by a function of theirs, or by whoever is handed one."""
    by = {**made, **{name: of for name, of in given.items() if of in made.values()}}
    seen: set[tuple[str, Site]] = set()
    for use, name in program.uses.of(by.keys()):
        is_made = use.verb == "call" and name in used_itself(use)
        is_handed = use.verb == "hand" and name in used_itself(use) and may_be_made(use, name)
        place = (by[name], use.site)
        if (is_made or is_handed) and home_of(program, by[name]) != use.module and place not in seen:
            seen.add(place)
            yield ConfigurationUse(use.module, use.site.scope, by[name], CONSTRUCTION, use.site)


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
