"""Did code leave the reach of the law while the law stayed as it is? A module that was moved among the tests, say."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.guard.codebase import Code
from abutment.guard.compare import Widening
from abutment.guard.item import Item
from abutment.guard.likeness import are_alike, lines_of
from abutment.guard.revision import Revision
from abutment.guard.rules import SETTINGS
from abutment.guard.weight import Change, Presence
from abutment.model.site import Site


def moved_away(before: Revision, old: Code, after: Revision, new: Code) -> Iterator[Widening]:
    """Yield each judged file that is gone, and whose text stands where less is asked of it."""
    lost = [path for path in sorted(before.tracked or ()) if path.endswith(".py") and not after.tree.exists(path)]
    gone = [path for path in lost if path in old().judged]
    come = sorted(new().beside - old().beside - old().judged.keys()) if gone else []
    texts = {path: lines_of(after.tree, path) for path in come}
    for path in gone:
        lines = lines_of(before.tree, path)
        there = next((other for other in come if are_alike(lines, texts[other])), None)
        if there is not None:
            change = Change(
                "", f"judged as {old().judged[path]}", f"at {there}", f"was moved to {there}, where less is asked"
            )
            yield Widening(Item(f"reach of {path}", SETTINGS, Presence(), Site(there)), change)
