"""Whose `self` is it in a method that a class has from one above it?

What a class above works out by its own methods (`self.client = self.make()`), it works out with those of the class that
is asked: of a class below, `self` is an instance of that one, or of one below it, and never of a sibling.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from abutment.semantics.entries import End
from abutment.semantics.hierarchy import Receiver
from abutment.semantics.provenance import BY_CLASS

# `self` or `cls` of a class, perhaps as a collection of what follows (`*`), beside a declaration (`+`), or given by a
# call (`>`).
_OWN = re.compile(r"(?P<signs>[*+>]*)(?P<class>@[^:]+):(?P<own>&&?)(?P<steps>(?:[.(\[].*)?)")
_ATTRIBUTE = re.compile(r"\.(\w+)")


class Receiving(NamedTuple):
    """The class on which something was looked up that one above it has."""

    above: str  # the atom of the class that has it
    owner: End  # the class that was asked

    def named(self, module: str, atom: str) -> tuple[str, str]:
        """Return an atom of the file of the class above, which is `module`, with `self` and `cls` as the owner's.

        An atom of anything else is returned as it is.
        """
        found = self._own(atom)
        if found is None:
            return module, atom
        where, name = self.owner
        return where, f"{found['signs']}{name}:{found['own']}{found['steps']}"

    def asked(self, atom: str) -> tuple[str, Receiver] | None:
        """Return which attribute such an atom begins with, and on what it is looked up; None where it has none."""
        found = self._own(atom)
        step = _ATTRIBUTE.match(found["steps"]) if found else None
        return (step[1], Receiver(is_class=found["own"] == "&&")) if found and step else None

    def named_of(self, module: str, atom: str, one: End) -> tuple[str, str]:
        """Return such an atom with `self` and `cls` as those of just one class, and of none below it."""
        found = self._own(atom)
        if found is None:
            return module, atom
        steps = f"(){found['steps']}" if found["own"] == "&" else found["steps"].removeprefix(".")
        return one[0], f"{found['signs']}{one[1]}{':' if steps else ''}{steps}"

    def _own(self, atom: str) -> re.Match[str] | None:
        found = _OWN.fullmatch(atom) if ":&" in atom else None
        return found if found is not None and found["class"] == self.above else None

    def is_by_class(self, atom: str) -> bool:
        """Say whether an atom is what the class above has some class keep with itself."""
        return atom.startswith(f"{self.above}{BY_CLASS}")

    def place(self, variable: str) -> str:
        """Return a variable's name as it is for this owner."""
        return f"{variable} of {self.owner[0]}:{self.owner[1]}"
