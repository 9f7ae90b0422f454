"""Which module imports which, and how?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from abutment.facts.statements import STAR
from abutment.model.site import Site
from abutment.semantics.program import Import, Program


@dataclass(frozen=True, slots=True, order=True)
class ImportFact:
    """One way by which one module imports another; the statements that do it are its sites."""

    importer: str
    imported: str
    when: str  # "module", "deferred", "type_only"
    optional: bool
    dynamic: bool
    via: str  # "written", "parent", "lazy"
    site: Site = field(compare=False)  # where to look, not part of what it is

    @property
    def word(self) -> str:
        """The one word for reports: the first that holds."""
        return self.as_import().word

    def as_import(self) -> Import:
        """Return the fact in the linker's form, without a symbol."""
        return Import(self.importer, self.imported, "", self.when, self.optional, self.dynamic, self.via, self.site)


def scan_imports(program: Program) -> Iterator[ImportFact]:
    """Yield every import of the program, one fact a statement and target, in the program's order.

    Outside the roots nobody knows whether `from m import n` names a module: it yields `m` and the
    candidate `m.n`, and a selector may match either.
    """
    here: Site | None = None
    seen: set[ImportFact] = set()
    for found in program.imports():
        if found.site != here:
            here = found.site
            seen.clear()
        # `from m import a, b` is one statement: the fact that m is imported stands there once.
        for fact in _facts(found, outside=found.imported not in program.modules):
            if fact not in seen:
                seen.add(fact)
                yield fact


def _facts(found: Import, *, outside: bool) -> Iterator[ImportFact]:
    yield _fact(found, found.imported)
    if outside and found.symbol not in ("", STAR):
        yield _fact(found, f"{found.imported}.{found.symbol}")


def _fact(found: Import, imported: str) -> ImportFact:
    return ImportFact(found.importer, imported, found.when, found.optional, found.dynamic, found.via, site=found.site)
