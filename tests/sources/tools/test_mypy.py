"""mypy's output in every dress; what is missing of it is always seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.diagnostic import Diagnostic, Report
from abutment.sources.tools.mypy import parse_mypy, split_version
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow

DRESSES = Path(__file__).parents[3] / "fixtures" / "cases" / "073-mypy-output-in-every-dress" / "input"
PLAIN = (DRESSES / "plain.txt").read_bytes()
SAID = 'Name "twice" already defined on line 22'


def parsed(output: bytes | str, status: int | None = 1, *, root: str = "/srv/ci/checkout") -> Report:
    data = output.encode() if isinstance(output, str) else output
    return parse_mypy(Output("mypy", data, status=status), PathsBelow(Path("/home/dev/till"), root))


def summed(*lines: str) -> str:
    """Return these lines with the summary that belongs to errors in one file."""
    errors = sum(": error:" in line for line in lines)
    said = f"Found {errors} error{'s' if errors != 1 else ''} in 1 file (checked 2 source files)"
    return "".join(f"{line}\n" for line in (*lines, said))


@pytest.mark.parametrize(
    ("line", "path", "at"),
    [
        (f"till/cash.py:26: error: {SAID}  [no-redef]", "till/cash.py", (26, 0)),
        (f"till/cash.py:26:5: error: {SAID}  [no-redef]", "till/cash.py", (26, 5)),
        (f"till/cash.py:26:5:27:12: error: {SAID}  [no-redef]", "till/cash.py", (26, 5)),
        (f"till/cash.py: error: {SAID}  [no-redef]", "till/cash.py", (0, 0)),
        (f"./till/cash.py:26: error: {SAID}  [no-redef]", "till/cash.py", (26, 0)),
        (f"till\\cash.py:26: error: {SAID}  [no-redef]", "till/cash.py", (26, 0)),
        (f"/home/dev/till/a.py:26: error: {SAID}  [no-redef]", "a.py", (26, 0)),
        (f"/srv/ci/checkout/a.py:26: error: {SAID}  [no-redef]", "a.py", (26, 0)),
        (f"../shared/a.py:26: error: {SAID}  [no-redef]", "../shared/a.py", (26, 0)),
        (f"a folder/cash.py:26: error: {SAID}  [no-redef]", "a folder/cash.py", (26, 0)),
        (f"tücher/kasse.py:26: error: {SAID}  [no-redef]", "tücher/kasse.py", (26, 0)),
    ],
)
def test_a_line_is_read_whatever_place_it_names(line: str, path: str, at: tuple[int, int]) -> None:
    assert parsed(summed(line)).diagnostics == (Diagnostic(path, *at, "no-redef", SAID),)


@pytest.mark.parametrize("written", ["D:\\a\\till\\cash.py", "d:/a/till/cash.py"])
def test_a_path_of_another_system_is_below_its_root(written: str) -> None:
    root = written[0] + (":\\a" if "\\" in written else ":/a")
    found = parsed(summed(f"{written}:26: error: {SAID}  [no-redef]"), root=root).diagnostics
    assert [one.path for one in found] == ["till/cash.py"]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("a.py:1: error: It is so", "unknown", "It is so"),
        ("a.py:1: error: Odd: error: again  [misc]", "misc", "Odd: error: again"),
        ('a.py:1: error: Need "x" [of y]  [var-annotated]', "var-annotated", 'Need "x" [of y]'),
        ("a.py:1: error: Brackets at the end [x]", "unknown", "Brackets at the end [x]"),
    ],
)
def test_a_code_is_what_stands_in_the_last_brackets(line: str, code: str, message: str) -> None:
    (found,) = parsed(summed(line)).diagnostics
    assert (found.code, found.message) == (code, message)


def test_notes_count_for_nothing() -> None:
    notes = ("a.py: note: In function x:", "a.py:3: note: See above", 'a.py:4:1: note: Revealed type is "int"')
    assert len(parsed(summed(*notes, "a.py:3: error: It is so  [misc]")).diagnostics) == 1
    assert parsed("".join(f"{note}\n" for note in notes) + "Success: no issues found in 1 source file\n", 0) == Report(
        (), 1
    )


def test_an_error_without_a_code_is_counted_and_told() -> None:
    (note,) = parsed((DRESSES / "nocodes.txt").read_bytes()).notes
    assert "7 have no code" in note


def test_json_rests_on_whoever_kept_it_and_that_is_told() -> None:
    (note,) = parsed((DRESSES / "json.jsonl").read_bytes()).notes
    assert "no summary" in note


@pytest.mark.parametrize("name", ["plain.txt", "columns_end.txt", "colour.txt", "absolute.txt"])
def test_output_that_is_cut_anywhere_is_no_answer(name: str) -> None:
    whole = (DRESSES / name).read_bytes()
    assert parsed(whole).looked_at == 2
    for at in range(len(whole)):
        with pytest.raises(NotJudged):
            parsed(whole[:at])


def test_output_that_lacks_any_line_but_a_note_is_no_answer() -> None:
    lines = PLAIN.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if b": note:" not in line:
            with pytest.raises(NotJudged):
                parsed(b"".join(lines[:at] + lines[at + 1 :]))


@pytest.mark.parametrize(
    ("kept", "version"),
    [
        (b"mypy 2.4.1 (compiled: yes)\n" + PLAIN, "2.4.1"),
        (b"\xef\xbb\xbfmypy 1.9.0\r\n" + PLAIN.replace(b"\n", b"\r\n"), "1.9.0"),
        (b"mypy 2.5.0+dev.1234abc (compiled: no)\n" + PLAIN, "2.5.0+dev.1234abc"),
        (PLAIN, None),
    ],
)
def test_kept_output_may_begin_with_the_version(kept: bytes, version: str | None) -> None:
    found, rest = split_version(Output("mypy", kept, status=1))
    assert found == version
    assert parsed(rest.stdout) == parsed(PLAIN)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,  # beyond what Python reads by recursion
        '{"file": "a.py", "file": "b.py", "line": 1, "column": 0, "message": "m", "code": "c", "severity": "error"}',
        '{"file": "a.py", "line": NaN, "column": 0, "message": "m", "code": "c", "severity": "error"}',
        '{"file": 7, "line": 1, "column": 0, "message": "m", "code": "c", "severity": "error"}',
    ],
    ids=["nested", "a-key-twice", "no-number", "no-path"],
)
def test_json_that_is_not_exact_is_refused(line: str) -> None:
    text = '{"file": "a.py", "line": 1, "column": 0, "message": "m", "code": "c", "severity": "error"}\n' + line + "\n"
    with pytest.raises(NotJudged, match="line 2 that is not understood"):
        parse_mypy(Output("mypy", text.encode(), status=1), PathsBelow(Path("/project")))
