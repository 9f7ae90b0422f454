"""Which function or class does a line stand in? Asked for places that another tool names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from abutment.semantics.lower import outline
from abutment.semantics.outline import ScopeKind, Unparsed

MODULE = "<module>"
_FUNCTIONS = (ScopeKind.FUNCTION, ScopeKind.ASYNC)
_NAMED = (*_FUNCTIONS, ScopeKind.CLASS)


@dataclass(frozen=True, slots=True)
class Definition:
    """One function or class as it is written: from its `def` or `class` to its last line, decorators left out."""

    qualname: str  # as Python says it (PEP 3155), and `#2` behind it for the second one of that name in the file
    is_function: bool
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Definitions:
    """All functions and classes of one file, outer ones before those inside."""

    found: tuple[Definition, ...] = ()

    def at(self, line: int) -> str:
        """Return the qualname of the innermost one that holds the line; `<module>` where none does."""
        holding = [one for one in self.found if one.line <= line <= one.end_line]
        return max(holding, key=lambda one: (one.line, -one.end_line)).qualname if holding else MODULE

    def functions(self) -> tuple[Definition, ...]:
        """Return the functions alone."""
        return tuple(one for one in self.found if one.is_function)


def definitions_of(source: bytes, suffix: str) -> Definitions | None:
    """Return what a file defines; None where it cannot be parsed."""
    found = outline(source, "", False, suffix)
    if isinstance(found, Unparsed):
        return None
    scopes = [scope for scope in found.scopes if scope.kind in _NAMED]
    placed = sorted((*found.places[scope.place], found.strings[scope.qualname], scope.kind) for scope in scopes)
    seen: Counter[str] = Counter()
    definitions = []
    for line, _column, end_line, _end_column, qualname, kind in placed:
        seen[qualname] += 1
        name = qualname if seen[qualname] == 1 else f"{qualname}#{seen[qualname]}"
        definitions.append(Definition(name, kind in _FUNCTIONS, line, end_line))
    return Definitions(tuple(definitions))
