"""Which rows of the program belong to one statement, and what does a star take?"""

from __future__ import annotations

from abutment.semantics.program import ImportColumns

STAR = "*"  # what a star import takes; no module is called so


def statement_rows(columns: ImportColumns, row: int) -> range:
    """Return the rows of the statement that `row` belongs to: all targets of one import at one place."""

    def same(other: int) -> bool:
        return (
            columns.importer[other] == columns.importer[row]
            and columns.line[other] == columns.line[row]
            and columns.column[other] == columns.column[row]
        )

    first = end = row
    while first > 0 and same(first - 1):
        first -= 1
    while end < len(columns) and same(end):
        end += 1
    return range(first, end)
