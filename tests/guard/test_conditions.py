"""Recording under other conditions forgives what is not found any more: the guard sees each that is another one."""

from __future__ import annotations

from abutment.model.identity import Key
from tests.guard.laws import Files, recorded, widenings

KEY: Key = ("till.cash", "total", "arg-type", "No.")
ON = {"abutment.toml": 'roots = ["src"]\ngates = ["mypy"]\n'}


def law(count: int, **conditions: str) -> Files:
    return {**ON, **recorded("mypy", {KEY: count}, conditions=conditions)}


def looser(before: Files, after: Files) -> list[str]:
    """Return what is looser after a write, which takes no receipt away."""
    return widenings(before, {**before, **after})


def test_another_version_is_a_widening_in_both_directions() -> None:
    old, new = law(1, mypy="1.0", configuration="aa"), law(1, mypy="2.0", configuration="aa")
    assert looser(old, new) == ["mypy is measured under mypy: went from 1.0 to 2.0"]
    assert looser(new, old) == ["mypy is measured under mypy: went from 2.0 to 1.0"]


def test_a_payment_and_a_first_record_are_none() -> None:
    assert looser(law(2, mypy="1.0"), law(1, mypy="1.0")) == []
    off = {"abutment.toml": 'roots = ["src"]\ngates = ["cycles"]\n'}
    on = {"abutment.toml": 'roots = ["src"]\ngates = ["cycles", "mypy"]\n'}
    assert looser(off, {**law(1, mypy="1.0"), **on}) == []


def test_of_a_list_the_members_that_came_and_went_are_named() -> None:
    many = ", ".join(f"E{number}" for number in range(20))
    assert looser(law(1, rules="F401, F811"), law(1, rules="F401, B006")) == [
        "mypy is measured under rules: is now without F811 and with B006"
    ]
    (said,) = looser(law(1, rules="F401"), law(1, rules=f"F401, {many}"))
    assert said.endswith("is now with E0, E1, E10, E11, E12, E13, E14, E15 and 12 more")
