"""What does the code do with the things it names: which call, read or change reaches what, and in which context?

A scanner says what it watches (`Uses.of`) and is handed the uses that match; it never follows a name itself.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from abutment.model.site import Site

# A run that finds its answers on the shelf needs nothing of what works them out.
if TYPE_CHECKING:
    from abutment.semantics.asking import Asking
    from abutment.semantics.names import Names
    from abutment.semantics.provenance import Provenance
    from abutment.semantics.reuse import Past

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

    @property
    def known(self) -> frozenset[str]:
        """All of them that can be seen."""
        return self.data | self.definitions

    def lacks(self, name: str) -> bool:
        """Say whether it certainly has nothing of that name."""
        return not self.is_open and name not in self.known


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
    made = _INSTANCE.sub(r"\1", origin) if "()" in origin else origin
    return made.replace(":", ".")


def is_outside(origin: str) -> bool:
    """Say whether an origin is what a module outside of the codebase has, not something that a call gave."""
    return origin.partition(".")[0].isidentifier() and not _WITHIN.search(origin)


def used_itself(use: Use) -> frozenset[str]:
    """Return the canonical names of what something is done with, but for instances: to call one is to make none."""
    return frozenset(canonical(origin) for origin in use.origins if not origin.endswith("()"))


def by_place(use: Use) -> tuple[int, int, int, int]:
    """Return what a module's uses are ordered by."""
    return (use.site.line, use.site.column, use.site.end_line, use.site.end_column)


_PARTS = ("origins", "site", "arguments", "named", "applied")
_PLAIN = tuple(one.name for one in fields(Use) if one.name not in _PARTS)


def packed_use(use: Use, name: str) -> tuple[Any, ...]:
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


def unpacked_use(row: tuple[Any, ...]) -> tuple[Use, str]:
    """Return what `packed_use` gave."""
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


def packed_running(one: Running) -> tuple[Any, ...]:
    """Return a use that an import brings about as plain values."""
    return (packed_use(one.use, one.name), [(call.function, call.module, _place(call.site)) for call in one.calls])


def unpacked_running(row: tuple[Any, ...]) -> Running:
    """Return what `packed_running` gave."""
    use, name = unpacked_use(row[0])
    return Running(use, name, tuple(Call(function, module, Site(*place)) for function, module, place in row[1]))


def _application(verb: str, place: Any, is_spread: bool, given: Any, named: Any) -> Application:
    by_name = dict(zip((key for key, _ in named), _arguments(one for _, one in named), strict=True))
    return Application(verb, Site(*place), is_spread, _arguments(given), by_name)


def _arguments(given: Iterable[Any]) -> tuple[Argument, ...]:
    return tuple(Argument(*map(frozenset, one)) for one in given)


@dataclass(frozen=True, slots=True)
class Known:
    """All that uses are told from: names across modules, and each file's own definitions and uses."""

    names: Names
    provenances: Mapping[str, Provenance]


ByModule = dict[str, list[Any]]  # plain rows of an answer, by the module that they tell of


class Shelf(Protocol):
    """Where answers are kept from one run to the next."""

    def get(self, question: bytes) -> bytes | None:
        """Return an answer about the same code; None where it is not known."""
        ...

    def past(self) -> Past | None:
        """Return what an earlier run found out about this code, or about what it was before an edit."""
        ...

    def keep(self, answers: Mapping[bytes, bytes]) -> None:
        """Keep these answers about the code beside those that are kept."""
        ...


