"""Which modules may do what a gate counts, and which of those allowances are of no use?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from abutment.gates.gate import Rule
from abutment.gates.scope import PlacedSelectors
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Unused
from abutment.model.site import Site


def allows(allowances: PlacedSelectors, module: str) -> bool:
    """Say whether the module may; every allowance that says so is then of use."""
    return any(one.matches(module) for one in allowances)


def unused(
    allowances: PlacedSelectors, modules: Iterable[str], what: str, rule: Rule, key: Callable[[str], Key]
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
