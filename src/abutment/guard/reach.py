"""Did code leave the reach of the law while the law stayed as it is? A module that was moved among the tests, say."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.guard.codebase import Code
from abutment.guard.compare import Widening
from abutment.guard.item import Item
from abutment.guard.likeness import NO_LINES, Lines, are_alike, bytes_of, lines_of
from abutment.guard.revision import Revision
from abutment.guard.rules import SETTINGS
from abutment.guard.weight import Change, Presence
from abutment.model.site import Site
from abutment.sources.tree import Tree


def moved_away(before: Revision, old: Code, after: Revision, new: Code) -> Iterator[Widening]:
    """Yield each judged file whose text is no longer there, and stands where less is asked of it."""
    known = new().judged.keys() | new().tests.keys()  # so that not every file has to be asked for
    asked = (path for path in sorted((before.tracked or frozenset()) - known) if path.endswith(".py"))
    lost = [path for path in asked if not after.tree.exists(path)]
    fresh = new().beside - (before.tracked or frozenset())
    if not (fresh or any(path in old().judged for path in lost)):
        return  # so that the earlier code need not be looked through
    come = sorted(new().beside - old().beside - old().judged.keys())
    texts = [(path, lines_of(bytes_of(after.tree, path))) for path in come]
    for path, module in sorted(old().judged.items()) if come else ():
        lines = _left(before.tree, after.tree, path)
        there = next((other for other, text in texts if are_alike(lines, text)), None)
        if there is not None:
            yield _moved(path, module, there)


def _left(before: Tree, after: Tree, path: str) -> Lines:
    """Return the lines of a file if they stand there no longer; a stub in their place is not them."""
    was, now = (bytes_of(tree, path) for tree in (before, after))
    if was == now:
        return NO_LINES
    lines = lines_of(was)
    return NO_LINES if are_alike(lines, lines_of(now)) else lines


def _moved(path: str, module: str, there: str) -> Widening:
    change = Change("", f"judged as {module}", f"at {there}", f"was moved to {there}, where less is asked")
    return Widening(Item(f"reach of {path}", SETTINGS, Presence(), Site(there)), change)
