"""How does a cycle read to a person: its members, the way round, and the imports that would break it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from abutment.facts.closing import Cause, Edge
from abutment.facts.cycles import Cycles
from abutment.model.measurement import Evidence
from abutment.semantics.program import Import

if TYPE_CHECKING:
    from abutment.facts.cut import Removal

MEMBERS_SHOWN = 8
REMOVALS_SHOWN = 5
CYCLES_SHOWN = 10
# Working out a cut of more members takes a second; that is spent for a violation, not on every run.
CUT_IN_NOTES = 1_000
NOTHING = Cause()

REMEDIES = {
    "ABT201": "Move what both sides need into a module below them, or import inside the function that needs it; "
    "an import that must stay is approved in {policy}.",
    "ABT202": "Move what both sides need into a module below them, or hand it in as an argument; "
    "an import that must stay is approved in {policy}.",
    "ABT203": "Keep the module out of the cycle: it must not both import and be imported by the others; "
    "a member that must stay is approved in {policy}.",
}
REMEDIES["ABT204"] = REMEDIES["ABT203"]


def describe_edge(cycles: Cycles | None, importer: str, imported: str, rule: str, cause: Cause = NOTHING) -> Evidence:
    """Return the evidence for one import inside a cycle; `cycles` is None where the code has no such import.

    `cause` are the imports that have closed the cycle. Any other one is told in short: it goes with them.
    """
    remedy = REMEDIES[rule]
    if cycles is None:
        return Evidence(rule, f"{importer} imports {imported} inside an import cycle", remedy=remedy)
    component = cycles.component_named(importer)
    ends = cycles.graph.number[importer], cycles.graph.number[imported]
    imports = cycles.imports(*ends)
    what = f"{importer} imports {imported}"
    if imports and all(found.via == "parent" for found in imports):
        what = f"{importer} runs {imported}, a package on the way to what it imports,"
    what, sites = f"{what} inside an import cycle", tuple(found.site for found in imports)
    if cause and ends not in cause:
        return Evidence(rule, what, sites, tuple(_closed_by(cycles, cause)), remedy, follows=True)
    return Evidence(
        rule,
        what,
        sites,
        (*_round(cycles.way_back(component, *ends)), *_about(cycles, component, cause)),
        remedy,
    )


def describe_member(cycles: Cycles | None, label: str, member: str, rule: str, cause: Cause = NOTHING) -> Evidence:
    """Return the evidence for one module in the component called `label`; `cause` as for `describe_edge`."""
    what = f"{member} is a member of an import cycle"
    what += "" if member == label else f" (that of {label})"
    if cycles is None:
        return Evidence(rule, what, remedy=REMEDIES[rule])
    component = cycles.component_named(member)
    node = cycles.graph.number[member]
    closing = cause.with_end(node)
    circle = _circle(cycles, component, node, closing)
    sites = tuple(found.site for found in circle)
    if cause and closing is None:
        return Evidence(rule, what, sites[:1], tuple(_closed_by(cycles, cause)), REMEDIES[rule], follows=True)
    return Evidence(rule, what, sites, (*_round(circle), *_about(cycles, component, cause)), REMEDIES[rule])


def _circle(cycles: Cycles, component: int, node: int, closing: Edge | None) -> list[Import]:
    """Return a circle through a member: through the import that closed it, where it is an end of that one."""
    if closing is None:
        return cycles.circle_through(component, node)
    circle = [cycles.step(*closing), *cycles.way_back(component, *closing)]
    return circle if node == closing[0] else [*circle[1:], circle[0]]


def _closed_by(cycles: Cycles, cause: Cause) -> Iterator[str]:
    for importer, imported in cause.in_order[:REMOVALS_SHOWN]:
        step = cycles.step(importer, imported)
        yield f"closed by: {step.importer} imports {step.imported} ({step.site.place()})"


def notes_of(cycles: Cycles) -> tuple[str, ...]:
    """Return a note for each of the largest components: size, members, and what would break it."""
    largest = _by_size(cycles)
    notes = [_about_in_one_line(cycles, component) for component in largest[:CYCLES_SHOWN]]
    return (*notes, *_the_rest(cycles, largest[CYCLES_SHOWN:]))


def notes_beside(at_import: Cycles, with_deferred: Cycles, *, judged: bool) -> tuple[str, ...]:
    """Return notes on the components that are there, or larger, only once deferred imports are counted."""
    further = _only_deferred(at_import, with_deferred)
    if not further:
        return ()
    fate = "judged as well" if judged else "not judged unless `deferred = true`"
    heads = f"with deferred imports counted ({fate}): "
    notes = [heads + _size_and_members(with_deferred.named[c]) + "." for c in further[:CYCLES_SHOWN]]
    return (*notes, *(heads + line for line in _the_rest(with_deferred, further[CYCLES_SHOWN:])))


def beside_text(at_import: Cycles, with_deferred: Cycles) -> str:
    """Return how large the cycles are that only imports inside functions close or enlarge; "" where none are."""
    further = _only_deferred(at_import, with_deferred)
    if not further:
        return ""
    largest = len(with_deferred.components[further[0]])
    if len(further) == 1:
        return f"1 cycle of {largest} modules with imports inside functions"
    return f"{len(further)} cycles with imports inside functions, the largest of {largest} modules"


def _only_deferred(at_import: Cycles, with_deferred: Cycles) -> list[int]:
    """Return the components that are there, or larger, only once deferred imports are counted; the largest first."""
    known = set(map(tuple, at_import.named))
    return [c for c in _by_size(with_deferred) if tuple(with_deferred.named[c]) not in known]


def _by_size(cycles: Cycles) -> list[int]:
    return sorted(range(len(cycles.components)), key=lambda c: (-len(cycles.components[c]), c))


def _the_rest(cycles: Cycles, components: Sequence[int]) -> Iterator[str]:
    if components:
        modules = sum(len(cycles.components[c]) for c in components)
        yield f"… and {len(components)} smaller import cycles with {modules} modules together."


def _round(steps: Sequence[Import]) -> Iterator[str]:
    for step in steps:
        does = "runs" if step.via == "parent" else "imports"
        word = "" if step.word in ("runtime", "parent") else f"{step.word}, "
        yield f"the way round: {step.importer} {does} {step.imported} ({word}{step.site.place()})"


def _about(cycles: Cycles, component: int, cause: Cause) -> Iterator[str]:
    """Yield what would put it right: first without what is new, then without the whole cycle where that is more."""
    if cause:
        yield _without(cycles, cause)
    yield _size_and_members(cycles.named[component])
    if not cause:
        yield _cut_text(cycles, component)
    elif not cause.whole:
        yield f"what is granted goes on being a cycle; {_cut_text(cycles, component)}"


def _without(cycles: Cycles, cause: Cause) -> str:
    number = len(cause.in_order)
    shown = _listed([_imported(cycles, edge) for edge in cause.in_order[:REMOVALS_SHOWN]], number)
    which = "this import" if number == 1 else f"any one of these {number} imports" if cause.any_one else ""
    which = which or f"these {number} imports"
    if cause.whole:
        return f"remove {which} and the cycle is gone: {shown}"
    return f"remove {which} and nothing here is new: {shown}"


def _imported(cycles: Cycles, edge: Edge) -> str:
    step, more = cycles.step(*edge), len(cycles.imports(*edge)) - 1
    does = "runs" if step.via == "parent" else "imports"
    return f"{step.importer} {does} {step.imported} ({step.site.place()}{f' and {more} more' if more else ''})"


def _about_in_one_line(cycles: Cycles, component: int) -> str:
    size = len(cycles.components[component])
    cut = _cut_text(cycles, component) if size <= CUT_IN_NOTES else "what would break it is not worked out here"
    return f"{_size_and_members(cycles.named[component])}; {cut}."


def _size_and_members(members: Sequence[str]) -> str:
    return f"import cycle of {len(members)} modules: {_listed(members[:MEMBERS_SHOWN], len(members))}"


def _cut_text(cycles: Cycles, component: int) -> str:
    cut = cycles.cut(component)
    few = "this import" if len(cut.removals) == 1 else f"these {len(cut.removals)} imports"
    unsure = "" if cut.minimal else " (fewer may do)"
    shown = [_removal(cycles, removal) for removal in cut.removals[:REMOVALS_SHOWN]]
    return f"remove {few}{unsure} and the cycle is gone: {_listed(shown, len(cut.removals))}"


def _removal(cycles: Cycles, removal: Removal) -> str:
    place = cycles.program.import_at(removal.rows[0]).site.place()
    more = f" and {len(removal.rows) - 1} more" if len(removal.rows) > 1 else ""
    return f"{removal.importer} imports {removal.imported} ({place}{more})"


def _listed(shown: Sequence[str], total: int) -> str:
    more = total - len(shown)
    return ", ".join(shown) + (f", … and {more} more" if more > 0 else "")
