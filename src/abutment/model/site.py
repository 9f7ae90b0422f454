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

    def place(self) -> str:
        """Return `path:line`, or the bare path where no line is known."""
        return f"{self.path}:{self.line}" if self.line else self.path
