"""A percentage means what its digits say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from abutment.model.percent import exact_percent


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (80, Fraction(80)),
        (81.77, Fraction(8177, 100)),
        (0.1, Fraction(1, 10)),
        ("81.77", Fraction(8177, 100)),
        (" 100.0 ", Fraction(100)),
        (0, Fraction(0)),
    ],
)
def test_digits_are_exact(written: object, value: Fraction) -> None:
    found = exact_percent(written)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("written", [True, None, "80 %", "1/3", "", "-1", -1, 100.5, "101", float("nan"), 1e-20, [80]])
def test_what_is_no_percentage_is_none(written: object) -> None:
    assert exact_percent(written) is None
