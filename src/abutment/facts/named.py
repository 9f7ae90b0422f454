"""What does a dotted name in the configuration stand for in the code?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abutment.semantics.program import OTHERS, ModuleKind, Program


def home_of(program: Program, name: str) -> str:
    """Return the first-party module that a dotted name is, or stands in; "" for a name outside of the codebase."""
    while name and name not in program.modules:
        name = name.rpartition(".")[0]
    return name


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


def _may_have_others(program: Program, module: str) -> bool:
    """Say whether a module may have names that nobody sees; a folder without code has its modules, and no others."""
    names = program.exports.get(module)
    if names is None:
        return program.modules[module].kind is not ModuleKind.NAMESPACE
    return OTHERS in names


def _lacks(program: Program, owner: str, name: str) -> bool:
    """Say whether something is a class that certainly has nothing of that name."""
    names = program.uses.names_in(owner)
    return names is not None and not names.is_open and name not in names.data | names.definitions
