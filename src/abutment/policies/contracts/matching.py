"""What do a contract's selectors mean in this codebase, and which of them mean nothing?"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.model.fault import Fault
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Pattern


def sources(codebase: Codebase, contract: Contract, patterns: Iterable[Pattern], faults: list[Fault]) -> frozenset[int]:
    """Return the modules whose imports the contract looks at; one fault for each pattern that means none."""
    return _meant(codebase, contract, patterns, faults, codebase.judged)


def members(codebase: Codebase, contract: Contract, patterns: Iterable[Pattern], faults: list[Fault]) -> frozenset[int]:
    """Return the modules of ours that stand side by side in a contract, also those whose imports are not known."""
    return _meant(codebase, contract, patterns, faults, codebase.in_scope)


def sources_but(
    codebase: Codebase,
    contract: Contract,
    patterns: Iterable[Pattern],
    exceptions: Iterable[Pattern],
    faults: list[Fault],
) -> frozenset[int]:
    """Return the sources without the exceptions; a fault, too, where that leaves none."""
    found, excepted = (sources(codebase, contract, side, faults) for side in (patterns, exceptions))
    if found and not found - excepted:
        faults.append(contract.fault(contract.site, "`except_sources` leaves nothing of `sources` to judge."))
    return found - excepted


def _meant(
    codebase: Codebase,
    contract: Contract,
    patterns: Iterable[Pattern],
    faults: list[Fault],
    among: frozenset[int],
) -> frozenset[int]:
    found: set[int] = set()
    for pattern in patterns:
        meant = codebase.select(pattern.selector)
        if not meant & among:
            faults.append(contract.fault(pattern.site, _nothing_to_judge(pattern, bool(meant))))
        found |= meant & among
    return frozenset(found)


def _nothing_to_judge(pattern: Pattern, outside_scope: bool) -> str:
    if outside_scope:
        return (
            f"{pattern.text!r} matches no module whose imports this gate judges "
            "(not judged: tests, what is excluded or generated, extensions, packages outside)."
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

    A package outside the roots that nobody imports is what a ban wants; nothing tells it from a misspelt one, but
    for names that no import statement can spell (`scikit-learn` is a distribution, `sklearn` its module).
    """
    parts = pattern.selector.name.split(".")
    return pattern.selector.wild or parts[0] in codebase.tops or not all(map(str.isidentifier, parts))
