"""What does the code do with the things it names: which call, read or change reaches what, and in which context?

A scanner says what it watches (`Uses.of`) and is handed the uses that match; it never follows a name itself.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

from abutment.model.site import Site

# A run that finds its answers on the shelf needs nothing of what works them out.
if TYPE_CHECKING:
    from abutment.semantics.names import Names
    from abutment.semantics.origins import Origins
    from abutment.semantics.provenance import Provenance
    from abutment.semantics.reader import Reader

# What is told beside the call or name that stands there.
ASIDE = frozenset(("hand", "enter", "iterate"))
# Watched, this name stands for each attribute of something outside of the codebase that is set.
CHANGES = "="
# What makes an instance: a class by its capital letter, and those of the standard library that have none.
_INSTANCE = re.compile(
    r"((?:^|[.:])_*[A-Z]\w*|^socket\.socket|^datetime\.[a-z]+|^collections\.(?:deque|defaultdict))\(\)"
)

_WITHIN = re.compile(r"[:(\[]|^None\.")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call."""

    origins: frozenset[str]  # what it may be; `?` among them where there is more than can be seen
    held: frozenset[str] = frozenset()  # where it is a list, tuple, set or table written down: what its elements may be
    by: frozenset[str] = frozenset()  # the variables and attributes of the codebase that it comes by, where asked for

    @property
    def text(self) -> str | None:
        """The text that it certainly is; None where it is none, or not certain."""
        (one, *others) = self.origins
        return one[1:] if not others and one.startswith("'") else None


@dataclass(frozen=True, slots=True)
class Application:
    """One place where what a call gave is called in turn, or decorates something."""

    verb: str  # "call", "decorate"
    site: Site
    is_spread: bool
    arguments: tuple[Argument, ...]  # of a decorator: what it decorates
    named: Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class Use:
    """One place where something is done with a value."""

    verb: str  # "call", "read", "set", "erase", "decorate"; "hand": a call is given it; "enter", "iterate"
    module: str
    origins: frozenset[str]  # what it may be done with; exactly one and no `?` is certain
    site: Site
    function: str  # dotted, the function that runs it; the second lambda of one ends in `#2`
    when: str  # "module": while the module is imported; "deferred": in a function
    is_async: bool  # it stands in an `async def` itself, not in a function or lambda inside
    is_plain: bool  # a call of the `def` that it stands in runs it: no generator
    is_awaited: bool
    is_managed: bool  # a `with` enters it
    is_spread: bool  # it is called with `*` or `**`
    is_item: bool  # an item is set or erased, not an attribute
    is_waiting: bool  # it stands in a generator expression that is only kept, and runs when somebody asks for more
    is_main_only: bool  # it runs only where the file is run, not where it is imported
    is_returned: bool  # the function that it stands in gives back what the call gives
    given_to: frozenset[str]  # of what a call is handed: what may be called
    arguments: tuple[Argument, ...]
    named: Mapping[str, Argument]
    applied: tuple[Application, ...]  # where what the call gives is certainly called in turn

    @property
    def is_certain(self) -> bool:
        """Whether there is one origin only, on every path."""
        return len(self.origins) == 1 and "?" not in self.origins

    def argument(self, name: str, position: int = -1) -> Argument | None:
        """Return what a call is given by that name, or else at that position (0 is the first one).

        None where nothing is written there; behind a star (`is_spread`) it may be given all the same.
        """
        by_position = self.arguments[position] if 0 <= position < len(self.arguments) else None
        return self.named.get(name, by_position)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function of this codebase."""

    function: str  # dotted
    module: str  # in which the call stands
    site: Site


@dataclass(frozen=True, slots=True)
class Running:
    """One use that importing a module brings about."""

    use: Use
    name: str  # the watched one
    calls: tuple[Call, ...]  # by which the module's code comes there, the first of them its own; () at once

    @property
    def start(self) -> Site:
        """The place in the imported module's own code."""
        return self.calls[0].site if self.calls else self.use.site

    @property
    def module(self) -> str:
        """The imported module."""
        return self.calls[0].module if self.calls else self.use.module


