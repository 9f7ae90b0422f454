"""Which functions branch or nest more than they may?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from abutment.errors import NotJudged
from abutment.facts.complexity import Complexity, scan_complexity
from abutment.gates.figures import figures, limit_conditions
from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.scope import Exclude, read_exclude, source_files, unmatched
from abutment.gates.tool_settings import RUN_KEYS, ToolSettings, read_run_settings
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, AtMost, Free, Loosening
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tools.place import folder_of
from abutment.sources.tools.radon import Radon
from abutment.sources.tools.ruff import Ruff, version_of
from abutment.sources.tools.ruff_figures import BRANCHES, NESTING, Rating, newest_python
from abutment.sources.tree import Tree

FIELDS = ("module", "qualname", "rule")
_SHOWN = 3  # of what a second opinion sees otherwise
LIMIT, DEPTH = 15, 5  # what a function may have; above it is debt
_RULES = {
    BRANCHES: Rule("ABT031", "complex-function", "A function branches more than it may."),
    NESTING: Rule("ABT032", "nested-blocks", "A function nests blocks deeper than it may."),
}
_REMEDY = "Give a part of it a name of its own, or have it approved in {policy}."
_HOW = "as ruff; functions inside count for themselves"  # by which rules figures are made


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.complexity]` says."""

    tool: ToolSettings
    limits: Mapping[str, int]  # by rule of ruff
    second_opinion: bool  # whether radon is asked as well
    exclude: Exclude


@dataclass(frozen=True, slots=True)
class Prepared:
    """The settings, and the tree that is judged."""

    settings: Settings
    tree: Tree

    @property
    def ruff(self) -> Ruff:
        """The ruff of the judged project."""
        folder = folder_of(self.tree)
        return Ruff(self.settings.tool.program("ruff", folder), folder, self.settings.tool.seconds)

    def rating(self) -> Rating:
        """Return the ruff that rates, set to the limits; raises NotJudged where there is none."""
        return Rating(self.ruff, newest_python(self.ruff), tuple(self.settings.limits.items()))


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        tool=read_run_settings(reader),
        limits={
            BRANCHES: reader.integer("complexity", LIMIT, least=1),
            NESTING: reader.integer("nesting", DEPTH, least=1),
        },
        second_opinion=reader.boolean("second_opinion", False),
        exclude=read_exclude(reader),
    )
    reader.close()
    return settings


def scan(program: Program, prepared: Prepared) -> Iterator[Complexity]:
    """Yield each function above a limit; raises NotJudged where ruff could not rate them all."""
    modules = source_files(program, prepared.settings.exclude)
    if modules:
        yield from scan_complexity(modules, prepared.rating(), prepared.tree.read)


def measure(program: Program, prepared: Prepared, grants: Grants) -> Measurement:
    """Return the figures above their limits."""
    settings = prepared.settings
    found = {(one.module, one.qualname, one.rule): one for one in scan(program, prepared)}
    counts: dict[Key, int] = {key: one.figure for key, one in found.items()}
    conditions = {"ruff": version_of(prepared.ruff), "figures": _HOW, **limit_conditions(settings.limits)}
    held = figures(counts, grants, lambda key: key[2])
    modules = source_files(program, settings.exclude)
    return Measurement(
        counts=counts,
        describe=lambda key: _evidence(key, counts.get(key, 0), settings.limits, _sites(found, key)),
        looked_at=len(modules),
        unit="files",
        faults=unmatched(settings.exclude, program.modules),
        notes=tuple(_second_opinion(prepared, sorted(modules), found.values())) if settings.second_opinion else (),
        conditions=conditions,
        explains=lambda before: held.explained(before, conditions),
    )


def _sites(found: Mapping[tuple[str, str, str], Complexity], key: Key) -> tuple[Site, ...]:
    one = found.get((key[0], key[1], key[2]))
    return (one.site,) if one else ()


def _evidence(key: Key, figure: int, limits: Mapping[str, int], sites: tuple[Site, ...]) -> Evidence:
    module, qualname, rule = key
    limit = limits.get(rule, 0)
    now = f"is {figure}" if figure else f"is at most {limit}"
    what = "the complexity" if rule == BRANCHES else "the depth of blocks"
    said = f"{what} of {qualname} in {module} {now}, and may be {limit}"
    return Evidence(_RULES.get(rule, _RULES[BRANCHES]).id, said, sites, remedy=_REMEDY)


def _second_opinion(prepared: Prepared, paths: list[str], found: Iterable[Complexity]) -> Iterator[str]:
    """Yield how radon sees the same functions: never judged, whatever it says or does not."""
    limit = prepared.settings.limits[BRANCHES]
    ours = {(one.site.path, one.site.line) for one in found if one.rule == BRANCHES}
    try:
        radon = Radon.of(folder_of(prepared.tree), prepared.settings.tool.seconds)
        theirs = {place: one for place, one in radon.rated(paths).items() if one.figure > limit}
    except NotJudged as refusal:
        yield f"no second opinion: {refusal.faults[0].message}"
        return
    more, fewer = theirs.keys() - ours, ours - theirs.keys()
    yield (
        f"radon {radon.version} rates {len(theirs)} functions above {limit}: {len(more)} that ruff does not, and not "
        f"{len(fewer)} that it does. It also counts boolean operators, conditional expressions and comprehensions."
    )
    for path, line in sorted(more, key=lambda place: (-theirs[place].figure, place))[:_SHOWN]:
        one = theirs[path, line]
        yield f"{path}:{line}: radon rates {one.name} at {one.figure}, ruff at no more than {limit}."


GATE = Gate(
    name="complexity",
    question="Which functions branch or nest more than they may?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    rules=tuple(_RULES.values()),
    remedy=_REMEDY,
    read_settings=read_settings,
    measure=measure,
    prepare=Prepared,
    module_fields=("module",),
    tombstones=False,
    figures=True,
    needs_configuration=True,
    judges_tests=False,
    facts=Facts(scan, FIELDS, attrgetter("rule"), lambda one: str(one.figure), attrgetter("figure")),
    loosening=Loosening(
        {
            **RUN_KEYS,
            "complexity": AtMost(LIMIT),
            "nesting": AtMost(DEPTH),
            "second_opinion": Free(),
            "exclude": EXCLUDE,
        }
    ),
)
