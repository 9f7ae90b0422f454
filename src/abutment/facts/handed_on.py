"""Is a class that a call is given made by whoever takes it?"""

from __future__ import annotations

from abutment.semantics.uses import Use, canonical

# By which names functions and classes are given that make something.
_NAMES = frozenset(("default_factory", "factory", "func", "function", "target", "callback", "initializer", "fn"))
# What calls what comes first, though it stands in a library of which everything else only looks at classes.
_CALLERS = frozenset(("builtins.map", "collections.defaultdict", "functools.partial", "functools.lru_cache"))
_LOOKING = frozenset(
    ("abc", "ast", "builtins", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "inspect")
) | {"pickle", "pydantic", "typing", "typing_extensions", "types", "unittest", "weakref"}


def may_be_made(use: Use, name: str) -> bool:
    """Say whether who is handed the class `name` may call it: `field(default_factory=C)`, `map(C, rows)`, `depends(C)`.

    A function may. A method finds by it (`container.get(C)`), and `isinstance` asks; a name may say otherwise.
    """
    named = (given for key, given in use.named.items() if key in _NAMES)
    if any(_is(name, given.origins) for given in named):
        return True
    if not (use.arguments and _is(name, use.arguments[0].origins)):
        return False
    return any(_calls(origin) for origin in use.given_to)


def _is(name: str, origins: frozenset[str]) -> bool:
    return any(canonical(origin) == name and not origin.endswith("()") for origin in origins)


def _calls(origin: str) -> bool:
    """Say whether what is called may call what it is given first."""
    path = origin.replace(":", ".")
    if path in _CALLERS:
        return True
    top, last = path.partition(".")[0], path.rpartition(".")[2]
    return "." in path and "()" not in path and not last[:1].isupper() and top not in _LOOKING
