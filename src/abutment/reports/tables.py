"""How are facts listed for a reader?

Rows come as plain mappings of one shape; a value is text, a number, a truth value, or a list of sites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from abutment.reports.characters import visible

Row = Mapping[str, object]


def render_facts_table(rows: Sequence[Row]) -> str:
    """Return the rows in aligned columns under a head, in the order given; "" where there is no row."""
    if not rows:
        return ""
    names = tuple(rows[0])
    cells = [[name.upper() for name in names], *([_cell(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(names))]
    return "".join(f"{_line(line, widths)}\n" for line in cells)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return f"{_place(value[0])}{f' +{len(value) - 1}' if len(value) > 1 else ''}" if value else ""
    return visible(str(value))


def _place(site: object) -> str:
    if not isinstance(site, Mapping):
        return visible(str(site))
    line = site.get("line")
    return visible(f"{site['path']}:{line}" if line else str(site["path"]))


def _line(cells: list[str], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