class Uses:
    """All uses of one codebase, worked out when somebody asks."""

    def __init__(self, load: Callable[[], Known | None], shelf: Shelf | None = None) -> None:
        self._load, self._shelf = load, shelf
        self._fresh: dict[bytes, bytes] = {}
        self._limited: set[str] = set()

    @cached_property
    def _asking(self) -> Asking:
        from abutment.semantics.asking import Asking

        return Asking(self._load(), self._shelf.past() if self._shelf is not None else None)

    @property
    def limited(self) -> frozenset[str]:
        """The modules in which something led too far to be answered in full, among those that were asked about."""
        return frozenset(self._limited)

    def of(
        self, watched: Collection[str], *, through: bool = False, handed: bool = True
    ) -> tuple[tuple[Use, str], ...]:
        """Return each use that reaches something watched, with the watched name, by path, line and column.

        A watched name is a dotted path: of a module, a definition, or an attribute of one. It matches itself and
        everything below it; the longest one counts. A use that may reach several things is there once for each, and
        a call once more for what it is handed (`hand`).

        With `through`, a variable or an attribute of this codebase may be watched as well: whatever it holds, a use
        that comes by it is there, up to the first call or item, and one that comes by just `m.make().run`, where that
        is watched. Arguments then say what they come by. Without `handed`, that is left out where it is come by only
        because somebody else has put it there (`reaching.py`).
        """
        names = frozenset(watched)
        if not names:
            return ()
        rows = self._answer(
            ("of", f"{'through' if through else ''}{'' if handed else ' reached'}", *sorted(names)),
            lambda key: self._asking.reaching(key, names, through=through, handed=handed),
        )
        return tuple(map(unpacked_use, rows))

    def at_import(self, watched: Collection[str], *, not_through: Collection[str] = ()) -> tuple[Running, ...]:
        """Return each use that reaches something watched and runs when a module is imported, by module and place.

        It stands in the module's own code, or in a function of this codebase that this code calls, however deep; the
        functions `not_through` are not looked into.
        """
        names, closed = frozenset(watched), frozenset(not_through)
        rows = self._answer(
            ("at_import", *sorted(names), "", *sorted(closed)),
            lambda key: self._asking.running(key, names, not_through=closed),
        )
        return tuple(map(unpacked_running, rows))

    def subclasses(self, classes: Collection[str]) -> Mapping[str, str]:
        """Return each class of this codebase that has one of the classes above it, with the nearest one."""
        names = frozenset(classes)
        if not names:
            return {}
        return dict(self._answer(("subclasses", *sorted(names)), lambda key: self._asking.below(key, names)))

    def names_in(self, path: str) -> ClassNames | None:
        """Return what a class of this codebase has, by its dotted path; None where the path leads to no such class."""
        rows = self._answer(("names", path), lambda _: self._asking.names_in(path))
        return ClassNames(frozenset(rows[0]), frozenset(rows[1]), rows[2]) if rows else None

    def parameters_of(self, path: str) -> Parameters | None:
        """Return what a function of this codebase may be given by name, by its dotted path; None where nobody knows."""
        rows = self._answer(("parameters", path), lambda _: self._asking.parameters_of(path))
        return Parameters(frozenset(rows[0]), rows[1]) if rows else None

    def origins_of(self, path: str) -> frozenset[str]:
        """Return what a dotted path into this codebase may stand for; nothing for what lies outside."""
        return frozenset(self._answer(("origins", path), lambda _: self._asking.origins_of(path)))

    def definitions(self, module: str) -> frozenset[str]:
        """Return the qualnames of the functions and classes that a module of this codebase defines."""
        return frozenset(self._answer(("definitions", module), lambda _: self._asking.definitions(module)))

    def writers_of(self, module: str) -> tuple[str, ...]:
        """Return the modules by which names of a module are written by other means than its own statements.

        Where there is one, nothing in that module is certain.
        """
        return tuple(self._answer(("writers", module), lambda _: self._asking.writers_of(module)))

    def every(self, module: str) -> Iterator[Use]:
        """Yield all uses of one module, in order."""
        yield from self._asking.every(module)

    def keep(self) -> None:
        """Keep the answers that were worked out for the next run, with what they depend on."""
        if self._fresh and self._shelf is not None:
            self._shelf.keep({**self._fresh, **self._asking.looked()})
            self._fresh = {}

    def _answer(self, question: tuple[str, ...], work_out: Callable[[bytes], ByModule]) -> list[Any]:
        """Return the answer to a question as plain values: as it was kept, or worked out."""
        key = hashlib.blake2b("\0".join(question).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        stored = self._fresh.get(key) or (self._shelf.get(key) if self._shelf is not None else None)
        if stored is None:
            rows = work_out(key)
            stored = self._fresh[key] = marshal.dumps((sorted(self._asking.limited), rows))
        limited, by_module = marshal.loads(stored)
        self._limited.update(limited)
        return [row for found in by_module.values() for row in found]
