"""Are the modules and the imports between them exactly those that were recorded?

A snapshot can only show that something changed. Whether the change is right, the other gates say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from abutment.facts.graph import ImportGraph, Parents, Reading, import_graph
from abutment.gates.gate import Gate, Rule
from abutment.gates.scope import Exclude, modules_in_scope, read_exclude, selects, unmatched
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, switch
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Flag, ModuleKind, Program

FIELDS = ("kind", "importer", "imported")
MODULE, IMPORT = "module", "import"  # a module stands alone: its `imported` is empty
RUNTIME = Flag.MODULE | Flag.DEFERRED
REMEDY = (
    "If the change is meant, run `abutment record snapshot` and commit {baseline} with it; "
    "the diff then shows the reviewer what changed."
)
NOTE = "a snapshot shows change, not rightness: it holds whatever was recorded last."


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.snapshot]` says."""

    parents: bool = False  # whether packages count that run on the way to an import
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(parents=reader.boolean("parents", False), exclude=read_exclude(reader))
    reader.close()
    return settings


def measure(program: Program, settings: Settings, _grants: Grants) -> Measurement:
    """Return every module, and every import between two of them that is there at run time."""
    graph = import_graph(
        program,
        Reading(RUNTIME, Parents.ALL if settings.parents else Parents.NONE),
        leaves_out=_outside(program, settings.exclude),
    )
    # What `exclude` leaves out has no facts of its own: it stands there only where something else imports it.
    own = (name for name in graph.names if program.modules[name].kind is not ModuleKind.EXCLUDED)
    counts: dict[Key, int] = {(MODULE, name, ""): 1 for name in own}
    counts.update(((IMPORT, graph.names[a], graph.names[b]), 1) for a, b in graph.edges())
    return Measurement(
        counts=counts,
        describe=lambda key: _describe(program, graph, key),
        looked_at=modules_in_scope(program, settings.exclude),
        unit="modules",
        faults=unmatched(settings.exclude, program.modules),
        notes=(NOTE,),
    )


def _outside(program: Program, exclude: Exclude) -> Callable[[str], bool]:
    def outside(module: str) -> bool:
        # What is ignored by git is on one machine and not on the next: it cannot be part of a snapshot.
        return program.modules[module].kind is ModuleKind.GENERATED or selects(exclude, module)

    return outside


def _describe(program: Program, graph: ImportGraph, key: Key) -> Evidence:
    kind, importer, imported = key
    if kind == MODULE:
        module = program.modules.get(importer)
        return Evidence("ABT401", f"module {importer}", (Site(module.path),) if module else (), remedy=REMEDY)
    rows = graph.rows(graph.number.get(importer, -1), graph.number.get(imported, -1))
    places = tuple(dict.fromkeys(program.import_at(row).site for row in rows))
    return Evidence("ABT402", f"{importer} imports {imported}", places, remedy=REMEDY)


GATE = Gate(
    name="snapshot",
    question="Are the modules and the imports between them exactly those that were recorded?",
    direction=Direction.SNAPSHOT,
    fields=FIELDS,
    module_fields=("importer", "imported"),
    rules=(
        Rule("ABT401", "module-changed", "A module is there that was not recorded, or the other way round."),
        Rule("ABT402", "import-changed", "An import is there that was not recorded, or the other way round."),
    ),
    remedy=REMEDY,
    read_settings=read_settings,
    measure=measure,
    tombstones=False,
    needs_configuration=True,
    loosening=Loosening({"parents": switch(False), "exclude": EXCLUDE}),
)
