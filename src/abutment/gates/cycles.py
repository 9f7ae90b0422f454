"""Do modules import one another in circles, and in more of them than were recorded?

Two readings, held apart: what happens while modules are being imported, and what is closed only by imports
inside functions. What the type checker alone imports is in neither.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abutment.facts.closing import Cause, find_cause
from abutment.facts.cycles import Cycles
from abutment.facts.graph import ImportGraph, Parents, Reading, import_graph
from abutment.gates.cycle_texts import beside_text, describe_edge, describe_member, notes_beside, notes_of
from abutment.gates.gate import Gate, Rule
from abutment.gates.scope import SCANNED, Exclude, modules_in_scope, read_exclude, selects, unmatched
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Ordered, switch
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.terms import Direction
from abutment.semantics.program import Flag, Program

FIELDS = ("reading", "importer", "imported")
# The first field of a key. With `hold = "members"` a key is (reading, label of the component, member).
IMPORT, DEFERRED = "import", "deferred"
MEMBERS, DEFERRED_MEMBERS = "members", "deferred-members"
HOLDS = ("edges", "members")
MUCH = 10  # a component above a tenth of the modules is held by its members


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.cycles]` says."""

    hold: str = "edges"  # or "members": only new members are new
    deferred: bool = False  # whether the reading with deferred imports is judged as well
    parents: Parents = Parents.OWN
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        hold=reader.choice("hold", HOLDS, HOLDS[0]),
        deferred=reader.boolean("deferred", False),
        parents=Parents(reader.choice("parents", (Parents.OWN, Parents.SHARED, Parents.NONE), Parents.OWN)),
        exclude=read_exclude(reader),
    )
    reader.close()
    return settings


def measure(program: Program, settings: Settings, grants: Grants) -> Measurement:
    """Return the imports inside cycles, or with `hold = "members"` the modules in them.

    `grants` only name the components: one that shares members with a recorded one keeps its label.
    """
    graph = _graph(program, settings)
    at_import, with_deferred = Cycles(program, graph.narrowed(Flag.MODULE)), Cycles(program, graph)
    held = [_Held(at_import, IMPORT, MEMBERS, settings.hold, grants)]
    if settings.deferred:
        held.append(_Held(with_deferred, DEFERRED, DEFERRED_MEMBERS, settings.hold, grants))
    counts = dict.fromkeys((key for one in held for key in one.found()), 1)
    return Measurement(
        counts=counts,
        describe=lambda key: _describe(held, key, found=key in counts),
        looked_at=modules_in_scope(program, settings.exclude),
        unit="modules",
        faults=unmatched(settings.exclude, program.modules),
        beside="" if settings.deferred else _beside(at_import, with_deferred),
        covers=tuple(one.part for one in held),
        instead_of={one.part: one.other for one in held},
        notes=(*notes_of(at_import), *notes_beside(at_import, with_deferred, judged=settings.deferred)),
    )


def _beside(at_import: Cycles, with_deferred: Cycles) -> str:
    found = beside_text(at_import, with_deferred)
    return f"{found} (`deferred = true` in [tool.abutment.cycles] judges them)" if found else ""


def suggest_hold(program: Program) -> tuple[str, str, str]:
    """Return how cycles are best held in a codebase at first (a value of `hold`), and why, as one sentence.

    The third is what is not held by it, as a sentence, or "": cycles that only imports inside functions close.
    """
    graph = _graph(program, Settings())
    at_import = graph.narrowed(Flag.MODULE)
    beside = beside_text(Cycles(program, at_import), Cycles(program, graph))
    if beside:
        beside = f"Not held: {beside}. `deferred = true` in [tool.abutment.cycles] judges them."
    return *_hold(program, max(map(len, at_import.components), default=0)), beside


def _hold(program: Program, largest: int) -> tuple[str, str]:
    modules = sum(module.kind in SCANNED for module in program.modules.values())
    if not largest:
        return HOLDS[0], "No modules import one another in a circle while being imported."
    found = f"The largest cycle of modules that import one another while being imported has {largest} of {modules}"
    if largest * MUCH > modules:
        return HOLDS[1], f"{found}, above a tenth: members are held, as every new import inside would be red."
    return HOLDS[0], f"{found}, not above a tenth: each import inside a cycle is held."


def _graph(program: Program, settings: Settings) -> ImportGraph:
    """Return the graph of both readings, deferred imports included."""

    def outside(module: str) -> bool:
        return selects(settings.exclude, module)

    reading = Reading(Flag.MODULE | Flag.DEFERRED, settings.parents)
    return import_graph(program, reading, leaves_out=outside)


