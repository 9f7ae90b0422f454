"""What is granted, by whom, and until when?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from abutment.model.identity import Key
from abutment.model.site import Site


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person wrote: one entry in `<gate>.toml`; or `in_place`, a comment beside the uses that it grants."""

    key: Key
    count: int  # exact
    klass: str  # "exception" or "debt"
    owner: str
    reason: str
    tracking: str | None  # mandatory for debt
    target_state: str | None
    expires: date | None  # the last UTC day on which it holds
    lifts: bool  # a person lets a paid debt return
    site: Site  # the entry's place in the policy, or the comment's
    in_place: bool = False  # a comment in the judged code: it has neither owner nor tracking, and lifts nothing

    def holds_on(self, today: date) -> bool:
        """Say whether the approval still grants anything on that UTC day."""
        return self.expires is None or today <= self.expires


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of a baseline `<gate>.jsonl`: debt that we found and nobody reviewed."""

    key: Key
    count: int
    line: int  # of the baseline document


@dataclass(frozen=True, slots=True)
class Level:
    """What the receipts say about one key: the lowest count ever recorded, and whether it was paid off."""

    count: int
    paid_off: bool  # a tombstone: it reached 0 by payment, not by promotion or move


@dataclass(frozen=True, slots=True)
class Grants:
    """The sum of both hands for one gate."""

    approvals: tuple[Approval, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    levels: Mapping[Key, Level] = field(default_factory=dict)
