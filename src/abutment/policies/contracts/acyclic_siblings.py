"""Do the children of a package import each other in a circle?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from abutment.facts.digraph import strong_components
from abutment.model.fault import Fault
from abutment.model.loosening import AtLeast, Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.model.selector import Selector, within
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import plain_breaches
from abutment.policies.contracts.reading import patterns

DEPTH = 10


@dataclass(frozen=True, slots=True)
class AcyclicSiblings:
    """Below each ancestor, no package's children may form a cycle, each child taken as a whole."""

    ancestors: tuple[Pattern, ...]
    depth: int = DEPTH  # how many levels below the ancestor are looked at, beside its own children
    skip_descendants: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One import between two children of a package."""

    start: str
    end: str
    edge: tuple[int, int]


def read(reader: TableReader) -> AcyclicSiblings:
    """Read the keys of this kind."""
    return AcyclicSiblings(
        ancestors=patterns(reader, "ancestors"),
        depth=reader.integer("depth", DEPTH),
        skip_descendants=patterns(reader, "skip_descendants", optional=True),
    )


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import between two siblings that stand in a cycle of siblings."""
    law: AcyclicSiblings = contract.law
    faults: list[Fault] = []
    ancestors = _named(codebase, contract, law.ancestors, faults)
    skipped = _named(codebase, contract, law.skip_descendants, faults)
    below = codebase.judged & frozenset().union(*(codebase.select(Selector(name)) for name in ancestors))
    if not faults and below <= {codebase.number[name] for name in ancestors}:
        faults.append(contract.fault(contract.site, "below its ancestors stands nothing whose imports are judged."))
    if faults:
        return Findings(faults=tuple(faults))
    steps = _steps(codebase, edges, below)
    circular = [
        step
        for package in sorted(steps)
        if any(_looked_at(package, ancestor, law.depth, skipped) for ancestor in ancestors)
        for step in _in_cycles(steps[package])
    ]
    reasons = {step.edge: f"{step.start} and {step.end} stand in a cycle" for step in circular}
    return plain_breaches(codebase, reasons, lambda start, end: reasons[start, end])


def _named(codebase: Codebase, contract: Contract, named: Iterable[Pattern], faults: list[Fault]) -> list[str]:
    found: list[str] = []
    for pattern in named:
        names = codebase.modules_named(pattern.selector)
        if not names:
            faults.append(contract.fault(pattern.site, f"there is no package {pattern.text!r}."))
        found.extend(names)
    return found


def _looked_at(package: str, ancestor: str, depth: int, skipped: Iterable[str]) -> bool:
    if not within(package, ancestor) or package.count(".") - ancestor.count(".") > depth:
        return False
    return not any(within(package, skip) and skip != ancestor and within(skip, ancestor) for skip in skipped)


def _steps(codebase: Codebase, edges: Edges, below: frozenset[int]) -> dict[str, list[Step]]:
    """Return the imports between siblings by the package whose children they are."""
    steps: dict[str, list[Step]] = defaultdict(list)
    parts = {node: codebase.names[node].split(".") for node in below}
    for start in sorted(below):
        for end in edges.out[start]:
            if end in below:
                shared = _shared(parts[start], parts[end])
                if shared < min(len(parts[start]), len(parts[end])):
                    package = ".".join(parts[start][:shared])
                    one, other = (".".join(parts[node][: shared + 1]) for node in (start, end))
                    steps[package].append(Step(one, other, (start, end)))
    return steps


def _shared(one: list[str], other: list[str]) -> int:
    shared = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        shared += 1
    return shared


def _in_cycles(steps: list[Step]) -> Iterator[Step]:
    names = sorted({name for step in steps for name in (step.start, step.end)})
    place = {name: index for index, name in enumerate(names)}
    successors: list[set[int]] = [set() for _ in names]
    for step in steps:
        successors[place[step.start]].add(place[step.end])
    component: dict[int, int] = {}
    for index, members in enumerate(strong_components([sorted(targets) for targets in successors])):
        component.update(dict.fromkeys(members, index))
    for step in steps:
        home = component.get(place[step.start])
        if home is not None and component.get(place[step.end]) == home:
            yield step


KIND = Kind(
    name="acyclic_siblings",
    rule="ABT305",
    read=read,
    find=find,
    remedy="Break the circle: move the shared part into a sibling below both, or hand it in from above.",
    loosening=Loosening({"ancestors": Requires(), "depth": AtLeast(DEPTH), "skip_descendants": Permits()}),
)
