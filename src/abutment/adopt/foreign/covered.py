"""How many statements did a ratchet over coverage let packages miss? They are those of our groups of the same name."""

from __future__ import annotations

from collections.abc import Iterator

from abutment.adopt.foreign.item import Item, Left, Source
from abutment.adopt.foreign.json_document import JsonDocument
from abutment.baselines.plan import counted
from abutment.facts.coverage import STATEMENTS
from abutment.model.reading import TableReader

_MEMBERS = ("statements", "covered_lines", "percent")
_ABSENT = (
    "no group of that name has statements that no test runs. `groups` of [tool.abutment.coverage] say which modules a "
    "group has."
)


def read_coverage(source: Source) -> Iterator[Item | Left]:
    """Yield the statements that each package was allowed to miss."""
    document = JsonDocument(source)
    for package in document.table.keys:
        figures = document.table.table(package)
        yield from document.others(figures, *_MEMBERS)
        missed = _missed(figures)
        if missed:
            parts = {"group": package, "measure": STATEMENTS}
            says = f"{package} misses {counted(missed, 'statement')}"
            yield Item("coverage", document.place(figures), says, dict(parts), missed, absent=_ABSENT)
    document.finished()


def _missed(figures: TableReader) -> int:
    """Return how many statements are missed, by three figures that have to agree."""
    statements, covered = figures.integer("statements"), figures.integer("covered_lines")
    percent = figures.value("percent")
    if not isinstance(percent, int | float) or isinstance(percent, bool):
        figures.fault(("percent",), "expected a number.")
    elif covered > statements or abs(percent * statements - 100 * covered) > statements / 100:
        figures.fault(("percent",), f"{percent} is not what {covered} of {statements} are.")
    return statements - covered
