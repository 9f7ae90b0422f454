"""Which configuration fits a codebase that has none?

Roots, gates that need no configuration, how strictly cycles are held, and contracts: proposed from the imports, or
carried over from another tool. All of it are values with the reason beside them; nothing is written here.
"""

from __future__ import annotations

import posixpath
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abutment.adopt.layers import Proposal, propose_layers
from abutment.adopt.roots import FoundRoots, find_roots
from abutment.adopt.survey import Ignoring, Survey
from abutment.errors import NotJudged
from abutment.gates import TABLE, load_gate
from abutment.gates.cycles import HOLDS, suggest_hold
from abutment.model.fault import Fault
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.ignore import IgnoreFile
from abutment.sources.tree import Tree
from abutment.sources.universe import Role, Root, Universe

_MOST_MEMBERS = 8  # of a layer that are shown


@dataclass(frozen=True, slots=True)
class Place:
    """The codebase that is adopted, and how it is read."""

    root: Path
    tree: Tree
    tracked: frozenset[str] | None = None  # git's files; None without git
    outer: tuple[IgnoreFile, ...] = ()  # ignore patterns that reach the tree from above it
    cache: Cache | None = None
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Carried:
    """Contracts that come from another tool's configuration, and what could not be carried over."""

    contracts: tuple[Mapping[str, object], ...]
    lines: tuple[str, ...]


Carry = Callable[[Tree, Collection[str]], Carried]  # reads another tool's configuration, given all modules' names


@dataclass(frozen=True, slots=True)
class Proposed:
    """A configuration with its reasons, and the codebase as it was read for it."""

    universe: Universe
    program: Program
    settings: Mapping[str, object]
    comments: Mapping[str, tuple[str, ...]]  # for each key of the settings, what stands above it
    found: tuple[str, ...]
    decided: tuple[str, ...]
    unchecked: tuple[str, ...] = ()  # folders of projects that need a configuration of their own


def propose_configuration(
    place: Place, given_roots: Sequence[str] = (), gates: Sequence[str] = (), carry: Carry | None = None
) -> Proposed:
    """Return the configuration for a codebase that has none; raises NotJudged where no code can be found.

    `gates`, where there are any, are switched on instead of those that need no configuration. `carry` gives the
    contracts instead of the proposals; what it raises is passed on.
    """
    found = find_roots(place.tree, given_roots, place.root.name, tracked=place.tracked, outer=place.outer)
    found, universe, program = _read(place, found, as_given=bool(given_roots))
    carried = None if carry is None else carry(place.tree, program.modules)
    contracts, about, above = _contracts(program, carried)
    hold, why_hold, deferred = suggest_hold(program)
    names = tuple(gates) or _gates(bool(contracts))
    settings: dict[str, object] = {"roots": [_as_setting(root) for root in found.roots], "gates": list(names)}
    comments: dict[str, tuple[str, ...]] = {"roots": found.evidence}
    if hold != HOLDS[0] and "cycles" in names:
        settings["cycles"] = {"hold": hold}
        comments["cycles"] = (why_hold,)
    if contracts:
        settings["contracts"] = contracts
    comments["contracts" if contracts else ""] = above
    return Proposed(
        universe=universe,
        program=program,
        settings=settings,
        comments=comments,
        found=(*found.evidence, *found.not_taken, *_account(universe, program)),
        decided=(*_about_gates(names), *_about_cycles(names, hold, why_hold, deferred), *about),
        unchecked=found.unchecked,
    )


def _read(place: Place, found: FoundRoots, *, as_given: bool) -> tuple[FoundRoots, Universe, Program]:
    """Read the code below the roots; take single modules that it imports as roots as well, and read again."""
    survey = Survey(place.tree, Ignoring(place.tree, place.tracked, place.outer))
    while True:  # each round takes modules that no earlier one took
        universe = discover(place.tree, found.roots, (), place.tracked, outer=place.outer)
        found = _without_empty(found, universe)
        program = build_program(universe, place.tree, cache=place.cache, jobs=place.jobs)
        more = {} if as_given else dict(_imported_beside(survey, found, program))
        if not more:
            return found, universe, program
        evidence = (f"{root.path}: {why}" for root, why in more.items())
        found = replace(found, roots=(*found.roots, *more), evidence=(*found.evidence, *evidence))


