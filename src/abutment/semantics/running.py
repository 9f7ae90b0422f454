"""What runs when a module is merely imported?

Its module code does, with class bodies, decorators and defaults, and what that calls in this codebase: functions,
methods, what makes an instance, what a `with` enters and leaves; a generator where it is gone through. A function that
is only handed on, a generator or coroutine function that is only called, and the main guard's body do not run. What a
decorator made of a function that is not known is not the function, and is not followed: a call of a task or a command
describes it and does not run it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abutment.semantics.origins import Origins
from abutment.semantics.outline import ScopeKind
from abutment.semantics.provenance import Bit, Provenance, Trait, UseRow, Verb
from abutment.semantics.reader import Reader
from abutment.semantics.uses import Call, Running, Use, by_place
from abutment.semantics.watching import Watched

_RUN = (Verb.CALL, Verb.DECORATE, Verb.ENTER, Verb.ITERATE, Verb.OPERATE)
# The last four are called by an `__init__` that nobody wrote: of a dataclass, of `attrs`, of pydantic.
_MAKERS = ("__new__", "__init__", "__post_init__", "__attrs_pre_init__", "__attrs_post_init__", "model_post_init")

_Function = tuple[str, int]  # (module, scope)


@dataclass(frozen=True, slots=True)
class _Body:
    """What one function does itself: uses that reach something watched, and the functions it calls."""

    uses: tuple[tuple[Use, str], ...]
    calls: tuple[tuple[_Function, Call], ...]
    asked: frozenset[str]  # the modules that were asked what these calls run


class Importing:
    """Follows what importing runs, for one set of watched names."""

    def __init__(
        self, reader: Callable[[str], Reader], origins: Origins, watched: Watched, closed: frozenset[str]
    ) -> None:
        self._reader, self._origins, self._watched, self._closed = reader, origins, watched, closed
        self._scopes: dict[str, dict[str, list[int]]] = {}  # module -> qualname of a function -> its scopes
        self._rows: dict[str, dict[int, list[UseRow]]] = {}  # module -> scope -> its uses
        self._bodies: dict[_Function, _Body] = {}
        self._done: dict[_Function, tuple[Running, ...]] = {}
        self._visited: dict[_Function, frozenset[str]] = {}  # by where a call begins

    def of(self, module: str) -> Iterator[Running]:
        """Yield what importing the module does, by place; for each call the shortest way to each thing once."""
        body = self._body(self._reader(module), 0)
        found = [Running(use, name, ()) for use, name in body.uses]
        for function, call in body.calls:
            found += (Running(one.use, one.name, (call, *one.calls)) for one in self._inside(function))
        yield from sorted(found, key=_by_start)

    def visited(self, module: str) -> Iterator[str]:
        """Yield the modules that decided about what importing the module does, with what they depend on."""
        body = self._body(self._reader(module), 0)
        yield from body.asked
        for function, _ in body.calls:
            yield from self._visited[function]

    def _inside(self, start: _Function) -> tuple[Running, ...]:
        """Return all that a call of the function does, each function once, nearest first."""
        known = self._done.get(start)
        if known is None:
            ways: dict[_Function, tuple[Call, ...]] = {start: ()}
            todo = deque((start,))
            found: list[Running] = []
            visited = set[str]()
            while todo:
                function = todo.popleft()
                body = self._body(self._reader(function[0]), function[1])
                visited |= {function[0]} | body.asked
                found += (Running(use, name, ways[function]) for use, name in body.uses)
                for callee, call in body.calls:
                    if callee not in ways:
                        ways[callee] = (*ways[function], call)
                        todo.append(callee)
            known = self._done[start] = tuple(found)
            self._visited[start] = frozenset(visited)
        return known

    def _body(self, reader: Reader, scope: int) -> _Body:
        """Return what a function does itself; scope 0 is module code."""
        key = (reader.row.module, scope)
        known = self._bodies.get(key)
        if known is None:
            rows = [row for row in self._rows_of(reader).get(scope, ()) if reader.happens(row)]
            uses = sorted(self._uses(reader, rows), key=lambda pair: (*by_place(pair[0]), pair[1]))
            asked = set[str]()
            calls = tuple(self._calls(reader, rows, asked))
            known = self._bodies[key] = _Body(tuple(uses), calls, frozenset(asked))
        return known

    def _rows_of(self, reader: Reader) -> dict[int, list[UseRow]]:
        module = reader.row.module
        if module not in self._rows:
            grouped = self._rows[module] = {}
            for row in reader.row.uses:
                grouped.setdefault(reader.function_of(row.scope), []).append(row)
        return self._rows[module]

    def _uses(self, reader: Reader, rows: list[UseRow]) -> Iterator[tuple[Use, str]]:
        for row in rows:
            for name in sorted(reader.reaches(row, self._watched)):
                yield reader.use(row), name

    def _calls(self, reader: Reader, rows: list[UseRow], asked: set[str]) -> Iterator[tuple[_Function, Call]]:
        module, values = reader.row.module, reader.row.values
        for row in rows:
            if row.verb not in _RUN:
                continue
            for origin in sorted(self._origins.resolve(module, values[row.value])):
                for function, name in self._run_by(origin, row, asked):
                    if name in self._closed:
                        continue
                    yield function, Call(name, module, reader.site(row))

    def _run_by(self, origin: str, use: UseRow, asked: set[str]) -> Iterator[tuple[_Function, str]]:
        """Yield each function of this codebase that a call of something runs, with its dotted name."""
        module, colon, path = origin.partition(":")
        row = self._origins.provenances.get(module) if colon else None
        if row is None:
            return
        asked.add(module)
        if f"@{path}" in row.classes and use.verb != Verb.ITERATE:
            for maker in _MAKERS:
                for found in self._origins.resolve(module, (f"@{path}:{maker}",)):
                    yield from self._named(found, use, asked)
        elif path.endswith("()") and f"@{path[:-2]}" in row.classes:
            for found in self._origins.resolve(module, (f"@{path}.__call__".replace("()", ":()", 1),)):
                yield from self._named(found, use, asked)
        else:
            yield from self._named(origin, use, asked)

    def _named(self, origin: str, use: UseRow, asked: set[str]) -> Iterator[tuple[_Function, str]]:
        module, colon, path = origin.partition(":")
        row = self._origins.provenances.get(module) if colon else None
        if row is not None:
            asked.add(module)
            for scope in self._scopes_of(row).get(path, ()):
                marks = row.functions[row.scopes[scope].atom].marks
                if (
                    not marks & Trait.ASYNC
                    and _is_run(marks, use)
                    and self._origins.is_as_written(module, row.scopes[scope].atom)
                ):
                    yield (module, scope), f"{module}.{row.scopes[scope].qualname}"

    def _scopes_of(self, row: Provenance) -> dict[str, list[int]]:
        if row.module not in self._scopes:
            found = self._scopes[row.module] = {}
            for index, scope in enumerate(row.scopes):
                if scope.kind not in (ScopeKind.MODULE, ScopeKind.CLASS) and scope.atom in row.functions:
                    is_lambda = scope.kind == ScopeKind.LAMBDA
                    found.setdefault(scope.atom[1:] if is_lambda else scope.qualname, []).append(index)
        return self._scopes[row.module]


def _is_run(marks: int, use: UseRow) -> bool:
    """Say whether a use runs the body: that of a generator waits until somebody goes through it, or enters it."""
    if use.verb == Verb.ITERATE:
        return bool(marks & Trait.GENERATOR)
    if use.bits & Bit.GONE_THROUGH:
        return True
    return not marks & Trait.GENERATOR or bool(marks & Trait.CONTEXT and use.bits & Bit.MANAGED)


def _by_start(one: Running) -> tuple[object, ...]:
    """Return what a module's own are ordered by: the place in its code first."""
    return (one.start, one.use.site, one.name, len(one.calls))
