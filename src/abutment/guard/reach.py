"""Did code leave the reach of the law while the law stayed as it is? A module that was moved among the tests, say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abutment.errors import NotJudged
from abutment.guard.codebase import Code
from abutment.guard.compare import Widening
from abutment.guard.item import Item
from abutment.guard.revision import Revision
from abutment.guard.rules import SETTINGS
from abutment.guard.weight import Change, Presence
from abutment.model.site import Site
from abutment.sources.tree import Tree

_ALIKE = 0.6  # of the lines, counted on the longer side
_FEWEST = 3  # lines with something in them: two files of imports alone are alike by chance


def moved_away(before: Revision, old: Code, after: Revision, new: Code) -> Iterator[Widening]:
    """Yield each judged file that is gone, and whose text stands where less is asked of it."""
    lost = [path for path in sorted(before.tracked or ()) if path.endswith(".py") and not after.tree.exists(path)]
    gone = [path for path in lost if path in old().judged]
    come = sorted(new().beside - old().beside - old().judged.keys()) if gone else []
    texts = {path: _lines(after.tree, path) for path in come}
    for path in gone:
        lines = _lines(before.tree, path)
        there = next((other for other in come if _are_alike(lines, texts[other])), None)
        if there is not None:
            change = Change(
                "", f"judged as {old().judged[path]}", f"at {there}", f"was moved to {there}, where less is asked"
            )
            yield Widening(Item(f"reach of {path}", SETTINGS, Presence(), Site(there)), change)


def _lines(tree: Tree, path: str) -> Counter[bytes]:
    try:
        data = tree.read(path)
    except NotJudged:
        return Counter()
    return Counter(line.strip() for line in data.splitlines() if line.strip())


def _are_alike(one: Counter[bytes], other: Counter[bytes]) -> bool:
    longer = max(one.total(), other.total())
    return longer >= _FEWEST and (one & other).total() >= _ALIKE * longer
