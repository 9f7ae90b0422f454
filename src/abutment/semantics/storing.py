"""How does a program become bytes, and bytes a program?"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.exports import Exports
from abutment.semantics.program import Blind, BlindSpot, Directive, ImportColumns, Module, ModuleKind, Program

_COLUMNS = ("importer", "imported", "symbol", "flags", "line", "column", "end_line", "end_column", "scope")


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
            program.grammar,
            [(one.module, one.text, _site(one.site)) for one in program.directives],
        )
    )


def _site(site: Site) -> tuple[Any, ...]:
    return (site.path, site.line, site.column, site.end_line, site.end_column, site.scope)


def unpacked_program(data: bytes, exports: Callable[[Mapping[str, Module]], Exports]) -> Program:
    """Return the program that `packed_program` gave; `exports` makes those of its modules."""
    rows, names, columns, blind, unread, grammar, directives = marshal.loads(data)
    kinds = {kind.value: kind for kind in ModuleKind}
    modules = {name: Module(name, path, kinds[kind], is_package, role) for name, path, kind, is_package, role in rows}
    return Program(
        modules=modules,
        columns=ImportColumns(names, *_arrays(columns)),
        blind=tuple(BlindSpot(Blind(kind), module, what, Site(*site)) for kind, module, what, site in blind),
        unread=tuple(Fault(*one) for one in unread),
        exports=exports(modules),
        grammar=grammar,
        directives=tuple(Directive(module, text, Site(*site)) for module, text, site in directives),
    )


def _arrays(columns: list[bytes]) -> Iterator[array[int]]:
    for name, data in zip(_COLUMNS, columns, strict=True):
        found = array("B" if name == "flags" else "I")
        found.frombytes(data)
        yield found
