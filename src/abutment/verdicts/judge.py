"""Does the code have exactly what is granted? The only comparison in the project."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from abutment.baselines.balance import Balance, Ledger
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import fingerprint, key_text, named
from abutment.model.measurement import Measurement
from abutment.model.terms import Terms
from abutment.model.violation import Kind, Violation
from abutment.verdicts.entries import Entries, word_of
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
        warnings=tuple(_running_out(terms, measured.completed(grants), today)),
        notes=(*measured.notes, *((_untold(untold),) if untold else ())),
        facts=terms.facts(measured.counts.values()),
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
        self._ledger = Ledger.of(terms, measured, grants, today)
        self._entries = Entries(terms, measured.by_hand, measured.never, self._ledger, today)

    def differences(self) -> Iterator[Violation]:
        """Yield every key at which the two sides are not equal."""
        for key in {*self._measured.counts, *self._ledger.named_keys()}:
            found, balance = self._measured.counts.get(key, 0), self._ledger.balance(key)
            if found > balance.granted:
                yield self._violation(_excess(found, balance), found, balance)
            elif found < balance.written:
                yield self._violation(Kind.SHRUNK if found else Kind.GONE, found, balance)

    def granted(self) -> int:
        """Return how many facts are granted today."""
        return self._terms.facts(self._ledger.balance(key).granted for key in self._ledger.named_keys())

    def _violation(self, kind: Kind, found: int, balance: Balance) -> Violation:
        terms, evidence = self._terms, self._measured.describe(balance.key)
        entry = self._entries.decisive(kind, found, balance)
        return Violation(
            gate=terms.gate,
            rule=evidence.rule,
            kind=kind,
            identity=tuple(named(terms.fields, balance.key).items()),
            found=found,
            granted=balance.granted if kind.excess else balance.written,
            what=evidence.what,
            document=entry.path,
            remedy=self._entries.remedy(kind, found, balance, evidence.remedy),
            sites=(entry,) if kind.stale or not evidence.sites else evidence.sites,
            details=(*evidence.details, *self._entries.powerless(kind, balance)),
            through=evidence.through if kind.excess else (),
            follows=evidence.follows and kind.excess,
            leader=fingerprint(terms.gate, named(terms.fields, evidence.leader)) if evidence.leader else "",
        )


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
        what = key_text(terms.fields, approval.key)
        who = f" (owner {approval.owner})" if approval.owner else ""
        yield (
            f"{approval.site.place()}: {terms.gate}: the {word_of(approval)} for {what} runs out on "
            f"{approval.expires.isoformat()}{who}."
        )
