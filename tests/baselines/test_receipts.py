"""Receipts: what they hold, how they are damaged, and what they say of a key after branches and reverts."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.receipts import (
    DocumentChange,
    How,
    Part,
    Receipt,
    Touch,
    covered,
    document_digest,
    levels,
    read_receipts,
    render_receipt,
    speaking_of,
)
from abutment.model.grants import Level
from abutment.model.identity import Key
from abutment.model.reading import Faults
from tests.baselines.laws import TERMS, key

X, Y = key("c app.a app.b"), key("c app.a app.c")


def receipt(*touches: tuple[Key, int, str], gate: str = "boundaries", supersedes: tuple[Receipt, ...] = ()) -> Receipt:
    part = Part(gate, TERMS.fields, tuple(Touch(of, count, How(how)) for of, count, how in touches))
    return Receipt("tighten", parts=(part,), supersedes=tuple(sorted(each.digest for each in supersedes)))


FULL = Receipt(
    verb="init",
    documents=(DocumentChange("law/boundaries.jsonl", None, "ab" * 32), DocumentChange("law/x.jsonl", "cd" * 32, None)),
    parts=(
        Part("boundaries", TERMS.fields, (Touch(X, 1, How.RECORDED), Touch(Y, 0, How.PAID)), ("c",)),
        Part("cycles", ("importer", "imported")),
    ),
    tools=(("abutment", "1.2"), ("mypy", "1.13")),
    reason="A new contract.",
    supersedes=("0" * 32,),
)


def read(name: str, data: bytes) -> tuple[tuple[Receipt, ...], list[tuple[int, str]]]:
    faults = Faults()
    receipts = tuple(read_receipts({f"law/receipts/{name}": data}, faults).values())
    return receipts, [(fault.line, fault.message) for fault in faults.found]


def test_a_receipt_is_read_as_it_was_written() -> None:
    assert read(FULL.file_name, render_receipt(FULL)) == ((FULL,), [])


def test_a_receipt_is_named_by_its_content() -> None:
    assert len(FULL.digest) == 32
    assert replace(FULL, reason="Another.").digest != FULL.digest


def test_a_receipt_has_one_key_a_line() -> None:
    lines = render_receipt(FULL).decode().splitlines()
    assert [line.strip(" ,]}") for line in lines if '"how"' in line] == [
        '{"contract": "c", "importer": "app.a", "imported": "app.b", "count": 1, "how": "recorded"',
        '{"contract": "c", "importer": "app.a", "imported": "app.c", "count": 0, "how": "paid"',
    ]


@pytest.mark.parametrize("damage", [lambda d: d.replace(b"\n", b"\r\n"), lambda d: b"\xef\xbb\xbf" + d])
def test_what_git_on_windows_does_changes_no_receipt(damage: object) -> None:
    assert callable(damage)
    assert read(FULL.file_name, damage(render_receipt(FULL))) == ((FULL,), [])


def test_an_odd_name_is_kept() -> None:
    odd = receipt((("c", "app.\udcff", "é\u2028"), 1, "paid"))
    assert read(odd.file_name, render_receipt(odd)) == ((odd,), [])


WRITTEN = render_receipt(FULL).decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WRITTEN.replace('"count": 1', '"count": 2'), "its name is not the digest of its content"),
        (WRITTEN.replace("A new contract.", "None."), "its name is not the digest of its content"),
        ("", "the receipt is no JSON"),
        (WRITTEN[:-30], "the receipt is no JSON"),
        ("[]", "expected a table, found a list"),
        (WRITTEN.replace('"schema": 1', '"schema": 2'), "2 was written by a newer abutment"),
        (WRITTEN.replace('"schema": 1', '"schema": 0'), "0 was written by an older abutment"),
        (WRITTEN.replace('"schema": 1', '"schema": true'), "expected a whole number, found true"),
        (WRITTEN.replace('"verb"', '"word"'), "verb is missing"),
        (WRITTEN.replace('"verb"', '"reason"'), "says 'reason' twice"),
        (WRITTEN.replace('"count": 1', '"count": true'), "gates[0].keys[0]: expected text in"),
        (WRITTEN.replace('"count": 1', '"count": -1'), "gates[0].keys[0]: expected text in"),
        (WRITTEN.replace('"recorded"', '"given"'), "gates[0].keys[0]: expected text in"),
        (WRITTEN.replace('"importer": "app.a"', '"importer": 3'), "gates[0].keys[0]: expected text in"),
        (WRITTEN.replace('"count": 1', '"count": 1, "more": 1'), "gates[0].keys[0]: expected text in"),
        (WRITTEN.replace('"before"', '"earlier"'), "documents[1].earlier: unknown key"),
        (WRITTEN.replace('"covers"', '"parts"'), "gates[0]: covers is missing"),
    ],
)
def test_a_receipt_that_is_not_as_we_wrote_it_is_a_fault(text: str, message: str) -> None:
    receipts, faults = read(FULL.file_name, text.encode())
    assert receipts == ()
    assert any(message in said for _line, said in faults), faults


def test_conflict_markers_and_foreign_bytes_have_their_line() -> None:
    assert read("a.json", b"{\n<<<<<<< HEAD\n")[1] == [(2, "holds merge conflict markers.")]
    assert read("a.json", b"{\n\xff\n")[1] == [(2, "is no UTF-8 text (byte 2).")]


def test_a_document_has_one_digest_on_every_platform() -> None:
    assert document_digest(b"a\nb\n") == document_digest(b"\xef\xbb\xbfa\r\nb\r\n")
    assert document_digest(None) is None


INIT = receipt((X, 3, "recorded"), (Y, 1, "recorded"))


@pytest.mark.parametrize(
    ("receipts", "level"),
    [
        ([INIT], Level(3, False)),
        ([INIT, receipt((X, 2, "paid"))], Level(2, False)),
        ([INIT, receipt((X, 2, "paid")), receipt((X, 1, "paid"))], Level(1, False)),
        ([INIT, receipt((X, 0, "paid"))], Level(0, True)),
        ([INIT, receipt((X, 0, "promoted"))], Level(0, False)),
        ([INIT, receipt((X, 1, "promoted")), receipt((X, 0, "paid"))], Level(0, True)),
        ([INIT, receipt((X, 0, "promoted")), receipt((X, 0, "paid"))], Level(0, True)),  # two branches
        ([INIT, receipt((X, 2, "paid")), receipt((X, 2, "paid"), (Y, 0, "paid"))], Level(2, False)),  # two branches
        ([INIT, receipt((X, 0, "moved"))], Level(0, False)),
        ([INIT, receipt((X, 5, "moved"), supersedes=(INIT,))], Level(5, False)),  # moved onto
        ([INIT, receipt((X, 5, "moved"), supersedes=(INIT,)), receipt((X, 4, "paid"))], Level(4, False)),
        ([INIT, receipt((X, 0, "paid")), receipt((X, 5, "moved"), supersedes=(INIT,))], Level(0, True)),  # unseen
        ([INIT, receipt((X, 9, "rerecorded"), supersedes=(INIT,))], Level(9, False)),
        ([INIT, receipt((Y, 9, "rerecorded"), supersedes=(INIT,))], Level(3, False)),  # it does not touch X
        ([INIT, receipt((X, 9, "paid"), supersedes=(INIT,))], Level(3, False)),  # a payment raises nothing
        ([INIT, receipt((X, 0, "paid"), gate="cycles")], Level(3, False)),
        ([receipt((X, 5, "moved"), supersedes=(receipt((Y, 1, "paid")),))], Level(5, False)),  # reverted meanwhile
    ],
)
def test_the_level_of_a_key_is_the_lowest_that_is_still_spoken_of(receipts: list[Receipt], level: Level) -> None:
    for order in (receipts, receipts[::-1], random.Random(7).sample(receipts, len(receipts))):
        assert levels(order, "boundaries")[X] == level


def test_a_revert_leaves_no_trace() -> None:
    before = levels([INIT], "boundaries")
    paid = receipt((X, 0, "paid"))
    assert levels([INIT, paid], "boundaries") != before
    assert levels([each for each in (INIT, paid) if each != paid], "boundaries") == before


def test_the_receipts_that_speak_of_a_key_can_be_named() -> None:
    other = receipt((Y, 0, "paid"))
    assert speaking_of([INIT, other], "boundaries", [Y]) == tuple(sorted([INIT.digest, other.digest]))
    assert speaking_of([INIT, other], "boundaries", [X]) == (INIT.digest,)
    assert speaking_of([INIT, other], "cycles", [X]) == ()


def test_what_was_covered_is_known_by_gate() -> None:
    assert covered([FULL, INIT], "boundaries") == {"c"}
    assert covered([FULL, INIT], "cycles") == frozenset()


TOUCHES = st.lists(
    st.tuples(st.sampled_from([X, Y]), st.integers(0, 3), st.sampled_from(["recorded", "paid", "promoted", "moved"])),
    max_size=4,
    unique_by=lambda touch: touch[0],
)


@settings(derandomize=True, max_examples=100)
@given(st.lists(TOUCHES, max_size=5))
def test_the_order_of_receipts_changes_no_level(all_touches: list[list[tuple[Key, int, str]]]) -> None:
    receipts: list[Receipt] = []
    for touches in all_touches:
        receipts.append(receipt(*touches, supersedes=tuple(receipts[-1:])))
    assert levels(receipts, "boundaries") == levels(receipts[::-1], "boundaries")


@settings(derandomize=True, max_examples=60)
@given(TOUCHES, st.text(max_size=9), st.lists(st.text("0123456789abcdef", min_size=32, max_size=32), max_size=2))
def test_any_receipt_is_read_as_it_was_written(
    touches: list[tuple[Key, int, str]], reason: str, supersedes: list[str]
) -> None:
    any_receipt = replace(receipt(*touches), reason=reason, supersedes=tuple(supersedes))
    assert read(any_receipt.file_name, render_receipt(any_receipt)) == ((any_receipt,), [])
    assert json.loads(render_receipt(any_receipt))["schema"] == 1
