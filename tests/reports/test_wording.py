"""Is every difference said truly and shortly, whatever characters the judged tree brings?"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.reports.characters import encodable, sentence, visible, visible_lines
from abutment.reports.wording import advice, clause, counted, fault_text, kinds, place

DOCUMENT = "law/boundaries.jsonl"
ENTRY = (Site(DOCUMENT, 7),)


@pytest.mark.parametrize(
    ("kind", "found", "granted", "sites", "expected"),
    [
        (Kind.NEW, 1, 0, (), f"new: a imports b, which {DOCUMENT} does not grant."),
        (Kind.NEW, 4, 0, (), f"new: a imports b (found 4), which {DOCUMENT} does not grant."),
        (Kind.GROWN, 3, 2, (), f"grown from 2 to 3: a imports b, more than {DOCUMENT} grants."),
        (
            Kind.RETURNED,
            1,
            0,
            (),
            f"returned: a imports b, which was paid off before; {DOCUMENT} does not let it return.",
        ),
        (Kind.EXPIRED, 1, 0, (), f"expired: a imports b, whose approval in {DOCUMENT} has run out."),
        (Kind.GONE, 0, 1, ENTRY, "gone: a imports b; this line grants what the code does not have."),
        (Kind.GONE, 0, 3, ENTRY, "gone: a imports b (granted 3); this line grants what the code does not have."),
        (Kind.GONE, 0, 1, (), f"gone: a imports b; {DOCUMENT} grants what the code does not have."),
        (Kind.SHRUNK, 1, 3, ENTRY, "shrunk from 3 to 1: a imports b; this line has not been lowered."),
        (Kind.SHRUNK, 1, 3, (), f"shrunk from 3 to 1: a imports b; {DOCUMENT} has not been lowered."),
        (Kind.LOOSENED, 2, 1, ENTRY, f"loosened: a imports b, which {DOCUMENT} does not amend."),
    ],
)
def test_each_kind_has_its_clause(
    violation: Callable[..., Violation],
    kind: Kind,
    found: int,
    granted: int,
    sites: tuple[Site, ...],
    expected: str,
) -> None:
    item = violation(kind=kind, found=found, granted=granted, sites=sites, what="a imports b", document=DOCUMENT)
    assert clause(item) == expected


def test_a_figure_is_said_once(violation: Callable[..., Violation]) -> None:
    new = violation(kind=Kind.NEW, found=12, granted=0, what="f has 12 lines", document=DOCUMENT)
    assert clause(new) == f"new: f has 12 lines, which {DOCUMENT} does not grant."
    other = violation(kind=Kind.NEW, found=2, granted=0, what="f has 12 lines", document=DOCUMENT)
    assert "(found 2)" in clause(other)


def test_a_clause_without_a_document_still_reads(violation: Callable[..., Violation]) -> None:
    assert clause(violation(what="a is", document="")) == "new: a is, which the law does not grant."


def test_advice_has_no_trailing_blank_without_a_remedy(violation: Callable[..., Violation]) -> None:
    assert advice(violation(what="a is", document="x", remedy="")) == "new: a is, which x does not grant."


def test_the_place_is_the_document_where_there_is_no_site(violation: Callable[..., Violation]) -> None:
    assert place(violation(sites=(), document="x.jsonl")) == Site("x.jsonl")


@pytest.mark.parametrize(
    ("message", "remedy", "expected"),
    [
        ("bad", "", "bad."),
        ("bad.", "mend it", "bad. mend it."),
        ("really?", "Yes!", "really? Yes!"),
        ("two\nlines ", "", "two\\nlines."),
        ("", "", ""),
    ],
)
def test_a_fault_is_one_line(message: str, remedy: str, expected: str) -> None:
    assert fault_text(Fault("x", 1, message, remedy)) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_numbers_agree_with_their_noun(number: int, expected: str) -> None:
    assert counted(number, "file") == expected


def test_kinds_are_counted_in_declared_order(violation: Callable[..., Violation]) -> None:
    found = [violation(kind=kind) for kind in (Kind.GONE, Kind.NEW, Kind.GONE)]
    assert (kinds(found), kinds([])) == ("1 new, 2 gone", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é π 中 |`", "plain é π 中 |`"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x1b[31m\x00\x7f\x85", "\\x1b[31m\\x00\\x7f\\x85"),
        ("\u202ex\u2066\u2028", "\\u202ex\\u2066\\u2028"),
        ("\udcff\ud800\uffff", "\\udcff\\ud800\\uffff"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, expected: str) -> None:
    assert visible(text) == expected


@settings(derandomize=True, max_examples=200)
@given(st.text(st.characters(exclude_categories=())))
def test_visible_text_is_one_line_that_utf8_can_carry(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    assert shown.encode() == visible(shown).encode()


def test_lines_are_split_at_every_line_end() -> None:
    assert visible_lines("a\nb\r\nc\rd\x0ce") == ["a", "b", "c", "d\\x0ce"]


@pytest.mark.parametrize(("text", "expected"), [("a", "a."), ("a.", "a."), ("a:", "a:"), (" a ", "a."), ("", "")])
def test_a_sentence_ends_once(text: str, expected: str) -> None:
    assert sentence(text) == expected


def test_encodable_keeps_everything_but_surrogates() -> None:
    assert encodable("a\né\udcff") == "a\né\\udcff"
