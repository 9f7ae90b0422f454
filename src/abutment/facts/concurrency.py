"""Where does code begin to run beside the code that started it, and who answers for it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abutment.facts.named import names_class
from abutment.model.selector import Selector, within
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, used_itself

STRUCTURED, REGISTRY, OWNER, RESTRICTED = "structured_wait", "registry", "owner", "restricted"


class Wait:
    """When the caller itself waits for what it started."""

    NEVER = "never"
    ALWAYS = "always"  # a call that gives back when it is done, or a group that is joined
    AWAITED = "awaited"
    MANAGED = "managed"  # by a `with`
    POOLED = "pooled"  # where the pool it is a method of is entered by a `with` around it


@dataclass(frozen=True, slots=True)
class Primitive:
    """One way to start something."""

    target: str  # its canonical name
    kind: str
    wait: str  # of `Wait`
    pool: str = ""  # of a pool's method: the pool's class


@dataclass(frozen=True, slots=True)
class Restricted:
    """Primitives that are right in some modules: an adapter's thread, a server's loop."""

    selector: Selector
    names: frozenset[str]  # dotted; each with everything below it

    def allows(self, module: str, target: str) -> bool:
        """Say whether the module may start such a thing."""
        return self.selector.matches(module) and any(within(target, name) for name in self.names)


@dataclass(frozen=True, slots=True)
class Concurrency:
    """What starts something, and who may."""

    primitives: Mapping[str, Primitive]  # by each dotted name
    registries: tuple[str, ...] = ()  # dotted modules, classes and functions that own what they start
    owners: tuple[str, ...] = ()  # classes with a life cycle: what they start, they end
    restricted: tuple[Restricted, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class ConcurrencyUse:
    """One place where something is started."""

    module: str
    qualname: str
    target: str
    kind: str  # the primitive's; or who answers for it: STRUCTURED, REGISTRY, OWNER, RESTRICTED
    site: Site = field(compare=False)
    by: str = field(compare=False, default="")  # the registry, the owner, or the selector of the restricted context


def scan_concurrency(program: Program, concurrency: Concurrency) -> Iterator[ConcurrencyUse]:
    """Yield every place that may start something, with who answers for it."""
    primitives = {**concurrency.primitives, **_subclasses(program, concurrency.primitives)}
    started = list(_started(program, primitives))
    managed = _managed_pools(started)
    for use, primitive in started:
        kind, by = _answerable(use, primitive, concurrency, managed)
        yield ConcurrencyUse(use.module, use.site.scope, primitive.target, kind, use.site, by)


def _subclasses(program: Program, primitives: Mapping[str, Primitive]) -> dict[str, Primitive]:
    """Return this codebase's own threads, processes and pools: to make one is to use what it is one of."""
    classes = [name for name in primitives if names_class(name)]
    return {name: primitives[base] for name, base in program.uses.subclasses(classes).items()}


def _started(program: Program, primitives: Mapping[str, Primitive]) -> Iterator[tuple[Use, Primitive]]:
    """Yield each start once, however many names lead to it: a call, or a starter that a call is handed."""
    seen: set[tuple[str, Site, str]] = set()
    for use, name in program.uses.of(primitives.keys()):
        primitive = primitives[name]
        if use.verb not in ("call", "hand") or name not in used_itself(use):
            continue
        if use.verb == "hand" and (names_class(name) or primitive.wait == Wait.ALWAYS):
            continue  # `isinstance(x, Thread)`
        if (use.module, use.site, primitive.target) not in seen:
            seen.add((use.module, use.site, primitive.target))
            yield use, primitive


_Place = tuple[str, str, str]  # module, scope, the pool's class


def _managed_pools(started: list[tuple[Use, Primitive]]) -> frozenset[_Place]:
    """Return where all pools of a class that a function makes are entered by a `with`."""
    made: dict[_Place, bool] = {}
    for use, primitive in started:
        if primitive.wait == Wait.MANAGED and use.verb == "call":
            place = (use.module, use.site.scope, primitive.target)
            made[place] = made.get(place, True) and use.is_managed
    return frozenset(place for place, all_managed in made.items() if all_managed)


def _answerable(
    use: Use, primitive: Primitive, concurrency: Concurrency, managed: frozenset[_Place]
) -> tuple[str, str]:
    """Return who answers for a start, and by which name; the primitive's own kind where nobody does."""
    if _is_waited_for(use, primitive, managed):
        return STRUCTURED, ""
    where = f"{use.module}.{use.site.scope}"
    for kind, names in ((REGISTRY, concurrency.registries), (OWNER, concurrency.owners)):
        found = next((name for name in names if within(where, name)), "")
        if found:
            return kind, found
    for one in concurrency.restricted:
        if one.allows(use.module, primitive.target):
            return RESTRICTED, one.selector.text
    return primitive.kind, ""


def _is_waited_for(use: Use, primitive: Primitive, managed: frozenset[_Place]) -> bool:
    if use.verb == "hand":
        return False
    if primitive.wait == Wait.POOLED:
        return any((use.module, scope, primitive.pool) in managed for scope in _around(use.site.scope))
    return {
        Wait.NEVER: False,
        Wait.ALWAYS: True,
        Wait.AWAITED: use.is_awaited,
        Wait.MANAGED: use.is_managed,
    }[primitive.wait]


def _around(scope: str) -> Iterator[str]:
    """Yield a function and those it stands in."""
    while True:
        yield scope
        scope, inner, _ = scope.rpartition(".<locals>.")
        if not inner:
            return
