"""Does the code have exactly what is granted? The only comparison in the project."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from abutment.baselines.balance import Balance, Ledger
from abutment.baselines.law import keeps_baseline
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import fingerprint, named
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.model.terms import Direction, Terms
from abutment.model.violation import Kind, Violation
from abutment.verdicts.verdict import Status, Verdict

WARNED_AHEAD = timedelta(days=14)


def judge(terms: Terms, measured: Measurement, grants: Grants, today: date) -> Verdict:
    """Return the verdict on one gate: equal is the only pass.

    `today` is a UTC date. Approvals hold up to and including their day of expiry. Where the measurement is
    partial, what was found beyond the grants is told; what was not found is not, as it may stand unread.
    """
    comparison = _Comparison(terms, measured, grants, today)
    differences = (*comparison.differences(), *_unused(terms, measured))
    faults = _faults(terms, measured)
    told = [violation for violation in differences if not (faults and violation.kind.stale)]
    untold = len(differences) - len(told)
    return Verdict(
        gate=terms.gate,
        status=Status.NOT_JUDGED if faults else Status.BROKEN if told else Status.HELD,
        violations=tuple(sorted(told, key=Violation.sort_key)),
        faults=faults,
        warnings=tuple(_running_out(terms, grants, today)),
        notes=(*measured.notes, *((_untold(untold),) if untold else ())),
        facts=sum(measured.counts.values()),
        granted=comparison.granted(),
        looked_at=measured.looked_at,
        unit=measured.unit,
        beside=measured.beside,
    )


def _faults(terms: Terms, measured: Measurement) -> tuple[Fault, ...]:
    if measured.looked_at or measured.faults:
        return measured.faults
    return (
        Fault(
            "",
            0,
            f"{terms.gate} looked at no {measured.unit or 'facts'} at all.",
            "Check `roots` and `exclude` with `abutment config`.",
        ),
    )


def _untold(number: int) -> str:
    facts = "1 granted fact was" if number == 1 else f"{number} granted facts were"
    return f"{facts} not found, which says nothing while something is unread."


class _Comparison:
    """Facts and grants of one gate, side by side."""

    def __init__(self, terms: Terms, measured: Measurement, grants: Grants, today: date) -> None:
        self._terms, self._measured = terms, measured
        self._ledger = Ledger(grants, reviewed_only=measured.reviewed_only, tombstones=terms.tombstones, today=today)

    def differences(self) -> Iterator[Violation]:
        """Yield every key at which the two sides are not equal."""
        for key in {*self._measured.counts, *self._ledger.named_keys()}:
            found, balance = self._measured.counts.get(key, 0), self._ledger.balance(key)
            if found > balance.granted:
                yield self._violation(_excess(found, balance), found, balance)
            elif found < balance.written:
                yield self._violation(Kind.SHRUNK if found else Kind.GONE, found, balance)

    def granted(self) -> int:
        """Return the sum of what counts today."""
        return sum(self._ledger.balance(key).granted for key in self._ledger.named_keys())

    def _violation(self, kind: Kind, found: int, balance: Balance) -> Violation:
        terms, evidence = self._terms, self._measured.describe(balance.key)
        entry = self._entry(kind, found, balance)
        return Violation(
            gate=terms.gate,
            rule=evidence.rule,
            kind=kind,
            identity=tuple(named(terms.fields, balance.key).items()),
            found=found,
            granted=balance.granted if kind.excess else balance.written,
            what=evidence.what,
            document=entry.path,
            remedy=self._payment(found, balance) if kind.stale else self._repair(kind, balance, evidence.remedy),
            sites=(entry,) if kind.stale or not evidence.sites else evidence.sites,
            details=(*evidence.details, *self._powerless(kind, balance)),
            through=evidence.through if kind.excess else (),
            follows=evidence.follows and kind.excess,
            leader=fingerprint(terms.gate, named(terms.fields, evidence.leader)) if evidence.leader else "",
        )

    def _entry(self, kind: Kind, found: int, balance: Balance) -> Site:
        """Return the document that decides, with the line of its entry where it has one."""
        approvals, line = self._ledger.approvals(balance.key), self._ledger.line(balance.key)
        in_baseline = balance.documented > balance.kept(found) if kind.stale else balance.documented and not approvals
        if in_baseline:
            return Site(self._terms.baseline, line)
        if approvals:
            return approvals[0].site
        by_hand = self._measured.reviewed_only(balance.key) or not keeps_baseline(self._terms)
        return Site(self._terms.policy if by_hand else self._terms.baseline)

    def _payment(self, found: int, balance: Balance) -> str:
        """Return what makes the documents say no more than the code has."""
        terms, kept = self._terms, balance.kept(found)
        steps, tighten = [], f"`abutment tighten {terms.gate}`"
        if balance.documented > kept:
            if terms.direction is Direction.SNAPSHOT:
                steps.append(f"Run `abutment record {terms.gate}` to record the change.")
            elif self._was_lowered_before(balance, kept):
                steps.append(f"It was paid already, as a receipt says: delete the line, or run {tighten}.")
            else:
                steps.append(f"Run {tighten} to record the payment.")
        if balance.approvals > found - kept:
            approval = self._ledger.approvals(balance.key)[0].site
            verb = f"Lower `count` of the approval to {found - kept}" if found > kept else "Delete the approval"
            steps.append(f"{verb}: {approval.place()}.")
        return " ".join(steps)

    def _was_lowered_before(self, balance: Balance, kept: int) -> bool:
        """Say whether receipts hold less than the line says: a merge of two branches has brought it back."""
        level = self._ledger.level(balance.key)
        return level is not None and balance.recorded == kept and (level.paid_off or level.count > 0)

    def _repair(self, kind: Kind, balance: Balance, advice: str) -> str:
        terms = self._terms
        advice = advice.replace("{policy}", terms.policy).replace("{baseline}", terms.baseline)
        if kind is Kind.RETURNED:
            return (
                f"{advice} It was paid before; only an approval with `lifts = true` in {terms.policy} lets it return."
            ).lstrip()
        if balance.lapsed:
            return f"{advice} Its approval in {terms.policy} has run out; a person renews or removes it.".lstrip()
        return advice

    def _powerless(self, kind: Kind, balance: Balance) -> Iterator[str]:
        """Yield why entries that are written down do not count against this excess."""
        if not kind.excess or balance.documented == balance.recorded:
            return
        line, level = self._ledger.line(balance.key), self._ledger.level(balance.key)
        if self._measured.reviewed_only(balance.key):
            reason = "only approvals grant this"
        else:
            reason = f"receipts recorded {level.count if level else 0}, and a recorded level only falls"
        yield f"{self._terms.baseline}:{line} says {balance.documented}, which does not count: {reason}."


def _excess(found: int, balance: Balance) -> Kind:
    if balance.lapsed and found <= balance.granted + balance.lapsed:
        return Kind.EXPIRED
    if balance.paid_off and not balance.approved:
        return Kind.RETURNED
    return Kind.GROWN if balance.granted else Kind.NEW


def _unused(terms: Terms, measured: Measurement) -> Iterator[Violation]:
    for item in measured.unused:
        site = item.evidence.sites[0]
        yield Violation(
            gate=terms.gate,
            rule=item.evidence.rule,
            kind=Kind.GONE,
            identity=tuple(named(terms.fields, item.key).items()),
            found=0,
            granted=1,
            what=item.evidence.what,
            document=site.path,
            remedy=item.evidence.remedy,
            sites=item.evidence.sites,
            details=item.evidence.details,
        )


def _running_out(terms: Terms, grants: Grants, today: date) -> Iterator[str]:
    for approval in sorted(grants.approvals, key=lambda a: (a.site.path, a.site.line)):
        if approval.expires is None or not timedelta(0) <= approval.expires - today <= WARNED_AHEAD:
            continue
        what = ", ".join(f"{name}={value}" for name, value in named(terms.fields, approval.key).items())
        yield (
            f"{approval.site.place()}: {terms.gate}: the approval for {what} runs out on "
            f"{approval.expires.isoformat()} (owner {approval.owner})."
        )
