"""Which of several results with one identity is this one?"""

from __future__ import annotations

from collections import defaultdict


class Ordinals:
    """Numbers what repeats, from 1, in the order in which it is asked."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, int] = defaultdict(int)

    def next(self, identity: str) -> int:
        """Return 1 for an identity's first appearance, 2 for its second."""
        self._seen[identity] += 1
        return self._seen[identity]
