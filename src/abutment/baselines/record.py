"""What is recorded without looking at what was: at first, and for a snapshot?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.plan import Plan, baseline_plan, counted, refuse_partial
from abutment.baselines.receipts import How, speaks_of
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
    refuse_recorded(law)
    refuse_partial(law, measurement, "init")
    if not keeps_baseline(law.terms):
        return Plan("init", basis=law.basis)
    counts = unapproved(law, measurement)
    return baseline_plan(
        "init",
        law,
        counts,
        dict.fromkeys(counts, How.RECORDED),
        covers=measurement.covers,
        conditions=measurement.conditions,
        lines=tuple(recorded_lines(law, measurement, counts)),
    )


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
    counts = unapproved(law, measurement)
    before = {entry.key: entry.count for entry in law.grants.recorded}
    changed = [key for key in {*counts, *before} if counts.get(key, 0) != before.get(key, 0)]
    lines = (f"{gate}: {counted(len(changed), 'entry')} changed.",) if changed else ()
    return baseline_plan("record", law, counts, {}, conditions=measurement.conditions, lines=lines)


def start_anew(documents: str) -> str:
    """Return how a first record is made again, as long as nobody else has it."""
    return f"As long as {documents} was never committed: delete that folder and run `abutment init` once more."


def refuse_recorded(law: Law) -> None:
    """Raise Refused where a gate has a baseline, or a receipt says that it had one."""
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


def unapproved(law: Law, measurement: Measurement) -> dict[Key, int]:
    """Return what the code has beyond the approvals, of what may stand in a baseline."""
    beyond = beyond_approvals(law, measurement)
    return {key: count for key, count in beyond.items() if not measurement.by_hand(key)}


def beyond_approvals(law: Law, measurement: Measurement) -> dict[Key, int]:
    """Return what the code has beyond the approvals."""
    approved: dict[Key, int] = {}
    for approval in measurement.completed(law.grants).approvals:
        approved[approval.key] = approved.get(approval.key, 0) + approval.count
    return {
        key: count - approved.get(key, 0) for key, count in measurement.counts.items() if count > approved.get(key, 0)
    }


def recorded_lines(law: Law, measurement: Measurement, counts: Mapping[Key, int]) -> Iterator[str]:
    """Yield for the user what was recorded, and what takes approvals only."""
    gate = law.terms.gate
    yield f"{gate}: {counted(law.terms.facts(counts.values()), 'fact')} recorded in {counted(len(counts), 'entry')}."
    approved = {approval.key for approval in law.grants.approvals}
    review = [key for key in measurement.counts if measurement.reviewed_only(key) and key not in approved]
    if review:
        yield (
            f"{gate}: {counted(len(review), 'entry')} for which only an approval counts: "
            f"`abutment draft {gate}` prints what to fill in for {law.terms.policy}."
        )
    never = law.terms.facts(count for key, count in measurement.counts.items() if measurement.never(key))
    if never:
        yield f"{gate}: {counted(never, 'fact')} may stand in no document and have to go: `abutment check {gate}`."
