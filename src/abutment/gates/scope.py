"""Which modules does a gate leave out, and does each of those names mean something?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site
from abutment.semantics.program import ModuleKind, Program

SCANNED = frozenset({ModuleKind.SOURCE, ModuleKind.STUB})


@dataclass(frozen=True, slots=True)
class Excluded:
    """One selector of a gate's `exclude`, and where it is written."""

    selector: Selector
    site: Site

    def matches(self, module: str) -> bool:
        """Say whether the module is left out by it."""
        return self.selector.matches(module)


Exclude = tuple[Excluded, ...]


def read_exclude(reader: TableReader) -> Exclude:
    """Return the gate's `exclude`: selectors of modules that it does not judge."""
    found: dict[str, Excluded] = {}
    for index, text in enumerate(reader.texts("exclude", ())):
        try:
            selector = Selector(text)
        except ValueError as error:
            reader.fault(("exclude", index), str(error))
            continue
        if text in found:
            reader.fault(("exclude", index), f"{text!r} is there twice")
        found[text] = Excluded(selector, Site(reader.document, reader.line("exclude", index)))
    return tuple(found.values())


def leaves_out(exclude: Exclude, module: str) -> bool:
    """Say whether the module is left out."""
    return any(one.matches(module) for one in exclude)


def modules_in_scope(program: Program, exclude: Exclude) -> int:
    """Return how many modules were scanned and are not left out."""
    scanned = (name for name, module in program.modules.items() if module.kind in SCANNED)
    return sum(not leaves_out(exclude, name) for name in scanned)


def unmatched(gate: str, exclude: Exclude, modules: Iterable[str]) -> tuple[Fault, ...]:
    """Return a fault for each selector that leaves out nothing: it is misspelt, or no longer needed."""
    names = tuple(modules)
    return tuple(
        Fault(
            one.site.path,
            one.site.line,
            f"{gate}.exclude: {one.selector.text!r} matches no module.",
            "Correct the name, or delete the line.",
        )
        for one in exclude
        if not any(one.matches(name) for name in names)
    )
