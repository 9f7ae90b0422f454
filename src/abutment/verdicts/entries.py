"""Which entry of which document decides about a difference, and how is it put right?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from abutment.baselines.balance import Balance, Ledger
from abutment.baselines.law import keeps_baseline
from abutment.model.grants import Approval
from abutment.model.identity import Key
from abutment.model.site import Site
from abutment.model.terms import Direction, Terms
from abutment.model.violation import Kind


def word_of(approval: Approval) -> str:
    """Return what a reader calls it."""
    return "comment" if approval.in_place else "approval"


@dataclass(frozen=True, slots=True)
class Entries:
    """Everything that grants something in one gate."""

    terms: Terms
    reviewed_only: Callable[[Key], bool]
    never: Callable[[Key], bool]
    ledger: Ledger
    today: date

    def decisive(self, kind: Kind, found: int, balance: Balance) -> Site:
        """Return the document that decides, with the line of its entry where it has one."""
        approval = self._superfluous(found, balance) if kind.stale else self._exceeded(kind, balance)
        in_baseline = balance.documented > balance.kept(found) if kind.stale else balance.documented and not approval
        if in_baseline:
            return Site(self.terms.baseline, self.ledger.line(balance.key))
        if approval:
            return approval.site
        by_hand = self.reviewed_only(balance.key) or not keeps_baseline(self.terms)
        return Site(self.terms.policy if by_hand else self.terms.baseline)

    def remedy(self, kind: Kind, found: int, balance: Balance, advice: str) -> str:
        """Return what to do; `advice` is how the code is repaired, and may name {policy} and {baseline}."""
        if kind.stale:
            return " ".join(self._payment(found, balance))
        advice = advice.replace("{policy}", self.terms.policy).replace("{baseline}", self.terms.baseline)
        if kind is Kind.EXPIRED:
            renewed = advice.replace("have it approved in", "have its approval renewed in")
            if renewed != advice and not self._lapses_in_place(balance):
                return renewed
        return f"{advice} {self._lapse(kind, balance)}".strip()

    def powerless(self, kind: Kind, balance: Balance) -> Iterator[str]:
        """Yield why entries that are written down do not count against this excess."""
        if kind is Kind.RETURNED:
            comments = (each for each in self.ledger.approvals(balance.key) if each.in_place)
            yield from (f"the comment {each.site.place()} does not count: it lifts nothing." for each in comments)
        if not kind.excess or balance.documented == balance.recorded:
            return
        line, level = self.ledger.line(balance.key), self.ledger.level(balance.key)
        if self.never(balance.key):
            reason = "nothing grants this"
        elif self.reviewed_only(balance.key):
            reason = "only approvals grant this"
        else:
            reason = f"receipts recorded {level.count if level else 0}, and a recorded level only falls"
        yield f"{self.terms.baseline}:{line} says {balance.documented}, which does not count: {reason}."

    # ---- more than is granted

    def _exceeded(self, kind: Kind, balance: Balance) -> Approval | None:
        """Return the approval that a reader of an excess has to look at: a comment only where it has run out."""
        written = (each for each in self.ledger.approvals(balance.key) if not each.in_place)
        return self._lapsed(balance) if kind is Kind.EXPIRED else next(written, None)

    def _lapsed(self, balance: Balance) -> Approval | None:
        return next((each for each in self.ledger.approvals(balance.key) if not each.holds_on(self.today)), None)

    def _lapse(self, kind: Kind, balance: Balance) -> str:
        """Return what became of a grant that there once was."""
        if kind is Kind.RETURNED:
            return f"It was paid before; only an approval with `lifts = true` in {self.terms.policy} lets it return."
        lapsed = self._lapsed(balance) if balance.lapsed else None
        if kind is Kind.EXPIRED and lapsed is not None:  # that it has run out is said already
            return f"Renew or delete its {word_of(lapsed)} in {lapsed.site.path}."
        return f"Its approval in {lapsed.site.path} has run out; a person renews or removes it." if lapsed else ""

    def _lapses_in_place(self, balance: Balance) -> bool:
        lapsed = self._lapsed(balance)
        return lapsed is not None and lapsed.in_place

    # ---- more than there is

    def _superfluous(self, found: int, balance: Balance) -> Approval | None:
        """Return the approval that says more than is needed; never a comment that counts, as its uses are there."""
        approvals = self.ledger.approvals(balance.key)
        written = next((each for each in approvals if not each.in_place), None)
        if written is not None and written.count > self._left(found, balance):
            return written
        return next((each for each in approvals if each.in_place and not self._counts(each, balance)), written)

    def _counts(self, approval: Approval, balance: Balance) -> bool:
        return approval.holds_on(self.today) and (approval.lifts or not balance.paid_off)

    def _left(self, found: int, balance: Balance) -> int:
        """Return how many facts are left for an approval in the policy."""
        return max(0, found - balance.kept(found) - balance.in_place)

    def _payment(self, found: int, balance: Balance) -> Iterator[str]:
        """Yield the steps that make the documents say no more than the code has."""
        kept = balance.kept(found)
        if balance.documented > kept:
            yield self._record(balance, kept)
        approval = self._superfluous(found, balance)
        if approval is not None and balance.approvals > found - kept:
            left = 0 if approval.in_place else self._left(found, balance)
            verb = f"Lower `count` of the approval to {left}" if left else f"Delete the {word_of(approval)}"
            yield f"{verb}: {approval.site.place()}."

    def _record(self, balance: Balance, kept: int) -> str:
        gate = self.terms.gate
        if self.terms.direction is Direction.SNAPSHOT:
            return f"Run `abutment record {gate}` to record the change."
        if self._was_lowered_before(balance, kept):
            return f"It was paid already, as a receipt says: delete the line, or run `abutment tighten {gate}`."
        return f"Run `abutment tighten {gate}` to record the payment."

    def _was_lowered_before(self, balance: Balance, kept: int) -> bool:
        """Say whether receipts hold less than the line says: a merge of two branches has brought it back."""
        level = self.ledger.level(balance.key)
        return level is not None and balance.recorded == kept and (level.paid_off or level.count > 0)
