"""How does one module's use read, once names are known across modules?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import cached_property

from abutment.model.site import Site
from abutment.semantics.meaning import Condition, Guard
from abutment.semantics.names import Names
from abutment.semantics.origins import Origins
from abutment.semantics.outline import ScopeKind
from abutment.semantics.provenance import Bit, Provenance, ScopeRow, Trait, UseRow, Verb
from abutment.semantics.uses import CHANGES, Application, Argument, Use, by_place, is_outside
from abutment.semantics.watching import Paths, Watched, is_plain

_VERBS = {Verb.CALL: "call", Verb.READ: "read", Verb.SET: "set", Verb.ERASE: "erase", Verb.DECORATE: "decorate"}
_VERBS |= {Verb.ENTER: "enter", Verb.ITERATE: "iterate", Verb.OPERATE: "call"}
_ENTERING = (".__enter__", ".__exit__", ".__aenter__", ".__aexit__")
_NONE = frozenset[str]()
_UNSEEN = frozenset("?")
_OF_PARAMETER = re.compile(r"@[^:]*:\$")


class Reader:
    """Makes the uses of one module."""

    def __init__(self, row: Provenance, names: Names, origins: Origins) -> None:
        self.row, self.names, self.origins = row, names, origins
        self.path = names.modules[row.module].path
        self._never: list[bool] | None = None
        self._main = _main_only(row.conditions, row.guards)

    def of(self, watched: Watched, *, through: bool = False, handed: bool = True) -> Iterator[tuple[Use, str]]:
        """Yield the uses that reach something watched; with `through`, or come by it (`Uses.of`)."""
        hits = watched.reached(self._paths)
        ways = self._come_by(watched, handed=handed) if through else {}
        own = {at: found | ways.get(use.value, _NONE) for at, use, found in self._changed(watched)}
        own.update((at, watched.among(map(self.origins.canonical, of))) for at, of in self._operated(watched))
        entries = ((at, use) for at, use in enumerate(self.row.uses) if use.verb == Verb.ENTER) if hits else ()
        own.update((at, _entered(hits.get(use.value, _NONE))) for at, use in entries)
        every = {at: hits.get(at, _NONE) | ways.get(at, _NONE) for at in hits.keys() | ways.keys()}
        if through:
            rows = self.row.uses
            own.update((at, own.get(at, every.get(rows[at].value, _NONE)) | names) for at, names in self._by(watched))
        if every or any(own.values()):
            told = ((use, own.get(at, every.get(use.value, _NONE))) for at, use in enumerate(self.row.uses))
            found = [pair for use, names in told for pair in self._reaching(use, every, names, through=through)]
            yield from sorted(found, key=lambda pair: (*by_place(pair[0]), pair[0].verb, pair[1]))

    def _changed(self, watched: Watched) -> Iterator[tuple[int, UseRow, Set[str]]]:
        """Yield the uses that change an attribute, and what is watched of what they change."""
        for at, use, paths, is_of_others in self._changes:
            yield at, use, watched.among(paths) | ({CHANGES} & watched.names if is_of_others else _NONE)

    @cached_property
    def _changes(self) -> tuple[tuple[int, UseRow, frozenset[str], bool], ...]:
        """The uses that change an attribute, with its paths, and whether it may be one of something outside."""
        uses = ((at, use, self._origins_of(use)) for at, use in enumerate(self.row.uses) if _is_change(use))
        canonical = self.origins.canonical
        return tuple((at, use, frozenset(map(canonical, of)), any(map(is_outside, of))) for at, use, of in uses)

    def _by(self, watched: Watched) -> Iterator[tuple[int, Set[str]]]:
        """Yield the uses that are written by a variable of the module itself, and what is watched of that."""
        if watched.tops & self.origins.tops:
            written = ((at, f"{self.row.module}.{use.by}") for at, use in enumerate(self.row.uses) if use.by)
            yield from ((at, found) for at, path in written if (found := watched.among((path,))))

    def _operated(self, watched: Watched) -> Iterator[tuple[int, frozenset[str]]]:
        """Yield the methods that operators call; none but the codebase's own are told."""
        if watched.tops & self.origins.tops:
            yield from self._operations

    @cached_property
    def _operations(self) -> tuple[tuple[int, frozenset[str]], ...]:
        uses = ((at, self._origins_of(use)) for at, use in enumerate(self.row.uses) if use.verb == Verb.OPERATE)
        return tuple((at, of) for at, of in uses if of)

    @cached_property
    def _paths(self) -> Paths:
        """What all values that are asked about stand for."""
        resolve, module, values = self.origins.resolve, self.row.module, self.row.values
        canonical = self.origins.canonical
        return Paths((canonical(origin), at) for at in self._asked for origin in resolve(module, values[at]))

    def _ways(self) -> Iterator[tuple[int, frozenset[str]]]:
        """Yield what all of them come by."""
        return ((at, self.origins.ways(self.row.module, self.row.values[at])) for at in self._asked)

    def _come_by(self, watched: Watched, *, handed: bool) -> Mapping[int, Set[str]]:
        """Return the values that come by something watched; without `handed`, if the code reaches for it."""
        ways = watched.come_by(self._ways())
        if handed:
            return ways
        found = dict[int, Set[str]]()
        for at in ways:
            with self.origins.noted(self.row.module):
                told = [way for atom in self.row.values[at] for way in self.origins.reached(self.row.module, atom)]
            found[at] = frozenset[str]().union(*(watched.come_to(*one) for one in told))
        return {at: names for at, names in found.items() if names}

    def reaches(self, use: UseRow, watched: Watched) -> Set[str]:
        """Return the watched names that a use reaches."""
        origins = self._origins_of(use)
        found = watched.among(map(self.origins.canonical, origins))
        if CHANGES in watched.names and _is_change(use) and any(map(is_outside, origins)):
            found.add(CHANGES)
        return _entered(found) if use.verb == Verb.ENTER else found

    @cached_property
    def _asked(self) -> frozenset[int]:
        """The values that uses are made of: what is used, and what calls are given."""
        found = {use.value for use in self.row.uses if use.verb != Verb.OPERATE}
        for use in self.row.uses:
            found.update(use.arguments, (at for _, at in use.named))
        return frozenset(found)

    def _reaching(
        self, use: UseRow, hits: Mapping[int, Set[str]], own: Set[str], *, through: bool
    ) -> Iterator[tuple[Use, str]]:
        """Yield what a use reaches, and what a call is handed."""
        given = (*use.arguments, *(at for _, at in use.named)) if use.verb == Verb.CALL else ()
        if not (own or any(at in hits for at in given)) or not self._runs(use):
            return
        call = self.use(use, through=through)
        yield from ((call, name) for name in sorted(own))
        for at in sorted(set(given)):
            if at in hits:
                origins = self.origins.resolve(self.row.module, self.row.values[at])
                handed = replace(call, verb="hand", origins=origins, given_to=call.origins)
                yield from ((handed, name) for name in sorted(hits[at]))

    def every(self) -> Iterator[Use]:
        """Yield all uses."""
        found = (self.use(use) for use in self.row.uses if self._runs(use))
        yield from sorted((use for use in found if use.origins), key=by_place)

    def _runs(self, use: UseRow) -> bool:
        """Say whether what stands there runs at all, and not for a type checker only."""
        if self._never is None:
            with self.origins.noted(self.row.module):
                self._never = self.names.never_runs(self.row)
        return not self._never[use.guard]

    def use(self, found: UseRow, *, through: bool = False) -> Use:
        """Return one use; with `through`, its arguments say what they come by."""
        scope = self.row.scopes[self.function_of(found.scope)]
        origins = self._origins_of(found)
        return Use(
            verb=self._verb(found, origins),
            module=self.row.module,
            origins=origins if self._is_settled(found) or not origins else origins | {"?"},
            site=self.site(found),
            function=self._function(scope),
            when="deferred" if self.function_of(found.scope) else "module",
            is_async=scope.kind == ScopeKind.ASYNC,
            is_plain=scope.kind == ScopeKind.FUNCTION and not self._is_generator(scope.atom),
            is_awaited=bool(found.bits & Bit.AWAITED),
            is_managed=bool(found.bits & Bit.MANAGED),
            is_spread=bool(found.bits & Bit.SPREAD),
            is_item=bool(found.bits & Bit.ITEM),
            is_waiting=bool(found.bits & Bit.WAITING),
            is_main_only=self._main[found.guard],
            is_returned=bool(found.bits & Bit.RETURNED),
            given_to=frozenset(),
            arguments=tuple(self._argument(at, through=through) for at in found.arguments),
            named={name: self._argument(at, through=through) for name, at in found.named},
            applied=tuple(self._application(UseRow(*one), through=through) for one in found.applied),
        )

    def _verb(self, found: UseRow, origins: frozenset[str]) -> str:
        """Return what is done: an operator calls a method, and goes through it at once where it is a generator."""
        is_gone_through = found.bits & Bit.GONE_THROUGH and all(map(self.origins.is_generator, origins))
        return "iterate" if is_gone_through else _VERBS[found.verb]

    def _function(self, scope: ScopeRow) -> str:
        is_lambda = scope.kind == ScopeKind.LAMBDA
        return f"{self.row.module}.{scope.atom[1:] if is_lambda else scope.qualname}"

    def _is_settled(self, found: UseRow) -> bool:
        """Say whether nothing writes the names by which a use comes by its value; what is a parameter's is none."""
        if self.names.is_settled(self.row.module):
            return True
        value = self.row.values[found.value]
        return all(_OF_PARAMETER.match(atom) for atom in value)

    def _application(self, found: UseRow, *, through: bool) -> Application:
        return Application(
            verb=_VERBS[found.verb],
            site=self.site(found),
            is_spread=bool(found.bits & Bit.SPREAD),
            arguments=tuple(self._argument(at, through=through) for at in found.arguments),
            named={name: self._argument(at, through=through) for name, at in found.named},
        )

    def _origins_of(self, found: UseRow) -> frozenset[str]:
        """Return what something is done with: of a change of an attribute the attribute itself."""
        origins = self.origins.resolve(self.row.module, self.row.values[found.value])
        if found.verb == Verb.OPERATE:
            called = frozenset(filter(self.origins.is_function, origins))
            return called | (origins - called and _UNSEEN) if called else called
        if not _is_change(found):
            return origins
        ((name, _),) = found.named
        return frozenset(_below(origin, name, self.names) for origin in origins)

    def site(self, found: UseRow) -> Site:
        """Return where a use stands."""
        return Site(self.path, *found.place, self.row.scopes[found.scope].qualname)

    def happens(self, found: UseRow) -> bool:
        """Say whether a use happens when what it stands in runs because of an import."""
        return self._runs(found) and not self._main[found.guard] and not found.bits & Bit.WAITING

    def _is_generator(self, atom: str) -> bool:
        found = self.row.functions.get(atom)
        return found is not None and bool(found.marks & Trait.GENERATOR)

    def function_of(self, scope: int) -> int:
        """Return the function that runs a scope, which may be a class body; 0 for module code."""
        found = self.row.scopes[scope]
        return found.parent if found.kind == ScopeKind.CLASS else scope

    def _argument(self, at: int, *, through: bool) -> Argument:
        module, value = self.row.module, self.row.values[at]
        held = tuple(atom.removeprefix("*") for atom in value) if any(atom[0] == "*" for atom in value) else ()
        return Argument(
            self.origins.resolve(module, value),
            self.origins.resolve(module, held) if held else frozenset(),
            frozenset(filter(is_plain, self.origins.ways(module, value))) if through else frozenset(),
        )


