"""Does every task that is given to a registry say whose it is?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abutment.facts.unproven import UNPROVEN
from abutment.model.selector import within
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical

OWNED, MISSING, DYNAMIC, BLANK = "owned", "missing", "dynamic", "blank"


@dataclass(frozen=True, slots=True)
class Registry:
    """What tasks are given to."""

    starters: frozenset[str]  # dotted methods and functions that take a task
    keyword: str  # the argument that says whose it is
    homes: frozenset[str]  # modules that are the registry itself


@dataclass(frozen=True, slots=True, order=True)
class TaskCall:
    """One task given to a registry."""

    module: str
    qualname: str
    target: str  # the method or function
    kind: str  # OWNED, what is wrong with the owner, or UNPROVEN
    site: Site = field(compare=False)
    owner: str = field(compare=False)  # "" where it is not known


def scan_tasks(program: Program, registries: Sequence[Registry]) -> Iterator[TaskCall]:
    """Yield every call that gives a task to a registry, also those of which that cannot be proven."""
    starters = {name: registry for registry in registries for name in registry.starters}
    seen: set[tuple[str, Site]] = set()
    for use, name in program.uses.of(starters.keys()):
        if use.verb != "call" or (use.module, use.site) in seen or name not in map(canonical, use.origins):
            continue
        seen.add((use.module, use.site))
        certain = _certain_target(use, starters)
        target = certain or name
        if not any(within(use.module, home) for home in starters[target].homes):
            kind, owner = _owner(use, starters[target].keyword) if certain else (UNPROVEN, "")
            yield TaskCall(use.module, use.site.scope, target, kind, use.site, owner)


def _certain_target(use: Use, starters: Mapping[str, Registry]) -> str:
    """Return the starter that is called whatever way the code came; "" where something else may be.

    The receiver may be one of several registries. `None` has no methods: a call of one fails.
    """
    targets = {canonical(origin) for origin in use.origins - {"None"}}
    return min(targets) if targets and targets <= starters.keys() else ""


def _owner(use: Use, keyword: str) -> tuple[str, str]:
    given = use.named.get(keyword)
    if given is None:
        return (DYNAMIC if "" in use.named else MISSING), ""
    if given.text is None:
        return DYNAMIC, ""
    return (OWNED if given.text.strip() else BLANK), given.text
