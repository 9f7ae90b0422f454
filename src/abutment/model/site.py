"""Where in the judged tree is something?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """One place to look; never part of what a fact is.

    Lines count from 1 as the Python parser counts them (LF, CRLF and CR end a line, nothing else does).
    Columns count from 1 in Unicode code points; `end_column` is exclusive. 0 means "not known".
    """

    path: str  # relative to the root, "/"-separated
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    scope: str = "<module>"  # qualname of the enclosing scope

    def holds(self, other: Site) -> bool:
        """Say whether the other place lies within this one."""
        starts = (self.line, self.column) <= (other.line, other.column)
        ends = (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        return self.path == other.path and starts and ends

    def place(self) -> str:
        """Return `path:line`, or the bare path where no line is known."""
        return f"{self.path}:{self.line}" if self.line else self.path
