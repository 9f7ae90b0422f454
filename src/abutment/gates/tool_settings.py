"""Which settings do all gates have that ask another tool?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from abutment.model.loosening import Changes, Free, Setting
from abutment.model.reading import TableReader
from abutment.sources.file_names import path_named
from abutment.sources.tools.output import SECONDS, Output, read_output, run_tool
from abutment.sources.tools.place import PathsBelow, program_of, python_of

# What `python -m` does, without looking into the judged root first: a `ruff.py` there would be run in the place of the
# tool, and a `types.py` in that of the standard library. `-P` would do the same, from Python 3.11 on.
_AS_MODULE = (
    "import sys; sys.path[:1] == [''] and sys.path.pop(0); "
    "import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """How a tool is asked; a gate's own settings are one of these with more in it."""

    command: tuple[str, ...] = ()  # how it is called, without its arguments; () for the project's own installed one
    seconds: int = int(SECONDS)  # how long it may take
    input: str = ""  # a file with what it printed, relative to the root; "" where it is to be run
    input_status: int | None = None  # with which status it ended that time
    input_root: str = ""  # the root of the project where it ran

    def called(self, module: str, folder: Path) -> tuple[str, ...]:
        """Return how the tool is called: as configured, else as a module of the project's own interpreter."""
        return self.command or (python_of(folder), "-c", _AS_MODULE, module)

    def program(self, name: str, folder: Path) -> tuple[str, ...]:
        """Return how a program is called: as configured, else as the project has it.

        It is not run by `python -m`: that would import what lies in the judged root in its stead.
        """
        return self.command or (program_of(name, folder),)

    def output(
        self, what: str, command: tuple[str, ...], folder: Path, given: Mapping[str, str] | None = None
    ) -> Output:
        """Return what the tool prints in that folder, or what was kept of it; raises NotJudged where there is none."""
        if self.input:
            return read_output(what, folder / path_named(self.input), self.input_status)
        return run_tool(what, command, folder, seconds=self.seconds, given=given)

    def paths(self, folder: Path) -> PathsBelow:
        """Return what the paths mean that it prints."""
        return PathsBelow(folder, self.input_root)


def read_run_settings(reader: TableReader, command: tuple[str, ...] | None = None) -> ToolSettings:
    """Return how a tool is run, for a gate that asks it more than once; the gate reads and closes the rest.

    `command` is for a table that has to have one, and whose reader has read it.
    """
    called = reader.texts("command", ()) if command is None else command
    return ToolSettings(called, reader.integer("seconds", int(SECONDS), least=1))


def read_tool_settings(reader: TableReader, command: tuple[str, ...] | None = None) -> ToolSettings:
    """Return what the table of a gate may hold that asks its tool once; the gate reads and closes the rest."""
    status = reader.integer("input_status", 0)  # asked for even where it is not there, so that the key is known
    return replace(
        read_run_settings(reader, command),
        input=reader.text("input", ""),
        input_status=status if "input_status" in reader else None,
        input_root=reader.text("input_root", ""),
    )


# How long it may take says nothing of what is held. What is called, or read instead, may say anything of the code.
RUN_KEYS: dict[str, Setting] = {"command": Changes(), "seconds": Free()}
TOOL_KEYS: dict[str, Setting] = {
    **RUN_KEYS,
    "input": Changes(),
    "input_status": Changes(),
    "input_root": Changes(),
}
