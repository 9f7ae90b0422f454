"""Which events does an argument name?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from abutment.facts.event_api import EventApi, Method
from abutment.facts.named import settled
from abutment.semantics.program import Program
from abutment.semantics.uses import Argument, ClassNames, canonical

STATIC, DYNAMIC, INVALID = "static", "dynamic", "invalid"


# An approval holds no wildcard, a comma stands between events, and `?` for those that cannot be seen.
_SPELT = {"*": "<star>", ",": "<comma>", "?": "<question>"}


def spelt(text: str) -> str:
    """Return a text as it can stand among names."""
    return "".join(_SPELT.get(one, one) for one in text)


class Names:
    """The events of one codebase: texts, members of enums, classes, and constants."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._class = cache(program.uses.names_in)

    def told(self, api: EventApi, method: Method, given: Argument | None) -> tuple[tuple[str, ...], str]:
        """Return the names, sorted, `?` for what cannot be seen; and `static`, `dynamic` or `invalid`."""
        if given is None:
            return ("?",), DYNAMIC
        origins: Collection[str] = given.origins
        if method.takes_many and given.held:
            origins, given = given.held, Argument(given.held)
        found: set[str] = set()
        invalid = False
        for origin in origins:
            for name, is_valid in self._named(api, method, origin, given):
                found.add(name)
                invalid = invalid or not is_valid
        certainty = INVALID if invalid else DYNAMIC if "?" in found else STATIC
        return tuple(sorted(found)), certainty

    def _named(self, api: EventApi, method: Method, origin: str, given: Argument) -> Iterator[tuple[str, bool]]:
        """Yield the names that one origin of an argument stands for, and whether each is an event."""
        path = canonical(origin)
        if api.enums:
            yield from self._of_enums(api, method, path)
        elif origin[0] in "'#":
            yield spelt(origin[1:]), True
        elif origin in ("None", "True", "False") or origin[0] == "~":
            yield "?", True
        elif origin == "?" or origin.endswith("()"):
            yield self._constant(path, given) or ("?" if "(" in path or path == "?" else path), True
        elif "(" in path or "[" in path:
            yield "?", True
        else:
            owner, _, last = path.rpartition(".")
            yield path, not self._lacks(owner, last)

    def _of_enums(self, api: EventApi, method: Method, path: str) -> Iterator[tuple[str, bool]]:
        owner, _, last = path.rpartition(".")
        if path in api.enums and method.takes_many:
            names = self._class(path)
            yield from ((f"{path}.{member}", True) for member in sorted(names.data)) if names else (("?", True),)
        elif owner in api.enums:
            yield path, not self._lacks(owner, last)
        else:
            yield "?", True

    def _lacks(self, owner: str, name: str) -> bool:
        """Say whether a class certainly has no such value."""
        names: ClassNames | None = self._class(owner)
        return names is not None and names.lacks(name)

    def _constant(self, path: str, given: Argument) -> str:
        """Return the one variable of the codebase that holds the event; "" where there is none."""
        held = {*settled(self._program, given.by)} - {path}
        return held.pop() if len(held) == 1 else ""
