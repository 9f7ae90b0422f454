"""Policies: what people write, and every way in which it can be wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.model.grants import Approval
from abutment.model.identity import Key
from abutment.model.reading import Faults
from abutment.model.site import Site
from abutment.policies.approvals import Missing, draft, read_policy
from abutment.sources.toml_document import load_toml
from tests.baselines.laws import TERMS, key

IDENTITY = 'contract = "c"\nimporter = "app.a"\nimported = "app.b"'
EXCEPTION = 'class = "exception"\nowner = "core"\nreason = "Agreed in May."'
WHOLE = f"schema = 1\n[[approvals]]\n{IDENTITY}\n{EXCEPTION}\n"


def read(text: str) -> tuple[tuple[Approval, ...], list[tuple[int, str]]]:
    faults = Faults()
    approvals = read_policy(load_toml(TERMS.policy, text.encode()), TERMS, faults)
    return approvals, [(fault.line, fault.message) for fault in faults.found]


def test_an_exception_needs_its_identity_an_owner_and_a_reason() -> None:
    assert read(WHOLE) == (
        (
            Approval(
                key("c app.a app.b"),
                1,
                "exception",
                "core",
                "Agreed in May.",
                None,
                None,
                None,
                False,
                Site(TERMS.policy, 2),
            ),
        ),
        [],
    )


def test_a_debt_says_everything() -> None:
    text = f'{WHOLE}tracking = "ARCH-7"\ntarget_state = "a port"\ncount = 3\nexpires = 2027-01-31\nlifts = true\n'
    approvals, faults = read(text.replace('"exception"', '"debt"'))
    (found,) = approvals
    assert faults == []
    assert (found.klass, found.tracking, found.target_state) == ("debt", "ARCH-7", "a port")
    assert (found.count, found.expires, found.lifts) == (3, date(2027, 1, 31), True)


def test_where_the_terms_ask_for_it_a_debt_names_the_state_it_is_to_reach() -> None:
    terms = replace(TERMS, has_targets=True)
    text = f'{WHOLE}tracking = "ARCH-7"\n'.replace('"exception"', '"debt"')
    faults = Faults()
    read_policy(load_toml(terms.policy, text.encode()), terms, faults)
    assert [fault.message for fault in faults.found] == ["approvals[0]: target_state is missing: expected text"]
    faults = Faults()
    read_policy(load_toml(terms.policy, WHOLE.encode()), terms, faults)
    assert faults.found == []
    assert 'target_state = ""' in draft(terms, [Missing(key("c app.a app.b"), 1)])
    assert "target_state" not in draft(TERMS, [Missing(key("c app.a app.b"), 1)])


@pytest.mark.parametrize("text", [WHOLE, f'{WHOLE}tracking = "ARCH-7"\n'.replace('"exception"', '"debt"')])
def test_where_the_terms_ask_for_an_exit_every_approval_names_it(text: str) -> None:
    terms = replace(TERMS, asks_exit=True)
    faults = Faults()
    read_policy(load_toml(terms.policy, text.encode()), terms, faults)
    assert [fault.message for fault in faults.found] == ["approvals[0]: target_state is missing: expected text"]
    faults = Faults()
    read_policy(load_toml(terms.policy, f'{text}target_state = "start-up does it"\n'.encode()), terms, faults)
    assert faults.found == []
    assert 'target_state = ""' in draft(terms, [Missing(key("c app.a app.b"), 1)])


def test_no_approvals_is_a_policy_too() -> None:
    assert read("schema = 1\n") == ((), [])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (WHOLE.replace("schema = 1", ""), 0, "schema is missing"),
        (WHOLE.replace("schema = 1", "schema = 2"), 1, "for a newer abutment"),
        (WHOLE.replace("schema = 1", "schema = 0"), 1, "expected at least 1"),
        (WHOLE.replace("schema = 1", "schema = true"), 1, "expected a whole number, found true"),
        (WHOLE.replace("approvals", "approval"), 2, "approval: unknown key"),
        (WHOLE + 'expiry = "x"\n', 9, "approvals[0].expiry: unknown key"),
        (WHOLE.replace('importer = "app.a"\n', ""), 2, "importer is missing"),
        (WHOLE.replace('"app.a"', "7"), 4, "approvals[0].importer: expected text, found 7"),
        (WHOLE.replace('"app.a"', '"app.*"'), 4, "without wildcards"),
        (WHOLE.replace('"exception"', '"wish"'), 6, "expected one of exception, debt, found 'wish'"),
        (WHOLE.replace('class = "exception"\n', ""), 2, "class is missing"),
        (WHOLE.replace('"exception"', '"debt"'), 2, "tracking is missing"),
        (WHOLE.replace('"exception"', '"debt"') + 'tracking = " "\n', 9, "approvals[0].tracking: must not be empty"),
        (WHOLE + 'tracking = ""\n', 9, "approvals[0].tracking: must not be empty"),
        (WHOLE.replace('"core"', '""'), 7, "approvals[0].owner: must not be empty"),
        (WHOLE.replace('"core"', '"TODO"'), 7, "'TODO' is a placeholder"),
        (WHOLE.replace('"Agreed in May."', '" "'), 8, "approvals[0].reason: must not be empty"),
        (WHOLE.replace('"Agreed in May."', '"..."'), 8, "'...' is a placeholder"),
        (WHOLE.replace('"Agreed in May."', '"<tbd>"'), 8, "'<tbd>' is a placeholder"),
        (WHOLE.replace('owner = "core"\n', ""), 2, "owner is missing"),
        (WHOLE + "count = 0\n", 9, "expected at least 1, found 0"),
        (WHOLE + "count = true\n", 9, "expected a whole number, found true"),
        (WHOLE + "count = 1.0\n", 9, "expected a whole number, found 1.0"),
        (WHOLE + "lifts = 1\n", 9, "expected true or false, found 1"),
        (WHOLE + 'expires = "soon"\n', 9, "expected a date"),
        (WHOLE + 'expires = "2099-01-01"\n', 9, "expected a date such as 2027-01-31, found '2099-01-01'"),
        (WHOLE + "expires = 2027-01-31T10:00:00Z\n", 9, "expected a date"),
        (WHOLE + f"[[approvals]]\n{IDENTITY}\n{EXCEPTION}\n", 9, "once more what line 2 approves"),
        ("schema = 1\napprovals = 3\n", 2, "approvals: expected a list, found 3"),
        ("schema = 1\napprovals = [3]\n", 2, "approvals[0]: expected a table, found 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, message: str) -> None:
    _approvals, faults = read(text)
    assert any(number == line and message in said for number, said in faults), faults


def test_an_unknown_class_is_one_fault() -> None:
    assert len(read(WHOLE.replace('"exception"', '"wish"'))[1]) == 1


def test_all_faults_come_in_one_go() -> None:
    wrong = WHOLE.replace('"core"', '""').replace('"app.a"', '"app.*"') + "count = true\n"
    assert [line for line, _message in read(wrong)[1]] == [4, 9, 7]


def test_an_ordinary_short_reason_is_no_placeholder() -> None:
    assert read(WHOLE.replace("Agreed in May.", "ADR 7"))[1] == []


def test_a_draft_is_a_fault_until_it_is_filled_in() -> None:
    text = draft(
        TERMS,
        [Missing(key("c app.a app.b"), 1), Missing(key("b app.a app.b"), 2), Missing(key("d x y"), 0)],
        new=True,
    )
    approvals, faults = read(text)
    assert [(each.key[0], each.count) for each in approvals] == [("b", 2), ("c", 1)]
    words = ("owner", "reason", "tracking")
    assert [message for _line, message in faults] == [
        f"approvals[{entry}].{word}: must not be empty" for entry in (0, 1) for word in words
    ]
    for word in words:
        text = text.replace(f'{word} = ""', f'{word} = "ARCH-1"')
    assert read(text)[1] == []


def test_a_draft_for_an_existing_policy_has_no_head() -> None:
    assert draft(TERMS, [Missing(key("c a b"), 1)]).startswith("[[approvals]]\n")
    assert draft(TERMS, []) == ""


@settings(derandomize=True, max_examples=100)
@given(st.tuples(*[st.text(max_size=8)] * 3).filter(lambda of: not any("*" in part for part in of)))
def test_a_draft_names_the_very_key(of: Key) -> None:
    approvals, _faults = read(draft(TERMS, [Missing(of, 1)], new=True))
    assert [each.key for each in approvals] == [of]


def test_a_draft_has_what_leads_first_and_says_what_the_rest_is() -> None:
    text = draft(TERMS, [Missing(key("c a b"), 1, follows=True), Missing(key("c x y"), 1)])
    assert text.startswith("# The first 1 closed")
    assert "all 2 have to be approved" in text
    assert text.index('importer = "x"') < text.index("# These follow") < text.index('importer = "a"')


def test_a_draft_of_what_was_paid_lifts() -> None:
    text = draft(TERMS, [Missing(key("c a b"), 1, lifts=True)], new=True)
    assert "\nlifts = true" in text
    (approval,), _faults = read(text)
    assert approval.lifts
