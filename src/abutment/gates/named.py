"""Which things of the code does a gate's configuration name, and is there each of them?"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from abutment.facts.named import defined
from abutment.model.fault import Fault
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import canonical


@dataclass(frozen=True, slots=True)
class Named:
    """One dotted name, and where it is written."""

    name: str
    key: str  # "locators.rules[0].names[1]"
    site: Site


def read_named(reader: TableReader, key: str, *, least: int = 0) -> tuple[Named, ...]:
    """Return the dotted names of a list; one that is there twice is a fault, as is a bare builtin."""
    found: dict[str, Named] = {}
    for index, name in enumerate(reader.texts(key, None if least else (), least=least)):
        if name in found:
            reader.fault((key, index), f"{name!r} is there twice")
        found[name] = _named(reader, name, key, index)
    return tuple(found.values())


def read_name(reader: TableReader, key: str) -> Named:
    """Return the dotted name that stands there alone."""
    return _named(reader, reader.text(key), key)


def _named(reader: TableReader, name: str, *below: str | int) -> Named:
    if name in vars(builtins):  # nothing would ever be found under it
        reader.fault(below, f"{name!r} is a builtin", f"Write 'builtins.{name}'.")
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
            yield Fault(one.site.path, one.site.line, message, "Correct or delete it.")
