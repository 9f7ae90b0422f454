"""Which recorded debt has been paid? The lower count, key by key; never a higher one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from abutment.baselines.balance import Balance, Ledger
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.plan import Plan, baseline_plan, counted, refuse_partial
from abutment.baselines.receipts import How
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.terms import Direction


def plan_tighten(law: Law, measurement: Measurement, today: date) -> Plan:
    """Return the plan that records every fall; it writes nothing where nothing fell.

    Raises Refused, naming each, where the code has more of anything than is granted, where the scan is
    partial, and for a snapshot.
    """
    refuse_partial(law, measurement, "tighten")
    if law.terms.direction is Direction.SNAPSHOT:
        raise Refused(_snapshot(law))
    balances = _balances(law, measurement, today)
    excess = tuple(_excess(law, measurement, balances))
    if excess:
        raise Refused(excess)
    idle = tuple(_idle(law, measurement, balances))
    if not keeps_baseline(law.terms):
        return Plan("tighten", basis=law.basis, lines=idle)
    documented = [balance for balance in balances if balance.documented]
    counts = {balance.key: balance.kept(measurement.counts.get(balance.key, 0)) for balance in documented}
    fallen = [balance for balance in documented if counts[balance.key] < balance.documented]
    hows = {balance.key: _how(balance, measurement.counts.get(balance.key, 0)) for balance in fallen}
    return baseline_plan("tighten", law, counts, hows, lines=(*_lines(law, fallen, counts, hows), *idle))


def _balances(law: Law, measurement: Measurement, today: date) -> list[Balance]:
    ledger = Ledger.of(law.terms, measurement, law.grants, today)
    return [ledger.balance(key) for key in sorted({*measurement.counts, *ledger.named_keys()})]


def _excess(law: Law, measurement: Measurement, balances: list[Balance]) -> Iterator[Fault]:
    for balance in balances:
        found = measurement.counts.get(balance.key, 0)
        if found <= balance.granted:
            continue
        evidence = measurement.describe(balance.key)
        site = evidence.sites[0] if evidence.sites else None
        yield Fault(
            site.path if site else "",
            site.line if site else 0,
            f"{law.terms.gate}: {evidence.what}: found {found}, granted {balance.granted}; tighten records only falls.",
            "Repair it, or have it approved: `abutment check` says how.",
        )


def _how(balance: Balance, found: int) -> How:
    """A key that the code still has is no tombstone: an approval holds what is left of it."""
    return How.PROMOTED if found and balance.approved else How.PAID


def _lines(law: Law, fallen: list[Balance], counts: dict[Key, int], hows: dict[Key, How]) -> Iterator[str]:
    for how, what in ((How.PAID, "paid"), (How.PROMOTED, "now held by an approval")):
        these = [balance for balance in fallen if hows[balance.key] is how]
        if these:
            gone = sum(balance.documented - counts[balance.key] for balance in these)
            yield f"{law.terms.gate}: {_fallen(law, gone, len(these), what)}."


def _fallen(law: Law, gone: int, entries: int, what: str) -> str:
    """Return what fell: a figure that is lower by ten is one fact, and not ten."""
    if law.terms.figures:
        return f"{counted(entries, 'entry')} {what}, by {gone} in all"
    return f"{counted(gone, 'fact')} in {counted(entries, 'entry')} {what}"


def _idle(law: Law, measurement: Measurement, balances: list[Balance]) -> Iterator[str]:
    """Yield which approvals are for more than the code has: people write them, and take them back."""
    too_many = {one.key for one in balances if one.approvals > measurement.counts.get(one.key, 0)}
    places = [one.site.place() for one in law.grants.approvals if one.key in too_many]
    if places:
        what = f"{counted(len(places), 'approval')} for more than the code has"
        yield f"{law.terms.gate}: {what}, for a person to lower or delete: {', '.join(places)}."


def _snapshot(law: Law) -> Fault:
    gate = law.terms.gate
    return Fault(law.terms.baseline, 0, f"{gate} is a snapshot, which has no debt.", f"Use `abutment record {gate}`.")
