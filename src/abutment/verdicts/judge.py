"""Does the code have exactly what is granted? The only comparison in the project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants, Level
from abutment.model.identity import Key, named
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.model.terms import Terms
from abutment.model.violation import Kind, Violation
from abutment.verdicts.verdict import Status, Verdict

WARNED_AHEAD = timedelta(days=14)


def judge(terms: Terms, measured: Measurement, grants: Grants, today: date) -> Verdict:
    """Return the verdict on one gate: equal is the only pass.

    `today` is a UTC date. Approvals hold up to and including their day of expiry.
    """
    ledger = _Ledger(terms, measured, grants, today)
    violations = sorted((*ledger.differences(), *_unused(terms, measured)), key=Violation.sort_key)
    return Verdict(
        gate=terms.gate,
        status=_status(measured, violations),
        violations=tuple(violations),
        faults=_faults(terms, measured),
        warnings=tuple(_running_out(terms, grants, today)),
        notes=measured.notes,
        facts=sum(measured.counts.values()),
        granted=sum(a.count for a in grants.approvals) + sum(r.count for r in grants.recorded),
        looked_at=measured.looked_at,
        unit=measured.unit,
    )


def _status(measured: Measurement, violations: list[Violation]) -> Status:
    if measured.faults or not measured.looked_at:
        return Status.NOT_JUDGED
    return Status.BROKEN if violations else Status.HELD


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


@dataclass(frozen=True, slots=True)
class Balance:
    """What one key is granted, hand by hand."""

    key: Key
    approved: int = 0  # by approvals that hold today
    lapsed: int = 0  # by approvals that have run out
    unlifted: int = 0  # by approvals that do not lift the key's tombstone
    recorded: int = 0  # by the baseline, never above the level that receipts recorded
    documented: int = 0  # by the baseline as written

    @property
    def granted(self) -> int:
        """What counts today."""
        return self.approved + self.recorded

    @property
    def written(self) -> int:
        """What the documents say, whether it counts or not."""
        return self.approved + self.lapsed + self.unlifted + self.documented


class _Ledger:
    """Facts and grants of one gate, side by side."""

    def __init__(self, terms: Terms, measured: Measurement, grants: Grants, today: date) -> None:
        self._terms, self._measured, self._today = terms, measured, today
        self._levels = grants.levels if terms.tombstones else {}
        self._approvals: dict[Key, list[Approval]] = defaultdict(list)
        for approval in grants.approvals:
            self._approvals[approval.key].append(approval)
        self._recorded: dict[Key, tuple[int, int]] = {}
        for entry in grants.recorded:
            count, line = self._recorded.get(entry.key, (0, entry.line))
            self._recorded[entry.key] = (count + entry.count, line)

    def differences(self) -> Iterator[Violation]:
        """Yield every key at which the two sides are not equal."""
        for key in sorted({*self._measured.counts, *self._approvals, *self._recorded}):
            found, balance = self._measured.counts.get(key, 0), self._balance(key)
            if found > balance.granted:
                yield self._excess(key, found, balance)
            elif found < balance.granted or balance.documented > balance.recorded:
                yield self._stale(key, found, balance)

    def _balance(self, key: Key) -> Balance:
        level = self._levels.get(key)
        approved = lapsed = unlifted = 0
        for approval in self._approvals.get(key, ()):
            if not approval.holds_on(self._today):
                lapsed += approval.count
            elif level is not None and level.paid_off and not approval.lifts:
                unlifted += approval.count
            else:
                approved += approval.count
        documented = self._recorded.get(key, (0, 0))[0]
        recorded = 0 if self._measured.reviewed_only(key) else _at_most(documented, level)
        return Balance(key, approved, lapsed, unlifted, recorded, documented)

    def _excess(self, key: Key, found: int, balance: Balance) -> Violation:
        level = self._levels.get(key)
        if level is not None and level.paid_off and not balance.approved:
            kind = Kind.RETURNED
        elif balance.lapsed and found <= balance.granted + balance.lapsed:
            kind = Kind.EXPIRED
        else:
            kind = Kind.GROWN if balance.granted else Kind.NEW
        return self._violation(key, kind, found, balance)

    def _stale(self, key: Key, found: int, balance: Balance) -> Violation:
        return self._violation(key, Kind.SHRUNK if found else Kind.GONE, found, balance)

    def _violation(self, key: Key, kind: Kind, found: int, balance: Balance) -> Violation:
        terms, evidence = self._terms, self._measured.describe(key)
        document, line = self._document(key, kind, balance)
        sites = evidence.sites or (Site(document, line),)
        if kind.stale:
            sites = (Site(document, line),)
        return Violation(
            gate=terms.gate,
            rule=evidence.rule,
            kind=kind,
            identity=tuple(named(terms.fields, key).items()),
            found=found,
            granted=balance.granted if kind.excess else max(balance.granted, balance.documented + balance.approved),
            what=evidence.what,
            document=document,
            remedy=self._remedy(kind, key, balance, evidence.remedy),
            sites=sites,
            details=evidence.details,
        )

    def _document(self, key: Key, kind: Kind, balance: Balance) -> tuple[str, int]:
        """Return the document that decides, and the line of its entry (0 where there is none)."""
        count_line = self._recorded.get(key)
        if kind.stale and count_line is not None:
            return self._terms.baseline, count_line[1]
        if key in self._approvals:
            site = self._approvals[key][0].site
            return site.path, site.line
        if count_line is not None:
            return self._terms.baseline, count_line[1]
        reviewed = self._measured.reviewed_only(key)
        return (self._terms.policy if reviewed else self._terms.baseline), 0

    def _remedy(self, kind: Kind, key: Key, balance: Balance, advice: str) -> str:
        terms = self._terms
        advice = advice.replace("{policy}", terms.policy).replace("{baseline}", terms.baseline)
        if kind.stale and key in self._recorded:
            return "Run `abutment tighten` to record the payment."
        if kind.stale:
            return f"Delete or lower the approval in {terms.policy}."
        if kind is Kind.RETURNED:
            return (
                f"{advice} It was paid before; only an approval with `lifts = true` in {terms.policy} lets it return."
            )
        if kind is Kind.EXPIRED:
            return f"{advice} Its approval in {terms.policy} has run out; a person renews or removes it."
        return advice


def _at_most(documented: int, level: Level | None) -> int:
    return documented if level is None else min(documented, level.count)


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
        if approval.expires is None or not today <= approval.expires <= today + WARNED_AHEAD:
            continue
        what = ", ".join(f"{name}={value}" for name, value in named(terms.fields, approval.key).items())
        yield (
            f"{approval.site.place()}: {terms.gate}: the approval for {what} runs out on "
            f"{approval.expires.isoformat()} (owner {approval.owner})."
        )
