"""Which modules do a gate's settings select, and does each of those selectors mean something?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site
from abutment.semantics.program import ModuleKind, Program
from abutment.sources.universe import Role

SCANNED = frozenset({ModuleKind.SOURCE, ModuleKind.STUB})


@dataclass(frozen=True, slots=True)
class PlacedSelector:
    """One selector of modules in a gate's settings, and where it is written."""

    selector: Selector
    key: str  # "egress.exclude[0]"
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
        one = _placed(reader, text, key, index)
        if text in found:
            reader.fault((key, index), f"{text!r} is there twice")
        if one is not None:
            found[text] = one
    return tuple(found.values())


def read_selector(reader: TableReader, key: str) -> PlacedSelector | None:
    """Return the selector that stands there alone; None after a fault."""
    text = reader.text(key)
    return _placed(reader, text, key) if text.strip() else None


def _placed(reader: TableReader, text: str, *below: str | int) -> PlacedSelector | None:
    try:
        selector = Selector(text)
    except ValueError as error:
        reader.fault(below, str(error))
        return None
    return PlacedSelector(selector, reader.name(*below), Site(reader.document, reader.line(*below)))


def selects(selectors: PlacedSelectors, module: str) -> bool:
    """Say whether one of the selectors matches the module."""
    return any(one.matches(module) for one in selectors)


def modules_in_scope(program: Program, exclude: Exclude) -> int:
    """Return how many modules were scanned and are not left out."""
    return len(files_in_scope(program, exclude))


def files_in_scope(program: Program, exclude: Exclude) -> dict[str, str]:
    """Return the modules that were scanned and are not left out, by path."""
    scanned = (module for module in program.modules.values() if module.kind in SCANNED)
    return {module.path: module.name for module in scanned if not selects(exclude, module.name)}


def source_files(program: Program, exclude: Exclude) -> dict[str, str]:
    """Return the modules of the source roots that Python would run and that are not left out, by path."""
    modules = (one for one in program.modules.values() if one.kind is ModuleKind.SOURCE and one.role == Role.SOURCE)
    return {one.path: one.name for one in modules if not selects(exclude, one.name)}


def unmatched(selectors: PlacedSelectors, modules: Iterable[str]) -> tuple[Fault, ...]:
    """Return a fault for each selector that selects nothing: it is misspelt, or no longer needed."""
    names = tuple(modules)
    return tuple(
        Fault(
            one.site.path,
            one.site.line,
            f"{one.key}: {one.selector.text!r} matches no module.",
            "Correct or delete it.",
        )
        for one in selectors
        if not any(map(one.matches, names))
    )
