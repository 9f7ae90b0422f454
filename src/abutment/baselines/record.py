"""What is recorded where nothing was recorded before: at first, for a new part of the law, for a snapshot?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from abutment.baselines.balance import Ledger
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.plan import Plan, baseline_plan, counted, refuse_partial
from abutment.baselines.receipts import How, covered, speaks_of
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
    """Return the plan that records the debt of those parts of the law that no receipt covers: new contracts.

    Everything else in the baseline stays as it is. Raises Refused without a reason, without a baseline, where
    no part is new, and where the scan is partial.
    """
    refuse_partial(law, measurement, "init --again")
    new = _new_parts(law, measurement, reason)
    counts = {entry.key: entry.count for entry in law.grants.recorded if entry.key[0] not in new}
    found = {key: count for key, count in _unapproved(law, measurement).items() if key[0] in new}
    renamed = _renamed_parts(law, measurement, found)
    found, refused = _carried(law, found, renamed)
    return baseline_plan(
        "init",
        law,
        {**counts, **found},
        dict.fromkeys(found, How.RECORDED),
        covers=tuple(new),
        reason=reason.strip(),
        lines=(
            f"New here: {', '.join(sorted(new))}.",
            *_vanished_lines(law, measurement, renamed),
            *_renamed_lines(law, renamed, refused),
            *_recorded_lines(law, measurement, found),
        ),
    )


def _renamed_parts(law: Law, measurement: Measurement, found: Mapping[Key, int]) -> dict[str, tuple[str, ...]]:
    """Return each new part that has facts of parts which are written no more, with these: a law under a new name.

    Recording such a part as if it were new would forgive whatever came since the old name was recorded.
    """
    if not measurement.named_parts:
        return {}
    vanished = covered(law.receipts, law.terms.gate) - frozenset(measurement.covers)
    spoken = {*law.grants.levels, *(entry.key for entry in law.grants.recorded)}
    successors: dict[str, set[str]] = {}
    for part, *rest in found:
        successors.setdefault(part, set()).update(old for old in vanished if (old, *rest) in spoken)
    return {part: tuple(sorted(olds)) for part, olds in successors.items() if olds}


def _vanished_lines(law: Law, measurement: Measurement, renamed: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield which parts are written no more without a fact to tell by whether they came back under another name."""
    told = {old for olds in renamed.values() for old in olds}
    vanished = covered(law.receipts, law.terms.gate) - frozenset(measurement.covers) - told
    if measurement.named_parts and vanished:
        yield (
            f"Recorded before and written no more: {', '.join(sorted(vanished))}. If that is one of the new ones under "
            "another name, nothing here may be recorded: give it its old id back."
        )


def _carried(
    law: Law, found: Mapping[Key, int], renamed: Mapping[str, tuple[str, ...]]
) -> tuple[dict[Key, int], list[Key]]:
    """Return what may be recorded, and what may not: of a renamed part, only what its old name grants as well."""
    ledger = Ledger(law.grants, reviewed_only=lambda _key: False, tombstones=law.terms.tombstones, today=date.max)
    carried: dict[Key, int] = {}
    refused: list[Key] = []
    for key, count in found.items():
        olds = renamed.get(key[0], ())
        most = max((ledger.balance((old, *key[1:])).recorded for old in olds), default=0) if olds else count
        if most:
            carried[key] = min(count, most)
        if count > most:
            refused.append(key)
    return carried, refused


def _renamed_lines(law: Law, renamed: Mapping[str, tuple[str, ...]], refused: Collection[Key]) -> Iterator[str]:
    for part, olds in sorted(renamed.items()):
        left = sum(key[0] == part for key in refused)
        yield (
            f"{part} has facts of {' and '.join(olds)}, which is written no more: a contract under another name. "
            f"Carried over is what was granted there; {counted(left, 'fact')} beyond that "
            f"{'is' if left == 1 else 'are'} not recorded."
        )
        if left:
            yield f"New debt needs an approval in {law.terms.policy}: `abutment draft {law.terms.gate}` prints it."
    if renamed:
        yield f"`abutment tighten {law.terms.gate}` takes out what is left under the old names."


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


def start_anew(documents: str) -> str:
    """Return how a first record is made again, as long as nobody else has it."""
    return f"As long as {documents} was never committed: delete that folder and run `abutment init` once more."


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
    new = frozenset(measurement.covers) - covered(law.receipts, gate)
    if not new:
        raise Refused(
            Fault(
                place,
                0,
                f"every part of {gate}'s law was recorded before; recording it again would forgive what grew.",
                f"New debt needs an approval in {law.terms.policy}: `abutment draft {gate}` prints it. "
                + start_anew(law.terms.baseline.rpartition("/")[0]),
            )
        )
    return new
