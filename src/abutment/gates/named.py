"""Which things of the code does a gate's configuration name, and is there each of them?"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from abutment.facts.named import defined, is_function, members, names_below
from abutment.model.fault import Fault
from abutment.model.likeness import alike
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import canonical

_DOTTED = re.compile(r"\w+(\(\))*(\.\w+(\(\))*)*")  # `psycopg2.connect().cursor` is what a function gives


@dataclass(frozen=True, slots=True)
class Named:
    """One dotted name, and where it is written."""

    name: str
    key: str  # "locators.rules[0].names[1]"
    site: Site


def read_named(reader: TableReader, key: str, *, least: int = 0, starred: bool = False) -> tuple[Named, ...]:
    """Return the dotted names of a list; what is there twice, or could never be found, is a fault.

    Where `starred`, `a.b.*` is everything right below `a.b`.
    """
    found: dict[str, Named] = {}
    for index, name in enumerate(reader.texts(key, None if least else (), least=least)):
        if name in found:
            reader.fault((key, index), f"{name!r} is there twice")
        found[name] = _named(reader, name, key, index, starred=starred)
    return tuple(found.values())


def read_name(reader: TableReader, key: str) -> Named:
    """Return the dotted name that stands there alone."""
    return _named(reader, reader.text(key), key)


def _named(reader: TableReader, name: str, *below: str | int, starred: bool = False) -> Named:
    bare, known = name.removesuffix(".*"), canonical(name)
    if name in vars(builtins):  # nothing would ever be found under it
        reader.fault(below, f"{name!r} is a builtin", f"Write 'builtins.{name}'.")
    elif name and not _DOTTED.fullmatch(bare if starred else name):
        is_star = bare != name and _DOTTED.fullmatch(bare)
        remedy = f"Write {bare!r}, which is that and everything below it." if is_star else ""
        reader.fault(below, f"{name!r} is no dotted name", remedy)
    elif known != name:
        reader.fault(below, f"{name!r} is known by its class", f"Write {known!r}.")
    return placed(reader, name, *below)


def read_members(reader: TableReader, key: str, default: Iterable[str]) -> tuple[Named, ...]:
    """Return the names of methods in a list, each with its place; the default ones stand where the table does."""
    if key not in reader:
        reader.texts(key, ())
        return tuple(Named(name, reader.name(), Site(reader.document, reader.line())) for name in default)
    texts = reader.texts(key, least=1)
    return tuple(placed(reader, name, key, index) for index, name in enumerate(texts))


def read_word(reader: TableReader, key: str, default: str) -> Named:
    """Return the name that stands there alone, such as a parameter's."""
    return placed(reader, reader.text(key, default), key)


def placed(reader: TableReader, name: str, *below: str | int) -> Named:
    """Return a name that was read at a place below a table."""
    return Named(name, reader.name(*below), Site(reader.document, reader.line(*below)))


def names_of(named: Iterable[Named]) -> tuple[str, ...]:
    """Return the names alone."""
    return tuple(one.name for one in named)


def variables(program: Program, named: Iterable[Named]) -> Iterator[Fault]:
    """Yield a fault for each name whose uses go by another one: a variable, or a method that a class inherits.

    For those who watch what things are. Who watches by which names code comes there (`through`) finds a variable, too.
    """
    for one in named:
        name = (defined(program, one.name) or "").removesuffix(".*")
        held = sorted(map(canonical, program.uses.origins_of(name)))
        if held and name not in held:
            known = " or ".join(path for path in held if all(map(str.isidentifier, path.split("."))))
            message = f"{one.key}: {name} is never seen under that name."
            remedy = f"Name what it is: {known}." if known else "Name a function or a class."
            yield Fault(one.site.path, one.site.line, message, remedy)


def missing(program: Program, named: Iterable[Named]) -> Iterator[Fault]:
    """Yield a fault for each name of this codebase under which nothing stands: it is misspelt, or gone."""
    for one in named:
        if defined(program, one.name) is None:
            message = f"{one.key}: the code defines no {one.name}."
            owner = one.name.removesuffix(".*").rpartition(".")[0]
            near = (f"{owner}.{name}" for name in names_below(program, owner))
            yield Fault(one.site.path, one.site.line, message, guess((one.name,), frozenset(near)))


def lacking(program: Program, owners: Iterable[str], methods: Iterable[Named]) -> Iterator[Fault]:
    """Yield a fault for each method that none of the owners has, as far as all that they have is known.

    Of methods that stand at one place, which are those nobody wrote, one has to be there.
    """
    owners = tuple(owners)
    known = [members(program, defined(program, name) or name) for name in owners]
    had = frozenset[str]().union(*(one for one in known if one is not None))
    if not known or None in known:
        return
    places: dict[tuple[str, Site], list[str]] = {}
    for one in methods:
        places.setdefault((one.key, one.site), []).append(one.name)
    for (key, site), names in places.items():
        if had.isdisjoint(names):
            told = ", ".join(owners)
            yield Fault(site.path, site.line, f"{key}: {told} has no {' or '.join(names)}.", guess(names, had))


def untaken(
    program: Program, owners: Iterable[str], methods: Iterable[str], functions: Iterable[str], keyword: Named
) -> Iterator[Fault]:
    """Yield a fault where none of the owners' methods, and none of the functions, has a parameter of that name."""
    paths = [defined(program, name) or name for name in functions]
    wanted = frozenset(methods)
    for name in owners:
        owner = defined(program, name) or name
        had = members(program, owner)
        if had is None:
            return
        paths += (f"{owner}.{method}" for method in sorted(had & wanted))
    taken = [program.uses.parameters_of(path) for path in paths]
    known = [one for one in taken if one is not None and not one.takes_others and keyword.name not in one.names]
    if known and len(known) == len(taken):
        names = frozenset[str]().union(*(one.names for one in known))
        message = f"{keyword.key}: none of {', '.join(paths)} takes {keyword.name}."
        yield Fault(keyword.site.path, keyword.site.line, message, guess((keyword.name,), names))


def no_classes(program: Program, named: Iterable[Named]) -> Iterator[Fault]:
    """Yield a fault for each name that is a function or a module, where a class is asked for."""
    for one in named:
        name = defined(program, one.name) or ""
        kind = "a module" if name in program.modules else "a function" if is_function(program, name) else ""
        if kind:
            yield Fault(one.site.path, one.site.line, f"{one.key}: {one.name} is {kind}.", "Name a class.")


def guess(names: Iterable[str], known: Collection[str]) -> str:
    """Return what to do with names that are wrong: which of the known ones may be meant."""
    near = [match for name in names for match in alike(name, known, 1)]
    return f"Did you mean {' or '.join(near)}?" if near else "Correct or delete it."
