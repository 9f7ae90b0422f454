"""What does the code do with the things it names: which call, read or change reaches what, and in which context?

A scanner says what it watches (`Uses.of`) and is handed the uses that match; it never follows a name itself.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from abutment.model.site import Site
from abutment.semantics.meaning import Condition, Guard, Meaning
from abutment.semantics.names import Names
from abutment.semantics.origins import Origins
from abutment.semantics.outline import ScopeKind
from abutment.semantics.provenance import Bit, Provenance, Trait, UseRow, Verb

_VERBS = {Verb.CALL: "call", Verb.READ: "read", Verb.SET: "set", Verb.ERASE: "erase", Verb.DECORATE: "decorate"}
# What makes an instance: a class by its capital letter, and a class of the standard library that has none.
_INSTANCE = re.compile(r"((?:^|[.:])_*[A-Z]\w*|^socket\.socket)\(\)")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call."""

    origins: frozenset[str]  # what it may be; `?` among them where there is more than can be seen

    @property
    def text(self) -> str | None:
        """The text that it certainly is; None where it is none, or not certain."""
        (one, *others) = self.origins
        return one[1:] if not others and one.startswith("'") else None


@dataclass(frozen=True, slots=True)
class Use:
    """One place where something is done with a value."""

    verb: str  # "call", "read", "set", "erase", "decorate"; "hand": a call is given it as an argument
    module: str
    origins: frozenset[str]  # what it may be done with; exactly one and no `?` is certain
    site: Site
    when: str  # "module": while the module is imported; "deferred": in a function
    is_async: bool  # it stands in an `async def` itself, not in a function or lambda inside
    is_plain: bool  # it stands in a `def` itself, and a call of that function runs it: no generator
    is_awaited: bool
    is_managed: bool  # a `with` enters it
    is_spread: bool  # it is called with `*` or `**`
    is_item: bool  # an item is set or erased, not an attribute
    is_main_only: bool  # it runs only where the file is run, not where it is imported
    arguments: tuple[Argument, ...]
    named: Mapping[str, Argument]

    @property
    def is_certain(self) -> bool:
        """Whether there is one origin only, on every path."""
        return len(self.origins) == 1 and "?" not in self.origins


def canonical(origin: str) -> str:
    """Return an origin as people write it: what an instance has is named by its class.

    `requests.Session().get` is `requests.Session.get`; `pkg.mod:C().m` is `pkg.mod.C.m`. A class is known by its
    capital letter (PEP 8): what a function's result has stays apart (`requests.get().json`).
    """
    return _INSTANCE.sub(r"\1", origin).replace(":", ".")


_PLAIN = tuple(one.name for one in fields(Use) if one.name not in ("origins", "site", "arguments", "named"))


@dataclass(frozen=True, slots=True)
class Known:
    """All that uses are told from: names across modules, and each file's own definitions and uses."""

    names: Names
    provenances: Mapping[str, Provenance]


class Shelf(Protocol):
    """Where answers are kept from one run to the next, for the same code."""

    def get(self, question: bytes) -> bytes | None:
        """Return the answer; None where it is not known."""
        ...

    def put(self, question: bytes, answer: bytes) -> None:
        """Keep an answer."""
        ...


