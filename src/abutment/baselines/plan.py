"""What would a writing verb write? A value: the store commits it, a dry run prints it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from abutment.baselines.document import render_baseline
from abutment.baselines.law import Law
from abutment.baselines.receipts import DocumentChange, How, Part, Receipt, Touch, document_digest
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Conditions, Measurement
from abutment.model.terms import Direction


@dataclass(frozen=True, slots=True)
class Change:
    """One document before and after. No verb takes a document away."""

    path: str  # relative to the root
    before: bytes | None  # None where there was none
    after: bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """One write, not yet done."""

    verb: str
    parts: tuple[Part, ...] = ()  # each gate's share of the receipt; without one, none is written
    changes: tuple[Change, ...] = ()
    basis: tuple[tuple[str, str | None], ...] = ()  # digests of the documents it was made upon
    supersedes: tuple[str, ...] = ()
    reason: str = ""
    lines: tuple[str, ...] = ()  # for the user

    @property
    def nothing(self) -> bool:
        """Say whether committing it would write nothing."""
        return not self.parts and not self.changes

    def receipt(self, tools: Mapping[str, str]) -> Receipt:
        """Return the receipt of this write by these tools (name -> version)."""
        return Receipt(
            verb=self.verb,
            documents=tuple(
                DocumentChange(change.path, document_digest(change.before), document_digest(change.after))
                for change in self.changes
            ),
            parts=self.parts,
            tools=tuple(sorted(tools.items())),
            reason=self.reason,
            supersedes=self.supersedes,
        )


def joined(plans: Iterable[Plan], verb: str = "") -> Plan:
    """Return several gates' plans of one verb and reason as one write; raises ValueError where they differ in these.

    A `verb` that stands for theirs is the whole's own.
    """
    every = tuple(plans)
    if len({(verb or plan.verb, plan.reason) for plan in every}) != 1:
        raise ValueError("only plans of one verb and one reason make one write")
    return Plan(
        verb=verb or every[0].verb,
        parts=tuple(sorted(chain.from_iterable(p.parts for p in every), key=lambda part: part.gate)),
        changes=tuple(sorted(chain.from_iterable(p.changes for p in every), key=lambda change: change.path)),
        basis=tuple(sorted(set(chain.from_iterable(p.basis for p in every)), key=lambda entry: entry[0])),
        supersedes=tuple(sorted(set(chain.from_iterable(p.supersedes for p in every)))),
        reason=every[0].reason,
        lines=tuple(chain.from_iterable(p.lines for p in every)),
    )


def baseline_plan(
    verb: str,
    law: Law,
    counts: Mapping[Key, int],
    hows: Mapping[Key, How],
    *,
    covers: tuple[str, ...] = (),
    conditions: Conditions | None = None,
    supersedes: tuple[str, ...] = (),
    reason: str = "",
    lines: tuple[str, ...] = (),
) -> Plan:
    """Return the plan that makes the baseline say `counts`; `hows` are the keys that the receipt names, and why.

    `conditions` are those under which the counts were measured; those of the record where None.
    A snapshot's receipt names no keys: it may be re-recorded at will, so that no level is ever held.
    """
    terms, under = law.terms, law.conditions if conditions is None else conditions
    after = render_baseline(terms, counts, under)
    changes = () if after == law.baseline else (Change(terms.baseline, law.baseline, after),)
    if terms.direction is Direction.SNAPSHOT:
        hows = {}
    touches = tuple(Touch(key, counts.get(key, 0), hows[key]) for key in sorted(hows))
    part = Part(terms.gate, terms.fields, touches, tuple(sorted(covers)), tuple(sorted(under.items())))
    return Plan(
        verb=verb,
        parts=(part,) if changes or touches or covers else (),
        changes=changes,
        basis=law.basis,
        supersedes=supersedes,
        reason=reason,
        lines=lines,
    )


def refuse_partial(law: Law, measurement: Measurement, verb: str) -> None:
    """Raise Refused where the measurement does not hold the whole: an unread file would read as debt paid."""
    faults = partial_faults(law, measurement, verb)
    if faults:
        raise Refused(faults)


def partial_faults(law: Law, measurement: Measurement, verb: str) -> tuple[Fault, ...]:
    """Return why a verb cannot work on the measurement, which does not hold the whole; () where it does."""
    gate = law.terms.gate
    if measurement.faults:
        return (Fault("", 0, f"{gate}: {verb} needs the whole judged, and this is not:"), *measurement.faults)
    if measurement.looked_at:
        return ()
    lacking = f"{gate}: {verb} looked at no {measurement.unit or 'facts'} at all."
    return (Fault("", 0, lacking, "Check `roots` and `exclude` with `abutment config`."),)


def counted(number: int, noun: str) -> str:
    """Return `1 entry`, `2 entries`, `3 facts`."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else plural}"
