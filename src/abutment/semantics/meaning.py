"""What do the names of one module mean, with everything that another module must answer still symbolic?

A `Meaning` is what the interpreter makes of one `Outline`, and all that the linker reads. It depends on the file
alone, so it is what the cache holds. Values are tuples of *atoms*, which are texts:

- `?` something that cannot be seen; `-` not bound here; `None`, `True`, `False`
- `pkg.mod` a module; `pkg.mod:name.attribute` what that module's name holds; leading dots are a relative level
- `@qualname` a definition in this module
- `'text` a text; `~text` a text that begins so; `#1` a small number
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

Value = tuple[str, ...]
Place = tuple[int, int, int, int]


class ImportRow(NamedTuple):
    """One alias of one import statement, with the context it runs in."""

    level: int
    module: str
    name: str  # "" for `import module`, "*" for a star
    flags: int  # Flag.MODULE or Flag.DEFERRED, Flag.OPTIONAL
    guard: int  # index into `guards`, 0 for none
    scope: str  # qualname
    place: Place


class Star(NamedTuple):
    """One star import that runs at module level."""

    level: int
    module: str
    certain: bool  # whether it runs on every path


class DynamicRow(NamedTuple):
    """One call that may import a module by its name, or one place at which an importer gets out of sight."""

    callee: Value  # to be resolved; () where it is certain
    way: str  # a value of importers.Way
    names: Value  # texts, beginnings, "?"; of a `load` the importer
    package: Value  # of a relative import_module
    fromlist: Value
    level: int  # of `__import__`; -1 where it is not known
    flags: int
    guard: int
    scope: str
    place: Place


class LazyName(NamedTuple):
    """One name that a literal PEP 562 table provides."""

    name: str
    module: str  # with leading dots where it is relative to `package`
    package: Value  # what the dots are relative to
    attribute: str  # "" for the module itself


class Condition(NamedTuple):
    """One test, as far as it can matter."""

    op: str  # "value", "not", "and", "or", "main"
    atoms: Value  # of a value
    named: str  # the path as written, of a value
    parts: tuple[int, ...]  # indices of earlier conditions; 0 is one of which nothing is known


class Guard(NamedTuple):
    """One arm of a choice: runs where the outer guard holds and the condition is as it says."""

    outer: int
    condition: int
    negated: bool


@dataclass(frozen=True, slots=True)
class Meaning:
    """One module's names and imports."""

    module: str
    is_package: bool
    suffix: str
    names: dict[str, Value]  # the final table; a name that was only ever unbound has "-"
    exported: Value | None  # `__all__`: texts, `*module` for all that another one exports, "?"; None where unset
    stars: tuple[Star, ...]
    covered: dict[str, int]  # a name that is bound before a star -> the first star after it, which may bind it again
    marks: int
    pokes: Value  # names that this module sets on others: `pkg.mod:name`; `pkg.mod:?` for a name that is not known
    lazy: tuple[LazyName, ...]
    imports: tuple[ImportRow, ...]
    dynamic: tuple[DynamicRow, ...]
    conditions: tuple[Condition, ...]  # conditions[0] is a blank
    guards: tuple[Guard, ...]  # guards[0] is a blank
    directives: tuple[tuple[str, int, str], ...]  # the comment from its `#` on, line, qualname of the scope

    def packed(self) -> tuple[Any, ...]:
        """Return plain values for `marshal`."""
        return (
            self.module,
            self.is_package,
            self.suffix,
            self.names,
            self.exported,
            _plain(self.stars),
            self.covered,
            self.marks,
            self.pokes,
            _plain(self.lazy),
            _plain(self.imports),
            _plain(self.dynamic),
            _plain(self.conditions),
            _plain(self.guards),
            self.directives,
        )

    @staticmethod
    def unpacked(packed: tuple[Any, ...]) -> Meaning:
        """Return the meaning that `packed()` gave."""
        module, is_package, suffix, names, exported, stars, covered, marks, pokes, *rest = packed
        lazy, imports, dynamic, conditions, guards, directives = rest
        return Meaning(
            module,
            is_package,
            suffix,
            names,
            exported,
            tuple(map(Star._make, stars)),
            covered,
            marks,
            pokes,
            tuple(map(LazyName._make, lazy)),
            tuple(map(ImportRow._make, imports)),
            tuple(map(DynamicRow._make, dynamic)),
            tuple(map(Condition._make, conditions)),
            tuple(map(Guard._make, guards)),
            directives,
        )


def _plain(rows: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, rows))
