"""Is more of the code run by no test than before?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from abutment.facts.coverage import BRANCHES, STATEMENTS, UNMEASURED, Uncovered, covered_of, scan_uncovered
from abutment.gates.coverage_groups import Grouped, grouped, require_of_this_code, unmeasured_of
from abutment.gates.coverage_limits import (
    CHANGED,
    Shortfall,
    changed_missed,
    floors_missed,
    floors_of_nothing,
    share_of,
    touched_files,
)
from abutment.gates.coverage_settings import LOOSENING, Settings, read_settings
from abutment.gates.coverage_words import COVER, RULES, SET, Found
from abutment.gates.gate import Facts, Gate
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Conditions, Measurement
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.changed_lines import ChangedLines, changed_lines
from abutment.sources.tools.coverage import coverage_conditions, python_conditions, report_of_data
from abutment.sources.tools.coverage_report import CoverageReport, parse_coverage
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import folder_of
from abutment.sources.tree import Tree

FIELDS = ("group", "measure", "module")


@dataclass(frozen=True, slots=True)
class Asked:
    """A report, and the tree that it is about."""

    settings: Settings
    report: CoverageReport
    conditions: Conditions
    tree: Tree
    changed: ChangedLines | None = None


def prepare(settings: Settings, tree: Tree) -> Asked:
    """Read the report, or have it made; raises NotJudged unless it is whole, and where the base is not known."""
    folder = folder_of(tree)
    report = parse_coverage(_output(settings, folder, tree), settings.tool.paths(folder))
    conditions = _conditions(settings, report, folder)
    if settings.changed_floor is None:
        return Asked(settings, report, conditions, tree)
    where = "`base` in [tool.abutment.coverage]"
    return Asked(settings, report, conditions, tree, changed_lines(folder, settings.base or None, where))


def _output(settings: Settings, folder: Path, tree: Tree) -> Output:
    tool = settings.tool
    if tool.input:
        output = tool.output("coverage", (), folder)
        output.require_status(0)
        return output
    if settings.data:
        return report_of_data(tool.called("coverage", folder), settings.data, folder, tool.seconds)
    if not tree.exists(settings.report):
        remedy = "Make it with `coverage json` after a test run, or say where it is: `report` or `data`."
        raise Output(settings.report, b"").fault("is not there.", remedy)
    return Output(settings.report, tree.read(settings.report))


def _conditions(settings: Settings, report: CoverageReport, folder: Path) -> Conditions:
    """Return under which conditions things were counted; none where nothing that is counted is held."""
    if not settings.measures:
        return {}
    conditions = coverage_conditions(report, folder)
    if settings.data and not settings.tool.input:
        command = settings.tool.called("coverage", folder)
        return {**conditions, **python_conditions(command, folder, settings.tool.seconds)}
    return conditions


def measure(program: Program, asked: Asked, grants: Grants) -> Measurement:
    """Return what no test runs, by group, what is not measured at all, and which limits are missed."""
    settings, report = asked.settings, asked.report
    found = grouped(program, settings)
    require_of_this_code(report, found.every, asked.tree)
    places: dict[Key, list[Site]] = defaultdict(list)
    for one in _scan(asked, found):
        if one.measure == UNMEASURED or one.measure in settings.measures:
            places[one.group, one.measure, one.module].append(one.site)
    limits, told = _limits(asked, found)
    everything = Found(places, {one.key: one for one in limits})
    return Measurement(
        counts=everything.counts(),
        describe=everything.describe,
        looked_at=sum(path in report.files for path in found.every),
        unit="measured files",
        faults=(*found.faults, *floors_of_nothing(settings, found, report), *_approved_changes(grants)),
        notes=tuple(_shares(found, report)),
        beside="; ".join([*told, *_beside(found, report)]),
        covers=tuple(found.paths),
        named_parts=True,
        reviewed_only=lambda key: key[1] in SET,
        conditions=asked.conditions,
        explains=lambda before: _explains(before, asked.conditions),
    )


def _scan(asked: Asked, found: Grouped) -> Iterator[Uncovered]:
    unmeasured = unmeasured_of(asked.report, found.modules, asked.tree)
    yield from scan_uncovered(asked.report, found.paths, unmeasured)


def _limits(asked: Asked, found: Grouped) -> tuple[list[Shortfall], list[str]]:
    """Return which limits are missed, and what a reader should know of the lines that were changed."""
    settings = asked.settings
    missed = list(floors_missed(settings, found, asked.report))
    if asked.changed is None or settings.changed_floor is None:
        return missed, []
    touched = touched_files(asked.changed, found.modules, asked.report, asked.tree)
    missed += changed_missed(touched, settings.changed_floor, asked.changed.base)
    share, base = share_of(touched), asked.changed.base
    if not share.total:
        return missed, [f"no statement was changed since {base}"]
    return missed, [f"of statements changed since {base}, {share.covered} of {share.total} are covered"]


def _approved_changes(grants: Grants) -> Iterator[Fault]:
    """Yield a fault for each approval of changed lines: on the main branch they are changed no more, and it stale."""
    for approval in grants.approvals:
        if approval.key[1] == CHANGED:
            message = "changed lines take no approval: once the branch is merged, nothing is changed any more."
            yield Fault(approval.site.path, approval.site.line, message, "Cover them, or lower `changed_floor`.")


def _shares(found: Grouped, report: CoverageReport) -> Iterator[str]:
    shares = {name: covered_of(report, paths) for name, paths in found.paths.items()}
    told = ", ".join(f"{name} {share.percent} %" for name, share in shares.items() if share.total)
    if told:
        yield f"covered: {told}."


def _beside(found: Grouped, report: CoverageReport) -> Iterator[str]:
    own = [report.files[path] for path in found.every if path in report.files]
    excluded, others = sum(len(one.excluded) for one in own), len(report.files) - len(own)
    if excluded:
        yield f"lines excluded by comments and configuration: {excluded}"
    if others:
        yield f"measured files outside of the source roots: {others}"


def _explains(before: Conditions, now: Conditions) -> Callable[[Key], bool]:
    """Return which keys may differ from a record under other conditions: a switch of branches changes no statement."""
    changed = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    if changed == {"branches"}:
        return lambda key: key[1] == BRANCHES
    return lambda key: key[1] in (STATEMENTS, BRANCHES) or "configuration" in changed


def scan(program: Program, asked: Asked) -> Iterator[Uncovered]:
    """Yield what is uncovered, for the list of facts."""
    found = grouped(program, asked.settings)
    require_of_this_code(asked.report, found.every, asked.tree)
    yield from _scan(asked, found)


def _what(fact: Uncovered) -> str:
    return fact.site.path


GATE = Gate(
    name="coverage",
    question="Is more of the code run by no test than before?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    rules=tuple(RULES.values()),
    remedy=COVER,
    read_settings=read_settings,
    measure=measure,
    prepare=prepare,
    module_fields=("module",),
    tombstones=False,
    needs_configuration=True,
    judges_tests=False,
    facts=Facts(scan, FIELDS, attrgetter("measure"), _what),
    loosening=LOOSENING,
)
