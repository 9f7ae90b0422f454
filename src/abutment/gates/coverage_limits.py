"""Which set limits does coverage miss: a floor of a group, or that of the lines a branch has changed?

None of it can be recorded: a floor that is missed is missed until code is covered, or a person approves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abutment.facts.coverage import Covered, covered_of
from abutment.gates.coverage_groups import Grouped
from abutment.gates.coverage_settings import Floor, Settings
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.percent import Percent
from abutment.model.site import Site
from abutment.semantics.logical_lines import first_lines
from abutment.sources.changed_lines import ChangedLines
from abutment.sources.tools.coverage_report import CoverageReport
from abutment.sources.tree import Tree

FLOOR, CHANGED = "floor", "changed"
WHOLE = ""  # the group of all files


@dataclass(frozen=True, slots=True)
class Shortfall:
    """One limit that is missed."""

    key: Key
    count: int  # how many more would have to be covered
    what: str
    sites: tuple[Site, ...] = ()
    through: tuple[Site, ...] = ()  # the files that bring it about


def floors_missed(settings: Settings, found: Grouped, report: CoverageReport) -> Iterator[Shortfall]:
    """Yield each floor that its group does not reach."""
    for name, floor in _floors(settings).items():
        paths = found.every if name == WHOLE else found.paths.get(name, ())
        covered, percent = covered_of(report, paths), floor.percent
        if not covered.reaches(percent.value.numerator, percent.value.denominator):
            whose = f"{name}: " if name else ""
            share = f"{covered.covered} of {covered.total} are covered, {covered.percent} %"
            lacking = _lacking(covered, percent)
            what = f"{whose}{share}, where {percent.text} % is set; {lacking} more would do"
            guilty = tuple(Site(path) for path in paths if path in report.files and report.files[path].is_lacking)
            yield Shortfall((name, FLOOR, ""), lacking, what, (floor.site,), guilty)


def floors_of_nothing(settings: Settings, found: Grouped, report: CoverageReport) -> Iterator[Fault]:
    """Yield a fault for each group with a floor in which nothing was measured: it would hold whatever is set."""
    for group in settings.groups:
        if group.floor is not None and not covered_of(report, found.paths.get(group.name, ())).total:
            site, remedy = group.floor.site, "Have coverage measure it, or take the floor out."
            yield Fault(site.path, site.line, f"{group.key}.floor: nothing of {group.name} was measured.", remedy)


def _floors(settings: Settings) -> Mapping[str, Floor]:
    floors = {group.name: group.floor for group in settings.groups if group.floor is not None}
    return floors if settings.floor is None else {WHOLE: settings.floor, **floors}


def _lacking(covered: Covered, floor: Percent) -> int:
    """Return how many more of the same statements would have to be covered."""
    wanted, hundred = floor.value.numerator * covered.total, floor.value.denominator * 100
    return -(-wanted // hundred) - covered.covered


@dataclass(frozen=True, slots=True)
class Touched:
    """The statements of one file on lines that a branch has changed."""

    path: str
    module: str
    covered: int
    missing: Sequence[int]  # first lines


def touched_files(
    changed: ChangedLines, modules: Mapping[str, str], report: CoverageReport, tree: Tree
) -> tuple[Touched, ...]:
    """Return the files with changed statements; of one that was not measured, each line of code is a missing one."""
    paths = (path for path in sorted(modules) if path in changed.files)
    every = (_touched(changed, path, modules[path], report, tree) for path in paths)
    return tuple(one for one in every if one.covered or one.missing)


def _touched(changed: ChangedLines, path: str, module: str, report: CoverageReport, tree: Tree) -> Touched:
    first = first_lines(tree.read(path))
    lines = frozenset(first[line] for line in changed.touched(path, frozenset(first)))
    measured = report.files.get(path)
    if measured is None:
        return Touched(path, module, 0, sorted(lines))
    ran = lines & measured.executed - measured.excluded
    return Touched(path, module, len(ran), sorted(lines & measured.missing))


def changed_missed(touched: Sequence[Touched], floor: Floor, base: str) -> Iterator[Shortfall]:
    """Yield each file with uncovered changed lines, where all changed lines together do not reach the floor."""
    share, percent = share_of(touched), floor.percent
    if share.reaches(percent.value.numerator, percent.value.denominator):
        return
    shown = f"{share.covered} of {share.total}, {share.percent} %, where {percent.text} % is set"
    for one in touched:
        if one.missing:
            lines = "1 line" if len(one.missing) == 1 else f"{len(one.missing)} lines"
            what = f"no test runs {lines} of {one.path} changed since {base} (covered: {shown})"
            sites = tuple(Site(one.path, line) for line in one.missing)
            yield Shortfall((WHOLE, CHANGED, one.module), len(one.missing), what, sites)


def share_of(touched: Sequence[Touched]) -> Covered:
    """Return how much of what was changed is covered."""
    covered = sum(one.covered for one in touched)
    return Covered(covered, covered + sum(len(one.missing) for one in touched))
