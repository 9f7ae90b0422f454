"""Never more is carried over than a record admits, and never more than the code has."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abutment.adopt.foreign.carrying import Found, carry
from abutment.adopt.foreign.item import Fits, Item, Review, below, in_function
from abutment.model.identity import Key

FIELDS = ("module", "code")
NOBODY = Review("debt", "Later.", tracking="T-1")


def item(module: str = "app.a", code: str | Fits = "E1", count: int | None = 1, review: Review | None = None) -> Item:
    return Item("ruff", "debt.json", f"{module} has it", {"module": module, "code": code}, count, review)


def found(counts: Mapping[Key, int], closed: str = "") -> dict[str, Found]:
    return {"ruff": Found(FIELDS, counts, closed)}


CODES = st.sampled_from(["E1", "E2"])
MODULES = st.sampled_from(["app.a", "app.b"])
ITEMS = st.tuples(MODULES, CODES, st.integers(1, 4), st.sampled_from([None, NOBODY])).map(lambda told: item(*told))


@given(st.lists(ITEMS, max_size=6), st.dictionaries(st.tuples(MODULES, CODES), st.integers(1, 5)))
def test_what_is_carried_is_in_both(items: list[Item], counts: dict[Key, int]) -> None:
    carried = carry(items, found(counts))
    total = dict(carried.recorded.get("ruff", {}))
    for one in carried.reviewed:
        total[one.key] = total.get(one.key, 0) + one.count
    for key, count in total.items():
        admitted = sum(one.count or 0 for one in items if (one.parts["module"], one.parts["code"]) == key)
        assert count == min(admitted, counts[key])
    assert sum(total.values()) + carried.unnamed.get("ruff", 0) == sum(counts.values())


def test_what_somebody_approved_is_looked_for_first() -> None:
    carried = carry([item(), item(review=NOBODY)], found({("app.a", "E1"): 1}))
    assert carried.recorded == {}
    assert [(one.key, one.count, one.review) for one in carried.reviewed] == [(("app.a", "E1"), 1, NOBODY)]
    assert ["the code has nothing of that kind" in one.line for one in carried.left] == [True]


def test_what_was_not_counted_there_is_taken_as_it_is() -> None:
    carried = carry([item(count=None)], found({("app.a", "E1"): 7, ("app.b", "E1"): 1}))
    assert (carried.recorded, carried.unnamed) == ({"ruff": {("app.a", "E1"): 7}}, {"ruff": 1})


@pytest.mark.parametrize(
    ("one", "has", "cause"),
    [
        (item(), {}, "the gate ruff is not here, or not switched on."),
        (
            Item("ruff", "x", "it", {"rule": "E1"}),
            found({("app.a", "E1"): 1}),
            "ruff does not tell its facts apart by rule.",
        ),
        (item(), found({("app.a", "E1"): 1}, closed="recorded before."), "recorded before."),
        (item(code="E9"), found({("app.a", "E1"): 1}), "the code has nothing of that kind"),
    ],
)
def test_what_is_left_is_told_with_its_cause(one: Item, has: dict[str, Found], cause: str) -> None:
    carried = carry([one], has)
    assert (carried.recorded, carried.reviewed) == ({}, ())
    assert [cause in left.cause for left in carried.left] == [True]


@pytest.mark.parametrize(
    ("fits", "text", "expected"),
    [
        (below("httpx"), "httpx", True),
        (below("httpx"), "httpx.Client", True),
        (below("httpx"), "httpxx", False),
        (in_function("save"), "Model.save", True),
        (in_function("Model.save"), "Model.save.<locals>.inner", True),
        (in_function("save"), "Model.unsave", False),
        (in_function("save"), "save.<locals>.other", True),
        (in_function("other"), "save.<locals>.other", False),
    ],
)
def test_what_fits(fits: Fits, text: str, expected: bool) -> None:
    assert fits(text) is expected
