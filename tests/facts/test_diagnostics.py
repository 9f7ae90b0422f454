"""What another tool says, by function, and without what moves."""

from __future__ import annotations

import pytest

from abutment.facts.diagnostics import scan_said, without_positions
from abutment.sources.tools.diagnostic import Diagnostic
from tests.programs import program

SOURCE = b"x = 1\n\n\ndef f():\n    y = 2\n\n\nclass C:\n    def f(self):\n        pass\n"


@pytest.mark.parametrize(
    ("message", "without"),
    [
        ('Name "twice" already defined on line 22', 'Name "twice" already defined on line #'),
        ("Too long (lines 3-12)", "Too long (lines #)"),
        ('"f" defined in "a.py:5"', '"f" defined in "a.py:#"'),
        ("See a.pyi:5:12 and b.py:7", "See a.pyi:# and b.py:#"),
        ('variable has type "a.C@4"', 'variable has type "a.C@#"'),
        ('"<subclass of "a.A@16" and "a.B@17">"', '"<subclass of "a.A@#" and "a.B@#">"'),
        ("List item 0 has type; Argument 1 of 2", "List item 0 has type; Argument 1 of 2"),
        ("airline 7 and 3 @ 4", "airline 7 and 3 @ 4"),
    ],
)
def test_a_message_is_the_same_wherever_it_is_said(message: str, without: str) -> None:
    assert without_positions(message) == without


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("app/a.py", 1, ("app.a", "<module>", True)),
        ("app/a.py", 5, ("app.a", "f", True)),
        ("app/a.py", 9, ("app.a", "C.f", True)),
        ("app/a.py", 0, ("app.a", "<module>", False)),
        ("app/gone.py", 5, ("app/gone.py", "<module>", False)),
        ("notes.txt", 5, ("notes.txt", "<module>", False)),
    ],
)
def test_a_fact_knows_its_function_as_far_as_anybody_can(path: str, line: int, expected: tuple[object, ...]) -> None:
    files = {"app/a.py": SOURCE, "notes.txt": b""}
    (said,) = scan_said(program("app.a"), [Diagnostic(path, line, 0, "misc", "So")], files.get)
    assert (said.module, said.qualname, said.placed) == expected
