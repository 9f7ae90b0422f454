"""By which other names of its own module is an object come by: what a function gives, an attribute or a table holds?

Inside a module a variable is what it holds, so that who returns it names it no more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from abutment.facts.named import home_of
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical


def givers(program: Program, names: Collection[str], classes: Mapping[str, str]) -> Mapping[str, str]:
    """Return the dotted names that give one of the objects, or make one of the classes, with which one.

    `classes` are told with what an instance of one is one of. Objects are given by functions, by attributes of other
    objects and by tables, each of the object's own module; classes are made by their class methods.
    """
    found: dict[str, str] = {}
    for home in sorted({home_of(program, name) for name in names} - {""}):
        held = {origin: name for name in names if home_of(program, name) == home for origin in _of(program, name)}
        for name, path in _paths(program, home):
            given = _of(program, path)
            seen = given - {"?"}  # of which it is known that it is one of the objects
            if seen and given <= held.keys() and name not in names:
                found[name] = held[min(seen)]
    instances = {f"{name}()": of for name, of in classes.items()}
    for owner in classes:
        for name in _methods(program, owner):
            made = {origin.replace(":", ".") for origin in _of(program, f"{name}()")}
            if made and made <= instances.keys():
                found[name] = classes[owner]
    return found


def _of(program: Program, path: str) -> frozenset[str]:
    return program.uses.origins_of(path) - {"None"}


def _paths(program: Program, home: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a module by which something may be given, each with what has to be done with it."""
    for symbol in program.exports.get(home, ()):
        name = f"{home}.{symbol}"
        if program.origin(home, symbol) != f"{home}:{symbol}" or program.uses.names_in(name) is not None:
            continue
        yield from ((name, f"{name}()"), (name, f"{name}[]"))
        yield from ((one, one) for one in _attributes(program, name))


def _methods(program: Program, owner: str) -> Iterator[str]:
    names = program.uses.names_in(owner)
    yield from (f"{owner}.{method}" for method in (sorted(names.definitions) if names is not None else ()))


def _attributes(program: Program, name: str) -> Iterator[str]:
    """Yield the attributes of a variable that holds an instance of a class."""
    for origin in program.uses.origins_of(name):
        names = program.uses.names_in(canonical(origin)) if origin.endswith("()") else None
        if names is not None:
            yield from (f"{name}.{attribute}" for attribute in sorted(names.data))


def asked_for(program: Program, names: Collection[str]) -> Iterator[tuple[Use, str]]:
    """Yield each call of `getattr` that names one of the names, with that one: `getattr(module, "container")`."""
    wanted = frozenset(names)
    for use, _ in program.uses.of({"builtins.getattr"}) if names else ():
        if use.verb == "call" and len(use.arguments) > 1 and use.arguments[1].text is not None:
            owners = {canonical(origin) for origin in use.arguments[0].origins} | use.arguments[0].by
            for name in sorted({f"{owner}.{use.arguments[1].text}" for owner in owners} & wanted):
                yield use, name
