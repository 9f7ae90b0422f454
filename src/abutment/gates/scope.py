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
class PlacedSelector:
    """One selector of modules in a gate's settings, and where it is written."""

    selector: Selector
    site: Site

    def matches(self, module: str) -> bool:
        """Say whether the module is one of those it selects."""
        return self.selector.matches(module)


PlacedSelectors = tuple[PlacedSelector, ...]
Exclude = PlacedSelectors


def read_exclude(reader: TableReader) -> Exclude:
    """Return the gate's `exclude`: selectors of modules that it does not judge."""
    return read_selectors(reader, "exclude")


def read_selectors(reader: TableReader, key: str) -> PlacedSelectors:
    """Return the list of selectors below `key`; one that is no selector, or there twice, is a fault."""
    found: dict[str, PlacedSelector] = {}
    for index, text in enumerate(reader.texts(key, ())):
        try:
            selector = Selector(text)
        except ValueError as error:
            reader.fault((key, index), str(error))
            continue
        if text in found:
            reader.fault((key, index), f"{text!r} is there twice")
        found[text] = PlacedSelector(selector, Site(reader.document, reader.line(key, index)))
    return tuple(found.values())


def leaves_out(exclude: Exclude, module: str) -> bool:
    """Say whether the module is left out."""
    return any(one.matches(module) for one in exclude)


def modules_in_scope(program: Program, exclude: Exclude) -> int:
    """Return how many modules were scanned and are not left out."""
    scanned = (name for name, module in program.modules.items() if module.kind in SCANNED)
    return sum(not leaves_out(exclude, name) for name in scanned)


def unmatched(gate: str, selectors: PlacedSelectors, modules: Iterable[str], key: str = "exclude") -> tuple[Fault, ...]:
    """Return a fault for each selector below `key` that selects nothing: it is misspelt, or no longer needed."""
    names = tuple(modules)
    return tuple(
        Fault(
            one.site.path,
            one.site.line,
            f"{gate}.{key}: {one.selector.text!r} matches no module.",
            "Correct the name, or delete the line.",
        )
        for one in selectors
        if not any(one.matches(name) for name in names)
    )
