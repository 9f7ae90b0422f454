"""Does anything import what it must not?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import judged_groups
from abutment.policies.contracts.matching import sources_but, targets
from abutment.policies.contracts.reading import patterns

_OWN_PART = (
    "Name what it may not import more narrowly, or take it off that side with `except_forbidden`; "
    'a module that may import nothing around it wants the kind "leaf".'
)


@dataclass(frozen=True, slots=True)
class Forbidden:
    """`sources` may not import `forbidden`."""

    sources: tuple[Pattern, ...]
    forbidden: tuple[Pattern, ...]
    except_sources: tuple[Pattern, ...] = ()
    except_forbidden: tuple[Pattern, ...] = ()


def read(reader: TableReader) -> Forbidden:
    """Read the keys of this kind."""
    return Forbidden(
        sources=patterns(reader, "sources"),
        forbidden=patterns(reader, "forbidden"),
        except_sources=patterns(reader, "except_sources", optional=True),
        except_forbidden=patterns(reader, "except_forbidden", optional=True),
    )


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import, or chain, from the one side to the other."""
    law: Forbidden = contract.law
    return between(codebase, edges, contract, law, "forbidden there")


def between(codebase: Codebase, edges: Edges, contract: Contract, law: Forbidden, why: str) -> Findings:
    """Return what leads from `law.sources` to `law.forbidden`.

    A module on the forbidden side may import its own part of that side: with `app` as source and `app.db`
    forbidden, `app.db.models` may import `app.db.session`.
    """
    faults: list[Fault] = []
    sides = Sides(codebase)
    sides.add_sources(sources_but(codebase, contract, law.sources, law.except_sources, faults))
    meant = targets(codebase, contract, law.forbidden, faults)
    excepted = targets(codebase, contract, law.except_forbidden, faults)
    for pattern in law.forbidden:
        sides.add_targets(codebase.select(pattern.selector) - excepted, codebase.units(pattern.selector))
    groups, illegal = sides.groups()
    if not faults and meant and not sides.targets:
        faults.append(contract.fault(contract.site, "`except_forbidden` leaves nothing that is forbidden."))
    elif not faults and all(codebase.select(pattern.selector) for pattern in law.forbidden):
        faults.extend(_idle_sources(codebase, contract, law, groups, illegal))
    if faults:
        return Findings(faults=tuple(faults))
    return judged_groups(codebase, edges, contract, groups, illegal, why=lambda _a, _b: why, meant=sides.targets)


def _idle_sources(
    codebase: Codebase, contract: Contract, law: Forbidden, groups: dict[int, int], illegal: dict[int, int]
) -> Iterator[Fault]:
    """Yield a fault for each source that lies in everything it is forbidden: it may import its own part."""
    for pattern in law.sources:
        nodes = codebase.select(pattern.selector) & groups.keys()
        if nodes and not any(illegal[groups[node]] for node in nodes):
            message = f"nothing is forbidden to {pattern.text!r}, which is itself part of what it may not import."
            yield contract.fault(pattern.site, message, _OWN_PART)


class Sides:
    """The modules on both sides of a ban; a module may stand on either, on both or on none."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase = codebase
        self._sources: frozenset[int] = frozenset()
        self._parts: dict[int, set[str]] = {}

    @property
    def targets(self) -> frozenset[int]:
        """Every node on the forbidden side."""
        return frozenset(self._parts)

    def add_sources(self, nodes: frozenset[int]) -> None:
        """Add modules that may not import the other side."""
        self._sources |= nodes

    def add_targets(self, nodes: frozenset[int], parts: dict[str, frozenset[int]]) -> None:
        """Add nodes that may not be imported; `parts` are the wholes they belong to."""
        for name, members in parts.items():
            for node in members & nodes:
                self._parts.setdefault(node, set()).add(name)

    def groups(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return each node's group, and for each group the bits of those it may not reach."""
        sorts: dict[tuple[bool, frozenset[str]], int] = {}
        groups: dict[int, int] = {}
        for node in sorted({*self._sources, *self._parts}):
            sort = (node in self._sources, frozenset(self._parts.get(node, ())))
            groups[node] = sorts.setdefault(sort, len(sorts))
        return groups, _out_of_bounds(sorts)


def _out_of_bounds(sorts: dict[tuple[bool, frozenset[str]], int]) -> dict[int, int]:
    """Return for each group with sources the bits of those groups that belong to a part it is not in itself."""
    all_targets = sum(1 << group for (_, parts), group in sorts.items() if parts)
    holding: dict[str, list[tuple[frozenset[str], int]]] = defaultdict(list)
    for (_, parts), group in sorts.items():
        for part in parts:
            holding[part].append((parts, group))
    illegal: dict[int, int] = {}
    for (is_source, own), group in sorts.items():
        home = {other for part in own for parts, other in holding[part] if parts <= own}
        illegal[group] = all_targets ^ sum(1 << other for other in home) if is_source else 0
    return illegal


KIND = Kind(
    name="forbidden",
    rule="ABT302",
    read=read,
    find=find,
    remedy="Take what is needed from a module that may be imported there, or turn the dependency round.",
    indirect=True,
    loosening=Loosening(
        {
            "sources": Requires(dotted=True),
            "forbidden": Requires(dotted=True),
            "except_sources": Permits(),
            "except_forbidden": Permits(),
        }
    ),
)
