"""Which names does a configuration say are watched?"""

from __future__ import annotations

import builtins

from abutment.model.reading import TableReader


def read_names(reader: TableReader, key: str, *, least: int = 0) -> tuple[str, ...]:
    """Return dotted names; a bare builtin is a fault, as nothing would ever be found under it."""
    names = reader.texts(key, None if least else (), least=least)
    for index, name in enumerate(names):
        if name in vars(builtins):
            reader.fault((key, index), f"{name!r} is a builtin", f"Write 'builtins.{name}'.")
    return names
