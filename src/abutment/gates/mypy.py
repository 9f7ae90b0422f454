"""Does mypy find an error that was not there?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from abutment.gates.gate import Rule
from abutment.gates.tool_gate import tool_gate
from abutment.gates.tool_settings import TOOL_KEYS, ToolSettings, read_tool_settings
from abutment.model.loosening import Loosening
from abutment.model.reading import TableReader
from abutment.sources.tools.diagnostic import Report
from abutment.sources.tools.mypy import OPTIONS, mypy_conditions, parse_mypy

_ERROR = Rule("ABT011", "type-error", "mypy finds an error.")


@dataclass(frozen=True, slots=True)
class Settings:
    """How mypy is asked."""

    tool: ToolSettings
    targets: tuple[str, ...]  # files and folders that it checks; () for what its own configuration names


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(read_tool_settings(reader), reader.texts("targets", ()))
    reader.close()
    return settings


def ask(settings: Settings, folder: Path) -> Report:
    """Return the errors that mypy finds; raises NotJudged unless it is proven that these are all."""
    mypy = settings.tool.called("mypy", folder)
    output = settings.tool.output("mypy", (*mypy, *OPTIONS, *settings.targets), folder)
    report = parse_mypy(output, settings.tool.paths(folder))
    return replace(report, conditions=mypy_conditions(mypy, settings.targets, folder))


GATE = tool_gate(
    name="mypy",
    question="Does mypy find an error that was not there?",
    rule=_ERROR,
    remedy="Mend it, or have it approved in {policy}.",
    ask=ask,
    read_settings=read_settings,
    loosening=Loosening({**TOOL_KEYS}),
)
