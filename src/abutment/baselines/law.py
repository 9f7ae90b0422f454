"""What is one gate's law, as it stands in the documents? The value that the writing verbs work on."""

from __future__ import annotations

from dataclasses import dataclass, field

from abutment.baselines.receipts import Receipt, document_digest
from abutment.model.grants import Grants
from abutment.model.measurement import Conditions
from abutment.model.terms import Direction, Terms

_KEEPS_BASELINE = frozenset({Direction.RATCHET, Direction.SNAPSHOT})


def keeps_baseline(terms: Terms) -> bool:
    """Say whether a gate of this direction has a baseline; the others are held by what people wrote."""
    return terms.direction in _KEEPS_BASELINE


@dataclass(frozen=True, slots=True)
class Law:
    """Both hands of one gate, parsed and as bytes: what a plan was made upon can be told from what is there later."""

    terms: Terms
    grants: Grants = field(default_factory=Grants)
    policy: bytes | None = None  # None where there is no document
    baseline: bytes | None = None
    receipts: tuple[Receipt, ...] = ()  # of all gates
    conditions: Conditions = field(default_factory=dict)  # under which the baseline was recorded

    @property
    def basis(self) -> tuple[tuple[str, str | None], ...]:
        """The digests of the documents, by path."""
        return (
            (self.terms.policy, document_digest(self.policy)),
            (self.terms.baseline, document_digest(self.baseline)),
        )
