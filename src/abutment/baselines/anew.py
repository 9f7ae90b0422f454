"""What is recorded once the facts are measured under other conditions than before?

Only what the change of conditions explains: a rule that was switched on explains what it finds, and nothing else.
Where nobody can tell, as with a new version of a tool, all that differs is recorded, and the reason alone stands for
it. Nothing of it is a payment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from abutment.baselines.conditions import changed, have_changed
from abutment.baselines.law import Law
from abutment.baselines.plan import Plan, baseline_plan, counted
from abutment.baselines.receipts import How, speaking_of
from abutment.baselines.record import unapproved
from abutment.model.identity import Key
from abutment.model.measurement import Measurement


def plan_anew(law: Law, measurement: Measurement, reason: str) -> Plan:
    """Return the plan that records, under the conditions of today, what differs from the record because of them."""
    before = {entry.key: entry.count for entry in law.grants.recorded}
    now = unapproved(law, measurement)
    differs = _may_differ(law, measurement)
    counts = {key: count for key in sorted({*before, *now}) if (count := _count(key, before, now, differs(key)))}
    touched = [key for key in {*before, *counts} if counts.get(key, 0) != before.get(key, 0)]
    return baseline_plan(
        "init",
        law,
        counts,
        dict.fromkeys(touched, How.RERECORDED),
        covers=measurement.covers,
        conditions=measurement.conditions,
        supersedes=speaking_of(law.receipts, law.terms.gate, touched),
        reason=reason,
        lines=tuple(_lines(law, measurement, before, counts)),
    )


def _may_differ(law: Law, measurement: Measurement) -> Callable[[Key], bool]:
    if not have_changed(law, measurement):
        return measurement.hidden
    explained = measurement.explains(law.conditions)
    return lambda key: explained(key) or measurement.hidden(key)


def _count(key: Key, before: Mapping[Key, int], now: Mapping[Key, int], is_explained: bool) -> int:
    return now.get(key, 0) if is_explained else before.get(key, 0)


def _lines(law: Law, measurement: Measurement, before: Mapping[Key, int], counts: Mapping[Key, int]) -> Iterator[str]:
    gate = law.terms.gate
    yield from (f"{gate}: {clause}." for clause in changed(law.conditions, measurement.conditions))
    more, less = _gained(law, before, counts), _gained(law, counts, before)
    yield f"{gate}: {counted(more, 'fact')} more and {counted(less, 'fact')} fewer recorded than before."
    others = sum(counts[key] != before[key] for key in counts.keys() & before.keys()) if law.terms.figures else 0
    if others:
        yield f"{gate}: {counted(others, 'fact')} recorded with another figure."


def _gained(law: Law, before: Mapping[Key, int], now: Mapping[Key, int]) -> int:
    """Return how many facts one of them has beyond the other."""
    if law.terms.figures:
        return law.terms.facts(count for key, count in now.items() if key not in before)
    return sum(max(0, count - before.get(key, 0)) for key, count in now.items())
