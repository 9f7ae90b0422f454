"""What does a dotted name in the configuration stand for in the code?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abutment.model.selector import nearest
from abutment.semantics.program import OTHERS, ModuleKind, Program
from abutment.semantics.uses import canonical


def home_of(program: Program, name: str) -> str:
    """Return the first-party module that a dotted name is, or stands in; "" for a name outside of the codebase."""
    return nearest(name, program.modules)


def names_class(path: str) -> bool:
    """Say whether a dotted path is spelt as that of a class is (PEP 8)."""
    return path.rpartition(".")[2].lstrip("_")[:1].isupper()


def defined(program: Program, name: str) -> str | None:
    """Return the dotted name under which a thing is defined, whatever address it is given by.

    Uses are found under that name alone, so a scanner that is handed another address finds nothing. What lies outside
    of the codebase is returned as it is, and so is what a module may have without anybody seeing it. None where the
    codebase certainly has no such thing. `a.b.*` is everything right below `a.b`.
    """
    if name.endswith(".*"):
        owner = defined(program, name.removesuffix(".*"))
        return owner and f"{owner}.*"
    home = home_of(program, name)
    if home in ("", name):
        return name
    symbol, dot, below = name[len(home) + 1 :].partition(".")
    origin = program.origin(home, symbol)
    if origin is None:
        return name if _may_have_others(program, home) else None
    found = origin.replace(":", ".")
    if found != f"{home}.{symbol}":
        return defined(program, f"{found}{dot}{below}")
    return None if below and _lacks(program, found, below.partition(".")[0]) else name


def settled(program: Program, names: Iterable[str]) -> Iterator[str]:
    """Yield each name as it is defined; as it is written, where there is no such thing."""
    return (defined(program, name) or name for name in names)


def holders(classes: Iterable[str], factories: Iterable[str]) -> Iterator[str]:
    """Yield what has the methods of classes, and of what factories give, as uses know it.

    What an instance has is known by its class only where that is spelt like one.
    """
    for name in classes:
        yield name
        if canonical(f"{name}()") != name:
            yield f"{name}()"
    yield from (f"{name}()" for name in factories)


def members(program: Program, owner: str) -> frozenset[str] | None:
    """Return all that a class, an instance or what a factory gives (`make()`) has; None where it may have others."""
    found = frozenset[str]()
    of_class = program.uses.names_in(owner)
    origins = (owner,) if of_class is not None else program.uses.origins_of(owner)
    for origin in origins:
        names = of_class or (program.uses.names_in(canonical(origin)) if origin.endswith("()") else None)
        if names is None or names.is_open:
            return None
        found |= names.known
    return found if origins else None


def names_below(program: Program, owner: str) -> frozenset[str]:
    """Return the names that are known right below a module or a class of this codebase."""
    if owner not in program.modules:
        names = program.uses.names_in(owner)
        return names.known if names is not None else frozenset()
    modules = (name.removeprefix(f"{owner}.") for name in program.modules if name.startswith(f"{owner}."))
    return frozenset((*program.exports.get(owner, ()), *(name for name in modules if "." not in name))) - {OTHERS}


def is_function(program: Program, name: str) -> bool:
    """Say whether a dotted name certainly is a function of this codebase."""
    paths = {canonical(origin) for origin in program.uses.origins_of(name)}
    return paths == {name} and program.uses.parameters_of(name) is not None


def _may_have_others(program: Program, module: str) -> bool:
    """Say whether a module may have names that nobody sees; a folder without code has its modules, and no others."""
    names = program.exports.get(module)
    if names is None:
        return program.modules[module].kind is not ModuleKind.NAMESPACE
    return OTHERS in names


def _lacks(program: Program, owner: str, name: str) -> bool:
    """Say whether something is a class that certainly has nothing of that name."""
    names = program.uses.names_in(owner)
    return names is not None and names.lacks(name)
