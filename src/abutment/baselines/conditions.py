"""Were the facts measured under the conditions under which the baseline was recorded?

Another version of a tool, another configuration or another threshold finds other things in the same code. What then
is missing was not paid, and what is there was not added: nothing can be compared until it is recorded anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from abutment.baselines.law import Law
from abutment.model.fault import Fault
from abutment.model.grants import Recorded
from abutment.model.identity import key_text
from abutment.model.measurement import Conditions, Measurement, members_changed


def refuted(law: Law, measurement: Measurement) -> tuple[Fault, ...]:
    """Return why the counts of a gate cannot be held against its baseline; () where they can.

    A gate without a baseline has nothing to be held against.
    """
    if law.baseline is None:
        return ()
    changes = tuple(changed(law.conditions, measurement.conditions_beside(law.conditions), measurement.beyond))
    if changes:
        return (_drifted(law, changes),)
    out_of_sight = hidden(law, measurement)
    if out_of_sight:
        return (_hidden(law, out_of_sight),)
    return tuple(_unrecorded(law)) if law.conditions else ()


def have_changed(law: Law, measurement: Measurement) -> bool:
    """Say whether the facts are measured under other conditions than the record was, in so far as these bear on it."""
    return law.conditions != measurement.conditions_beside(law.conditions)


def eased(law: Law, measurement: Measurement) -> Iterator[str]:
    """Yield a note for each condition under which more may be found than when the baseline was recorded."""
    if law.baseline is not None and measurement.beyond:
        now = measurement.conditions_beside(law.conditions)
        among, beside = ({name: of[name] for name in measurement.beyond & of.keys()} for of in (law.conditions, now))
        remedy = f"`abutment init {law.terms.gate} --again --reason TEXT` records that"
        yield from (f"{clause}: what is new may come from it. {remedy}." for clause in changed(among, beside))


def changed(before: Conditions, now: Conditions, but_for: Collection[str] = ()) -> Iterator[str]:
    """Yield each condition that is not what it was, as a clause; but for some of them."""
    for name in sorted({*before, *now}.difference(but_for)):
        was, is_now = before.get(name), now.get(name)
        if was is None:
            yield f"{name} is {is_now}, and was not recorded"
        elif is_now is None:
            yield f"{name} was {was}, and is not known now"
        elif was != is_now:
            yield f"{name} {_difference(was, is_now)}"


def _difference(was: str, is_now: str) -> str:
    return members_changed(was, is_now) or f"was {was}, and is {is_now}"


def hidden(law: Law, measurement: Measurement) -> tuple[Recorded, ...]:
    """Return the entries of the baseline of which nobody can tell whether they were paid: they were not looked for."""
    return tuple(one for one in law.grants.recorded if measurement.hidden(one.key))


def _hidden(law: Law, entries: tuple[Recorded, ...]) -> Fault:
    gate, first = law.terms.gate, entries[0]
    what = key_text(law.terms.fields, first.key)
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return Fault(
        law.terms.baseline,
        first.line,
        f"{gate} no longer looks where this was recorded, though it is there: {what}{more}.",
        f"Let it be looked at again (`exclude`, .gitignore), or run `abutment init {gate} --again --reason TEXT`.",
    )


def _drifted(law: Law, changes: tuple[str, ...]) -> Fault:
    gate = law.terms.gate
    return Fault(
        law.terms.baseline,
        1,
        f"{gate} was recorded under other conditions: {'; '.join(changes)}.",
        f"Measure under those again, or run `abutment init {gate} --again --reason TEXT`.",
    )


def _unrecorded(law: Law) -> Iterator[Fault]:
    """Yield a fault where the header names conditions under which no write of ours recorded anything."""
    gate, now = law.terms.gate, tuple(sorted(law.conditions.items()))
    parts = chain.from_iterable(receipt.parts for receipt in law.receipts)
    if not any(part.gate == gate and part.conditions == now for part in parts):
        yield Fault(
            law.terms.baseline,
            1,
            f"no receipt of {gate} tells of the conditions that its header names.",
            "Restore the header, or the receipt, from version control.",
        )
