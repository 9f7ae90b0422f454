"""Which modules may do what a gate counts, and which of those allowances are of no use?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from abutment.gates.gate import Rule
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Unused
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site


@dataclass(frozen=True, slots=True)
class Allowance:
    """One selector of modules that may, and where it is written."""

    selector: Selector
    site: Site

    def matches(self, module: str) -> bool:
        """Say whether the module may."""
        return self.selector.matches(module)


Allowances = tuple[Allowance, ...]


def read_allowances(reader: TableReader, key: str) -> Allowances:
    """Return the list of selectors below `key`; one that is no selector, or there twice, is a fault."""
    found: dict[str, Allowance] = {}
    for index, text in enumerate(reader.texts(key, ())):
        try:
            selector = Selector(text)
        except ValueError as error:
            reader.fault((key, index), str(error))
            continue
        if text in found:
            reader.fault((key, index), f"{text!r} is there twice")
        found[text] = Allowance(selector, Site(reader.document, reader.line(key, index)))
    return tuple(found.values())


def allows(allowances: Allowances, module: str) -> bool:
    """Say whether the module may; every allowance that says so is then of use."""
    return any(one.matches(module) for one in allowances)


def unused(
    allowances: Allowances, modules: Iterable[str], what: str, rule: Rule, key: Callable[[str], Key]
) -> Iterator[Unused]:
    """Yield the allowances that cover none of the modules that do it; `key` makes an identity of one's text."""
    doing = frozenset(modules)
    for one in allowances:
        if not any(map(one.matches, doing)):
            text = one.selector.text
            evidence = Evidence(rule.id, f"{text} {what}", (one.site,), remedy="Delete the line, or correct the name.")
            yield Unused(key(text), evidence)


def missing(gate: str, names: Iterable[tuple[str, Site]], absent: Iterable[str]) -> Iterator[Fault]:
    """Yield a fault for each name of a configuration that means nothing in the codebase."""
    gone = frozenset(absent)
    for name, site in names:
        if name in gone:
            yield Fault(site.path, site.line, f"{gate}: {name!r} is nothing in this codebase.", "Correct the name.")
