"""Baselines: what is written, and every damage that a merge, an editor or another version can do to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines import document
from abutment.baselines.document import lines_by_text, read_baseline, render_baseline
from abutment.model.exact_json import exact_json
from abutment.model.grants import Recorded
from abutment.model.identity import Key
from abutment.model.reading import Faults
from tests.baselines.laws import TERMS, key

A, B = key("c app.a app.b"), key("c app.a app.c")
HEADER = '{"schema": 1, "gate": "boundaries", "fields": ["contract", "importer", "imported"]}'
ENTRY = '{"contract": "c", "importer": "app.a", "imported": "app.b", "count": 1}'
OTHER = '{"contract": "c", "importer": "app.a", "imported": "app.c", "count": 2}'
WRITTEN = f"{HEADER}\n{ENTRY}\n{OTHER}\n"


def read(text: str | bytes) -> tuple[tuple[Recorded, ...], list[tuple[int, str]]]:
    faults = Faults()
    data = text.encode() if isinstance(text, str) else text
    entries = read_baseline(TERMS.baseline, data, TERMS, faults)
    assert all(fault.path == TERMS.baseline for fault in faults.found)
    return entries, [(fault.line, fault.message) for fault in faults.found]


def counts_of(entries: tuple[Recorded, ...]) -> dict[Key, int]:
    return {entry.key: entry.count for entry in entries}


def test_a_baseline_is_a_header_and_one_sorted_entry_a_line() -> None:
    assert render_baseline(TERMS, {B: 2, A: 1}).decode() == WRITTEN


def test_a_baseline_without_debt_is_its_header() -> None:
    assert render_baseline(TERMS, {A: 0}).decode() == HEADER + "\n"
    assert read(HEADER + "\n") == ((), [])


def test_entries_know_their_lines() -> None:
    assert read(WRITTEN) == ((Recorded(A, 1, 2), Recorded(B, 2, 3)), [])


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + WRITTEN,
        WRITTEN.replace("\n", "\r\n"),
        ("\ufeff" + WRITTEN).replace("\n", "\r\n"),
        f"{HEADER}\n{OTHER}\n{ENTRY}\n",
        WRITTEN.rstrip("\n"),
        WRITTEN.replace('"contract": "c", "importer": "app.a"', '"importer": "app.a", "contract": "c"'),
        WRITTEN.replace(": ", ":"),
    ],
    ids=["signature", "crlf", "both", "unsorted", "no last newline", "other order of fields", "no blanks"],
)
def test_what_changes_no_meaning_is_tolerated(text: str) -> None:
    entries, faults = read(text)
    assert (counts_of(entries), faults) == ({A: 1, B: 2}, [])
    assert render_baseline(TERMS, counts_of(entries)).decode() == WRITTEN


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 0, "is empty"),
        ("\n\n", 0, "is empty"),
        ("\ufeff", 0, "is empty"),
        (f"{HEADER}\n<<<<<<< HEAD\n{ENTRY}\n=======\n{OTHER}\n>>>>>>> x\n", 2, "conflict markers"),
        (f"{HEADER}\n{ENTRY}\n||||||| base\n", 3, "conflict markers"),
        (f"{HEADER}\r\n{ENTRY}\r\n=======\r\n{OTHER}\r\n", 3, "conflict markers"),
        (f"<<<<<<< HEAD\n{HEADER}\n", 1, "conflict markers"),
        (f"{HEADER}\n{ENTRY}\n>>>>>>> other\n", 3, "conflict markers"),
        (f"{HEADER}\n{ENTRY}\n{OTHER[:40]}", 3, "the last line is cut off"),
        (HEADER[:30], 1, "the header is no JSON"),
        (f"{HEADER}\n{OTHER[:40]}\n{ENTRY}\n", 2, "the line is no JSON"),
        (f"{HEADER}\n\n{ENTRY}\n", 2, "blank"),
        (f"{HEADER}\n{ENTRY}\n{ENTRY}\n", 3, "the entry of line 2 again"),
        (f"{HEADER}\n[1]\n", 2, "expected an entry, found a list"),
        (f'{HEADER}\n{ENTRY[:-1]}, "count": 2}}\n', 2, "says 'count' twice"),
        (f'{HEADER}\n{ENTRY[:-1]}, "line": 2}}\n', 2, "line: unknown field"),
        (f"{HEADER}\n{ENTRY.replace('1', 'true')}\n", 2, "at least 1, found true"),
        (f"{HEADER}\n{ENTRY.replace('1', '1.0')}\n", 2, "at least 1, found 1.0"),
        (f"{HEADER}\n{ENTRY.replace('1', '0')}\n", 2, "at least 1, found 0"),
        (f"{HEADER}\n{ENTRY.replace('1', '-1')}\n", 2, "at least 1, found -1"),
        (f"{HEADER}\n{ENTRY.replace('1', 'NaN')}\n", 2, "holds NaN"),
        (HEADER + "\n" + ENTRY.replace(', "count": 1', "") + "\n", 2, "at least 1, which is missing"),
        (HEADER + "\n" + ENTRY.replace('"app.a"', "7") + "\n", 2, "importer: expected text, found 7"),
        (f"{HEADER}\n{ENTRY.replace('importer', 'exporter')}\n", 2, "importer: expected text, which is missing"),
        (f"{HEADER}\n{'[' * 100_000}\n", 2, "nested too deeply"),
        (f"{HEADER}\n{ENTRY.replace('1', '1' * 5000)}\n", 2, "a number that counts nothing"),
        (ENTRY + "\n", 1, "no schema"),
        ("[]\n", 1, "no schema"),
        (WRITTEN.replace('"schema": 1', '"schema": 99'), 1, "written by a newer abutment"),
        (WRITTEN.replace('"schema": 1', '"schema": 0'), 1, "older than this abutment reads"),
        (WRITTEN.replace('"schema": 1', '"schema": true'), 1, "expected a whole number, found true"),
        (WRITTEN.replace('"schema": 1', '"schema": 1, "written_at": "noon"'), 1, "unknown fields: written_at"),
        (WRITTEN.replace("boundaries", "cycles"), 1, "the gate 'cycles', not of boundaries"),
        (WRITTEN.replace('"contract", "importer"', '"importer", "contract"'), 1, "other fields than contract,"),
        (WRITTEN.encode("utf-16").decode("latin-1"), 1, "the header is no JSON"),
    ],
)
def test_damage_is_a_fault_at_its_line(text: str, line: int, message: str) -> None:
    _entries, faults = read(text)
    assert [number for number, _said in faults][:1] == [line]
    assert message in faults[0][1]


def test_bytes_that_are_no_utf_8_are_a_fault_at_their_line() -> None:
    _entries, faults = read(WRITTEN.replace("app.c", "app.é").encode("latin-1"))
    assert faults == [(3, "is no UTF-8 text (byte 212).")]


def test_what_only_looks_like_a_marker_inside_a_line_is_none() -> None:
    entries, faults = read(WRITTEN.replace("app.c", "<<<<<<< ======="))
    assert (len(entries), faults) == (2, [])


def test_all_faults_of_a_baseline_come_in_one_go() -> None:
    _entries, faults = read(f"{HEADER}\nnonsense\n{ENTRY}\n{ENTRY}\n{OTHER.replace('2', 'true')}\n")
    assert [line for line, _message in faults] == [2, 4, 5]


def test_another_gate_reads_none_of_it() -> None:
    faults = Faults()
    assert read_baseline("x.jsonl", WRITTEN.encode(), replace(TERMS, gate="cycles"), faults) == ()
    assert len(faults.found) == 1


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        WRITTEN.replace("\n", "\r\n"),
        f"{HEADER}\n{OTHER}\n{ENTRY}\n",
        f"{HEADER}\n{ENTRY}\nnonsense\n{ENTRY}\n{OTHER}\n{OTHER.replace('2', 'true')}\n",
        f"{HEADER}\n{ENTRY}\n{ENTRY.replace('1', '2')}\n",
        HEADER.replace("boundaries", "cycles") + f"\n{ENTRY}\n",
    ],
)
def test_lines_that_another_baseline_has_too_say_the_same_and_are_not_parsed(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = lines_by_text(WRITTEN.encode(), read(WRITTEN)[0])
    expected = read(text)
    parsed: list[str] = []

    def noted(line: str) -> object:
        parsed.append(line)
        return exact_json(line)

    monkeypatch.setattr(document, "exact_json", noted)
    faults = Faults()
    entries = read_baseline(TERMS.baseline, text.encode(), TERMS, faults, known)
    assert (entries, [(fault.line, fault.message) for fault in faults.found]) == expected
    assert not {ENTRY, OTHER} & set(parsed)


KEYS = st.tuples(st.text(max_size=6), st.text(max_size=6), st.text(max_size=6))


@settings(derandomize=True, max_examples=100)
@given(st.dictionaries(KEYS, st.integers(1, 9), max_size=6))
def test_what_was_written_is_read_again(counts: dict[Key, int]) -> None:
    data = render_baseline(TERMS, counts)
    entries, faults = read(data)
    assert (counts_of(entries), faults) == (counts, [])
    assert [entry.key for entry in entries] == sorted(counts)
    assert b"\r" not in data.replace(b"\\r", b"")


@settings(derandomize=True, max_examples=50)
@given(st.dictionaries(KEYS, st.integers(1, 9), max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_lines_means_nothing(counts: dict[Key, int], random: object) -> None:
    header, *lines = render_baseline(TERMS, counts).decode().rstrip("\n").split("\n")
    getattr(random, "shuffle")(lines)  # noqa: B009  # the type of `randoms` is private
    entries, _faults = read("\n".join([header, *lines]) + "\n")
    assert counts_of(entries) == counts


def test_a_name_that_is_no_unicode_survives() -> None:
    odd = ("c", "app.\udcff", "app.\u2028\x85é")
    entries, faults = read(render_baseline(TERMS, {odd: 1}))
    assert (counts_of(entries), faults) == ({odd: 1}, [])
    assert json.loads(render_baseline(TERMS, {odd: 1}).split(b"\n")[1])["count"] == 1
