"""Which files does each group of the coverage gate hold, and is the report one of this very code?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from abutment.errors import NotJudged
from abutment.gates.coverage_settings import Group, Settings
from abutment.gates.scope import selects, source_files, unmatched
from abutment.model.fault import Fault
from abutment.semantics.logical_lines import definitions, is_barren
from abutment.semantics.program import Program
from abutment.sources.tools.coverage_report import CoverageReport, FileCoverage
from abutment.sources.tree import Tree

_OF_OTHER_CODE = "Run the tests again, and make the report of the code as it is."


@dataclass(frozen=True, slots=True)
class Grouped:
    """Every file of the source roots that is not left out, once for each group that holds it."""

    paths: Mapping[str, tuple[str, ...]]  # by group, sorted
    modules: Mapping[str, str]  # what module each file is
    faults: tuple[Fault, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        """All files, each once."""
        return tuple(sorted(self.modules))


def grouped(program: Program, settings: Settings) -> Grouped:
    """Return the groups: those that are configured, and for what none of them selects one a top-level package."""
    modules = {name: path for path, name in source_files(program, settings.exclude).items()}
    paths: dict[str, set[str]] = defaultdict(set)
    for group in settings.groups:
        paths[group.name] = {path for name, path in modules.items() if selects(group.modules, name)}
    taken = frozenset[str]().union(*paths.values())
    named = {group.name: group for group in settings.groups}
    rest: set[str] = set()
    for name, path in modules.items():
        if path not in taken:
            rest.add(name.partition(".")[0])
            paths[name.partition(".")[0]].add(path)
    faults = [*unmatched(settings.exclude, source_files(program, ()).values())]
    faults += [fault for group in settings.groups for fault in unmatched(group.modules, modules)]
    faults += [_taken_name(named[name]) for name in sorted(rest & set(named))]
    held = {name: tuple(sorted(paths[name])) for name in sorted(paths) if paths[name]}
    return Grouped(held, {path: name for name, path in modules.items()}, tuple(faults))


def _taken_name(group: Group) -> Fault:
    message = f"{group.key}.name: {group.name!r} is also the group of what no group selects of that package."
    remedy = "Give it another name, or let it select the whole package."
    return Fault(group.site.path, group.site.line, message, remedy)


def unmeasured_of(report: CoverageReport, modules: Mapping[str, str], tree: Tree) -> Mapping[str, str]:
    """Return the files with statements of which the report says nothing, with their modules."""
    unsaid = {path: name for path, name in modules.items() if path not in report.files}
    return {path: name for path, name in unsaid.items() if not is_barren(tree.read(path))}


def require_of_this_code(report: CoverageReport, paths: Iterable[str], tree: Tree) -> None:
    """Raise NotJudged where a report is certainly of other code than this.

    So it is where it has none of the files, nothing but files without statements, a statement where there is a blank
    line or a comment, a function where none begins, or says nothing at all of a function or class that is there.
    """
    own = [report.files[path] for path in paths if path in report.files]
    if not report.files or not any(one.statements for one in report.files.values()):
        _refuse("", 0, "the coverage report has no statement in it: that is 100 percent of nothing.")
    if not own:
        first = min(report.files)
        message = f"the coverage report has {len(report.files)} files, and none of this project ({first}, …)."
        _refuse("", 0, message, "Say with `input_root` which root the project had where it was made.")
    if not any(one.statements for one in own):
        _refuse("", 0, "the coverage report has no statement of this project: that is 100 percent of nothing.")
    for one in own:
        _require_lines(one, tree.read(one.path))


def _require_lines(measured: FileCoverage, source: bytes) -> None:
    lines = [b"", *source.splitlines()]  # as Python ends them; the report counts from 1
    for line in sorted(measured.counted):
        text = lines[line].strip() if line < len(lines) else b""
        if not text or text.startswith(b"#"):
            message = "the coverage report has a statement here, where there is none: it is of other code."
            _refuse(measured.path, line, message)
    for line in sorted(measured.definitions):
        text = lines[line] if line < len(lines) else b""
        if not any(word in text for word in (b"def", b"class", b"async")):
            message = "the coverage report has a function or class here, where none begins: it is of other code."
            _refuse(measured.path, line, message)
    listed = measured.executed | measured.missing | measured.excluded
    for lines_of_one in definitions(source):
        if listed.isdisjoint(lines_of_one):
            message = "the coverage report says nothing of what is defined here: it is of other code."
            _refuse(measured.path, lines_of_one[0], message)


def _refuse(path: str, line: int, message: str, remedy: str = _OF_OTHER_CODE) -> NoReturn:
    raise NotJudged(Fault(path, line, message, remedy))
