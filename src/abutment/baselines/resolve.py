"""How does a baseline on which a merge did not agree become one document again?

Nothing but the baseline is written. A receipt would only repeat what those of both sides say: no level changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from abutment.baselines.conflict import read_sides
from abutment.baselines.document import render_baseline
from abutment.baselines.document_bytes import MARKERS, conflict_line
from abutment.baselines.law import keeps_baseline
from abutment.baselines.plan import Change, Plan, counted
from abutment.baselines.reading import Documents, foreign_receipts
from abutment.baselines.receipts import document_digest, levels, speaks_of
from abutment.baselines.settle import (
    BASE,
    OURS,
    THEIRS,
    Counts,
    Levels,
    Settled,
    Sides,
    conditions_after,
    counts_after,
    read_side,
    settle,
)
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.reading import Faults
from abutment.model.terms import Direction, Terms

_BASE, _OURS, _THEIRS = 1, 2, 3  # how git numbers what it keeps of an unsettled file
_WHOSE = {_BASE: BASE, _OURS: OURS, _THEIRS: THEIRS}
_DELETED = "Whether {gate} is still held is for a person to say: keep the file (`git add`) or delete it (`git rm`)."


@dataclass(frozen=True, slots=True)
class Unsettled:
    """One baseline that a merge left to somebody."""

    terms: Terms
    found: bytes | None  # as it stands in the work tree
    stages: Mapping[int, bytes]  # as git keeps its versions; empty where it keeps none
    policy_waits: bool = False  # git calls the gate's policy unsettled as well


def plan_resolve(unsettled: Iterable[Unsettled], documents: Documents) -> Plan:
    """Return the plan that makes one document of each again.

    Where git still keeps the versions of all sides, these are read, whatever was made of the file meanwhile; otherwise
    its conflict markers tell the sides apart. Raises Refused, naming every cause, where anything is not understood.
    """
    faults = Faults()
    faults.found += documents.faults
    files = [_File(each, documents, faults) for each in unsettled]
    for file in files:
        file.read()
    if faults.found:
        raise Refused(sorted(set(faults.found)))
    return Plan(
        "resolve",
        changes=tuple(change for file in files for change in file.changes()),
        basis=tuple((file.terms.baseline, document_digest(file.unsettled.found)) for file in files),
        lines=tuple(line for file in files for line in file.lines()),
    )


class _File:
    """One baseline on its way to being settled."""

    def __init__(self, unsettled: Unsettled, documents: Documents, faults: Faults) -> None:
        self.unsettled, self.terms = unsettled, unsettled.terms
        self._documents, self._faults = documents, faults
        self._sides: Sides | None = None
        self._settled: tuple[Settled, ...] = ()

    def read(self) -> None:
        """Read the sides and settle them, unless there is a fault."""
        before = len(self._faults.found)
        self._faults.found += self._law_faults()
        self._sides = self._read_stages() if self.unsettled.stages else self._read_marked()
        if self._sides is not None and len(self._faults.found) == before:
            self._settled = settle(self._sides, self._levels())

    def changes(self) -> Iterator[Change]:
        """Yield what is to be written; nothing where the file says already what it should."""
        assert self._sides is not None  # or there was a fault
        after = render_baseline(self.terms, counts_after(self._sides, self._settled), self._sides.conditions)
        if after != self.unsettled.found:
            yield Change(self.terms.baseline, self.unsettled.found, after)

    def lines(self) -> Iterator[str]:
        """Yield for the user what was settled and how."""
        gate = self.terms.gate
        yield f"{gate}: {counted(len(self._settled), 'entry')} on which the sides differ."
        yield from (f"  {each.line(self.terms.fields)}" for each in self._settled)
        if self.terms.direction is Direction.SNAPSHOT:
            yield f"Once the merge is settled: `abutment record {gate}`."
        else:
            yield f"Once the merge is settled: `abutment check {gate}`; what is gone or shrunk, `tighten` records."

    def _levels(self) -> Levels | None:
        receipts, gate = self._documents.receipts, self.terms.gate
        return None if self.terms.direction is Direction.SNAPSHOT else levels(receipts, gate)

    def _read_stages(self) -> Sides | None:
        stages = self.unsettled.stages
        for stage in (_OURS, _THEIRS):
            if stage not in stages:
                self._fault(0, f"is not there any more {_WHOSE[stage]}.", _DELETED.replace("{gate}", self.terms.gate))
                return None
        ours, theirs = (self._read(stage, stages[stage], self._faults) for stage in (_OURS, _THEIRS))
        base = stages.get(_BASE)
        under = conditions_after(self.terms.baseline, stages[_OURS], stages[_THEIRS], base, self._faults)
        return Sides(ours, theirs, self._read_base(base), under)

    def _read_base(self, data: bytes | None) -> Counts | None:
        """Return what was there before; None where branches that crossed have no one base (git then makes one up)."""
        if data is None:
            return {}
        # The markers in it are longer than those of a file.
        made_up = any(line.startswith(MARKERS) for line in data.splitlines())
        return None if made_up else self._read(_BASE, data, self._faults)

    def _read_marked(self) -> Sides | None:
        path = self.terms.baseline
        if self.terms.direction is Direction.SNAPSHOT:
            take = f"Take either side (`git checkout --ours -- {path}`), then run `abutment record {self.terms.gate}`."
            self._fault(0, "is a snapshot: without git's own versions nothing tells what came from what went.", take)
            return None
        sides = read_sides(path, self.unsettled.found or b"", self._faults)
        if sides is None:
            return None
        counts: list[Counts] = []
        for stage, side in zip((_OURS, _THEIRS), sides, strict=True):
            own = Faults()
            counts.append(self._read(stage, side.data, own))
            self._faults.found += [side.placed(fault) for fault in own.found]
        under = conditions_after(path, sides[0].data, sides[1].data, None, self._faults)
        return Sides(counts[0], counts[1], conditions=under)

    def _read(self, stage: int, data: bytes, faults: Faults) -> Counts:
        return read_side(self.terms.baseline, _WHOSE[stage], data, self.terms, faults)

    def _law_faults(self) -> Iterator[Fault]:
        """Yield what else has to be settled first, by a person."""
        terms, documents = self.terms, self._documents
        if not keeps_baseline(terms):
            yield Fault(
                terms.baseline, 0, f"{terms.gate} has no baseline: people grant everything.", "Delete the file."
            )
        yield from documents.unread.get(terms.policy, ())
        marker = conflict_line(documents.files.get(terms.policy, b""))
        if marker or self.unsettled.policy_waits:
            what = "holds merge conflict markers." if marker else "is unsettled in git."
            yield Fault(terms.policy, marker, what, "A policy is settled by people, first.")
        yield from foreign_receipts(documents, terms)
        told = any(speaks_of(receipt, terms.gate) for receipt in documents.receipts)
        if not told and not documents.faults and terms.direction is not Direction.SNAPSHOT:
            remedy = f"Restore {documents.folder}/receipts from both branches, and see that git does not ignore it."
            yield Fault(terms.baseline, 0, "no receipt tells of this baseline, so that nothing can settle it.", remedy)

    def _fault(self, line: int, message: str, remedy: str) -> None:
        self._faults.add(self.terms.baseline, line, message, remedy)