def _without_empty(found: FoundRoots, universe: Universe) -> FoundRoots:
    """Drop roots in which no file is read; raises NotJudged where none is left.

    What git ignores, or a rule leaves out, is no code of this project.
    """
    counts = Counter(root_of(file.path, found.roots) for file in universe.files)
    counts.update(root_of(fault.path, found.roots) for fault in universe.not_judged)
    kept = [index for index, root in enumerate(found.roots) if counts[root]]
    if not any(found.roots[index].role is Role.SOURCE for index in kept):
        looked = ", ".join(root.path for root in found.roots)
        remedy = "Name the folder with --root; `abutment config` says what became of every file."
        raise NotJudged(Fault("", 0, f"No Python file is read below {looked}: all are ignored or left out.", remedy))
    dropped = tuple(f"{root.path}: every file in it is ignored or left out" for root in found.roots if not counts[root])
    return FoundRoots(
        roots=tuple(found.roots[index] for index in kept),
        evidence=tuple(found.evidence[index] for index in kept),
        not_taken=(*found.not_taken, *dropped),
        unchecked=found.unchecked,
    )


def root_of(path: str, roots: Sequence[Root]) -> Root | None:
    """Return the innermost root that holds the path."""
    holding = [root for root in roots if root.path in (".", path) or path.startswith(f"{root.path}/")]
    return max(holding, key=lambda root: len(root.path), default=None)


def _imported_beside(survey: Survey, found: FoundRoots, program: Program) -> Iterator[tuple[Root, str]]:
    """Yield modules beside the roots that the code imports by their name."""
    importers: dict[str, str] = {}
    columns = program.columns
    for row in range(len(columns)):
        name = columns.names[columns.imported[row]].partition(".")[0]
        importers.setdefault(name, columns.names[columns.importer[row]])
    known = {name.partition(".")[0] for name in program.modules}
    taken = {root.path for root in found.roots}
    folders = sorted({posixpath.dirname(root.path) for root in found.roots if root.path != "."})
    for name in sorted(importers.keys() - known - sys.stdlib_module_names):
        beside = (posixpath.join(folder, f"{name}.py") for folder in folders)
        path = next((path for path in beside if path not in taken and survey.is_file(path)), None)
        if path is not None:
            yield Root(path), f"a single module, imported by {importers[name]}"


def _contracts(
    program: Program, carried: Carried | None
) -> tuple[list[Mapping[str, object]], tuple[str, ...], tuple[str, ...]]:
    """Return the contracts, what is said of them to the user, and what stands above them in the configuration."""
    if carried is not None:
        return list(carried.contracts), carried.lines, carried.lines
    proposals = propose_layers(program)
    contracts: list[Mapping[str, object]] = [proposal.contract() for proposal in proposals if proposal.is_law]
    return contracts, tuple(_said_of(proposals)), tuple(_remarks(proposals))


def _said_of(proposals: Sequence[Proposal]) -> Iterator[str]:
    for proposal in proposals:
        yield f"boundaries: {_headline(proposal)}"
        if proposal.is_law:
            yield from (f"    {_layer(layer)}" for layer in proposal.order.layers)
    remarks = sum(len(proposal.comments) - 1 for proposal in proposals)
    if remarks:
        yield f"{remarks} more lines of figures stand as comments in the configuration."


def _layer(members: Sequence[str]) -> str:
    more = len(members) - _MOST_MEMBERS
    return " : ".join(members[:_MOST_MEMBERS]) + (f" and {more} more" if more > 0 else "")


def _remarks(proposals: Sequence[Proposal]) -> Iterator[str]:
    for proposal in proposals:
        yield _headline(proposal)
        yield from (f"  {line}" for line in proposal.comments[1:])


def _headline(proposal: Proposal) -> str:
    first = proposal.comments[0]
    return f"{proposal.id}: {first}" if proposal.is_law else first


def _gates(has_contracts: bool) -> tuple[str, ...]:
    return tuple(
        name for name in TABLE if not load_gate(name).needs_configuration or (name == "boundaries" and has_contracts)
    )


def _about_gates(names: Sequence[str]) -> Iterator[str]:
    yield "gates: " + ", ".join(names) + "."
    idle = [name for name in TABLE if name not in names]
    if idle:
        yield f"Not switched on: {', '.join(idle)} (`abutment list` says what each asks)."


def _about_cycles(names: Sequence[str], hold: str, why_hold: str, deferred: str) -> Iterator[str]:
    if "cycles" in names:
        yield f"cycles: hold = {hold}. {why_hold}"
        if deferred:
            yield f"cycles: {deferred}"


def _as_setting(root: Root) -> object:
    """Return the root as it stands in the configuration."""
    if root.role is Role.SOURCE and not root.package:
        return root.path
    table = {"path": root.path}
    if root.role is not Role.SOURCE:
        table["role"] = root.role.value
    if root.package:
        table["package"] = root.package
    return table


def _account(universe: Universe, program: Program) -> Iterator[str]:
    yield f"{_files(len(universe.files))} to read, with the grammar of {program.grammar}."
    rules = Counter(rule for _, rule in universe.left_out)
    if rules:
        counted = ", ".join(f"{count} {rule}" for rule, count in sorted(rules.items()))
        yield f"Left out (files, and folders as a whole): {counted}."


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
