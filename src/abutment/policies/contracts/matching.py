"""What do a contract's selectors mean in this codebase, and which of them mean nothing?"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.model.fault import Fault
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Pattern


def sources(codebase: Codebase, contract: Contract, patterns: Iterable[Pattern], faults: list[Fault]) -> frozenset[int]:
    """Return the modules whose imports the contract looks at; one fault for each pattern that means none."""
    found: set[int] = set()
    for pattern in patterns:
        meant = codebase.select(pattern.selector)
        judged = meant & codebase.judged
        if not judged:
            faults.append(contract.fault(pattern.site, _nothing_to_judge(pattern, bool(meant))))
        found |= judged
    return frozenset(found)


def _nothing_to_judge(pattern: Pattern, outside_scope: bool) -> str:
    if outside_scope:
        return (
            f"{pattern.text!r} matches no module whose imports this gate judges (tests, exclusions, packages outside)."
        )
    return f"{pattern.text!r} matches no module."


def targets(codebase: Codebase, contract: Contract, patterns: Iterable[Pattern], faults: list[Fault]) -> frozenset[int]:
    """Return what the patterns mean as targets; a fault for each that must mean something and does not."""
    found: set[int] = set()
    for pattern in patterns:
        meant = codebase.select(pattern.selector)
        if not meant and must_exist(codebase, pattern):
            faults.append(contract.fault(pattern.site, f"{pattern.text!r} matches no module."))
        found |= meant
    return frozenset(found)


def must_exist(codebase: Codebase, pattern: Pattern) -> bool:
    """Say whether a pattern that matches nothing is a mistake.

    A package outside the roots that nobody imports is what a ban wants; nothing tells it from a misspelt one.
    """
    return pattern.selector.wild or pattern.selector.name.partition(".")[0] in codebase.tops


def without(codebase: Codebase, nodes: frozenset[int], exceptions: Iterable[Pattern]) -> frozenset[int]:
    """Return the nodes but for those that the exceptions mean."""
    left_out = [codebase.select(pattern.selector) for pattern in exceptions]
    return nodes.difference(*left_out) if left_out else nodes
