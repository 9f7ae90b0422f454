"""What is recorded where nothing was recorded before: at first, for a new part of the law, for a snapshot?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.plan import Plan, baseline_plan, counted, refuse_partial
from abutment.baselines.receipts import How, covered, set_aside, speaking_of, speaks_of
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.terms import Direction


def plan_init(law: Law, measurement: Measurement) -> Plan:
    """Return the plan that records today's debt in a first baseline.

    What an approval names is not recorded, whether the approval holds today or not, and nothing that takes
    approvals only. Raises Refused where there is a baseline, where a receipt says that there was one, and
    where the scan is partial.
    """
    _refuse_recorded(law)
    refuse_partial(law, measurement, "init")
    if not keeps_baseline(law.terms):
        return Plan("init", basis=law.basis)
    counts = _unapproved(law, measurement)
    return baseline_plan(
        "init",
        law,
        counts,
        dict.fromkeys(counts, How.RECORDED),
        covers=measurement.covers,
        lines=tuple(_recorded_lines(law, measurement, counts)),
    )


def plan_again(law: Law, measurement: Measurement, reason: str) -> Plan:
    """Return the plan that records what a change of the law explains: the debt of parts that no receipt covers.

    A part that is held in another way than before takes the other's place. Where it was recorded already, it gets
    back what was set aside, as far as the code still has that; nothing that came meanwhile. Everything else in the
    baseline stays as it is. Raises Refused without a reason, without a baseline, where nothing is explained, and where
    the scan is partial.
    """
    refuse_partial(law, measurement, "init --again")
    new, back = _new_parts(law, measurement, reason), _parts_back(law, measurement)
    if not new and not back:
        raise Refused(_nothing_new(law))
    recorded = {entry.key: entry.count for entry in law.grants.recorded if entry.key[0] not in new | back}
    replaced = {measurement.instead_of.get(part, "") for part in new | back}.difference(measurement.covers)
    out = [key for key in recorded if key[0] in replaced]
    now = _unapproved(law, measurement)
    first = {key: count for key, count in now.items() if key[0] in new}
    known = set_aside(law.receipts, law.terms.gate)
    again = {key: min(count, known[key]) for key, count in now.items() if key[0] in back and key in known}
    raised = dict.fromkeys((*again, *out), How.RERECORDED)
    # What was paid while another part held it does not come back another time.
    paid = [key for key in known if key[0] in back and key not in again]
    return baseline_plan(
        "init",
        law,
        {**{key: count for key, count in recorded.items() if key not in raised}, **first, **again},
        {**dict.fromkeys(first, How.RECORDED), **dict.fromkeys(paid, How.PAID), **raised},
        covers=tuple(new | back),
        supersedes=speaking_of(law.receipts, law.terms.gate, raised),
        reason=reason.strip(),
        lines=tuple(_again_lines(law, measurement, new, back, {**first, **again})),
    )


def _again_lines(
    law: Law, measurement: Measurement, new: frozenset[str], back: frozenset[str], counts: Mapping[Key, int]
) -> Iterator[str]:
    if new:
        yield f"New here: {', '.join(sorted(new))}."
    if back:
        yield f"Back from what was set aside: {', '.join(sorted(back))}. What came meanwhile needs an approval."
    yield from _recorded_lines(law, measurement, counts)


def plan_record(law: Law, measurement: Measurement) -> Plan:
    """Return the plan that makes a snapshot say what the code is; it writes nothing where it says so already.

    Raises Refused for a gate that is no snapshot and where the scan is partial.
    """
    gate = law.terms.gate
    if law.terms.direction is not Direction.SNAPSHOT:
        raise Refused(
            Fault(
                law.terms.baseline,
                0,
                f"{gate} is no snapshot: only snapshots may be re-recorded.",
                f"Use `abutment tighten {gate}` to record payments; new debt needs an approval in {law.terms.policy}.",
            )
        )
    refuse_partial(law, measurement, "record")
    counts = _unapproved(law, measurement)
    before = {entry.key: entry.count for entry in law.grants.recorded}
    changed = [key for key in {*counts, *before} if counts.get(key, 0) != before.get(key, 0)]
    lines = (f"{gate}: {counted(len(changed), 'entry')} changed.",) if changed else ()
    return baseline_plan("record", law, counts, {}, lines=lines)


def _refuse_recorded(law: Law) -> None:
    terms = law.terms
    if law.baseline is not None:
        raise Refused(
            Fault(
                terms.baseline,
                0,
                "is there already; init never overwrites.",
                f"`abutment tighten {terms.gate}` records payments.",
            )
        )
    if any(speaks_of(receipt, terms.gate) for receipt in law.receipts):
        raise Refused(
            Fault(
                terms.baseline,
                0,
                f"is missing, but a receipt says that {terms.gate} was recorded before.",
                "Restore it from version control: recording anew would forgive whatever grew meanwhile.",
            )
        )


def _unapproved(law: Law, measurement: Measurement) -> dict[Key, int]:
    """Return what the code has beyond the approvals, of what may stand in a baseline."""
    approved: dict[Key, int] = {}
    for approval in law.grants.approvals:
        approved[approval.key] = approved.get(approval.key, 0) + approval.count
    return {
        key: count - approved.get(key, 0)
        for key, count in measurement.counts.items()
        if count > approved.get(key, 0) and not measurement.reviewed_only(key)
    }


def _recorded_lines(law: Law, measurement: Measurement, counts: Mapping[Key, int]) -> Iterator[str]:
    gate = law.terms.gate
    yield f"{gate}: {counted(sum(counts.values()), 'fact')} recorded in {counted(len(counts), 'entry')}."
    approved = {approval.key for approval in law.grants.approvals}
    review = [key for key in measurement.counts if measurement.reviewed_only(key) and key not in approved]
    if review:
        yield (
            f"{gate}: {counted(len(review), 'entry')} take approvals only: "
            f"`abutment draft {gate}` prints what to fill in for {law.terms.policy}."
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
    gate = law.terms.gate
    return Fault(
        law.terms.baseline,
        0,
        f"every part of {gate}'s law was recorded before; recording it again would forgive what grew.",
        f"New debt needs an approval in {law.terms.policy}: `abutment draft {gate}` prints it.",
    )
