"""Which functions, classes and files are longer than they may be?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from abutment.facts.sizes import CLASS, FILE, FUNCTION, Size, scan_sizes
from abutment.gates.figures import figures, limit_conditions
from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.scope import Exclude, read_exclude, source_files, unmatched
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, AtMost, Loosening
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tree import Tree

FIELDS = ("module", "qualname", "kind")
LIMITS = {FUNCTION: 150, CLASS: 500, FILE: 1000}
_RULES = {
    FUNCTION: Rule("ABT033", "long-function", "A function is longer than it may be."),
    CLASS: Rule("ABT034", "long-class", "A class is longer than it may be."),
    FILE: Rule("ABT035", "long-file", "A file is longer than it may be."),
}
_REMEDY = "Give a part of it a place of its own, or have it approved in {policy}."


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.sizes]` says."""

    limits: Mapping[str, int]  # by kind
    exclude: Exclude


@dataclass(frozen=True, slots=True)
class Prepared:
    """The settings, and the tree that is judged."""

    settings: Settings
    tree: Tree


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    limits = {kind: reader.integer(kind, limit, least=1) for kind, limit in LIMITS.items()}
    settings = Settings(limits, read_exclude(reader))
    reader.close()
    return settings


def scan(program: Program, prepared: Prepared) -> Iterator[Size]:
    """Yield what is longer than it may be."""
    settings = prepared.settings
    yield from scan_sizes(source_files(program, settings.exclude), prepared.tree.read, settings.limits)


def measure(program: Program, prepared: Prepared, grants: Grants) -> Measurement:
    """Return the lengths above their limits."""
    limits, exclude = prepared.settings.limits, prepared.settings.exclude
    found = {(one.module, one.qualname, one.kind): one for one in scan(program, prepared)}
    counts: dict[Key, int] = {key: one.lines for key, one in found.items()}
    conditions = limit_conditions(limits)
    held = figures(counts, grants, lambda key: key[2])

    def describe(key: Key) -> Evidence:
        module, qualname, kind = key
        one = found.get((module, qualname, kind))
        has = f"has {one.lines} lines" if one else "is no longer too long"
        what = f"the file of {module}" if kind == FILE else f"the {kind} {qualname} in {module}"
        rule = _RULES.get(kind, _RULES[FILE])
        said, sites = f"{what} {has}, and may have {limits.get(kind, 0)}", (one.site,) if one else ()
        return Evidence(rule.id, said, sites, remedy=_REMEDY)

    return Measurement(
        counts=counts,
        describe=describe,
        looked_at=len(source_files(program, exclude)),
        unit="files",
        faults=unmatched(exclude, program.modules),
        conditions=conditions,
        explains=lambda before: held.explained(before, conditions),
    )


GATE = Gate(
    name="sizes",
    question="Which functions, classes and files are longer than they may be?",
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
    facts=Facts(scan, FIELDS, attrgetter("kind"), lambda one: str(one.lines), attrgetter("lines")),
    loosening=Loosening({**{kind: AtMost(limit) for kind, limit in LIMITS.items()}, "exclude": EXCLUDE}),
    takes_comments=True,
)
