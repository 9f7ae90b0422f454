"""Whose `self` is it in a method that a class has from one above it?

What a class above works out by its own methods (`self.client = self.make()`), it works out with those of the class that
is asked: of a class below, `self` is an instance of that one, or of one below it, and never of a sibling.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from abutment.semantics.entries import End

# `self` or `cls` of a class, perhaps as a collection of what follows (`*`), beside a declaration (`+`), or given by a
# call (`>`).
_OWN = re.compile(r"(?P<signs>[*+>]*)(?P<class>@[^:]+):(?P<own>&&?)(?P<steps>(?:[.(\[].*)?)")


class Receiving(NamedTuple):
    """The class on which something was looked up that one above it has."""

    above: str  # the atom of the class that has it
    owner: End  # the class that was asked

    def named(self, module: str, atom: str) -> tuple[str, str]:
        """Return an atom of the file of the class above, which is `module`, with `self` and `cls` as the owner's.

        An atom of anything else is returned as it is.
        """
        found = _OWN.fullmatch(atom) if ":&" in atom else None
        if found is None or found["class"] != self.above:
            return module, atom
        where, name = self.owner
        return where, f"{found['signs']}{name}:{found['own']}{found['steps']}"

    def place(self, variable: str) -> str:
        """Return a variable's name as it is for this owner."""
        return f"{variable} of {self.owner[0]}:{self.owner[1]}"
