"""What of the code does no test run, by groups of files?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abutment.model.site import Site
from abutment.sources.tools.coverage_report import CoverageReport, FileCoverage

STATEMENTS, BRANCHES, UNMEASURED = "statements", "branches", "unmeasured"


@dataclass(frozen=True, slots=True, order=True)
class Uncovered:
    """One statement or branch that no test takes, counted for its group; or a file of which nobody knows."""

    group: str
    measure: str  # "statements", "branches" or "unmeasured"
    module: str  # that was not measured; "" for what is counted
    site: Site = field(compare=False)


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of a group is covered: statements, and branches where they were measured."""

    covered: int = 0
    total: int = 0

    def reaches(self, numerator: int, denominator: int) -> bool:
        """Say whether the covered part is at least that many percent, to the last statement."""
        return self.covered * 100 * denominator >= numerator * self.total

    @property
    def percent(self) -> str:
        """The share as people read it, never rounded up."""
        hundredths = 10_000 * self.covered // self.total if self.total else 10_000
        return f"{hundredths // 100}.{hundredths % 100:02}"


def scan_uncovered(
    report: CoverageReport, groups: Mapping[str, Sequence[str]], unmeasured: Mapping[str, str]
) -> Iterator[Uncovered]:
    """Yield what no test takes of each group's files; of those in `unmeasured`, by path, only the module is known."""
    for group, paths in groups.items():
        for path in paths:
            if path in unmeasured:
                yield Uncovered(group, UNMEASURED, unmeasured[path], Site(path))
            elif path in report.files:
                yield from _of_file(group, report.files[path])


def _of_file(group: str, measured: FileCoverage) -> Iterator[Uncovered]:
    for line in sorted(measured.missing):
        yield Uncovered(group, STATEMENTS, "", Site(measured.path, line))
    for start, _end in measured.missing_branches:
        yield Uncovered(group, BRANCHES, "", Site(measured.path, max(start, 0)))


def covered_of(report: CoverageReport, paths: Sequence[str]) -> Covered:
    """Return how much of these files is covered; those that were not measured count for nothing."""
    files = [report.files[path] for path in paths if path in report.files]
    missing = sum(len(one.missing) + len(one.missing_branches) for one in files)
    total = sum(one.statements + one.branches for one in files)
    return Covered(total - missing, total)
