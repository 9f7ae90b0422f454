"""What is a percentage that somebody has set, to the last digit?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_DECIMAL = re.compile(r"\d{1,3}(?:\.\d{1,12})?")


@dataclass(frozen=True, slots=True)
class Percent:
    """A share of a hundred as it was written, and exactly."""

    text: str
    value: Fraction


def exact_percent(written: object) -> Percent | None:
    """Return what a whole number, a decimal one or a text with either means; None for all else, and beyond 0 to 100.

    A decimal number means what its digits say: 81.77 is 8177 of 10000, whatever a machine makes of it.
    """
    if isinstance(written, bool) or not isinstance(written, int | float | str):
        return None
    text = str(written).strip()
    if _DECIMAL.fullmatch(text) is None or Fraction(text) > 100:
        return None
    return Percent(text, Fraction(text))
