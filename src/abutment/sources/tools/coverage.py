"""How is the project's own coverage.py asked, and under which conditions did it measure?

Either for a report of a data file, or not at all where somebody has kept the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tools.configuration import canonical, digest_of, read_ini, read_toml
from abutment.sources.tools.coverage_report import CoverageReport
from abutment.sources.tools.environment import variables_in
from abutment.sources.tools.output import SAFE_PATH, Output, run_tool

_RUN = ("branch", "concurrency", "core", "cover_pylib", "dynamic_context", "include", "omit", "patch", "plugins")
_SOURCE = ("source", "source_dirs", "source_pkgs", "timid")
_LINES = ("exclude_also", "exclude_lines", "partial_also", "partial_branches", "partial_branches_always")
_FILES = ("ignore_errors", "include", "include_namespace_packages", "omit")
# What decides which files, lines and branches count. How a report looks, and what it fails under, do not.
_DECISIVE = {"run": (*_RUN, *_SOURCE), "report": (*_LINES, *_FILES), "paths": ()}


def report_of_data(command: Sequence[str], data: str, folder: Path, seconds: float) -> Output:
    """Return the report that coverage.py makes of a data file; raises NotJudged where it complains, or makes none.

    Data that was measured in parts is whole once the parts are combined. As long as one lies beside it, nothing is
    asked: older versions would leave it out, and newer ones take it in and delete it.
    """
    place = folder / path_named(data)
    _require_whole(place, data)
    report = ("json", f"--data-file={text_of_path(place)}", "-o", "-", "--fail-under=0")
    output = run_tool("coverage", (*command, *report), folder, seconds=seconds, given=SAFE_PATH)
    if output.status:
        said = " ".join(output.stdout.decode("utf-8", "replace").split())[-200:]
        output = replace(output, stderr=output.stderr or said.encode())
    output.require_status(0)
    output.require_silence()
    return output


def _require_whole(place: Path, data: str) -> None:
    parts = sorted(text_of_path(part.name) for part in place.parent.glob(f"{place.name}.*"))
    if parts:
        more = f" (and {len(parts) - 1} more)" if parts[1:] else ""
        raise NotJudged(
            Fault(data, 0, f"is partial: {parts[0]} lies beside it{more}.", "Run `coverage combine` first.")
        )
    if not place.is_file():
        remedy = "Run the tests under `coverage run` first."
        raise NotJudged(Fault(data, 0, "there is no such data of coverage.py.", remedy))


def coverage_conditions(report: CoverageReport, folder: Path) -> Mapping[str, str]:
    """Return under which conditions a report counts what it counts; raises NotJudged where they cannot be read."""
    return {
        "coverage": report.version,
        "branches": "measured" if report.has_branches else "not measured",
        "configuration": digest_of(_configuration(folder)),
    }


def python_conditions(command: Sequence[str], folder: Path, seconds: float) -> Mapping[str, str]:
    """Return the Python and the platform with which coverage.py reads the code: both decide what is a statement.

    Raises NotJudged where it does not say.
    """
    said = run_tool("coverage", (*command, "debug", "sys"), folder, seconds=seconds, given=SAFE_PATH)
    said.require_status(0)
    python = re.search(r"^ *python: *(\d+\.\d+)", said.text(), re.MULTILINE)
    system = re.search(r"^ *platform: *([A-Za-z]+)", said.text(), re.MULTILINE)
    if python is None or system is None:
        raise said.fault("does not say which Python runs it.")
    return {"python": f"{python[1]} on {system[1]}"}


def _configuration(folder: Path) -> Mapping[str, bytes]:
    """Return what decides what counts, by section: of the first file with a setting among those that are looked for.

    In the order of coverage.py's documentation ("Configuration reference"); `COVERAGE_RCFILE` is not asked.
    It puts variables into any setting (`${NAME}`): those that are named decide as well.
    """
    found = next(filter(None, _sections(folder)), {})
    parts = {name: canonical(_decisive(name, table)) for name, table in found.items()}
    return parts | variables_in((part.decode("utf-8", "surrogatepass") for part in parts.values()), folder)


def _sections(folder: Path) -> Iterator[Mapping[str, Mapping[str, object]]]:
    yield _ini(folder / ".coveragerc", "")
    yield _toml(folder / ".coveragerc.toml")
    yield _ini(folder / "setup.cfg", "coverage:")
    yield _ini(folder / "tox.ini", "coverage:")
    yield _toml(folder / "pyproject.toml", "tool", "coverage")


def _ini(path: Path, prefix: str) -> Mapping[str, Mapping[str, object]]:
    sections = ((name, read_ini(path, prefix + name).get(prefix + name)) for name in _DECISIVE)
    return {name: section for name, section in sections if section is not None}


def _toml(path: Path, *keys: str) -> Mapping[str, Mapping[str, object]]:
    table = read_toml(path, *keys)
    named = table if isinstance(table, Mapping) else {}
    return {name: named[name] for name in _DECISIVE if isinstance(named.get(name), Mapping)}


def _decisive(name: str, section: Mapping[str, object]) -> Mapping[str, object]:
    """Return the part of a section that decides; the whole of one that has no names of its own."""
    wanted = _DECISIVE[name]
    return {key: value for key, value in section.items() if not wanted or key in wanted}