@dataclass(frozen=True, slots=True)
class ClassNames:
    """The names that a class has, those of its bases in this codebase included."""

    data: frozenset[str]  # values; of an enum, its members
    definitions: frozenset[str]  # methods and classes
    is_open: bool  # whether it may have others


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a function of this codebase may be given by name."""

    names: frozenset[str]
    takes_others: bool  # `**kwargs`


def canonical(origin: str) -> str:
    """Return an origin as people write it: what an instance has is named by its class.

    `requests.Session().get` is `requests.Session.get`; `pkg.mod:C().m` is `pkg.mod.C.m`. A class is known by its
    capital letter (PEP 8): what a function's result has stays apart (`requests.get().json`).
    """
    return _INSTANCE.sub(r"\1", origin).replace(":", ".")


def is_outside(origin: str) -> bool:
    """Say whether an origin is what a module outside of the codebase has, not something that a call gave."""
    return origin.partition(".")[0].isidentifier() and not _WITHIN.search(origin)


def used_itself(use: Use) -> frozenset[str]:
    """Return the canonical names of what something is done with, but for instances: to call one is to make none."""
    return frozenset(canonical(origin) for origin in use.origins if not origin.endswith("()"))


_PARTS = ("origins", "site", "arguments", "named", "applied")
_PLAIN = tuple(one.name for one in fields(Use) if one.name not in _PARTS)


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
        self._readers: dict[str, Reader] | None = None
        self._origins: Origins | None = None
        self._limited: set[str] = set()

    @property
    def limited(self) -> frozenset[str]:
        """The modules in which something led too far to be answered in full, among those that were asked about."""
        return frozenset(self._limited)

    def of(self, watched: Collection[str], *, through: bool = False) -> tuple[tuple[Use, str], ...]:
        """Return each use that reaches something watched, with the watched name, by path, line and column.

        A watched name is a dotted path: of a module, a definition, or an attribute of one. It matches itself and
        everything below it; the longest one counts. A use that may reach several things is there once for each, and
        a call once more for what it is handed (`hand`).

        With `through`, a variable or an attribute of this codebase may be watched as well: whatever it holds, a use
        that comes by it is there, up to the first call or item, and one that comes by just `m.make().run`, where that
        is watched. Arguments then say what they come by.
        """
        names = frozenset(watched)
        rows = self._answer(
            ("of", "through" if through else "", *sorted(names)),
            lambda: [_packed(*pair) for pair in self._reaching(names, through)],
        )
        return tuple(map(_unpacked, rows))

    def at_import(self, watched: Collection[str], *, not_through: Collection[str] = ()) -> tuple[Running, ...]:
        """Return each use that reaches something watched and runs when a module is imported, by module and place.

        It stands in the module's own code, or in a function of this codebase that this code calls, however deep; the
        functions `not_through` are not looked into.
        """
        names, closed = frozenset(watched), frozenset(not_through)
        rows = self._answer(
            ("at_import", *sorted(names), "", *sorted(closed)),
            lambda: [_packed_running(one) for one in self._run(names, closed)],
        )
        return tuple(map(_unpacked_running, rows))

    def subclasses(self, classes: Collection[str]) -> Mapping[str, str]:
        """Return each class of this codebase that has one of the classes above it, with the nearest one."""
        names = frozenset(classes)
        rows = self._answer(("subclasses", *sorted(names)), lambda: list(self._below(names)))
        return dict(rows)

    def _answer(self, question: tuple[str, ...], work_out: Callable[[], list[Any]]) -> list[Any]:
        """Return the answer to a question as plain values: from the shelf, or worked out and put there."""
        key = hashlib.blake2b("\0".join(question).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        stored = self._shelf.get(key) if self._shelf is not None else None
        if stored is not None:
            limited, rows = marshal.loads(stored)
        else:
            rows = work_out()
            limited = sorted(self._origins.limited) if self._origins is not None else []
            if self._shelf is not None:
                self._shelf.put(key, marshal.dumps((limited, rows)))
        self._limited.update(limited)
        found: list[Any] = rows
        return found

    def _reaching(self, names: frozenset[str], through: bool) -> Iterator[tuple[Use, str]]:
        from abutment.semantics.reader import Watched

        watched = Watched(names)
        for reader in self._all().values():
            yield from reader.of(watched, through=through)

    def _run(self, names: frozenset[str], closed: frozenset[str]) -> Iterator[Running]:
        readers = self._all()
        if self._origins is not None:
            from abutment.semantics.reader import Watched
            from abutment.semantics.running import Importing

            importing = Importing(readers, self._origins, Watched(names), closed)
            for module in readers:
                yield from importing.of(module)

    def _below(self, names: frozenset[str]) -> Iterator[tuple[str, str]]:
        self._all()
        if self._origins is None:
            return
        for module, row in sorted(self._origins.provenances.items()):
            for atom in row.classes:
                above = self._origins.hierarchy.ancestry((module, atom)).classes[1:]
                paths = (canonical(f"{one}:{path[1:].partition('#')[0]}" if one else path) for one, path in above)
                nearest = next((path for path in paths if path in names), None)
                if nearest is not None:
                    yield canonical(f"{module}:{atom[1:].partition('#')[0]}"), nearest

    def names_in(self, path: str) -> ClassNames | None:
        """Return what a class of this codebase has, by its dotted path; None where the path leads to no such class."""
        rows = self._answer(("names", path), lambda: self._names_in(path))
        return ClassNames(frozenset(rows[0]), frozenset(rows[1]), rows[2]) if rows else None

    def _names_in(self, path: str) -> list[Any]:
        self._all()
        found = self._origins.names_in(path) if self._origins is not None else None
        return [] if found is None else [sorted(found.data), sorted(found.definitions), found.is_open]

    def parameters_of(self, path: str) -> Parameters | None:
        """Return what a function of this codebase may be given by name, by its dotted path; None where nobody knows."""
        rows = self._answer(("parameters", path), lambda: self._parameters_of(path))
        return Parameters(frozenset(rows[0]), rows[1]) if rows else None

    def _parameters_of(self, path: str) -> list[Any]:
        self._all()
        found = self._origins.parameters_of(path) if self._origins is not None else None
        return [] if found is None else [sorted(found.names), found.takes_others]

    def origins_of(self, path: str) -> frozenset[str]:
        """Return what a dotted path into this codebase may stand for; nothing for what lies outside."""
        rows = self._answer(("origins", path), lambda: self._origins_of(path))
        return frozenset(rows)

    def _origins_of(self, path: str) -> list[str]:
        self._all()
        return sorted(self._origins.origins_of(path)) if self._origins is not None else []

    def definitions(self, module: str) -> frozenset[str]:
        """Return the qualnames of the functions and classes that a module of this codebase defines."""
        return frozenset(self._answer(("definitions", module), lambda: self._definitions(module)))

    def _definitions(self, module: str) -> list[Any]:
        from abutment.semantics.outline import ScopeKind

        reader = self._all().get(module)
        named = (ScopeKind.FUNCTION, ScopeKind.ASYNC, ScopeKind.CLASS)
        return [] if reader is None else sorted({one.qualname for one in reader.row.scopes if one.kind in named})

    def writers_of(self, module: str) -> tuple[str, ...]:
        """Return the modules by which names of a module are written by other means than its own statements.

        Where there is one, nothing in that module is certain.
        """
        return tuple(self._answer(("writers", module), lambda: self._writers_of(module)))

    def _writers_of(self, module: str) -> list[str]:
        reader = self._all().get(module)
        if reader is None or reader.names.is_settled(module):
            return []
        return sorted(reader.names.writers_of(module))

    def every(self, module: str) -> Iterator[Use]:
        """Yield all uses of one module, in order."""
        reader = self._all().get(module)
        if reader is not None:
            yield from reader.every()

    def _all(self) -> Mapping[str, Reader]:
        """Return a reader for each module, by path."""
        if self._readers is None:
            self._readers = {}
            known = self._load()
            if known is not None:
                from abutment.semantics.origins import Origins
                from abutment.semantics.reader import Reader

                names, origins = known.names, Origins(known.names, known.provenances)
                self._origins = origins
                origins.limited.update(row.module for row in known.provenances.values() if row.is_limited)
                rows = sorted(known.provenances.values(), key=lambda row: names.modules[row.module].path)
                self._readers = {row.module: Reader(row, names, origins) for row in rows}
        return self._readers


def _packed(use: Use, name: str) -> tuple[Any, ...]:
    """Return a use as plain values, for `marshal`."""
    applied = [(one.verb, _place(one.site), one.is_spread, *_packed_arguments(one)) for one in use.applied]
    plain = (getattr(use, field) for field in _PLAIN)
    return (*plain, sorted(use.origins), _place(use.site), *_packed_arguments(use), applied, name)


def _place(site: Site) -> tuple[Any, ...]:
    return (site.path, site.line, site.column, site.end_line, site.end_column, site.scope)


def _packed_arguments(one: Use | Application) -> tuple[Any, Any]:
    return [_parts(given) for given in one.arguments], [(key, _parts(given)) for key, given in one.named.items()]


def _parts(given: Argument) -> tuple[list[str], list[str], list[str]]:
    return sorted(given.origins), sorted(given.held), sorted(given.by)


def _unpacked(row: tuple[Any, ...]) -> tuple[Use, str]:
    *plain, origins, place, given, named, applied, name = row
    use = Use(
        **dict(zip(_PLAIN, plain, strict=True)),
        origins=frozenset(origins),
        site=Site(*place),
        arguments=_arguments(given),
        named=dict(zip((key for key, _ in named), _arguments(one for _, one in named), strict=True)),
        applied=tuple(_application(*one) for one in applied),
    )
    return use, name


def _packed_running(one: Running) -> tuple[Any, ...]:
    return (_packed(one.use, one.name), [(call.function, call.module, _place(call.site)) for call in one.calls])


def _unpacked_running(row: tuple[Any, ...]) -> Running:
    use, name = _unpacked(row[0])
    return Running(use, name, tuple(Call(function, module, Site(*place)) for function, module, place in row[1]))


def _application(verb: str, place: Any, is_spread: bool, given: Any, named: Any) -> Application:
    by_name = dict(zip((key for key, _ in named), _arguments(one for _, one in named), strict=True))
    return Application(verb, Site(*place), is_spread, _arguments(given), by_name)


def _arguments(given: Iterable[Any]) -> tuple[Argument, ...]:
    return tuple(Argument(*map(frozenset, one)) for one in given)


def by_place(use: Use) -> tuple[int, int, int, int]:
    """Return what a module's uses are ordered by."""
    return (use.site.line, use.site.column, use.site.end_line, use.site.end_column)
