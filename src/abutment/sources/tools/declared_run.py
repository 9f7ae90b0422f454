"""Under which conditions did a declared tool say what it said?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named
from abutment.sources.tools.configuration import canonical, digest_of, ini_sections, toml_table
from abutment.sources.tools.declared import Declared
from abutment.sources.tools.diagnostic import Report
from abutment.sources.tools.forms import Said, parse_declared
from abutment.sources.tools.output import Output, lines_of, run_tool
from abutment.sources.tools.place import PathsBelow, program_of
from abutment.sources.tools.pointers import standing_at


def ask_declared(declared: Declared, output: Output, paths: PathsBelow, folder: Path, seconds: float) -> Report:
    """Return what the tool said, with its version and a digest of all that configures it.

    Raises NotJudged where its output, its version or its configuration cannot be believed.
    """
    said = parse_declared(declared, output, paths)
    notes = () if said.looked_at else (f"{declared.id} does not say how much it read: it may have read nothing.",)
    conditions = {"version": _version(declared, said, output, folder, seconds)}
    conditions["configuration"] = _configured(declared, folder)
    return Report(tuple(sorted(said.diagnostics)), said.looked_at or 0, conditions=conditions, notes=notes)


def called(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command with its program as the judged project has it."""
    return (program_of(command[0], folder), *command[1:])


def _version(declared: Declared, said: Said, output: Output, folder: Path, seconds: float) -> str:
    if declared.version[0].startswith("/") and len(declared.version) == 1:
        found = standing_at(said.document, declared.version[0])
        if isinstance(found, str) and found.strip():
            return found.strip()
        raise output.fault(f"does not say its version at {declared.version[0]!r}.", "Name the command that prints it.")
    told = run_tool(declared.id, called(declared.version, folder), folder, seconds=seconds)
    told.require_status(0)
    for _number, line in lines_of(told.text()):
        return " ".join(line.split())
    raise told.fault("does not say its version.", "Name the command that prints it on stdout.")


def _configured(declared: Declared, folder: Path) -> str:
    """Return a digest of the declaration, and of the files that it names."""
    parts = {"declaration": canonical(asdict(declared))}
    for written in declared.configuration:
        parts |= {f"{written}\n{name}": data for name, data in _contents(written, folder).items()}
    return digest_of(parts)


def _contents(written: str, folder: Path) -> Mapping[str, bytes]:
    """Return what a file says, or a table or section of it; raises NotJudged where it is not there."""
    name, _colon, below = written.partition(":")
    path = folder / path_named(name)
    if not path.is_file():
        raise NotJudged(Fault(name, 0, "configures a tool, and is not there.", "Take it out of its `configuration`."))
    if not below:
        return {"": path.read_bytes()}
    found = toml_table(path, *below.split(".")) if path.suffix == ".toml" else ini_sections(path, below)
    if not found:
        raise NotJudged(Fault(name, 0, f"has no {below!r}.", "Take it out of the tool's `configuration`."))
    return found
