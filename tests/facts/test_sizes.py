from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.facts.sizes import CLASS, FILE, FUNCTION, line_count, scan_sizes

LIMITS = {FUNCTION: 2, CLASS: 3, FILE: 6}


def sizes(text: str) -> dict[tuple[str, str], int]:
    found = scan_sizes({"m.py": "m"}, lambda _path: text.encode(), LIMITS)
    return {(one.qualname, one.kind): one.lines for one in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    a\n", {}),  # as long as it may be
        ("def f():\n    a\n    b\n", {("f", FUNCTION): 3}),
        ("@d\n@e\ndef f():\n    a\n", {}),  # decorators are left out
        ("def f():\n    # why\n\n    a\n", {("f", FUNCTION): 4}),
        ("def f(): a\ndef f():\n    a\n    b\n", {("f#2", FUNCTION): 3}),
        ("class C:\n    def m(self):\n        a\n        b\n", {("C", CLASS): 4, ("C.m", FUNCTION): 3}),
        ("def f():\n    def g():\n        a\n        b\n", {("f", FUNCTION): 4, ("f.<locals>.g", FUNCTION): 3}),
        ("a\n" * 7, {("<module>", FILE): 7}),
        ("def f():\n    a\n    b", {("f", FUNCTION): 3}),
    ],
)
def test_lengths_above_the_limit(text: str, expected: dict[tuple[str, str], int]) -> None:
    assert sizes(text) == expected
    assert sizes(text.replace("\n", "\r\n")) == expected


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\n\n", 2), (b"a\r\nb\rc\n", 3), (b"a\x0cb\x0bc\n", 1), (b"\xc2\x85\n", 1)],
)
def test_a_line_is_what_python_counts_as_one(data: bytes, lines: int) -> None:
    assert line_count(data) == lines


def test_a_file_that_does_not_parse_is_not_judged() -> None:
    with pytest.raises(NotJudged, match="cannot be parsed"):
        sizes("def f(:\n\n\n\n")
