"""Does a linter say anything of a file that this branch has changed?"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from abutment.facts.diagnostics import Said, scan_said
from abutment.gates.gate import Facts, Gate, Rule, place_words
from abutment.gates.scope import Exclude, files_in_scope, read_exclude, unmatched
from abutment.gates.tool_gate import sites_of, sources_of
from abutment.gates.tool_settings import RUN_KEYS, ToolSettings, read_run_settings
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Changes, Loosening
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.changed_lines import ChangedLines, changed_lines
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.output import SAFE_PATH, lines_of
from abutment.sources.tools.place import PathsBelow, folder_of
from abutment.sources.tools.pylint import OPTIONS as PYLINT
from abutment.sources.tools.pylint import parse_pylint
from abutment.sources.tools.ruff_output import parse_ruff, require_harmless
from abutment.sources.tree import Tree

FIELDS = ("module", "qualname", "code", "message")
TOOLS = ("ruff", "pylint")
# Behind the arguments of the configuration, so that nothing is mended whatever those ask. What ruff's own configuration
# excludes is not judged for being named.
_RUFF = ("--force-exclude", "--no-fix", "--no-cache")
_NO_FILES = re.compile(rb"warning: No Python files found[^\n]*\n?\Z")
_RULE = Rule("ABT051", "changed-file", "A linter says something of a file that was changed.")
_REMEDY = "Mend it; where the linter is wrong, silence it there with a comment of its own."
_SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.changed]` says."""

    linter: str
    tool: ToolSettings  # how it is called
    args: tuple[str, ...]
    base: str  # the branch from which changed files are told; "" for the main branch
    exclude: Exclude


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        linter=reader.choice("tool", TOOLS, TOOLS[0]),
        tool=read_run_settings(reader),
        args=reader.texts("args", ()),
        base=reader.text("base", ""),
        exclude=read_exclude(reader),
    )
    reader.close()
    return settings


@dataclass(frozen=True, slots=True)
class Asked:
    """What a branch has changed, and the tree in which a linter can be asked about it."""

    settings: Settings
    changed: ChangedLines
    tree: Tree

    def answer(self, files: Collection[str]) -> _Answer:
        """Return what the linter says of those of the files that have changed; raises NotJudged unless that is all."""
        wanted = sorted(self.changed.files.intersection(files))
        return _answered(self.settings, folder_of(self.tree), wanted) if wanted else _Answer()


@dataclass(frozen=True, slots=True)
class _Answer:
    diagnostics: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    left_out: int = 0  # of the files, those that the linter's own configuration excludes


def prepare(settings: Settings, tree: Tree) -> Asked:
    """Look up what changed; raises NotJudged, naming the fetch that is needed, where the base is not known."""
    where = "`base` in [tool.abutment.changed]"
    return Asked(settings, changed_lines(folder_of(tree), settings.base or None, where), tree)


def _answered(settings: Settings, folder: Path, files: Sequence[str]) -> _Answer:
    command = settings.tool.called(settings.linter, folder)
    if settings.linter == "pylint":
        output = settings.tool.output("pylint", (*command, *settings.args, *PYLINT, "--", *files), folder, SAFE_PATH)
        return _Answer(parse_pylint(output, PathsBelow(folder)), tuple(files))
    judged = _judged_by_ruff(settings, command, folder, files)
    if not judged:
        return _Answer(files=tuple(files), left_out=len(files))
    asked = (*command, "check", *settings.args, *_RUFF, "--output-format=json", "--", *sorted(judged))
    said = parse_ruff(settings.tool.output("ruff", asked, folder, SAFE_PATH), PathsBelow(folder))
    return _Answer(said, tuple(files), len(files) - len(judged))


def _judged_by_ruff(settings: Settings, command: Sequence[str], folder: Path, files: Sequence[str]) -> frozenset[str]:
    asked = (*command, "check", *settings.args, *_RUFF, "--show-files", "--", *files)
    said = settings.tool.output("ruff", asked, folder, SAFE_PATH)
    said.require_status(0)
    if not said.stdout.strip() and _NO_FILES.match(said.stderr):
        return frozenset()
    require_harmless(said)
    paths = PathsBelow(folder)
    return frozenset(paths.relative(line) for _number, line in lines_of(said.text())) & frozenset(files)


def measure(program: Program, asked: Asked, grants: Grants) -> Measurement:
    """Return what the linter says of what was changed."""
    files = files_in_scope(program, asked.settings.exclude)
    answer = asked.answer(files)
    sites = sites_of(scan_said(program, answer.diagnostics, sources_of(asked.tree)))
    return Measurement(
        counts={key: len(places) for key, places in sites.items()},
        describe=_describing(sites),
        looked_at=len(files),  # all were compared, whether any has changed or not
        unit="files compared",
        faults=(*unmatched(asked.settings.exclude, program.modules), *_approved(grants)),
        beside="; ".join(_beside(asked, answer, files)),
    )


def _describing(sites: dict[Key, list[Site]]) -> Callable[[Key], Evidence]:
    def describe(key: Key) -> Evidence:
        module, qualname, code, message = key
        places = tuple(sorted(sites.get(key, ())))
        return Evidence(_RULE.id, f"{place_words(module, qualname)} has {code}: {message}", places, (), _REMEDY)

    return describe


def _approved(grants: Grants) -> Iterator[Fault]:
    """Yield a fault for each approval: once the branch is merged, no file is changed, and it would be stale."""
    for approval in grants.approvals:
        message = "changed files take no approval: once the branch is merged, nothing is changed any more."
        yield Fault(approval.site.path, approval.site.line, message, "Delete it.")


def _beside(asked: Asked, answer: _Answer, files: dict[str, str]) -> Iterator[str]:
    linter, base = asked.settings.linter, asked.changed.base
    if answer.files:
        yield f"{linter} was asked about {len(answer.files)} changed since {base}"
    else:
        yield f"none was changed since {base}, so that {linter} had nothing to judge"
    if answer.left_out:
        yield f"left out by the configuration of {linter}: {answer.left_out}"
    others = [path for path in asked.changed.files - set(files) if path.endswith(_SUFFIXES)]
    outside = sum(asked.tree.exists(path) for path in others)
    if outside:
        yield f"changed Python files outside of the roots, or left out: {outside}"


def scan(program: Program, asked: Asked) -> Iterator[Said]:
    """Yield what the linter says, for the list of facts."""
    answer = asked.answer(files_in_scope(program, asked.settings.exclude))
    yield from scan_said(program, answer.diagnostics, sources_of(asked.tree))


GATE = Gate(
    name="changed",
    question="Does a linter say anything of a file that this branch has changed?",
    direction=Direction.ZERO,
    fields=FIELDS,
    rules=(_RULE,),
    remedy=_REMEDY,
    read_settings=read_settings,
    measure=measure,
    prepare=prepare,
    module_fields=("module",),
    tombstones=False,
    needs_configuration=True,
    facts=Facts(scan, FIELDS, attrgetter("code"), attrgetter("message")),
    loosening=Loosening({**RUN_KEYS, **dict.fromkeys(("tool", "args", "base"), Changes()), "exclude": EXCLUDE}),
)
