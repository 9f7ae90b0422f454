"""How is an access path read, one step at a time, and what does it stand for where it ends?"""

from __future__ import annotations

import re

from abutment.semantics.entries import End
from abutment.semantics.provenance import IMPLICIT

_DIVIDED = f".{IMPLICIT}truediv()"
ENTERED = re.compile(r"\.__a?enter__\(\)")
TYPING = ("typing.", "typing_extensions.")
_STEP = re.compile(r"\.?(?P<name>[^.(\[]+)|\(\)|\[\*?\]")
_FROM_STACK = re.compile(r"ExitStack\(\)\.enter_(async_)?context\(\)")
# What is taken out of an object: an attribute or item of what a call gave, or of an element.
_TAKEN_OUT = re.compile(r"\(\)[.(\[]|\[\*?\]")


def parted(steps: str) -> tuple[str, str]:
    """Return the first step without its dot, and the rest."""
    found = _STEP.match(steps)
    if found is None:  # no path that the engine writes
        raise ValueError(f"no access path: {steps!r}")
    return found["name"] or found[0], steps[found.end() :]


def shown(end: End) -> str:
    """Return an end as text."""
    module, atom = end
    if not module:
        return atom.replace("[*]", "[]")
    if atom[0] == "*":
        return "?"
    base, _, steps = atom.partition(":")
    steps = "()" if steps == "&" else steps.replace("[*]", "[]")
    dot = "." if steps and steps[0] != "(" else ""
    name = base[1:] if "<lambda>#" in base else base[1:].partition("#")[0]  # lambdas of one function are told apart
    return f"{module}:{name}{dot}{steps}"


def is_unseen(end: End) -> bool:
    """Say whether nobody can tell of what class an end is: also what is taken out of an object from outside."""
    module, atom = end
    return not module and (atom == "?" or (atom[0] not in "'~#" and _TAKEN_OUT.search(atom) is not None))


def simplified(path: str) -> set[str]:
    """Return a path outside of the codebase without what a `with` does: it is taken to give what it entered.

    A factory may give anything; a class, known by its capital letter (PEP 8), is taken to give its instance.
    """
    path = path.replace("().__class__", "")
    if f".{IMPLICIT}" in path:
        path = path.replace(_DIVIDED, "")  # a path divided is a path; of other operators nobody can tell
        if f".{IMPLICIT}" in path:
            return {"?"}
    unsure = False
    while found := ENTERED.search(path):
        entered = path[: found.start()]
        name = entered.removesuffix("()").rpartition(".")[2]
        unsure = unsure or not (name[:1].isupper() or entered == "builtins.open()")
        path = entered + path[found.end() :]
    if _FROM_STACK.search(path):  # what it was given to enter
        return {"?"}
    if "()" in path and path.startswith(TYPING):  # nothing there has instances of its own
        return {"?"}
    return {path, "?"} if unsure else {path}
