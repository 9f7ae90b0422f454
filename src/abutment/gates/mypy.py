"""Does mypy find an error that was not there, or any at all in what has to be clean?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abutment.errors import NotJudged
from abutment.gates.gate import Rule
from abutment.gates.mypy_environment import UNSEEN, Environment, as_recorded, bases_of, imported_elsewhere
from abutment.gates.scope import SCANNED, PlacedSelectors, read_selectors, selects, unmatched
from abutment.gates.tool_gate import Clean, Frontier, Surroundings, tool_gate
from abutment.gates.tool_settings import TOOL_KEYS, ToolSettings, read_tool_settings
from abutment.model.fault import Fault
from abutment.model.loosening import Changes, Loosening, Requires
from abutment.model.measurement import some_of
from abutment.model.reading import TableReader
from abutment.semantics.program import Program
from abutment.sources.tools.diagnostic import Diagnostic, Report
from abutment.sources.tools.mypy import is_json, parse_mypy, split_version
from abutment.sources.tools.mypy_configuration import MypyConfiguration
from abutment.sources.tools.mypy_files import places_to_check
from abutment.sources.tools.mypy_modules import find_modules
from abutment.sources.tools.mypy_run import ENVIRONMENT, Question, conditions_of, hold_files
from abutment.sources.tools.mypy_strict import weakened_by_comments, weakened_by_configuration
from abutment.sources.tools.output import BY_HAND
from abutment.sources.tools.place import python_of

_ERROR = Rule("ABT011", "type-error", "mypy finds an error.")
_STRICT = Rule("ABT012", "strict-type-error", "mypy finds an error in a module that has to be clean.")
# Imports are read, so that their types are known; what is wrong in them is not asked.
_STRICTLY = ("--strict", "--no-warn-unused-configs", "--follow-imports=silent")
_LENIENT = ("--allow-", "--implicit-", "--no-check-", "--no-disallow-", "--no-extra-", "--no-strict", "--no-warn-")
_NO_ENVIRONMENT = "which modules mypy found of what the code imports rests on whoever kept its output."
_NO_TARGET = b"Missing target module, package, files, or command"
_SHOWN = 5  # names in a note


@dataclass(frozen=True, slots=True)
class Settings:
    """How mypy is asked."""

    tool: ToolSettings
    args: tuple[str, ...] = ()  # further options of its command line
    targets: tuple[str, ...] = ()  # files and folders that it checks; () for what its own configuration names
    strict: PlacedSelectors = ()  # modules that have to be clean under its strict options

    def question(self, folder: Path) -> Question:
        """Return what mypy is asked in that folder."""
        python = None if self.tool.command else python_of(folder)
        return Question(folder, self.tool.called("mypy", folder), python, self.args, self.targets, self.tool.seconds)


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        read_tool_settings(reader),
        reader.texts("args", ()),
        reader.texts("targets", ()),
        read_selectors(reader, "strict"),
    )
    for index, word in enumerate(settings.args):
        if not word.startswith("-"):
            reader.fault(("args", index), f"{word!r} is no option", "Write `--option=value`, and files in `targets`.")
        elif word.startswith(("-O", "--output")):
            reader.fault(("args", index), "mypy has to print its text", "Leave it out.")
        elif settings.strict and word.startswith((*_LENIENT, "--disable-error-code")):
            reader.fault(("args", index), f"{word!r} takes away from `strict`", "Say it in mypy's configuration.")
    reader.close()
    return settings


def ask(settings: Settings, folder: Path) -> Report:
    """Return the errors that mypy finds; raises NotJudged unless it is proven that these are all."""
    question = settings.question(folder)
    configuration = question.configuration
    command = (*question.words(configuration), "--", *settings.targets)
    version, output = split_version(settings.tool.output("mypy", command, folder, ENVIRONMENT))
    if output.status == 2 and _NO_TARGET in output.stderr:
        raise output.fault("is not told what to check.", "Name `targets` in [tool.abutment.mypy].")
    kept = bool(settings.tool.input)
    if not kept and is_json(output):
        raise output.fault("printed JSON, which ends with no summary.", "Take `output` out of its configuration.")
    report = parse_mypy(output, settings.tool.paths(folder))
    counted = () if is_json(output) else hold_files(question, configuration, report, kept=kept)
    conditions, untold = conditions_of(question, configuration, version)
    return replace(report, conditions=conditions, notes=(*report.notes, *counted, *untold))


def surroundings(settings: Settings, folder: Path, program: Program) -> Surroundings:
    """Return what mypy finds of all that the code imports from elsewhere; raises NotJudged where it does not say so."""
    if settings.tool.input:
        return Surroundings(bearing=as_recorded, notes=(_NO_ENVIRONMENT,))
    question = settings.question(folder)
    configuration = question.configuration
    checked = places_to_check(folder, settings.targets, settings.args, configuration)
    imported = imported_elsewhere(program, checked)
    found = find_modules(question, configuration, imported.names, bases_of(program))
    environment = Environment(imported, found)
    notes = tuple(environment.notes())
    return Surroundings(environment.conditions, environment.bearing, frozenset({UNSEEN}), notes)


def ask_strictly(settings: Settings, folder: Path, program: Program) -> Clean:
    """Return what mypy finds in the modules of `strict`, under its strict options and nothing that takes from them.

    Raises NotJudged where one of them is no module, its configuration takes something away, or the answer is not whole.
    """
    if not settings.strict:
        return Clean()
    paths = {name: module.path for name, module in program.modules.items() if module.kind in SCANNED}
    held = {name: path for name, path in paths.items() if selects(settings.strict, name)}
    question = settings.question(folder)
    configuration = question.configuration
    faults = (*unmatched(settings.strict, paths), *_weakened(configuration, held.values()))
    if faults:
        raise NotJudged(faults)
    files = sorted(held.values())
    found = (*_found(question, configuration, files, settings), *weakened_by_comments(folder, files))
    asked = tuple(one for one in found if one.path in files)
    return Clean(frozenset(held), asked, tuple(_beyond(program, held)))


def _weakened(configuration: MypyConfiguration, paths: Iterable[str]) -> Iterator[Fault]:
    where = configuration.path.name if configuration.path else ""
    for path in sorted(paths):
        for what in weakened_by_configuration(configuration, path):
            message = f"mypy's configuration says {what}, and so does not hold {path} strictly."
            yield Fault(where, 0, message, "Take that out, or the module out of `strict`.")


def _found(
    question: Question, configuration: MypyConfiguration, files: Sequence[str], settings: Settings
) -> tuple[Diagnostic, ...]:
    command = (*question.words(configuration, *_STRICTLY), "--", *files)
    run = replace(settings.tool, input="", input_status=None, input_root="")
    report = parse_mypy(run.output("mypy --strict", command, question.folder, ENVIRONMENT), run.paths(question.folder))
    if report.looked_at != len(files):
        message = f"mypy --strict checked {report.looked_at} files where it was given {len(files)}."
        raise NotJudged(Fault("", 0, message, BY_HAND))
    return report.diagnostics


def _beyond(program: Program, held: Mapping[str, str]) -> Iterator[str]:
    """Yield a note that names the modules whose types strict ones take as they are."""
    imports = (one for one in program.imports() if one.importer in held and one.via != "parent")
    names = sorted({one.imported for one in imports if one.imported in program.modules}.difference(held))
    found = [name for name in names if program.modules[name].kind in SCANNED]
    if found:
        listed = some_of(found, _SHOWN)
        yield f"modules of `strict` import {listed}, which are not in it: what has no type there is Any to them."


GATE = tool_gate(
    name="mypy",
    question="Does mypy find an error that was not there, or any at all in what has to be clean?",
    rule=_ERROR,
    remedy="Mend it, or have it approved in {policy}.",
    ask=ask,
    read_settings=read_settings,
    surroundings=surroundings,
    frontier=Frontier(_STRICT, "Mend it: modules of `strict` have no debt, and no approval.", ask_strictly),
    loosening=Loosening({**TOOL_KEYS, "args": Changes(), "targets": Changes(), "strict": Requires(dotted=True)}),
)
