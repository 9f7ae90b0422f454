"""How do rows become columns, and how are some modules' rows put in the place of older ones?"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

from abutment.semantics.program import ImportColumns

# line, column, imported, symbol, flags, end line, end column, scope
Row = tuple[int, int, str, str, int, int, int, str]


def columns_of(found: Iterable[tuple[str, Sequence[Row]]]) -> ImportColumns:
    """Return the columns of all modules' rows, each module's sorted, the modules in order of their paths."""
    growing = _Growing(())
    for module, rows in found:
        growing.add(module, rows)
    return growing.columns()


def spliced(columns: ImportColumns, fresh: Mapping[str, Sequence[Row]], path_of: Callable[[str], str]) -> ImportColumns:
    """Return the columns with other rows for the modules in `fresh`.

    Names that no row uses any more keep their numbers, so there may be more of them than columns made anew have.
    """
    growing = _Growing(columns.names)
    kept = {module: rows for module, rows in columns.spans().items() if module not in fresh}
    for module in sorted([*kept, *fresh], key=path_of):
        if module in fresh:
            growing.add(module, fresh[module])
            continue
        rows = kept[module]
        growing.copy(columns, rows)
    return growing.columns()


class _Growing:
    """Columns that are being made."""

    def __init__(self, names: Iterable[str]) -> None:
        self._ids = {name: number for number, name in enumerate(names)} or {"": 0}
        self._importer, self._imported, self._symbol, self._scope = (array("I") for _ in range(4))
        self._flags, self._places = array("B"), [array("I") for _ in range(4)]

    def add(self, module: str, rows: Sequence[Row]) -> None:
        """Put one module's rows at the end."""
        if not rows:
            return
        self._importer.extend([self._number(module)] * len(rows))
        lines, columns, targets, symbols, bits, end_lines, end_columns, scopes = zip(*rows, strict=True)
        self._imported.extend(map(self._number, targets))
        self._symbol.extend(map(self._number, symbols))
        self._scope.extend(map(self._number, scopes))
        self._flags.extend(bits)
        for place, values in zip(self._places, (lines, columns, end_lines, end_columns), strict=True):
            place.extend(values)

    def copy(self, columns: ImportColumns, rows: range) -> None:
        """Put rows of other columns at the end, of which this was begun with the names."""
        span = slice(rows.start, rows.stop)
        self._importer += columns.importer[span]
        self._imported += columns.imported[span]
        self._symbol += columns.symbol[span]
        self._scope += columns.scope[span]
        self._flags += columns.flags[span]
        places = (columns.line, columns.column, columns.end_line, columns.end_column)
        for place, values in zip(self._places, places, strict=True):
            place.extend(values[span])

    def _number(self, name: str) -> int:
        return self._ids.setdefault(name, len(self._ids))

    def columns(self) -> ImportColumns:
        """Return what has been put together."""
        line, column, end_line, end_column = self._places
        return ImportColumns(
            tuple(self._ids),
            self._importer,
            self._imported,
            self._symbol,
            self._flags,
            line,
            column,
            end_line,
            end_column,
            self._scope,
        )
