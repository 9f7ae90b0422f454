"""Comments beside the code: one spelling is right, and whatever comes near it is said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abutment.model.site import Site
from abutment.policies.suppressions import Suppression, read_suppressions
from abutment.semantics.program import Directive

SITE = Site("app/a.py", 3, scope="f")
GOOD = '# abutment: ignore[ABT701] reason="before the loop serves"'


def read(text: str) -> list[Suppression]:
    return list(read_suppressions([Directive("app.a", text, SITE)]))


def only(text: str) -> Suppression:
    (one,) = read(text)
    return one


@pytest.mark.parametrize(
    ("text", "rules", "reason", "expires"),
    [
        (GOOD, ("ABT701",), "before the loop serves", None),
        (f"{GOOD} expires=2027-01-31", ("ABT701",), "before the loop serves", date(2027, 1, 31)),
        ('# abutment: ignore[A1] expires=2028-02-29 reason="x y"', ("A1",), "x y", date(2028, 2, 29)),
        ('# abutment: ignore[A1, B2,C3] reason="it is"', ("A1", "B2", "C3"), "it is", None),
        ('#abutment: ignore[A1] reason="it is"', ("A1",), "it is", None),
        ('# abutment: ignore[A1]   reason=" it is "', ("A1",), "it is", None),
        ('# abutment: ignore[A1] reason="it is"  # noqa: E501', ("A1",), "it is", None),
        ('# abutment: ignore[A1] reason="see #12 (x=1), ünï"', ("A1",), "see #12 (x=1), ünï", None),
    ],
)
def test_a_right_comment_is_read(text: str, rules: tuple[str, ...], reason: str, expires: date | None) -> None:
    assert only(text) == Suppression("app.a", SITE, rules, reason, expires)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("# abutment: ingore[A1] reason='x'", ["`# abutment: ingore[A1] reason='x'` is not understood."]),
        ("# abutment:ignore", ["`# abutment:ignore` is not understood."]),
        ('# abutment:ignore[A1] reason="it is"', ['`# abutment:ignore[A1] reason="it is"` is not understood.']),
        ('# abutment ignore[A1] reason="it is"', ['`# abutment ignore[A1] reason="it is"` is not understood.']),
        ('# Abutment: ignore[A1] reason="it is"', ['`# Abutment: ignore[A1] reason="it is"` is not understood.']),
        ('# abutment: ignore reason="it is"', ['`# abutment: ignore reason="it is"` is not understood.']),
        ('# abutment: ignore [A1] reason="it is"', ['`# abutment: ignore [A1] reason="it is"` is not understood.']),
        ('# abutment: ignore[A1 reason="it is"', ['`# abutment: ignore[A1 reason="it is"` is not understood.']),
        ("# abutment: off", ["`# abutment: off` is not understood."]),
        ("# abutment:", ["`# abutment:` is not understood."]),
        ('# abutment: ignore[] reason="it is"', ["a rule is missing between the brackets."]),
        ('# abutment: ignore[A1,] reason="it is"', ["a rule is missing between the brackets."]),
        ('# abutment: ignore[A1, A1] reason="it is"', ["A1 is there twice."]),
        ("# abutment: ignore[A1]", ["reason is missing."]),
        ("# abutment: ignore[A1] because it is", ["`because it is` is not understood.", "reason is missing."]),
        ('# abutment: ignore[A1]reason="it is"', ['`reason="it is"` is not understood.', "reason is missing."]),
        ('# abutment: ignore[A1] reason=""', ["reason: must not be empty."]),
        ('# abutment: ignore[A1] reason="  "', ["reason: must not be empty."]),
        ('# abutment: ignore[A1] reason="TODO"', ["reason: 'TODO' is a placeholder."]),
        ('# abutment: ignore[A1] reason="..."', ["reason: '...' is a placeholder."]),
        ("# abutment: ignore[A1] reason=slow", ["reason: expected text in double quotes."]),
        ("# abutment: ignore[A1] reason='it'", ["reason: expected text in double quotes."]),
        ('# abutment: ignore[A1] reason="it is', ['`reason="it is` is not understood.', "reason is missing."]),
        ('# abutment: ignore[A1] reason="a" reason="b"', ["reason is there twice."]),
        (f"{GOOD} expires=2027-01-31 expires=2028-01-31", ["expires is there twice."]),
        (f"{GOOD} expires=2027-02-30", ["expires: expected a date such as 2027-01-31, found 2027-02-30."]),
        (f"{GOOD} expires=20270131", ["expires: expected a date such as 2027-01-31, found 20270131."]),
        (f"{GOOD} expires=2027-W01-1", ["expires: expected a date such as 2027-01-31, found 2027-W01-1."]),
        (f'{GOOD} expires="2027-01-31"', ['expires: expected a date such as 2027-01-31, found "2027-01-31".']),
        (f"{GOOD} expires = 2027-01-31", ["`expires = 2027-01-31` is not understood."]),
        (f"{GOOD} expries=2027-01-31", ["expries: unknown key."]),
        (f"{GOOD}, for now", ['`reason="before the loop serves", for now` is not understood.', "reason is missing."]),
        (f"{GOOD} for now", ["`for now` is not understood."]),
    ],
)
def test_a_wrong_comment_is_said(text: str, messages: list[str]) -> None:
    found = only(text)
    assert [fault.message for fault in found.faults] == messages
    assert all((fault.path, fault.line) == ("app/a.py", 3) and fault.remedy for fault in found.faults)


def test_two_comments_on_one_line_stand_by_themselves() -> None:
    first, second = read(f'{GOOD}  # noqa: X1  # abutment: ignore[ABT501] reason="another" expires=2027-01-31')
    assert (first.rules, first.reason, first.expires) == (("ABT701",), "before the loop serves", None)
    assert (second.rules, second.reason, second.expires) == (("ABT501",), "another", date(2027, 1, 31))
    assert not first.faults + second.faults


def test_what_only_mentions_us_behind_a_comment_is_prose() -> None:
    assert not only(f"{GOOD}  # abutment reads this").faults


def test_a_hash_within_a_reason_begins_no_comment() -> None:
    found = only('# abutment: ignore[A1] reason="as in # abutment: ignore[B2]"')
    assert (found.rules, found.reason, found.faults) == (("A1",), "as in # abutment: ignore[B2]", ())


def test_a_second_comment_that_is_wrong_does_not_hide_behind_a_right_one() -> None:
    first, second = read(f"{GOOD}  # abutment: ingore[ABT501]")
    assert not first.faults
    assert [fault.message for fault in second.faults] == ["`# abutment: ingore[ABT501]` is not understood."]


@given(st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=60))
def test_whatever_stands_there_is_read_or_said(rest: str) -> None:
    for one in read(f"# abutment:{rest}"):
        assert one.faults or (one.rules and one.reason)
