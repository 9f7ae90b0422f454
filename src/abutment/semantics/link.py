"""Which module does each import reach, once every file is known?

The rules are those of `docs/engine.md`. In short: an import gives a row for what it names, a parent row for every
package with code that Python runs on the way there, and a blind spot where it reaches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from abutment.model.fault import Fault
from abutment.model.selector import nearest, within
from abutment.model.site import Site
from abutment.semantics.columns import Row, columns_of
from abutment.semantics.exports import Exports
from abutment.semantics.importers import WAYS, Way, importer_of
from abutment.semantics.meaning import DynamicRow, ImportRow, Meaning, Place
from abutment.semantics.names import OPEN_KINDS, Names, Read, absolute
from abutment.semantics.program import Blind, BlindSpot, Directive, Flag, Module, ModuleKind, Program

_WHEN = int(Flag.MODULE | Flag.DEFERRED | Flag.TYPE_ONLY)
_INHERITED = _WHEN | int(Flag.OPTIONAL)
_PARENT, _TYPE_ONLY = int(Flag.PARENT), int(Flag.TYPE_ONLY)


@dataclass(frozen=True, slots=True)
class Linked:
    """A program, and what the next one can be linked from."""

    program: Program
    names: Names
    reads: Mapping[str, frozenset[Read]]  # by module: whose bindings decided about its imports


def link(
    modules: Mapping[str, Module],
    meanings: Sequence[Meaning],
    top_names: frozenset[str],
    grammar: str,
    *,
    blind: Iterable[BlindSpot] = (),
    unread: Iterable[Fault] = (),
) -> Linked:
    """Join all meanings into a program. `modules` holds every first-party module, those without a meaning too."""
    names = Names(modules, {one.module: one for one in meanings})
    linker = Linker(names, top_names)
    ordered = sorted(meanings, key=lambda one: modules[one.module].path)
    found = [(one.module, linker.rows(one)) for one in ordered]
    program = Program(
        modules=modules,
        columns=columns_of(found),
        blind=in_order((*blind, *linker.blind)),
        unread=tuple(sorted(unread)),
        exports=Exports(lambda: names),
        grammar=grammar,
        directives=directives_of(ordered, modules),
    )
    return Linked(program, names, linker.reads)


def directives_of(meanings: Iterable[Meaning], modules: Mapping[str, Module]) -> tuple[Directive, ...]:
    """Return the comments that speak to us, in the order of the meanings and then by line."""
    return tuple(
        Directive(one.module, text, Site(modules[one.module].path, line, scope=scope))
        for one in meanings
        for text, line, scope in one.directives
    )


def in_order(blind: Iterable[BlindSpot]) -> tuple[BlindSpot, ...]:
    """Return blind spots by place; one call whose name may be one of several is one place, not several."""
    return tuple(sorted(set(blind), key=_blind_order))


def _blind_order(one: BlindSpot) -> tuple[str, int, int, str, str]:
    return (one.site.path, one.site.line, one.site.column, one.kind.value, one.what)


@dataclass(slots=True)
class _Statement:
    """What one statement or call reaches, before parents are told from targets."""

    flags: int
    place: Place
    scope: str
    written: dict[tuple[str, str], int] = field(default_factory=dict)  # (imported, symbol) -> flags
    targets: set[str] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)
    passed: set[tuple[str, str]] = field(default_factory=set)  # (package, submodule that is taken from it by name)


class Linker:
    """Turns one module's import rows into columns' rows; remembers what it looked up, and for whom."""

    def __init__(self, names: Names, top_names: frozenset[str]) -> None:
        self.names, self.modules, self.top_names = names, names.modules, top_names
        self.blind: list[BlindSpot] = []
        self.reads: dict[str, frozenset[Read]] = {}
        self._ancestors: dict[str, tuple[str, ...]] = {}
        self._importer = Module("", "", ModuleKind.SOURCE, False, "")

    def rows(self, meaning: Meaning) -> list[Row]:
        """Return the sorted rows of one module."""
        self._importer = self.modules[meaning.module]
        self.names.reads.clear()
        never = self.names.never_runs(meaning) if len(meaning.guards) > 1 else [False]
        stub = meaning.suffix == ".pyi"
        rows: list[Row] = []
        for _, group in groupby(meaning.imports, key=lambda row: row.place):
            aliases = list(group)
            first = aliases[0]
            statement = _Statement(_flags(first.flags, stub or never[first.guard]), first.place, first.scope)
            for alias in aliases:
                self._alias(meaning, statement, alias)
            rows.extend(self._finished(statement))
        for call in meaning.dynamic:
            statement = _Statement(_flags(call.flags, stub or never[call.guard]), call.place, call.scope)
            self._dynamic(meaning, statement, call)
            rows.extend(self._finished(statement))
        rows.sort()
        self.reads[meaning.module] = frozenset(self.names.reads)
        return rows

    def _finished(self, statement: _Statement) -> Iterator[Row]:
        line, column, end_line, end_column = statement.place
        importer = self._importer.name
        for (imported, symbol), flags in statement.written.items():
            if imported != importer:
                yield (line, column, imported, symbol, flags, end_line, end_column, statement.scope)
        flags = statement.flags & _INHERITED | _PARENT
        run = statement.parents - statement.targets - {importer}
        named = {(package, name) for package, name in statement.passed if package in run}
        for ancestor, symbol in named | {(one, "") for one in run - {package for package, _ in named}}:
            yield (line, column, ancestor, symbol, flags, end_line, end_column, statement.scope)

    # ---- statements

    def _alias(self, meaning: Meaning, statement: _Statement, row: ImportRow) -> None:
        base = absolute(meaning.module, meaning.is_package, row.level, row.module)
        written = "." * row.level + row.module
        if base is None:
            self._unsure(Blind.PAST_TOP, written if row.module or row.name == "*" else written + row.name, statement)
        elif not row.name:
            self._module(statement, base, "", written)
        elif self._module(statement, base, row.name, written):
            if row.name == "*":
                self._star(statement, base)
            else:
                self._name(statement, base, row.name)

    def _module(self, statement: _Statement, name: str, symbol: str, written: str, extra: int = 0) -> bool:
        """Note an import of a module by name, and say whether it is a first-party module with a name of its own."""
        if name in self.modules:
            self._reach(statement, name, symbol, extra)
            return True
        if name.partition(".")[0] not in self.top_names:
            self._reach(statement, name, symbol, extra)
            return False
        home = nearest(name, self.modules)
        if home and self.names.goes_on_elsewhere(home):
            self._reach(statement, name, symbol, extra)
        elif home and self.modules[home].kind in OPEN_KINDS:
            rest = name[len(home) + 1 :]
            self._reach(statement, home, f"{rest}.{symbol}" if symbol else rest, extra)
        else:
            if home:
                statement.parents.update((home, *self.ancestors(home)) if self._has_code(home) else ())
            self._unsure(Blind.UNRESOLVED, written, statement)
        return False

    def _reach(self, statement: _Statement, target: str, symbol: str, extra: int = 0) -> None:
        statement.written[target, symbol] = statement.flags | extra
        statement.targets.add(target)
        statement.parents.update(self.ancestors(target))

    def _name(self, statement: _Statement, base: str, name: str) -> None:
        """Note what else `from base import name` runs: a submodule, or what a literal PEP 562 table names."""
        below = f"{base}.{name}"
        if below in self.modules:
            certain = self._submodule(base, name)
            if certain is not None:
                self._reach(statement, below, "")
                if certain:  # the package is only run on the way
                    del statement.written[base, name]
                    if not any(one == base for one, _ in statement.written):
                        statement.targets.discard(base)
                    statement.parents.update((base,) if self._has_code(base) else ())
                    statement.passed.add((base, name))
            return
        lazy = self._lazy(base, name)
        if lazy is not None:
            self._module(statement, lazy[0], lazy[1], lazy[0], int(Flag.LAZY))
        elif self.names.lacks(base, name):
            self._unsure(Blind.MISSING_NAME, f"{base}.{name}", statement)

    def _submodule(self, base: str, name: str) -> bool | None:
        """Say whether `from base import name` gives the submodule: True, perhaps (False), or no (None).

        Python asks the package first: what its own code bound there, and only then the submodule.
        """
        below = f"{base}.{name}"
        lazy = self._lazy(base, name)
        if lazy is not None:
            return lazy == (below, "")
        meaning = self.names.meanings.get(base)
        if meaning is None:  # of a package that was not read we do not know what it binds
            return self.modules[base].kind is ModuleKind.NAMESPACE
        if self.names.binding(base, name) is None and not meaning.stars:
            return True
        found = self.names.attribute(base, name)
        if found <= {below, "-"}:
            return True
        # A module of the package may run while the package does, before the name is bound.
        early = within(self._importer.name, base)
        return False if early or below in found else None

    def _lazy(self, base: str, name: str) -> tuple[str, str] | None:
        meaning = self.names.meanings.get(base)
        if meaning is None or not meaning.lazy:
            return None
        bound = self.names.binding(base, name)
        if bound is not None and "-" not in bound:
            return None  # what is bound on every path is never asked of `__getattr__`
        return self.names.lazy_target(base, name)

    def _star(self, statement: _Statement, base: str, extra: int = 0) -> None:
        meaning = self.names.meanings.get(base)
        if meaning is None or meaning.exported is None:
            return
        for name in self.names.public(base):
            below = f"{base}.{name}"
            if below in self.modules:
                if self._submodule(base, name) is not None:
                    self._reach(statement, below, "", extra)
            elif (lazy := self._lazy(base, name)) is not None:
                self._module(statement, lazy[0], lazy[1], lazy[0], extra | int(Flag.LAZY))

    # ---- dynamic imports

    def _dynamic(self, meaning: Meaning, statement: _Statement, call: DynamicRow) -> None:
        if call.callee:
            found = map(importer_of, self.names.resolve(meaning.module, call.callee))
            if call.way not in map(WAYS.get, found):
                return
        if call.way == Way.LOAD:
            self._unsure(Blind.LOADED, call.names[0][1:], statement)
            return
        for name in call.names:
            if not name.startswith("'") or call.level < 0:
                self._unsure(Blind.DYNAMIC, self._beginning(call, name) + "*", statement)
            elif name[1:] or call.level:
                self._constant(statement, call, name[1:])

    @staticmethod
    def _beginning(call: DynamicRow, name: str) -> str:
        """Return what is known of a name; where it is relative, with the package that it is relative to."""
        known = name[1:] if name.startswith("~") and call.level >= 0 else ""
        base = Names.relative_name(known, call.package) if known.startswith(".") and call.way == Way.MODULE else None
        if base is None:
            return known
        return base if known.strip(".") else f"{base}."

    def _constant(self, statement: _Statement, call: DynamicRow, name: str) -> None:
        target: str | None = name
        if call.level:
            target = absolute(self._importer.name, self._importer.is_package, call.level, name)
            name = "." * call.level + name
        elif name.startswith("."):
            if len(call.package) != 1 or not call.package[0].startswith("'"):
                self._unsure(Blind.DYNAMIC, "*", statement)
                return
            target = Names.relative_name(name, call.package)
        elif call.way == Way.OBJECT:
            target = self._first_modules(name)
        if target is None:
            self._unsure(Blind.PAST_TOP, name, statement)
            return
        if not self._module(statement, target, "", target, int(Flag.DYNAMIC)):
            return
        if call.way == Way.RUN and (self.modules[target].is_package or not self._has_code(target)):
            self._module(statement, f"{target}.__main__", "", f"{target}.__main__", int(Flag.DYNAMIC))
        for one in call.fromlist:
            self._listed(statement, target, one)

    def _first_modules(self, path: str) -> str:
        """Return as much of an object's path as names modules; the whole where there may be others than we know."""
        module, colon, _ = path.partition(":")
        if colon:
            return module
        home = nearest(path, self.modules)
        if not home or self.names.goes_on_elsewhere(home) or self.modules[home].kind in OPEN_KINDS:
            return path
        return home

    def _listed(self, statement: _Statement, target: str, atom: str) -> None:
        """Note what an entry of a `fromlist` imports."""
        below = f"{target}.{atom[1:]}"
        if atom == "'*":
            self._star(statement, target, int(Flag.DYNAMIC))
        elif not atom.startswith("'"):
            if self.modules[target].is_package:
                self._unsure(Blind.DYNAMIC, f"{target}.*", statement)
        elif below in self.modules and self._submodule(target, atom[1:]) is not None:
            self._reach(statement, below, "", int(Flag.DYNAMIC))

    # ---- modules

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return the packages above a first-party module that have code to run."""
        known = self._ancestors.get(name)
        if known is None:
            # A loop: a name may have more dots than Python's stack has frames.
            dots = [at for at, char in enumerate(name) if char == "."]
            known = self._ancestors[name] = tuple(name[:at] for at in dots if self._has_code(name[:at]))
        return known

    def _has_code(self, name: str) -> bool:
        found = self.modules.get(name)
        return found is not None and found.kind is not ModuleKind.NAMESPACE

    def _unsure(self, kind: Blind, what: str, statement: _Statement) -> None:
        importer = self._importer
        self.blind.append(BlindSpot(kind, importer.name, what, Site(importer.path, *statement.place, statement.scope)))


def _flags(flags: int, type_only: bool) -> int:
    return flags & ~_WHEN | _TYPE_ONLY if type_only else flags
