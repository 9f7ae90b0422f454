"""Programs from short texts, for tests of everything that stands above the linker.

    program("app.a -> app.b", "app.b ~> app.a", "app.a -> !requests:get", "app.lonely")

Each text is one module or one import. The arrow says how the import happens; marks stand before `->` and add up:

    a -> b     at import time            a ^-> b    parent: an ancestor package of the target
    a ~-> b    deferred (also `~>`)      a %-> b    lazy: through a literal PEP 562 table
    a :-> b    type_only (also `:>`)     a ?-> b    optional
    a *-> b    dynamic

After the target may stand `:Name` (the symbol taken from it), `@12` (the line; lines count up by themselves
otherwise; two imports on one line are one statement) and `in f.g` (the scope). A target with `!` in front is
outside the roots. Modules are there as soon as they are named, and so are the packages above them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.program import Blind, BlindSpot, Flag, ImportColumns, Module, ModuleKind, Program

MARKS = {
    "~": Flag.DEFERRED,
    ":": Flag.TYPE_ONLY,
    "?": Flag.OPTIONAL,
    "*": Flag.DYNAMIC,
    "^": Flag.PARENT,
    "%": Flag.LAZY,
}
LINE = re.compile(
    r"(?P<importer>[^\s!@:]+)"
    r"(?:\s+(?P<marks>[~:?*^%]*)-?>\s+(?P<outside>!?)(?P<imported>[^\s!@:]+)(?::(?P<symbol>\S+))?"
    r"(?:\s+@(?P<line>\d+))?(?:\s+in\s+(?P<scope>\S+))?)?"
)


@dataclass(frozen=True)
class Row:
    """One written import, before names become numbers."""

    path: str
    line: int
    imported: str
    symbol: str
    importer: str
    flags: int
    scope: str

    @property
    def order(self) -> tuple[str, int, str, str]:
        return (self.path, self.line, self.imported, self.symbol)


def program(
    *texts: str,
    tests: Iterable[str] = (),
    kinds: Mapping[str, ModuleKind] | None = None,
    blind: Iterable[BlindSpot] = (),
    unread: Iterable[Fault] = (),
    exports: Mapping[str, Mapping[str, str]] | None = None,
) -> Program:
    """Return a program; `tests` are top-level names whose root is for tests, `kinds` makes modules unusual."""
    matches = [_parsed(text) for text in texts]
    names = {match["importer"] for match in matches}
    names |= {match["imported"] for match in matches if match["imported"] and not match["outside"]}
    modules = _modules(names, frozenset(tests), kinds or {})
    return Program(
        modules=modules,
        columns=_columns(sorted(_rows(matches, modules), key=lambda row: row.order)),
        blind=tuple(sorted(blind, key=lambda spot: (spot.site, spot.kind, spot.what))),
        unread=tuple(unread),
        exports=exports or {},
        grammar="CPython 3.11",
    )


def blind(kind: str, module: str, what: str, line: int = 1, scope: str = "<module>") -> BlindSpot:
    """Return a blind spot of a plain module."""
    return BlindSpot(Blind(kind), module, what, Site(module.replace(".", "/") + ".py", line, 1, line, 9, scope))


def _parsed(text: str) -> re.Match[str]:
    match = LINE.fullmatch(text.strip())
    assert match is not None, f"{text!r} is neither a module nor an import; see the head of tests/programs.py"
    return match


def _modules(names: set[str], tests: frozenset[str], kinds: Mapping[str, ModuleKind]) -> dict[str, Module]:
    parts = [name.split(".") for name in names]
    every = {".".join(part[:length]) for part in parts for length in range(1, len(part) + 1)}
    packages = {name.rpartition(".")[0] for name in every}
    return {
        name: Module(
            name=name,
            path=name.replace(".", "/") + ("/__init__.py" if name in packages else ".py"),
            kind=kinds.get(name, ModuleKind.SOURCE),
            is_package=name in packages,
            role="tests" if name.split(".")[0] in tests else "source",
        )
        for name in sorted(every)
    }


def _rows(matches: Iterable[re.Match[str]], modules: Mapping[str, Module]) -> Iterable[Row]:
    last: dict[str, int] = {}
    for match in matches:
        if match["imported"] is None:
            continue
        importer, flags = match["importer"], 0
        for mark in match["marks"]:
            flags |= MARKS[mark]
        if not flags & (Flag.DEFERRED | Flag.TYPE_ONLY):
            flags |= Flag.MODULE
        line = int(match["line"] or last.get(importer, 0) + 1)
        last[importer] = line
        yield Row(
            path=modules[importer].path,
            line=line,
            imported=match["imported"],
            symbol=match["symbol"] or "",
            importer=importer,
            flags=int(flags),
            scope=match["scope"] or ("f" if flags & Flag.DEFERRED else "<module>"),
        )


def _columns(rows: list[Row]) -> ImportColumns:
    names = sorted({text for row in rows for text in (row.importer, row.imported, row.symbol, row.scope)})
    number = {name: index for index, name in enumerate(names)}
    return ImportColumns(
        names=names,
        importer=array("I", [number[row.importer] for row in rows]),
        imported=array("I", [number[row.imported] for row in rows]),
        symbol=array("I", [number[row.symbol] for row in rows]),
        flags=array("B", [row.flags for row in rows]),
        line=array("I", [row.line for row in rows]),
        column=array("I", [1] * len(rows)),
        end_line=array("I", [row.line for row in rows]),
        end_column=array("I", [9] * len(rows)),
        scope=array("I", [number[row.scope] for row in rows]),
    )
