"""In which modules did a name lead too far to be followed, among those that somebody asked about?"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.model.fault import Fault
from abutment.semantics.program import Program


def limits(program: Program) -> Iterator[tuple[str, Fault]]:
    """Yield each such module with its fault; known once the facts have been read."""
    for module in sorted(program.uses.limited):
        path = program.modules[module].path
        yield module, Fault(path, 0, f"a name in {module} may stand for more than can be followed.", "Leave it out.")
