"""Does ruff find something that was not there?

The gate has another name than its tool: ruff takes every `ruff.toml` for its own configuration, a policy of ours, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from abutment.gates.gate import Rule
from abutment.gates.tool_gate import tool_gate
from abutment.gates.tool_settings import TOOL_KEYS, ToolSettings, read_tool_settings
from abutment.model.loosening import Changes, Loosening, switch
from abutment.model.measurement import Conditions
from abutment.model.reading import TableReader
from abutment.sources.tools.diagnostic import Diagnostic, Report
from abutment.sources.tools.ruff import OPTIONS, Ruff, files_of, name_today, ruff_conditions
from abutment.sources.tools.ruff_output import parse_ruff, without_figure
from abutment.sources.tools.ruff_settings import explained, switched_on

_LINT = Rule("ABT021", "lint", "ruff finds something.")


@dataclass(frozen=True, slots=True)
class Settings:
    """How ruff is asked."""

    tool: ToolSettings
    targets: tuple[str, ...]  # files and folders that it judges
    ignore_noqa: bool  # whether `noqa` comments are left unheard

    def ruff(self, folder: Path) -> Ruff:
        """Return the ruff of the project in a folder."""
        return Ruff(self.tool.program("ruff", folder), folder, self.tool.seconds)


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    tool = read_tool_settings(reader)
    settings = Settings(tool, reader.texts("targets", (".",), least=1), reader.boolean("ignore_noqa", False))
    reader.close()
    return settings


def ask(settings: Settings, folder: Path) -> Report:
    """Return what ruff finds; raises NotJudged unless it is proven that this is all."""
    ruff, targets = settings.ruff(folder), settings.targets
    files = files_of(ruff, targets)
    options = (*OPTIONS, *(("--ignore-noqa",) if settings.ignore_noqa else ()))
    output = settings.tool.output("ruff", (*ruff.command, "check", *options, "--", *targets), folder)
    found = parse_ruff(output, settings.tool.paths(folder))
    asked = {"targets": ", ".join(targets), "noqa": "ignored" if settings.ignore_noqa else "heard"}
    conditions = {**ruff_conditions(ruff, files), **asked}
    return Report(tuple(map(_without_figure, found)), len(files), conditions, files)


def _without_figure(one: Diagnostic) -> Diagnostic:
    return replace(one, message=without_figure(one.message))


def explains(_settings: Settings, before: Conditions, now: Conditions) -> Callable[[str, str], bool]:
    """Return what differs because of the conditions: what is said by rules that were switched on or off."""
    return explained(before, now)


def names_today(settings: Settings, report: Report, codes: frozenset[str], folder: Path) -> Mapping[str, str]:
    """Return what ruff calls rules today of which something is granted; it is asked of those alone that are not on."""
    assert report.files is not None  # `ask` says them
    ruff, path = settings.ruff(folder), min(report.files)
    gone = codes - switched_on(report.conditions)
    found = {code: name_today(ruff, code, path) for code in sorted(gone)}
    return {code: today for code, today in found.items() if today}


GATE = tool_gate(
    name="lint",
    question="Does ruff find something that was not there?",
    rule=_LINT,
    remedy="Mend it, or have it approved in {policy}.",
    ask=ask,
    read_settings=read_settings,
    explains=explains,
    names_today=names_today,
    loosening=Loosening({**TOOL_KEYS, "targets": Changes(), "ignore_noqa": switch(False)}),
)