def _entered(names: Set[str]) -> Set[str]:
    """Return the names of methods: what is entered is itself told by the call or name that stands there."""
    return {name for name in names if name.endswith(_ENTERING)}


def _is_change(use: UseRow) -> bool:
    """Say whether an attribute is set or erased."""
    return use.verb in (Verb.SET, Verb.ERASE) and not use.bits & Bit.ITEM


def _below(origin: str, name: str, names: Names) -> str:
    """Return the attribute of an origin itself, not what it holds."""
    if origin[0] in "?'#":
        return "?"
    return f"{origin}:{name}" if origin in names.modules else f"{origin}.{name}"


def _main_only(conditions: tuple[Condition, ...], guards: tuple[Guard, ...]) -> list[bool]:
    """Say for each guard whether what it holds runs only where the file is run."""
    asks = [(False, False)]  # whether the file is run where the condition holds, and where it does not
    for one in conditions[1:]:
        asks.append(_asks_for_main(one.op, [asks[part] for part in one.parts]))
    found = [False]
    for guard in guards[1:]:
        found.append(found[guard.outer] or asks[guard.condition][guard.negated])
    return found


def _asks_for_main(op: str, parts: list[tuple[bool, bool]]) -> tuple[bool, bool]:
    """Say whether the file is run where a condition of such parts holds, and where it does not."""
    holds, fails = [part[0] for part in parts], [part[1] for part in parts]
    if op == "not":
        return fails[0], holds[0]
    if op == "and":
        return any(holds), all(fails)
    return (all(holds), any(fails)) if op == "or" else (op == "main", False)
