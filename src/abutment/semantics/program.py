"""What does the whole codebase say about itself, once every name has been looked up?

A `Program` is what the linker makes of all outlines. It is flat (columns of small integers and one table of
names), so that it can be cached as bytes and walked by graph algorithms without building objects. Objects
(`Import`, `BlindSpot`) are made only where somebody looks at one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from itertools import compress, pairwise
from operator import ne
from typing import TYPE_CHECKING

from abutment.model.fault import Fault
from abutment.model.site import Site

if TYPE_CHECKING:
    from abutment.semantics.uses import Uses

# A comment that speaks to us begins so, whatever its case: also one that is only nearly right, as a slip is to be told.
SPEAKS = r"#\s*abutment(?:\s*:|[\s-]*ignore\b)"
OTHERS = "?"  # among a module's exported names: there may be others


class Flag(IntFlag):
    """How one import happens; stored in one byte. Exactly one of the first three bits is set."""

    MODULE = 1  # when: at import time of the importer
    DEFERRED = 2  # when: in a function, or by PEP 810 `lazy`
    TYPE_ONLY = 4  # when: only for the type checker
    OPTIONAL = 8  # guarded by an except for ImportError
    DYNAMIC = 16  # a constant handed to import_module, __import__ or another importer
    PARENT = 32  # via: an ancestor package of the target, executed on the way
    LAZY = 64  # via: through a literal PEP 562 table of the imported package


class ModuleKind(StrEnum):
    """What stands behind a first-party module name."""

    SOURCE = "source"  # a .py file that was scanned
    STUB = "stub"  # a lone .pyi
    EXTENSION = "extension"  # a lone .so or .pyd
    NAMESPACE = "namespace"  # a directory without __init__ that holds modules
    EXCLUDED = "excluded"  # left out by configuration: a known target without facts
    GENERATED = "generated"  # ignored by .gitignore: a known target without facts
    UNREAD = "unread"  # could not be read or parsed: its names are unknown, never absent


@dataclass(frozen=True, slots=True)
class Module:
    """One first-party module."""

    name: str
    path: str  # of its file, or of the directory for a namespace
    kind: ModuleKind
    is_package: bool
    role: str  # of its root: "source" or "tests"


@dataclass(frozen=True, slots=True)
class Import:
    """One import of one target at one place."""

    importer: str
    imported: str
    symbol: str  # the name taken from `imported` by a from-import; "" where there is none
    when: str  # "module", "deferred", "type_only"
    optional: bool
    dynamic: bool
    via: str  # "written", "parent", "lazy"
    site: Site

    @property
    def word(self) -> str:
        """The one word for reports: the first that holds."""
        if self.when == "type_only":
            return "type_only"
        if self.via == "parent":
            return "parent"
        if self.dynamic:
            return "dynamic"
        if self.when == "deferred":
            return "deferred"
        return "optional" if self.optional else "runtime"


class Blind(StrEnum):
    """What the graph cannot be sure of."""

    UNRESOLVED = "unresolved"  # an import of a first-party name that does not exist
    PAST_TOP = "past-top"  # a relative import that climbs above the top package
    MISSING_NAME = "missing-name"  # `from m import n` where m is first-party, closed, and binds no n
    SHADOWED = "shadowed"  # a file that can never be imported, as another one has its name
    CASE_PAIR = "case-pair"  # two files whose names differ by case only
    DYNAMIC = "dynamic"  # an importer with an argument that is no constant, or one that gets out of sight
    LOADED = "loaded"  # a file or a spec that is run, whatever its name


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """One such place."""

    kind: Blind
    module: str
    what: str  # the name as written (with leading dots), a known prefix + "*", the loader, or the other file
    site: Site


@dataclass(frozen=True, slots=True)
class Directive:
    """One comment that speaks to us: `# abutment: …`."""

    module: str
    text: str  # from its `#` on
    site: Site  # path, line and scope


@dataclass(frozen=True, slots=True)
class ImportColumns:
    """All imports of the program, one row a (place, target); `names` is shared by all name columns.

    Rows are sorted by (path of the importer, line, column, imported, symbol). Columns are `array('I')`
    except `flags`, which is `array('B')`. First-party targets and external ones stand in the same columns.
    """

    names: Sequence[str]
    importer: array[int]
    imported: array[int]
    symbol: array[int]
    flags: array[int]
    line: array[int]
    column: array[int]
    end_line: array[int]
    end_column: array[int]
    scope: array[int]

    def __len__(self) -> int:
        return len(self.flags)

    def spans(self) -> dict[str, range]:
        """Return the rows of each importer that has any; they stand together, as rows go by the importer's file."""
        changes = compress(range(1, len(self)), map(ne, self.importer[1:], self.importer))
        bounds = [*({0} if self.importer else ()), *changes, len(self)]
        return {self.names[self.importer[start]]: range(start, end) for start, end in pairwise(bounds)}


def _no_uses() -> Uses:
    from abutment.semantics.uses import Uses

    return Uses(lambda: None)


@dataclass(frozen=True, slots=True)
class Program:
    """All modules, imports and blind spots of one codebase."""

    modules: Mapping[str, Module]
    columns: ImportColumns
    blind: tuple[BlindSpot, ...]
    unread: tuple[Fault, ...]  # files that could not be read or parsed, one fault each
    exports: Mapping[str, Mapping[str, str]]  # module -> name -> origin "pkg.mod:name", "requests:get" or "pkg.mod"
    grammar: str  # "CPython 3.11"
    directives: tuple[Directive, ...] = ()  # by place
    uses: Uses = field(default_factory=_no_uses)  # what the code does with what it names

    def imports(self) -> Iterator[Import]:
        """Yield every import in the columns' order."""
        return map(self.import_at, range(len(self.columns)))

    def import_at(self, row: int) -> Import:
        """Return row `row` of the columns as a value."""
        c = self.columns
        flags = c.flags[row]
        importer = c.names[c.importer[row]]
        return Import(
            importer=importer,
            imported=c.names[c.imported[row]],
            symbol=c.names[c.symbol[row]],
            when="type_only" if flags & Flag.TYPE_ONLY else "deferred" if flags & Flag.DEFERRED else "module",
            optional=bool(flags & Flag.OPTIONAL),
            dynamic=bool(flags & Flag.DYNAMIC),
            via="parent" if flags & Flag.PARENT else "lazy" if flags & Flag.LAZY else "written",
            site=Site(
                self.modules[importer].path,
                c.line[row],
                c.column[row],
                c.end_line[row],
                c.end_column[row],
                c.names[c.scope[row]],
            ),
        )

    def origin(self, module: str, name: str) -> str | None:
        """Return where `name` of the first-party `module` is defined, following re-exports.

        `"pkg.mod:name"` for a definition, `"pkg.mod"` for a module, `"requests:get"` for something outside;
        None where it is not known. Chains that never end (mutual re-exports) are None.
        """
        seen: set[tuple[str, str]] = set()
        while (module, name) not in seen:
            seen.add((module, name))
            found = self.exports.get(module, {}).get(name)
            if found is None:
                return None
            target, colon, symbol = found.partition(":")
            if not colon or (target == module and symbol == name) or target not in self.modules:
                return found
            module, name = target, symbol
        return None
