"""What does a JSON report of coverage.py say, and is it whole?

The forms are those of coverage.py's own reporter (`meta.format` 2 and 3). Every figure in it that follows from others
is worked out once more, so that a report that was cut, edited or put together by hand is not believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from abutment.model.reading import Faults, TableReader, shown
from abutment.sources.tools.json_text import exact_document
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow

FORMATS = (2, 3)
_AGAIN = "Make it once more, with `coverage json`."
_COUNTS = ("covered_lines", "num_statements", "missing_lines", "excluded_lines")
_BRANCH_COUNTS = ("num_branches", "num_partial_branches", "covered_branches", "missing_branches")
_REGIONS = ("functions", "classes")
_CLOSE = 1e-9  # between two ways to divide one whole number by another


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """What was measured of one file."""

    path: str  # relative to the root, "/"-separated
    covered: int  # statements that ran
    executed: frozenset[int]  # lines that ran; excluded ones, too
    missing: frozenset[int]  # lines of statements that did not run
    excluded: frozenset[int]  # lines that are not counted, as a comment or the configuration says
    branches: int = 0
    missing_branches: tuple[tuple[int, int], ...] = ()  # (from line, to line), which is negative for a way out
    definitions: frozenset[int] = frozenset()  # lines of `def` and `class`, as far as the report tells them

    @property
    def statements(self) -> int:
        """How many statements it has, those left out that are excluded."""
        return self.covered + len(self.missing)

    @property
    def is_lacking(self) -> bool:
        """Whether anything of it did not run."""
        return bool(self.missing or self.missing_branches)

    @property
    def counted(self) -> frozenset[int]:
        """The lines of its statements: those that did not run, and those that did where no others did."""
        ran = self.executed - self.excluded
        return self.missing | ran if len(ran) == self.covered else self.missing


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """All that was measured, proven to be all that the report says it is."""

    version: str  # of coverage.py
    has_branches: bool
    files: Mapping[str, FileCoverage]  # by path


def parse_coverage(output: Output, paths: PathsBelow) -> CoverageReport:
    """Return what a report says.

    Raises NotJudged unless it is JSON of a known format, every type is the one that coverage.py writes, lines and
    counts of each file agree, the totals are their sums, and every percentage is what the counts give.
    """
    faults = Faults()
    table = TableReader("", _json(output), faults, lambda _path: 0)
    version, has_branches = _meta(output, table.table("meta"), faults)
    found: dict[str, FileCoverage] = {}
    written, totals = table.table("files"), _Summary(table.table("totals"), has_branches)
    sums = dict.fromkeys((*_COUNTS, *_BRANCH_COUNTS), 0)
    for name in written.keys:
        entry = written.table(name)
        summary = _Summary(entry.table("summary"), has_branches)
        one = _file(entry, summary, paths.relative(name), has_branches)
        _refuse(output, faults)
        if one.path in found:
            raise output.fault(f"has {one.path} twice.", _AGAIN)
        found[one.path] = one
        for count, number in summary.counts.items():
            sums[count] += number
    for count, number in totals.counts.items():
        if number != sums[count]:
            totals.table.fault((count,), f"says {number}, where all files together have {sums[count]}")
    _refuse(output, faults)
    return CoverageReport(version, has_branches, found)


def _json(output: Output) -> object:
    text = output.text()
    if not text.strip():
        raise output.fault("is empty.", _AGAIN)
    try:
        return exact_document(text)
    except ValueError as error:
        raise output.fault(f"is no JSON: {error}.", _AGAIN) from error


def _meta(output: Output, meta: TableReader, faults: Faults) -> tuple[str, bool]:
    _refuse(output, faults)  # it is no table at all
    if "format" not in meta:
        raise output.fault("has no `meta.format`: it is no report of coverage.py 7.5 or later.", _AGAIN)
    number = meta.integer("format")
    version = meta.text("version")
    if "branch_coverage" not in meta:
        meta.fault(("branch_coverage",), "is missing")
    has_branches = meta.boolean("branch_coverage", False)
    _refuse(output, faults)
    if number not in FORMATS:
        known = ", ".join(map(str, FORMATS))
        raise output.fault(f"has the format {number} (known here: {known}).", "Upgrade abutment.")
    return version, has_branches


def _refuse(output: Output, faults: Faults) -> None:
    """Raise NotJudged for what was found so far, the first of it by name."""
    if faults.found:
        first = faults.found[0].message.rstrip(".")
        more = f" ({len(faults.found) - 1} more like it)" if len(faults.found) > 1 else ""
        raise output.fault(f"is not what coverage.py writes: {first}{more}.", _AGAIN)


class _Summary:
    """The figures of one file, or of all; what does not hold among them is a fault of its table."""

    def __init__(self, table: TableReader, has_branches: bool) -> None:
        self.table = table
        names = (*_COUNTS, *(_BRANCH_COUNTS if has_branches else ()))
        self.counts = {name: table.integer(name) for name in names}
        self._compare("num_statements", "covered_lines", "missing_lines")
        lines = (self.counts["covered_lines"], self.counts["num_statements"])
        branches = (0, 0)
        if has_branches:
            self._compare("num_branches", "covered_branches", "missing_branches")
            branches = (self.counts["covered_branches"], self.counts["num_branches"])
            if self.counts["num_partial_branches"] > self.counts["num_branches"]:
                table.fault(("num_partial_branches",), "is more than there are branches")
        elif "num_branches" in table:
            table.fault(("num_branches",), "is there, though branches were not measured")
        self._percent("percent_covered", lines[0] + branches[0], lines[1] + branches[1])
        for name, (covered, all_of_them) in (("statements", lines), ("branches", branches)):
            if f"percent_{name}_covered" in table:
                self._percent(f"percent_{name}_covered", covered, all_of_them)

    def _compare(self, whole: str, *parts: str) -> None:
        together = sum(self.counts[part] for part in parts)
        if self.counts[whole] != together:
            self.table.fault((whole,), f"says {self.counts[whole]}, where {' and '.join(parts)} make {together}")

    def _percent(self, name: str, covered: int, all_of_them: int) -> None:
        right = 100.0 * covered / all_of_them if all_of_them else 100.0
        said = self.table.value(name)
        if isinstance(said, bool) or not isinstance(said, int | float):
            found = f"expected a number, found {shown(said)}" if name in self.table else "is missing"
            self.table.fault((name,), found)
        elif abs(said - right) > _CLOSE:
            self.table.fault((name,), f"says {said}, where {covered} of {all_of_them} are {right:.4f}")
        written = self.table.text(f"{name}_display")
        if not _shows(written, right):
            self.table.fault((f"{name}_display",), f"says {shown(written)}, where {right:.4f} is meant")


def _shows(written: str, right: float) -> bool:
    """Say whether a percentage is rounded, to whatever precision; 0 and 100 are shown only where they are exact."""
    try:
        return abs(float(written) - right) <= 1.0
    except ValueError:
        return False


def _file(entry: TableReader, summary: _Summary, path: str, has_branches: bool) -> FileCoverage:
    executed, missing, excluded = (_lines(entry, f"{word}_lines") for word in ("executed", "missing", "excluded"))
    counts = summary.counts
    for name, lines in (("missing_lines", missing), ("excluded_lines", excluded)):
        if counts[name] != len(lines):
            summary.table.fault((name,), f"says {counts[name]}, where {len(lines)} lines are listed")
    if counts["covered_lines"] > len(executed):
        entry.fault(("executed_lines",), f"lists {len(executed)} lines for {counts['covered_lines']} statements")
    if missing & (executed | excluded):
        entry.fault(("missing_lines",), f"line {min(missing & (executed | excluded))} is listed otherwise, too")
    branches = tuple(_branches(entry)) if has_branches else ()
    if has_branches and len(branches) != counts["missing_branches"]:
        listed = f"says {counts['missing_branches']}, where {len(branches)} are listed"
        summary.table.fault(("missing_branches",), listed)
    return FileCoverage(
        path=path,
        covered=counts["covered_lines"],
        executed=executed,
        missing=missing,
        excluded=excluded,
        branches=counts.get("num_branches", 0),
        missing_branches=branches,
        definitions=frozenset(_definitions(entry)),
    )


def _lines(entry: TableReader, key: str) -> frozenset[int]:
    found = _numbers(entry, entry.values(key), key)
    if any(one < 1 for one in found) or sorted(set(found)) != found:
        entry.fault((key,), "is no list of line numbers that go up")
    return frozenset(found)


def _numbers(entry: TableReader, values: Iterable[object], key: str) -> list[int]:
    found: list[int] = []
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool):
            found.append(value)
        else:
            entry.fault((key,), f"expected a line number, found {shown(value)}")
    return found


def _branches(entry: TableReader) -> Iterator[tuple[int, int]]:
    for value in entry.values("missing_branches"):
        ends = _numbers(entry, value if isinstance(value, list) else [value], "missing_branches")
        if len(ends) == 2:
            yield ends[0], ends[1]
        else:
            entry.fault(("missing_branches",), f"expected two lines, found {shown(value)}")


def _definitions(entry: TableReader) -> Iterator[int]:
    for kind in _REGIONS:
        if kind in entry:
            regions = entry.table(kind)
            told = (regions.table(name) for name in regions.keys if name)  # "" is what is outside of all
            yield from (one.integer("start_line", least=1) for one in told if "start_line" in one)
