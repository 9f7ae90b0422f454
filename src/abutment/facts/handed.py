"""Which functions that a call is given does it call itself, before it comes back?"""

from __future__ import annotations

from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, used_itself

# What calls one of its arguments, and which. What is lazy (`map`) is taken to be run where it stands.
_CALLERS = {
    **dict.fromkeys(("builtins.map", "builtins.filter", "builtins.iter", "functools.reduce", "itertools.starmap"), 0),
    **dict.fromkeys(("itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"), 0),
    **dict.fromkeys(("re.sub", "re.subn", "itertools.accumulate", "itertools.groupby"), 1),
}
_KEY = "key"  # `sorted`, `max`, `list.sort`, `heapq.nlargest`: whatever takes one calls it


class InPlace:
    """The calls of one codebase that call what they are given."""

    def __init__(self, program: Program) -> None:
        """Find the calls."""
        self._callers: dict[tuple[str, Site], int] = {}
        for use, name in program.uses.of(_CALLERS):
            if use.verb == "call" and name in used_itself(use):
                self._callers[use.module, use.site] = _CALLERS[name]

    def calls(self, use: Use) -> bool:
        """Say whether what a call is handed is called by it at once."""
        at = self._callers.get((use.module, use.site))
        given = [] if at is None else [*use.arguments[at : at + 1]]
        given += [use.named[_KEY]] if _KEY in use.named else []
        return use.verb == "hand" and any(one.origins == use.origins for one in given)
