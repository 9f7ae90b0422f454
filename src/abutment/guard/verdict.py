"""Is the law as strict as it was, or did a person decide otherwise? The guard's verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from abutment.errors import NotJudged
from abutment.guard.codebase import codebase_of
from abutment.guard.comments import heard_already
from abutment.guard.compare import Judgement, Widening, judge_points
from abutment.guard.item import Law
from abutment.guard.law import earlier_law, gates_of, law_of, refuse_unreadable
from abutment.guard.revision import Load, Revision
from abutment.guard.rules import CI, GRANTS, NAME, REMEDIES
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.policies.amendments import Amended, Amendment, read_amendments, spent_amendments
from abutment.semantics.program import Program
from abutment.sources.universe import Universe
from abutment.verdicts.notices import AMENDMENTS
from abutment.verdicts.verdict import Status, Verdict

UNIT = "items of law"
_SHOWN = 3
_SHOWN_OF_A_BASELINE = 10


@dataclass(frozen=True, slots=True)
class Points:
    """The revisions between which a branch stands."""

    merge_base: Revision  # from where the branch left the main branch
    tip: Revision  # the main branch as it is now; the same value where the branch has all of it
    head: Revision  # what is judged
    name: str  # how the reader calls the main branch: "origin/main"
    base_name: str  # and the merge base: "origin/main at 1a2b3c4d"
    load: Load


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that the guard found, before anybody is asked whether it was decided."""

    judgement: Judgement
    head: Law
    nothing_before: bool


def compare_points(points: Points, universe: Universe | None = None, program: Program | None = None) -> Found:
    """Return what was loosened; raises NotJudged where the judged law cannot be read."""
    points = _told_of_a_move(points)
    code = codebase_of(points.head, universe)
    if program is not None:
        heard_already(points.head, program)
    gates = gates_of(points.load, points.merge_base, points.tip, points.head)
    head = law_of(points.head, gates)
    refuse_unreadable(head)

    base = earlier_law(points.merge_base, points.head, code, gates)
    tip = base if points.tip is points.merge_base else earlier_law(points.tip, points.head, code, gates)
    before = points.merge_base
    nothing = before.settings is None and not before.faults and not before.documents.files
    return Found(judge_points(base, tip, head), head, nothing)


def _told_of_a_move(points: Points) -> Points:
    """Return the points, whose revisions know if the project has another folder in one of them."""
    every = (points.merge_base, points.tip, points.head)
    if len({one.above for one in every}) == 1:
        return points
    base, tip, head = (replace(one, moved=True) for one in every)
    return replace(points, merge_base=base, tip=base if points.tip is points.merge_base else tip, head=head)


def loosened(points: Points, today: date) -> tuple[Widening, ...]:
    """Return what was loosened and is not amended; raises NotJudged where that cannot be told.

    An empty document counts as none, as a shell makes it before a draft is written into it.
    """
    amendments = _Amendments(points, today, blank_is_none=True)
    return tuple(one for one in compare_points(points).judgement.loosened if not amendments.cover(one))


def amended(widening: Widening) -> Amended:
    """Return a widening as an amendment names it."""
    return Amended(widening.key, widening.change.before, widening.change.after)


def guard_verdict(
    against: Callable[[], Points], today: date, universe: Universe | None = None, program: Program | None = None
) -> Verdict:
    """Return the verdict; what keeps it from being judged stands in it, also where there are no points to compare.

    `universe` and `program` are of the code that is judged, where that was looked through and read already.
    """
    try:
        points = against()
        found = compare_points(points, universe, program)
        amendments = _Amendments(points, today)
    except NotJudged as refusal:
        return Verdict(NAME, Status.NOT_JUDGED, faults=refusal.faults, unit=UNIT)
    open_ = [widening for widening in found.judgement.loosened if not amendments.cover(widening)]
    violations = sorted((_violation(one, amendments) for one in open_), key=Violation.sort_key)
    return Verdict(
        gate=NAME,
        status=Status.BROKEN if violations else Status.HELD,
        violations=tuple(_led(violations)),
        notes=tuple(_notes(found, points, amendments, len(open_))),
        looked_at=len(found.head),
        unit=UNIT,
        facts=len(found.judgement.loosened),
        granted=len(found.judgement.loosened) - len(open_),
        beside=_beside(found, points),
    )


