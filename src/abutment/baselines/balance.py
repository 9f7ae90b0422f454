"""What is one key granted, hand by hand? The arithmetic that judging and writing share.

`judge` compares with it and `tighten`, `move` and `init` write by it, so that what was just written is held.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from abutment.model.grants import Approval, Grants, Level
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.terms import Terms


@dataclass(frozen=True, slots=True)
class Balance:
    """One key's grants. What is written but grants nothing is kept apart, so that it can be named."""

    key: Key
    approved: int = 0  # by approvals that hold today
    in_place: int = 0  # of these, by comments in the code
    lapsed: int = 0  # by approvals that have run out
    unlifted: int = 0  # by approvals that do not lift the key's tombstone
    recorded: int = 0  # by the baseline, never above the level that receipts recorded
    documented: int = 0  # by the baseline as written
    paid_off: bool = False  # the key is a tombstone

    @property
    def granted(self) -> int:
        """What counts today."""
        return self.approved + self.recorded

    @property
    def approvals(self) -> int:
        """What people say, whether it counts or not."""
        return self.approved + self.lapsed + self.unlifted

    @property
    def written(self) -> int:
        """What both documents say, whether it counts or not."""
        return self.approvals + self.documented

    def kept(self, found: int) -> int:
        """Return what the baseline should say where the code has `found`: never more than it grants now."""
        return min(self.recorded, max(0, found - self.approved))


class Ledger:
    """The grants of one gate, looked up key by key."""

    def __init__(self, grants: Grants, *, reviewed_only: Callable[[Key], bool], tombstones: bool, today: date) -> None:
        self._levels, self._reviewed_only = grants.levels, reviewed_only
        self._tombstones, self._today = tombstones, today
        self._approvals: dict[Key, list[Approval]] = defaultdict(list)
        for approval in grants.approvals:
            self._approvals[approval.key].append(approval)
        self._recorded: dict[Key, tuple[int, int]] = {}
        for entry in grants.recorded:
            count, line = self._recorded.get(entry.key, (0, entry.line))
            self._recorded[entry.key] = (count + entry.count, line)

    @staticmethod
    def of(terms: Terms, measurement: Measurement, grants: Grants, today: date) -> Ledger:
        """Return the ledger of what documents grant, together with what comments in the code do."""
        return Ledger(
            measurement.completed(grants),
            reviewed_only=measurement.by_hand,
            tombstones=terms.tombstones,
            today=today,
        )

    def named_keys(self) -> Iterator[Key]:
        """Yield every key that a document names, each once."""
        yield from self._recorded
        yield from (key for key in self._approvals if key not in self._recorded)

    def approvals(self, key: Key) -> tuple[Approval, ...]:
        """Return the approvals of a key, in the order written."""
        return tuple(self._approvals.get(key, ()))

    def line(self, key: Key) -> int:
        """Return the line of the key's baseline entry, or 0 where there is none."""
        return self._recorded.get(key, (0, 0))[1]

    def level(self, key: Key) -> Level | None:
        """Return what the receipts recorded of a key, if anything."""
        return self._levels.get(key)

    def balance(self, key: Key) -> Balance:
        """Return what a key is granted today."""
        level = self._levels.get(key)
        paid_off = self._tombstones and level is not None and level.paid_off
        approved = in_place = lapsed = unlifted = 0
        for approval in self._approvals.get(key, ()):
            if paid_off and not approval.lifts:
                unlifted += approval.count
            elif not approval.holds_on(self._today):
                lapsed += approval.count
            else:
                approved += approval.count
                in_place += approval.count if approval.in_place else 0
        documented = self._recorded.get(key, (0, 0))[0]
        return Balance(
            key=key,
            approved=approved,
            in_place=in_place,
            lapsed=lapsed,
            unlifted=unlifted,
            recorded=0 if self._reviewed_only(key) else _at_most(documented, level),
            documented=documented,
            paid_off=paid_off,
        )


def _at_most(documented: int, level: Level | None) -> int:
    return documented if level is None else min(documented, level.count)
