"""What the sides of a conflict-marked file say, and what is no conflict that can be told apart."""

from __future__ import annotations

import pytest

from abutment.baselines.conflict import Side, read_sides
from abutment.model.fault import Fault
from abutment.model.reading import Faults


def sides(text: str | bytes) -> tuple[Side, Side]:
    faults = Faults()
    found = read_sides("x.jsonl", text.encode() if isinstance(text, str) else text, faults)
    assert found is not None, faults.found
    return found


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        ("a\nb\n", "a\nb\n", "a\nb\n"),
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n", "a\nb\nd\n", "a\nc\nd\n"),
        ("<<<<<<< HEAD\n=======\nc\n>>>>>>> x\n", "", "c\n"),
        ("<<<<<<< o\na\n||||||| b\nz\n=======\nb\n>>>>>>> t\n", "a\n", "b\n"),
        ("<<<<<<<\na\n=======\nb\n>>>>>>>\n<<<<<<<\nc\n=======\n>>>>>>>\n", "a\nc\n", "b\n"),
        ("<<<<<<< o\r\na\r\n=======\r\nb\r\n>>>>>>> t\r\n", "a\n", "b\n"),
        ("\ufeff<<<<<<< o\na\n=======\n>>>>>>> t\n", "a\n", ""),
        ('"<<<<<<< o"\n"=======" >>>>>>>\n', '"<<<<<<< o"\n"=======" >>>>>>>\n', '"<<<<<<< o"\n"=======" >>>>>>>\n'),
        ("<<<<<<<< eight signs\n", "<<<<<<<< eight signs\n", "<<<<<<<< eight signs\n"),
        ("", "", ""),
    ],
)
def test_each_side_is_a_whole_document(text: str, ours: str, theirs: str) -> None:
    assert tuple(side.data.decode() for side in sides(text)) == (ours, theirs)


def test_a_side_knows_where_its_lines_stand_in_the_marked_file() -> None:
    ours, theirs = sides("a\n<<<<<<< o\nb\n=======\nc\nd\n>>>>>>> t\ne\n")
    assert ours.lines == (1, 3, 8, 9)
    assert theirs.placed(Fault("x", 3, "wrong")).line == 6
    assert theirs.placed(Fault("x", 0, "the whole")).line == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("=======\n", 1),
        (">>>>>>> t\n", 1),
        ("||||||| b\n", 1),
        ("<<<<<<< o\n>>>>>>> t\n", 2),
        ("<<<<<<< o\na\n<<<<<<< o\n=======\n>>>>>>> t\n=======\n>>>>>>> t\n", 3),
        ("<<<<<<< o\n=======\n<<<<<<< o\n", 3),
        ("<<<<<<< o\n=======\n=======\n", 3),
        ("<<<<<<< o\n=======\n||||||| b\n", 3),
        ("<<<<<<< o\n||||||| b\n||||||| b\n", 3),
        ("<<<<<<< o\n", 0),
        ("<<<<<<< o\na\n=======\nb\n", 0),
    ],
)
def test_markers_out_of_order_and_a_missing_end_are_faults(text: str, line: int) -> None:
    faults = Faults()
    assert read_sides("x.jsonl", text.encode(), faults) is None
    assert [fault.line for fault in faults.found] == [line]