class _Held:
    """The cycles of one reading, as keys of the way in which they are held."""

    def __init__(self, cycles: Cycles, edges: str, members: str, hold: str, grants: Grants) -> None:
        self.cycles, self.edges, self.members, self.by_members = cycles, edges, members, hold == "members"
        self.part, self.other = (members, edges) if self.by_members else (edges, members)
        self.labels = label_components(cycles.named, _recorded(grants, members)) if self.by_members else ()
        self._granted = {*(one.key for one in grants.recorded), *(one.key for one in grants.approvals)}
        self._closing: dict[int, Cause] = {}

    def closing(self, component: int) -> Cause:
        """Return those imports of a component that have brought everything in it that nothing grants."""
        if component not in self._closing:
            inner = self.cycles.inner(component)
            excess = {(a, b) for a, targets in inner.items() for b in targets if not self._grants(component, a, b)}
            cause = find_cause(inner, excess)
            self._closing[component] = cause.ordered(lambda edge: self.cycles.pull(*edge))
        return self._closing[component]

    def _grants(self, component: int, importer: int, imported: int) -> bool:
        names = self.cycles.graph.names
        if not self.by_members:
            return (self.edges, names[importer], names[imported]) in self._granted
        label = self.labels[component]
        return all((self.members, label, names[node]) in self._granted for node in (importer, imported))

    def found(self) -> Iterator[Key]:
        """Yield the key of each edge inside a component, or of each member."""
        names = self.cycles.graph.names
        if self.by_members:
            for label, members in zip(self.labels, self.cycles.named, strict=True):
                yield from ((self.members, label, member) for member in members)
        else:
            for importer, imported in self.cycles.edges():
                yield self.edges, names[importer], names[imported]


def _recorded(grants: Grants, reading: str) -> dict[str, frozenset[str]]:
    """Return the components that are granted in one reading: label to members."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind, label, member in (*(one.key for one in grants.recorded), *(one.key for one in grants.approvals)):
        if kind == reading:
            found[label].add(member)
    return {label: frozenset(members) for label, members in found.items()}


def label_components(components: Sequence[Sequence[str]], recorded: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return a label for each component: that of the recorded component with which it shares most members.

    So a component that shrinks or splits keeps its label and has no new member, and when two recorded ones
    become one, the members of that with the smaller share are new. A component that shares none is called by
    its first member; not by a label that is taken, which would join it to a stranger.
    """
    owner = {member: [label for label in recorded if member in recorded[label]] for c in components for member in c}
    labels: list[str] = []
    for members in components:
        shares = Counter(label for member in members for label in owner[member])
        if shares:
            labels.append(min(shares, key=lambda label: (-shares[label], label)))
        else:
            labels.append(_free_label(members, recorded))
    return tuple(labels)


def _free_label(members: Sequence[str], taken: Collection[str]) -> str:
    label = next((member for member in members if member not in taken), members[0])
    while label in taken:
        label += "+"
    return label


def _describe(held: Sequence[_Held], key: Key, *, found: bool) -> Evidence:
    reading, first, second = key
    deferred = reading in (DEFERRED, DEFERRED_MEMBERS)
    # Of what is granted and not found any more there is no way round to show, and nothing that closed it.
    one = next((one for one in held if found and reading in (one.edges, one.members)), None)
    cycles = None if one is None else one.cycles
    cause = Cause() if one is None else one.closing(one.cycles.component_named(second))
    if reading in (MEMBERS, DEFERRED_MEMBERS):
        evidence = describe_member(cycles, first, second, "ABT204" if deferred else "ABT203", cause)
    else:
        evidence = describe_edge(cycles, first, second, "ABT202" if deferred else "ABT201", cause)
    if one is None or not evidence.follows:
        return evidence
    importer, imported = (one.cycles.graph.names[node] for node in cause.in_order[0])
    leader = (reading, first, importer) if one.by_members else (reading, importer, imported)
    return replace(evidence, leader=leader)


GATE = Gate(
    name="cycles",
    question="Do modules import one another in circles?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    module_fields=("importer", "imported"),
    rules=(
        Rule("ABT201", "import-cycle", "An import inside a cycle that closes while modules are being imported."),
        Rule("ABT202", "deferred-cycle", "An import inside a cycle that closes at the latest with deferred imports."),
        Rule("ABT203", "cycle-member", "A module in an import cycle whose members are held."),
        Rule("ABT204", "deferred-cycle-member", "A module in a cycle with deferred imports whose members are held."),
    ),
    remedy="Move what both sides need into a module below them, or have the import approved in {policy}.",
    read_settings=read_settings,
    measure=measure,
    tombstones=False,
    loosening=Loosening(
        {
            "hold": Ordered(HOLDS, HOLDS[0]),
            "deferred": switch(False, part=DEFERRED),
            "parents": Ordered((Parents.SHARED.value, Parents.OWN.value, Parents.NONE.value), Parents.OWN.value),
            "exclude": EXCLUDE,
        }
    ),
)
