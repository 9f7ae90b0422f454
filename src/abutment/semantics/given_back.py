"""What does a call give of that which it is given?

Functions of the standard library that hand back their argument, or something of it; those that take collections apart
stand in `library.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from abutment.semantics.entering import enter
from abutment.semantics.reading import ANY, NOTHING, Atom, Atoms, Reading, attribute_of, call_of
from abutment.semantics.typed import instances_of, named_by

# Called with a function or an object, these give it back, or something that does the same when it is called.
SAME = {
    *("functools:partial", "functools:cache", "functools:lru_cache", "functools:lru_cache()", "functools:wraps()"),
    *("functools:cached_property", "builtins:staticmethod", "builtins:classmethod"),
    *("builtins:property", "contextlib:contextmanager", "contextlib:asynccontextmanager", "abc:abstractmethod"),
    *("abc:abstractproperty", "typing:overload", "typing:final", "typing:override", "typing:no_type_check"),
    *("typing_extensions:overload", "typing_extensions:final", "typing_extensions:override"),
    *("typing:assert_type", "typing_extensions:assert_type", "typing:reveal_type", "weakref:proxy"),
    *("copy:copy", "copy:deepcopy", "contextlib:closing", "contextlib:aclosing", "types:coroutine"),
    *("functools:partialmethod", "typing:runtime_checkable", "warnings:deprecated()", "typing_extensions:deprecated()"),
}
_PARTIAL = {"functools:partial", "functools:partialmethod"}
_ENTERERS = (".enter_context", ".enter_async_context")
_CASTS = {"typing:cast", "typing_extensions:cast"}
_MAKERS = (":__new__", ".__new__")


def of_arguments(r: Reading, atom: Atom, arguments: list[Atoms]) -> Atoms | None:
    """Return what a function gives that is known to give something of its arguments; None for all others."""
    return _of_first(r, atom, arguments) if arguments and isinstance(atom, str) else None


def _of_first(r: Reading, atom: str, arguments: list[Atoms]) -> Atoms | None:
    found: Atoms | None = None
    if atom in _BUILTIN:
        return _BUILTIN[atom](r, arguments)
    if atom in SAME:
        found = arguments[0]
        if atom in _PARTIAL and len(arguments) > 1:
            r.record.hand_over(found, arguments[1:], {})
    elif atom in _CASTS and len(arguments) == 2:
        found = instances_of(r, named_by(r, arguments[0]))
    elif atom == "typing:NewType" and len(arguments) == 2:
        found = arguments[1]
    elif atom.endswith(_ENTERERS) and "ExitStack()" in atom:
        found = enter(r, arguments[0], is_async="async" in atom.rpartition(".")[2])
    elif atom.endswith(_MAKERS):
        found = _made_of(arguments[0])
    return found


def _class_of(_r: Reading, arguments: list[Atoms]) -> Atoms:
    """Return the class of an instance."""
    if len(arguments) != 1:
        return ANY
    (value,) = arguments
    instances = [atom for atom in value if isinstance(atom, str) and atom.endswith(("()", ":&"))]
    classes = frozenset[Atom](f"{atom}&" if atom[-1] == "&" else atom[:-2].removesuffix(":") for atom in instances)
    others = value - classes - frozenset(instances)  # what another scope has to tell
    return classes | attribute_of(others, "__class__") if others else classes


def _made_of(value: Atoms) -> Atoms:
    """Return what a class's `__new__` gives: an instance, of a class of this file as its own `__new__` made it."""
    ours = {atom for atom in value if isinstance(atom, str) and atom[0] == "@" and atom.endswith("&&")}
    return frozenset(str(atom).removesuffix("&") for atom in ours) | (
        call_of(value - ours) if value - ours else NOTHING
    )


def _anything(_r: Reading, _arguments: list[Atoms]) -> Atoms:
    return ANY


_Given = Callable[[Reading, list[Atoms]], Atoms]
_BUILTIN: dict[str, _Given] = {
    **{f"builtins:{name}": _anything for name in ("eval", "sum")},
    # Called and not applied, it stands for what the function gives.
    "builtins:property": _anything,
    "functools:cached_property": _anything,
    "builtins:vars": lambda _r, given: attribute_of(given[0], "__dict__"),
    "builtins:type": _class_of,
}
