"""How does a program become bytes, and bytes a program?"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterator, Mapping
from typing import Any

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.program import Blind, BlindSpot, ImportColumns, Module, ModuleKind, Program

_COLUMNS = ("importer", "imported", "symbol", "flags", "line", "column", "end_line", "end_column", "scope")


class StoredExports(Mapping[str, Mapping[str, str]]):
    """The exports of a program that was stored: each module's are unpacked when asked for."""

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        self._packed = packed
        self._known: dict[str, Mapping[str, str]] = {}

    def __getitem__(self, module: str) -> Mapping[str, str]:
        if module not in self._known:
            self._known[module] = marshal.loads(self._packed[module])
        return self._known[module]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def packed_program(program: Program) -> bytes:
    """Return the program as bytes."""
    columns = program.columns
    return marshal.dumps(
        (
            [(one.name, one.path, one.kind.value, one.is_package, one.role) for one in program.modules.values()],
            list(columns.names),
            [getattr(columns, name).tobytes() for name in _COLUMNS],
            [(one.kind.value, one.module, one.what, _site(one.site)) for one in program.blind],
            [(one.path, one.line, one.message, one.remedy) for one in program.unread],
            {module: marshal.dumps(dict(names)) for module, names in program.exports.items()},
            program.grammar,
        )
    )


def _site(site: Site) -> tuple[Any, ...]:
    return (site.path, site.line, site.column, site.end_line, site.end_column, site.scope)


def unpacked_program(data: bytes) -> Program:
    """Return the program that `packed_program` gave."""
    modules, names, columns, blind, unread, exports, grammar = marshal.loads(data)
    kinds = {kind.value: kind for kind in ModuleKind}
    return Program(
        modules={one[0]: Module(one[0], one[1], kinds[one[2]], one[3], one[4]) for one in modules},
        columns=ImportColumns(names, *_arrays(columns)),
        blind=tuple(BlindSpot(Blind(kind), module, what, Site(*site)) for kind, module, what, site in blind),
        unread=tuple(Fault(*one) for one in unread),
        exports=StoredExports(exports),
        grammar=grammar,
    )


def _arrays(columns: list[bytes]) -> Iterator[array[int]]:
    for name, data in zip(_COLUMNS, columns, strict=True):
        found = array("B" if name == "flags" else "I")
        found.frombytes(data)
        yield found