class Uses:
    """All uses of one codebase, worked out when somebody asks."""

    def __init__(self, load: Callable[[], Known | None], shelf: Shelf | None = None) -> None:
        self._load, self._shelf = load, shelf
        self._readers: dict[str, _Reader] | None = None
        self._origins: Origins | None = None
        self._limited: set[str] = set()

    @property
    def limited(self) -> frozenset[str]:
        """The modules in which something led too far to be answered in full, among those that were asked about."""
        return frozenset(self._limited)

    def of(self, watched: Collection[str]) -> tuple[tuple[Use, str], ...]:
        """Return each use that reaches something watched, with the watched name, by path, line and column.

        A watched name is a dotted path: of a module, a definition, or an attribute of one. It matches itself and
        everything below it; the longest one counts. A use that may reach several things is there once for each, and
        a call once more for what it is handed (`hand`).
        """
        question = hashlib.blake2b("\0".join(sorted(watched)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        stored = self._shelf.get(question) if self._shelf is not None else None
        if stored is not None:
            limited, rows = marshal.loads(stored)
            self._limited.update(limited)
            return tuple(map(_unpacked, rows))
        names = frozenset(watched)
        found = tuple(pair for reader in self._all().values() for pair in reader.of(names))
        limited = sorted(self._origins.limited) if self._origins is not None else []
        self._limited.update(limited)
        if self._shelf is not None:
            self._shelf.put(question, marshal.dumps((limited, [_packed(*pair) for pair in found])))
        return found

    def every(self, module: str) -> Iterator[Use]:
        """Yield all uses of one module, in order."""
        reader = self._all().get(module)
        if reader is not None:
            yield from reader.every()

    def _all(self) -> Mapping[str, _Reader]:
        """Return a reader for each module, by path."""
        if self._readers is None:
            self._readers = {}
            known = self._load()
            if known is not None:
                names, origins = known.names, Origins(known.names, known.provenances)
                self._origins = origins
                origins.limited.update(row.module for row in known.provenances.values() if row.is_limited)
                rows = sorted(known.provenances.values(), key=lambda row: names.modules[row.module].path)
                self._readers = {row.module: _Reader(row, names.meanings[row.module], names, origins) for row in rows}
        return self._readers


def _packed(use: Use, name: str) -> tuple[Any, ...]:
    """Return a use as plain values, for `marshal`."""
    given = [sorted(one.origins) for one in use.arguments]
    named = [(key, sorted(one.origins)) for key, one in use.named.items()]
    site = use.site
    place = (site.path, site.line, site.column, site.end_line, site.end_column, site.scope)
    return (*(getattr(use, field) for field in _PLAIN), sorted(use.origins), place, given, named, name)


def _unpacked(row: tuple[Any, ...]) -> tuple[Use, str]:
    *plain, origins, place, given, named, name = row
    use = Use(
        **dict(zip(_PLAIN, plain, strict=True)),
        origins=frozenset(origins),
        site=Site(*place),
        arguments=tuple(Argument(frozenset(one)) for one in given),
        named={key: Argument(frozenset(one)) for key, one in named},
    )
    return use, name


def _by_place(use: Use) -> tuple[int, int, int, int]:
    return (use.site.line, use.site.column, use.site.end_line, use.site.end_column)


def _hits(origins: frozenset[str], watched: frozenset[str]) -> set[str]:
    """Return the watched names that something of these origins reaches."""
    found: set[str] = set()
    for origin in origins:
        path = canonical(origin)
        while path and path not in watched:
            path = path.rpartition(".")[0]
        if path:
            found.add(path)
    return found


class _Reader:
    """Makes the uses of one module."""

    def __init__(self, row: Provenance, meaning: Meaning, names: Names, origins: Origins) -> None:
        self.row, self.meaning, self.names, self.origins = row, meaning, names, origins
        self.path = names.modules[row.module].path
        self._never: list[bool] | None = None
        self._main = _main_only(row.conditions, row.guards)

    def of(self, watched: frozenset[str]) -> Iterator[tuple[Use, str]]:
        """Yield the uses that reach something watched."""
        resolve, module = self.origins.resolve, self.row.module
        hits = [_hits(resolve(module, value), watched) for value in self.row.values]
        if any(hits):
            found = [pair for use in self.row.uses for pair in self._reaching(use, hits)]
            yield from sorted(found, key=lambda pair: (*_by_place(pair[0]), pair[0].verb, pair[1]))

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
        yield from sorted((self.use(use) for use in self.row.uses if self._runs(use)), key=_by_place)

    def _runs(self, use: UseRow) -> bool:
        """Say whether what stands there runs at all, and not for a type checker only."""
        if self._never is None:
            self._never = self.names.never_runs(self.meaning)
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
        return Argument(self.origins.resolve(self.row.module, self.row.values[at]))


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
