"""What does a module do to the world when it is merely imported?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abutment.facts.changed import CHANGING, changed_there
from abutment.facts.egress import CONSTRUCTION, Network, ways_out
from abutment.model.selector import within
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import CHANGES, Call, Running, Use, is_outside, used_itself

ENVIRONMENT_READ = "environment_read"
# What a `with` of this undoes again: the filters of warnings.
_UNDOING = "warnings.catch_warnings"
# What changes something only where it is given so many arguments, and asks otherwise.
_LEAST = {"locale.setlocale": 2, "threading.stack_size": 1}
# A library's logger is given one so that nothing happens.
_NO_HANDLER = frozenset(("logging.NullHandler()",))
# What a function is described by: a `partial` that is given such a thing is not what it calls.
_TOLD = re.compile(r"\.__(doc|name|qualname|module|annotations|signature|wrapped)__$")
_CHANGERS = frozenset(
    ("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "sort", "reverse")
)


@dataclass(frozen=True, slots=True)
class World:
    """What lies outside of a module's own code."""

    calls: Mapping[str, str]  # dotted function or method -> the kind of effect that a call of it is
    state: Mapping[str, str]  # dotted object of the process -> the kind of effect that a change of it is
    read: frozenset[str]  # what is an effect to read, or to call
    network: Network  # of which a way out is an effect
    network_kind: str
    change_kind: str  # that of a change of what any module outside of the codebase has
    harmless: frozenset[str] = frozenset()  # ways out that are no effect, with all below them
    not_through: frozenset[str] = frozenset()  # functions of this codebase that are not looked into

    @property
    def watched(self) -> frozenset[str]:
        """The names to ask the engine for."""
        return frozenset((*self.calls, *self.state, *self.read, *self.network.providers, _UNDOING, CHANGES))

    def effects_of(self, use: Use, name: str) -> set[tuple[str, str]]:
        """Return (kind, target) of each effect that a use may have; `name` is the watched one that it reaches."""
        found = (self.effect_of(use, path) for path in used_itself(use))
        known = {effect for effect in found if effect is not None}
        if use.verb in CHANGING and not use.is_item:
            changed = (
                one for one in use.origins if is_outside(one) and one not in self.state and not _TOLD.search(one)
            )
            known |= {(self.change_kind, one) for one in changed if not self._is_harmless(one)}
        if use.verb == "call":
            ways = (way.api for way in ways_out(use, name, self.network) if way.kind != CONSTRUCTION)
            known |= {(self.network_kind, api) for api in ways if not self._is_harmless(api)}
        return known

    def _is_harmless(self, api: str) -> bool:
        return any(within(api, name) for name in self.harmless)

    def effect_of(self, use: Use, path: str) -> tuple[str, str] | None:
        """Return (kind, target) of what is done with a dotted path; None where it does nothing."""
        if use.verb in ("call", "decorate") and path in self.calls:
            given = len(use.arguments) + len(use.named)
            does = given >= _LEAST.get(path, 0) and not any(one.origins == _NO_HANDLER for one in use.arguments)
            return (self.calls[path], path) if does else None
        held, _, method = path.rpartition(".")
        if use.verb == "call" and held in self.state and method in _CHANGERS:
            return self.state[held], held
        if use.verb in CHANGING and path in self.state:
            return self.state[path], path
        if use.verb in ("call", "read") and (path in self.read or (use.verb == "call" and held in self.read)):
            return ENVIRONMENT_READ, path if path in self.read else held
        return None


@dataclass(frozen=True, slots=True, order=True)
class ImportEffect:
    """One effect that importing a module has."""

    module: str
    qualname: str  # of the class body it stands in; `<module>`
    kind: str
    target: str
    through: str  # the function of this codebase that the module's code calls; "" where it does it itself
    site: Site = field(compare=False)  # in the imported module
    inner: Site = field(compare=False)  # where it happens in the end
    calls: tuple[Call, ...] = field(compare=False)  # the way from one to the other
    is_listed_only: bool = field(compare=False, default=False)  # a read, where nobody asked for reads to be judged


def scan_effects(program: Program, world: World) -> Iterator[ImportEffect]:
    """Yield what importing each module does: for each place in it each effect once, with the shortest way."""
    ran = [
        one
        for one in program.uses.at_import(world.watched, not_through=world.not_through)
        if not one.start.path.endswith(".pyi")
    ]
    undone = _undone(ran)
    found: dict[tuple[ImportEffect, Site], ImportEffect] = {}
    for running in ran:
        for effect in _effects_of(running, world):
            if _is_undone(effect, undone):
                continue
            known = found.get((effect, effect.site))
            if known is None or len(known.calls) > len(effect.calls):
                found[effect, effect.site] = effect
    yield from _without_shadowed_reads(found.values())


_Scope = tuple[str, str]  # path, qualname


def _undone(ran: Iterable[Running]) -> dict[_Scope, int]:
    """Return the first line in each scope from which on the filters of warnings are put back again."""
    found: dict[_Scope, int] = {}
    for one in ran:
        site = one.use.site
        if one.name == _UNDOING and one.use.is_managed:
            found[site.path, site.scope] = min(site.line, found.get((site.path, site.scope), site.line))
    return found


def _is_undone(effect: ImportEffect, undone: Mapping[_Scope, int]) -> bool:
    """Say whether a filter of warnings stands in a `with` that puts it back.

    Of module code that is known by its being indented.
    """
    at = effect.inner
    first = undone.get((at.path, at.scope))
    if first is None or not effect.target.startswith("warnings.") or at.line < first:
        return False
    return at.scope != "<module>" or at.column > 1


def _effects_of(running: Running, world: World) -> Iterator[ImportEffect]:
    through = running.calls[0].function if running.calls else ""
    if through in world.calls:  # the call itself is the effect
        return
    for kind, target in sorted(world.effects_of(running.use, running.name)):
        start = running.start
        yield ImportEffect(running.module, start.scope, kind, target, through, start, running.use.site, running.calls)


def _without_shadowed_reads(effects: Iterable[ImportEffect]) -> Iterator[ImportEffect]:
    """Leave out that an object is read where it is changed: `os.environ["A"] = "b"` reads nothing."""
    known = list(effects)
    is_changed = changed_there((_thing(one), one.inner) for one in known if one.kind != ENVIRONMENT_READ)
    yield from (one for one in known if one.kind != ENVIRONMENT_READ or not is_changed(_thing(one), one.inner))


def _thing(effect: ImportEffect) -> tuple[str, str]:
    return effect.target, effect.inner.path
