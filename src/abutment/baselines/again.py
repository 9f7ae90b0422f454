"""What may be recorded once there is a baseline, because the law has changed: new parts, and parts held anew?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abutment.baselines.anew import plan_anew
from abutment.baselines.carryover import carry_over, carryover_lines
from abutment.baselines.conditions import have_changed, hidden
from abutment.baselines.law import Law
from abutment.baselines.plan import Plan, baseline_plan, refuse_partial
from abutment.baselines.receipts import How, covered, set_aside, speaking_of
from abutment.baselines.record import recorded_lines, start_anew, unapproved
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Measurement


def plan_again(law: Law, measurement: Measurement, reason: str) -> Plan:
    """Return the plan that records what a change of the law explains: the debt of parts that no receipt covers.

    A new part that is an old one under another name gets what the old one was granted. A part that is held in another
    way than before takes the other's place. Where it was recorded already, it gets back what was set aside, as far as
    the code still has that; nothing that came meanwhile. Everything else in the baseline stays as it is. Where facts
    are measured under other conditions than the record was, or less is looked at, what that explains is recorded
    instead. Raises Refused without a reason, without a baseline, where nothing is explained, and where the scan is
    partial.
    """
    refuse_partial(law, measurement, "init --again")
    new = _new_parts(law, measurement, reason)
    if have_changed(law, measurement) or hidden(law, measurement):
        return plan_anew(law, measurement, reason.strip())
    back = _parts_back(law, measurement)
    if not new and not back:
        raise Refused(_nothing_new(law))
    now = unapproved(law, measurement)
    first = carry_over(law, measurement, {key: count for key, count in now.items() if key[0] in new})
    returned = _returned(law, now, back)
    kept, out = _kept_and_out(law, measurement, new | back)
    raised = dict.fromkeys((*returned.counts, *out), How.RERECORDED)
    return baseline_plan(
        "init",
        law,
        {**kept, **first.counts, **returned.counts},
        {**dict.fromkeys(first.counts, How.RECORDED), **dict.fromkeys(returned.paid, How.PAID), **raised},
        covers=tuple(new | back),
        supersedes=speaking_of(law.receipts, law.terms.gate, raised),
        reason=reason.strip(),
        lines=(
            *_part_lines(new, back),
            *carryover_lines(law, measurement, first),
            *recorded_lines(law, measurement, {**first.counts, **returned.counts}),
        ),
    )


def _new_parts(law: Law, measurement: Measurement, reason: str) -> frozenset[str]:
    """Return the parts that were never recorded; raises Refused where nothing may be recorded again."""
    gate, place = law.terms.gate, law.terms.baseline
    if not reason.strip():
        raise Refused(Fault(place, 0, "recording again needs a reason.", 'Say why: --reason "..."'))
    if law.baseline is None:
        raise Refused(Fault(place, 0, "is missing: there is nothing to add to.", f"Run `abutment init {gate}`."))
    return frozenset(measurement.covers) - covered(law.receipts, gate)


def _parts_back(law: Law, measurement: Measurement) -> frozenset[str]:
    """Return the recorded parts that take the place of another one, which has entries where they have none."""
    present = {entry.key[0] for entry in law.grants.recorded}
    known = covered(law.receipts, law.terms.gate)
    return frozenset(
        part
        for part, other in measurement.instead_of.items()
        if part in known and part not in present and other in present
    )


def _nothing_new(law: Law) -> Fault:
    gate, place = law.terms.gate, law.terms.baseline
    return Fault(
        place,
        0,
        f"every part of {gate}'s law was recorded before; recording it again would forgive what grew.",
        f"New debt needs an approval in {law.terms.policy}: `abutment draft {gate}` prints it. "
        + start_anew(place.rpartition("/")[0]),
    )


@dataclass(frozen=True, slots=True)
class _Returned:
    """What parts that are back get of what was set aside."""

    counts: Mapping[Key, int]
    paid: tuple[Key, ...]  # what was paid while another part held it, and does not come back another time


def _returned(law: Law, now: Mapping[Key, int], back: frozenset[str]) -> _Returned:
    aside = {key: count for key, count in set_aside(law.receipts, law.terms.gate).items() if key[0] in back}
    counts = {key: min(count, aside[key]) for key, count in now.items() if key in aside}
    return _Returned(counts, tuple(key for key in aside if key not in counts))


def _kept_and_out(law: Law, measurement: Measurement, parts: frozenset[str]) -> tuple[dict[Key, int], list[Key]]:
    """Return what of the baseline stays as it is, and what is set aside, since one of the parts takes its place."""
    replaced = {measurement.instead_of.get(part, "") for part in parts}.difference(measurement.covers)
    others = {entry.key: entry.count for entry in law.grants.recorded if entry.key[0] not in parts}
    kept = {key: count for key, count in others.items() if key[0] not in replaced}
    return kept, [key for key in others if key not in kept]


def _part_lines(new: frozenset[str], back: frozenset[str]) -> Iterator[str]:
    if new:
        yield f"New here: {', '.join(sorted(new))}."
    if back:
        yield f"Back from what was set aside: {', '.join(sorted(back))}. What came meanwhile needs an approval."
