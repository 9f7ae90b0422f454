"""What does a dotted name in the configuration stand for in the code?"""

from __future__ import annotations

from abutment.semantics.program import Program


def defined(program: Program, name: str) -> str | None:
    """Return the dotted name under which something of this codebase is defined, whatever address it is given by.

    A module stands for itself; so does a path into a class, below the class's own name. What lies outside of the
    codebase is returned as it is. None where the codebase has no such thing.
    """
    if name in program.modules:
        return name
    module, rest = _split(program, name)
    if not module:
        return None if name.partition(".")[0] in program.modules else name
    symbol, _, below = rest.partition(".")
    origin = program.origin(module, symbol)
    if origin is None:
        return None
    found = origin.replace(":", ".")
    return f"{found}.{below}" if below else found


def _split(program: Program, name: str) -> tuple[str, str]:
    """Return the module that a name begins with, and the rest."""
    module, rest = name, ""
    while module and module not in program.modules:
        module, _, last = module.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return module, rest