class _Amendments:
    """The amendments of the judged revision, and which of them may cover anything."""

    def __init__(self, points: Points, today: date, *, blank_is_none: bool = False) -> None:
        self.path = f"{points.head.documents.folder}/{AMENDMENTS}"
        self._today = today
        data = _document(points.head)
        written = read_amendments(self.path, None if blank_is_none and data is not None and not data.strip() else data)
        spent = [spent_amendments(AMENDMENTS, _document(point)) for point in (points.merge_base, points.tip)]
        known = [one for one in spent if one is not None]
        is_known = len(known) == len(spent)
        self.new = [one for one in written if is_known and not any(each.holds(one) for each in known)]
        self._old = [one for one in written if one not in self.new]

    def cover(self, widening: Widening) -> bool:
        """Say whether a person decided it."""
        return any(_names(one, widening) and one.holds_on(self._today) for one in self.new)

    def why_not(self, widening: Widening) -> Iterator[str]:
        """Yield why an amendment that names it does not cover it."""
        for one in self.new:
            if _names(one, widening) and one.expires is not None:
                yield f"{one.site.place()}: the amendment {one.id} ran out on {one.expires.isoformat()}."
        for one in self._old:
            if _names(one, widening):
                yield f"{one.site.place()}: the amendment {one.id} is no new one: it is spent, and covers nothing more."
        for one in self.new:
            other = next((item for item in one.items if item.key == widening.key), None)
            if other is not None and not _names(one, widening):
                yield f"{one.site.place()}: the amendment {one.id} is about {other.before} -> {other.after}."

    def idle(self, widenings: Iterable[Widening]) -> Iterator[str]:
        """Yield each new amendment of which an item was not loosened."""
        done = {amended(widening) for widening in widenings}
        for one in self.new:
            unused = [item.key for item in one.items if item not in done]
            if unused:
                yield f"{one.site.place()}: the amendment {one.id} names what was not loosened: {_few(unused)}."


def _document(revision: Revision) -> bytes | None:
    return revision.documents.files.get(f"{revision.documents.folder}/{AMENDMENTS}")


def _names(amendment: Amendment, widening: Widening) -> bool:
    return amended(widening) in amendment.items


def _violation(widening: Widening, amendments: _Amendments) -> Violation:
    change, item = widening.change, widening.item
    site = widening.site if widening.site.path else Site(amendments.path)
    return Violation(
        gate=NAME,
        rule=item.rule,
        kind=Kind.LOOSENED,
        identity=(("key", widening.key), ("before", change.before), ("after", change.after)),
        found=1,
        granted=0,
        what=f"{item.key}: {change.words}",
        document=amendments.path,
        remedy=REMEDIES[item.rule],
        sites=(site,),
        details=tuple(amendments.why_not(widening)),
    )


def _led(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the violations, in their order; of those that one deed brought about only the first ones lead.

    One change of a step in CI concerns all gates that it asks, and a baseline that was recorded anew all its lines.
    """
    deeds: dict[tuple[str, ...], list[Violation]] = {}
    for one in violations:
        alike = deeds.setdefault(_deed(one), [])
        alike.append(one)
        is_shown = len(alike) <= (1 if one.rule == CI else _SHOWN_OF_A_BASELINE)
        yield one if is_shown else replace(one, follows=True, leader=alike[0].fingerprint)


def _deed(violation: Violation) -> tuple[str, ...]:
    path = violation.sites[0].path
    if violation.rule == CI:
        return path, str(violation.sites[0].line), violation.what.rpartition(": ")[2]
    return (path,) if violation.rule == GRANTS and path.endswith(".jsonl") else (violation.fingerprint,)


def _notes(found: Found, points: Points, amendments: _Amendments, undecided: int) -> Iterator[str]:
    behind = found.judgement.behind
    if behind:
        yield (
            f"your branch is behind {points.name}, where these are stricter by now: {_few(one.key for one in behind)}. "
            "That is not held against it; merge or rebase takes them over."
        )
    if found.nothing_before:
        yield f"there was no law in {points.base_name}: nothing could be loosened."
    decided = len(found.judgement.loosened) - undecided
    if decided:
        yield f"{decided} loosened and amended: {_few(sorted(amendment.id for amendment in amendments.new))}."
    yield from amendments.idle(found.judgement.own.widenings)


def _beside(found: Found, points: Points) -> str:
    own, behind = found.judgement.own, len(found.judgement.behind)
    late = f", and {behind} stricter on {points.name} by now, which the branch is behind" if behind else ""
    return f"{own.narrowing} narrowed and {own.neutral} neutral{late}, against {points.base_name}"


def _few(names: Iterable[str]) -> str:
    every: Sequence[str] = list(names)
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more
