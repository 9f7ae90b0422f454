"""How complex is each function by itself? What ruff rates, without the functions inside of it.

Ruff adds the branches of a function inside to those of the one around it, and counts the blocks around a function as
its own. So one that holds others, or stands in blocks, is rated once more by itself: its lines alone, with an empty
class in the place of each function inside (a class bears decorators, and has no branches of its own).
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.scopes import Definition, definitions_of
from abutment.sources.tools.ruff_figures import BRANCHES, Figure, Rating

_INDENT = re.compile(r"[ \t\f]*")


@dataclass(frozen=True, slots=True)
class Complexity:
    """One function that is above a limit."""

    module: str
    qualname: str  # with `#2` for the second one of that name in the file
    rule: str
    figure: int = field(compare=False)
    site: Site = field(compare=False)


def scan_complexity(modules: Mapping[str, str], rating: Rating, source: Callable[[str], bytes]) -> Iterator[Complexity]:
    """Yield each function above a limit in the files of these modules (by path); `source` gives a file's bytes.

    Raises NotJudged where the files could not be rated, or what was rated is no function.
    """
    by_path: dict[str, list[Figure]] = defaultdict(list)
    for one in rating.of_files(sorted(modules)):
        by_path[one.path].append(one)
    again: list[_Alone] = []
    for path, figures in sorted(by_path.items()):
        functions = _Functions.of(modules[path], path, source(path))
        own, doubtful = functions.sorted_out(figures)
        yield from own
        again += [functions.alone(one) for one in doubtful]
    if again:
        yield from _rated_alone(again, rating)


@dataclass(frozen=True, slots=True)
class _Alone:
    """A function taken out of what is around it, with nothing inside."""

    module: str
    path: str
    function: Definition
    lines: tuple[str, ...]  # a piece of a module

    def complexity(self, rule: str, figure: int) -> Complexity:
        return _complexity(self.module, self.path, self.function, rule, figure)


@dataclass(frozen=True, slots=True)
class _Functions:
    """The functions of one file."""

    module: str
    path: str
    lines: tuple[str, ...]
    all: tuple[Definition, ...]

    @classmethod
    def of(cls, module: str, path: str, source: bytes) -> _Functions:
        found = definitions_of(source, PurePosixPath(path).suffix)
        if found is None:
            raise NotJudged(Fault(path, 0, "cannot be parsed here, though ruff could.", "Run under a newer Python."))
        return cls(module, path, _lines_of(source), found.functions())

    def sorted_out(self, figures: Iterable[Figure]) -> tuple[list[Complexity], list[Definition]]:
        """Return what is surely a function's own, and the functions that have to be rated by themselves."""
        own: dict[tuple[str, str], Complexity] = {}
        doubtful: set[Definition] = set()
        for one in figures:
            holder = self._holder(one)
            if holder is None or self.inside(holder):
                doubtful.update(self._reached(holder))
            else:
                found = _complexity(self.module, self.path, holder, one.rule, one.figure)
                key = (one.rule, holder.qualname)
                own[key] = max(own.get(key, found), found, key=lambda each: each.figure)
        sure = [one for (_rule, qualname), one in sorted(own.items()) if qualname not in {d.qualname for d in doubtful}]
        return sure, sorted(doubtful, key=lambda each: each.line)

    def _holder(self, one: Figure) -> Definition | None:
        """Return the function that a row is about; None where blocks around functions are.

        Raises NotJudged where there is none of that name.
        """
        holding = [each for each in self.all if each.line <= one.line <= each.end_line]
        holder = max(holding, key=lambda each: each.line, default=None)
        if one.rule == BRANCHES and (holder is None or _name(holder) != one.name):
            message = f"ruff rates `{one.name}` here, and no function of that name stands here."
            raise NotJudged(Fault(self.path, one.line, message, "Run ruff by hand to see why."))
        return holder

    def _reached(self, holder: Definition | None) -> Iterator[Definition]:
        """Yield the functions of which a row may speak: one and those inside, or any where blocks stand around them."""
        yield from self.all if holder is None else (holder, *self.inside(holder))

    def inside(self, outer: Definition) -> tuple[Definition, ...]:
        """Return the functions inside of one, at whatever depth."""
        return tuple(each for each in self.all if outer.line < each.line <= outer.end_line)

    def alone(self, function: Definition) -> _Alone:
        """Return a function by itself."""
        indent = _indent(self.lines[function.line - 1])
        return _Alone(
            self.module, self.path, function, (*(("class _:",) if indent else ()), *self._without_inner(function))
        )

    def _without_inner(self, function: Definition) -> Iterator[str]:
        """Yield a function's lines, with an empty class in the place of each function inside."""
        inner = self.inside(function)
        at = function.line
        while at <= function.end_line:
            found = next((each for each in inner if each.line == at), None)
            yield self.lines[at - 1] if found is None else f"{_indent(self.lines[at - 1])}class _: pass"
            at = at + 1 if found is None else found.end_line + 1


def _rated_alone(functions: Sequence[_Alone], rating: Rating) -> Iterator[Complexity]:
    """Yield those that are above a limit by themselves."""
    starts: dict[int, _Alone] = {}
    lines: list[str] = []
    for one in functions:
        starts[len(lines) + 1] = one
        lines += one.lines
    yield from _by_start(rating.of_text("\n".join((*lines, ""))), starts)


def _by_start(figures: Iterable[Figure], starts: Mapping[int, _Alone]) -> Iterator[Complexity]:
    found: dict[tuple[int, str], int] = {}
    for one in figures:
        start = max(line for line in starts if line <= one.line)
        found[start, one.rule] = max(found.get((start, one.rule), 0), one.figure)
    for (start, rule), figure in sorted(found.items()):
        yield starts[start].complexity(rule, figure)


def _complexity(module: str, path: str, function: Definition, rule: str, figure: int) -> Complexity:
    name = function.qualname
    return Complexity(module, name, rule, figure, Site(path, function.line, scope=name))


def _name(function: Definition) -> str:
    return function.qualname.rpartition(".")[2].partition("#")[0]


def _lines_of(source: bytes) -> tuple[str, ...]:
    """Return a file's lines as Python counts them: CR and CRLF end one, a form feed does not."""
    encoding, _lines = tokenize.detect_encoding(io.BytesIO(source).readline)
    return tuple(io.TextIOWrapper(io.BytesIO(source), encoding).read().split("\n"))


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""
