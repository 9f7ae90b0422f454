"""Does a tool that you declared find something that was not there?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from abutment.errors import NotJudged
from abutment.facts.diagnostics import scan_said
from abutment.gates.declared_tools import Written, read_declared
from abutment.gates.gate import Facts, Gate, Rule, place_words
from abutment.gates.tool_gate import sources_of, unplaced
from abutment.gates.tool_settings import TOOL_KEYS
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import Loosening, Tables
from abutment.model.measurement import Conditions, Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tools.declared_run import ask_declared, called
from abutment.sources.tools.diagnostic import Report
from abutment.sources.tools.place import folder_of
from abutment.sources.tree import Tree

FIELDS = ("tool", "module", "qualname", "code", "message")
_SAYS = Rule("ABT081", "declared-tool", "A tool that you declared says something of the code.")
_REMEDY = "Mend it, or have it approved in {policy}."


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.tools]` says."""

    declared: tuple[Written, ...]


@dataclass(frozen=True, slots=True, order=True)
class ToolSaid:
    """One thing that one tool says of one function."""

    tool: str
    module: str
    qualname: str
    code: str
    message: str
    site: Site = field(compare=False)
    placed: bool = field(default=True, compare=False)  # False where nobody could tell in which function it is


@dataclass(frozen=True, slots=True)
class Answers:
    """What every tool said, and the tree that it is about."""

    reports: tuple[tuple[str, Report], ...]  # by id
    tree: Tree

    def facts(self, program: Program) -> Iterator[ToolSaid]:
        """Yield what the tools say, by function."""
        source = sources_of(self.tree)
        for tool, report in self.reports:
            for one in scan_said(program, report.diagnostics, source):
                yield ToolSaid(tool, one.module, one.qualname, one.code, one.message, one.site, one.placed)

    def conditions(self) -> Conditions:
        """Return the conditions of all tools, each with its tool's id in front."""
        return {f"{tool} {name}": value for tool, report in self.reports for name, value in report.conditions.items()}


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    declared: dict[str, Written] = {}
    for entry in reader.tables("declared"):
        written = read_declared(entry)
        if written.declared.id in declared:
            entry.fault(("id",), f"{written.declared.id!r} is the id of another tool, too")
        declared[written.declared.id] = written
    reader.close()
    return Settings(tuple(declared.values()))


def prepare(settings: Settings, tree: Tree) -> Answers:
    """Ask every tool; raises NotJudged with what keeps any of them from being believed."""
    if not settings.declared:
        raise NotJudged(Fault("", 0, "tools has none.", "Write `[[tool.abutment.tools.declared]]`."))
    folder, reports, faults = folder_of(tree), list[tuple[str, Report]](), list[Fault]()
    for one in settings.declared:
        try:
            output = one.tool.output(one.declared.id, called(one.tool.command, folder), folder)
            report = ask_declared(one.declared, output, one.tool.paths(folder), folder, one.tool.seconds)
            reports.append((one.declared.id, report))
        except NotJudged as refusal:
            faults += refusal.faults
    if faults:
        raise NotJudged(faults)
    return Answers(tuple(reports), tree)


def measure(program: Program, answers: Answers, _grants: Grants) -> Measurement:
    """Return what each tool says of each function as one fact."""
    facts, sites = list(answers.facts(program)), defaultdict[Key, list[Site]](list)
    for one in facts:
        sites[one.tool, one.module, one.qualname, one.code, one.message].append(one.site)

    def describe(key: Key) -> Evidence:
        tool, module, qualname, code, message = key
        said = f"{place_words(module, qualname)} has {tool} say {code}: {message.rstrip('.')}"
        return Evidence(_SAYS.id, said, tuple(sorted(sites.get(key, ()))), remedy=_REMEDY)

    conditions = answers.conditions()
    return Measurement(
        counts={key: len(places) for key, places in sites.items()},
        describe=describe,
        looked_at=len(answers.reports),
        unit="tools",
        notes=tuple(note for _tool, report in answers.reports for note in report.notes),
        beside=unplaced(sum(not one.placed for one in facts)),
        covers=tuple(tool for tool, _report in answers.reports),
        conditions=conditions,
        explains=lambda before: _explains(before, conditions),
    )


def _explains(before: Conditions, now: Conditions) -> Callable[[Key], bool]:
    """Return which keys may differ: those of tools that are asked in another way than before, or were not asked."""
    changed = {name.partition(" ")[0] for name in {*before, *now} if before.get(name) != now.get(name)}
    return lambda key: key[0] in changed


def scan(program: Program, answers: Answers) -> Iterator[ToolSaid]:
    """Yield what the tools say."""
    yield from answers.facts(program)


GATE = Gate(
    name="tools",
    question="Does a tool that you declared find something that was not there?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    rules=(_SAYS,),
    remedy=_REMEDY,
    read_settings=read_settings,
    measure=measure,
    prepare=prepare,
    module_fields=("module",),
    tombstones=False,
    needs_configuration=True,
    facts=Facts(scan, FIELDS, attrgetter("tool"), attrgetter("message")),
    loosening=Loosening({"declared": Tables(Loosening(TOOL_KEYS), identity="tool")}),
)
