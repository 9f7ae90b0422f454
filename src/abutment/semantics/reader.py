"""How does one module's use read, once names are known across modules?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from abutment.model.site import Site
from abutment.semantics.meaning import Condition, Guard
from abutment.semantics.names import Names
from abutment.semantics.origins import Origins
from abutment.semantics.outline import ScopeKind
from abutment.semantics.provenance import Bit, Provenance, Trait, UseRow, Verb
from abutment.semantics.uses import Application, Argument, Use, by_place, canonical

_VERBS = {Verb.CALL: "call", Verb.READ: "read", Verb.SET: "set", Verb.ERASE: "erase", Verb.DECORATE: "decorate"}


class Reader:
    """Makes the uses of one module."""

    def __init__(self, row: Provenance, names: Names, origins: Origins) -> None:
        self.row, self.names, self.origins = row, names, origins
        self.path = names.modules[row.module].path
        self._never: list[bool] | None = None
        self._through = False  # whether what values come by is asked for
        self._main = _main_only(row.conditions, row.guards)

    def of(self, watched: frozenset[str], *, through: bool = False) -> Iterator[tuple[Use, str]]:
        """Yield the uses that reach something watched; with `through`, or come by it."""
        resolve, module = self.origins.resolve, self.row.module
        hits = [_hits(resolve(module, value), watched) for value in self.row.values]
        self._through = through
        if through:
            for hit, value in zip(hits, self.row.values, strict=True):
                ways = self.origins.ways(module, value)
                hit.update(_hits(filter(_is_plain, ways), watched), ways & watched)
        if any(hits):
            found = [pair for use in self.row.uses for pair in self._reaching(use, hits)]
            yield from sorted(found, key=lambda pair: (*by_place(pair[0]), pair[0].verb, pair[1]))

    def _reaching(self, use: UseRow, hits: list[set[str]]) -> Iterator[tuple[Use, str]]:
        """Yield what a use reaches, and what a call is handed."""
        every = (use.value, *use.arguments, *(at for _, at in use.named))
        if not any(hits[at] for at in every) or not self._runs(use):
            return
        for name in sorted(hits[use.value]):
            yield self.use(use), name
        if use.verb == Verb.CALL:
            for at in sorted(set(every[1:])):
                for name in sorted(hits[at]):
                    yield replace(self.use(use), verb="hand", origins=self._argument(at).origins), name

    def every(self) -> Iterator[Use]:
        """Yield all uses."""
        yield from sorted((self.use(use) for use in self.row.uses if self._runs(use)), key=by_place)

    def _runs(self, use: UseRow) -> bool:
        """Say whether what stands there runs at all, and not for a type checker only."""
        if self._never is None:
            self._never = self.names.never_runs(self.row)
        return not self._never[use.guard]

    def use(self, found: UseRow) -> Use:
        """Return one use."""
        scope = self.row.scopes[found.scope]
        origins = self.origins.resolve(self.row.module, self.row.values[found.value])
        if found.verb == Verb.SET and not found.bits & Bit.ITEM:
            ((name, _),) = found.named
            origins = frozenset(_below(origin, name, self.names) for origin in origins)
        return Use(
            verb=_VERBS[found.verb],
            module=self.row.module,
            origins=origins if self.names.is_settled(self.row.module) else origins | {"?"},
            site=Site(self.path, *found.place, scope.qualname),
            when="deferred" if self._function_of(found.scope) else "module",
            is_async=self.row.scopes[self._function_of(found.scope)].kind == ScopeKind.ASYNC,
            is_plain=scope.kind == ScopeKind.FUNCTION and not self._is_generator(scope.atom),
            is_awaited=bool(found.bits & Bit.AWAITED),
            is_managed=bool(found.bits & Bit.MANAGED),
            is_spread=bool(found.bits & Bit.SPREAD),
            is_item=bool(found.bits & Bit.ITEM),
            is_main_only=self._main[found.guard],
            is_returned=bool(found.bits & Bit.RETURNED),
            arguments=tuple(self._argument(at) for at in found.arguments),
            named={name: self._argument(at) for name, at in found.named},
            applied=tuple(self._application(UseRow(*one)) for one in found.applied),
        )

    def _application(self, found: UseRow) -> Application:
        return Application(
            verb=_VERBS[found.verb],
            site=Site(self.path, *found.place, self.row.scopes[found.scope].qualname),
            is_spread=bool(found.bits & Bit.SPREAD),
            arguments=tuple(self._argument(at) for at in found.arguments),
            named={name: self._argument(at) for name, at in found.named},
        )

    def _is_generator(self, atom: str) -> bool:
        found = self.row.functions.get(atom)
        return found is not None and bool(found.marks & Trait.GENERATOR)

    def _function_of(self, scope: int) -> int:
        """Return the function that runs a scope, which may be a class body; 0 for module code."""
        found = self.row.scopes[scope]
        return found.parent if found.kind == ScopeKind.CLASS else scope

    def _argument(self, at: int) -> Argument:
        module, value = self.row.module, self.row.values[at]
        held = tuple(atom.removeprefix("*") for atom in value) if any(atom[0] == "*" for atom in value) else ()
        return Argument(
            self.origins.resolve(module, value),
            self.origins.resolve(module, held) if held else frozenset(),
            frozenset(filter(_is_plain, self.origins.ways(module, value))) if self._through else frozenset(),
        )


def _below(origin: str, name: str, names: Names) -> str:
    """Return the attribute of an origin itself, not what it holds."""
    if origin[0] in "?'#":
        return "?"
    return f"{origin}:{name}" if origin in names.modules else f"{origin}.{name}"


def _main_only(conditions: tuple[Condition, ...], guards: tuple[Guard, ...]) -> list[bool]:
    """Say for each guard whether what it holds runs only where the file is run."""
    asks = [False]
    for one in conditions[1:]:
        asks.append(one.op == "main" or (one.op == "and" and any(asks[part] for part in one.parts)))
    found = [False]
    for guard in guards[1:]:
        found.append(found[guard.outer] or (asks[guard.condition] and not guard.negated))
    return found


def _is_plain(way: str) -> bool:
    """Say whether a way is one by names alone: what a call gave, or a collection held, is no longer the variable."""
    return "(" not in way and "[" not in way


def _hits(origins: Iterable[str], watched: frozenset[str]) -> set[str]:
    """Return the watched names that something of these origins reaches."""
    found: set[str] = set()
    for origin in origins:
        path = canonical(origin)
        while path and path not in watched:
            path = path.rpartition(".")[0]
        if path:
            found.add(path)
    return found
