"""No broken answer of ruff is one: every one of a collection of them is not judged."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.ruff_figures import parse_figures
from abutment.sources.tools.ruff_output import parse_ruff, without_figure

FOLDER = Path(__file__).parents[2] / "fixtures" / "tools" / "ruff"
BROKEN = [one for rows in tomllib.loads((FOLDER / "outputs.toml").read_text("utf-8")).values() for one in rows]
PATHS = PathsBelow(Path("/somewhere/else"), "/srv/checkout")
WHOLE = (FOLDER / "whole.out").read_bytes()


def kept(name: str, status: int | None) -> Output:
    complaints = FOLDER / f"{name}.err"
    stderr = complaints.read_bytes() if complaints.exists() else b""
    return Output("ruff", (FOLDER / f"{name}.out").read_bytes(), stderr, status)


@pytest.mark.parametrize("one", BROKEN, ids=lambda one: str(one["name"]))
def test_a_broken_answer_is_not_judged(one: dict[str, Any]) -> None:
    with pytest.raises(NotJudged) as refusal:
        parse_ruff(kept(one["name"], one["status"]), PATHS)
    assert one["says"] in refusal.value.faults[0].message


def test_every_output_that_is_kept_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.out")} == {one["name"] for one in BROKEN} | {"whole"}
    assert len(BROKEN) >= 25


def test_the_whole_answer_is_one() -> None:
    found = parse_ruff(kept("whole", 1), PATHS)
    assert [(one.path, one.line, one.code) for one in found] == [
        ("pk/a.py", 1, "F401"),
        ("pk/a.py", 2, "F401"),
        ("pk/a.py", 5, "B006"),
        ("pk/a.py", 8, "E722"),
        ("pk/b.py", 1, "F401"),
    ]


def test_an_answer_that_is_cut_anywhere_is_not_judged() -> None:
    last = WHOLE.rstrip()
    for end in range(0, len(last), 7):
        with pytest.raises(NotJudged):
            parse_ruff(Output("ruff", last[:end], b"", 1), PATHS)


@pytest.mark.parametrize("status", [-11, -6, 2, 3, 101, 127, 134])
def test_a_whole_list_under_another_status_is_none(status: int) -> None:
    with pytest.raises(NotJudged):
        parse_ruff(Output("ruff", WHOLE, b"", status), PATHS)


@pytest.mark.parametrize(("text", "status"), [(b"[]", 1), (WHOLE, 0)])
def test_a_status_that_the_list_belies_is_not_judged(text: bytes, status: int) -> None:
    with pytest.raises(NotJudged, match=f"status {status} and shows"):
        parse_ruff(Output("ruff", text, b"", status), PATHS)


def test_an_empty_list_is_an_answer_where_nothing_is_wrong() -> None:
    assert parse_ruff(Output("ruff", b"[]", b"", 0), PATHS) == ()


@pytest.mark.parametrize(
    "line",
    [
        "warning: `TCH001` has been remapped to `TC001`.",
        "warning: Selection `PLR1702` has no effect because preview is not enabled.",
        "warning: `incorrect-blank-line-before-class` (D203) and `no-blank-line-before-class` (D211) are incompatible. "
        "Ignoring `incorrect-blank-line-before-class`.",
        "warning: The top-level linter settings are deprecated in favour of their counterparts in the `lint` section. "
        "Please update the following options in `ruff.toml`:\n  - 'select' -> 'lint.select'",
        "warning: Invalid `# noqa` directive on nq.py:2: expected a comma-separated list of codes.",
        "warning: Missing or joined rule code(s) at nq.py:5: expected comma or space delimiter between codes",
    ],
)
def test_a_warning_that_leaves_the_work_whole_is_heard_as_such(line: str) -> None:
    assert len(parse_ruff(Output("ruff", WHOLE, f"{line}\n".encode(), 1), PATHS)) == 5
    for also in ("warning: Failed to lint a.py: Permission denied (os error 13)", "error: Failed to parse a.py:1:7"):
        with pytest.raises(NotJudged, match="Failed to"):
            parse_ruff(Output("ruff", WHOLE, f"{line}\n{also}\n".encode(), 1), PATHS)


def test_a_message_holds_its_limit_and_not_how_far_something_is_beyond() -> None:
    assert without_figure("Line too long (130 > 120)") == "Line too long (# > 120)"
    assert without_figure("`x` is 3 > 2") == "`x` is 3 > 2"


def figures(message: str, code: str = "C901") -> Output:
    row = f'"code": "{code}", "message": "{message}", "filename": "/srv/checkout/a.py"'
    text = f'[{{{row}, "location": {{"row": 3, "column": 1}}}}]'
    return Output("ruff", text.encode(), b"", 1)


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (figures("`f` is too complex (17 > 10)"), "was asked for C901 above 15"),
        (figures("`f` is too complex (15 > 15)"), "was asked for C901 above 15"),
        (figures("Too many nested blocks (6 > 4)", "PLR1702"), "was asked for PLR1702 above 5"),
        (figures("`f` is too complex"), "no figure"),
        (figures("`f` is too complex (many > 15)"), "no figure"),
        (figures("`f` is rather complex (17 > 15)"), "no figure"),
        (figures("`os` imported but unused", "F401"), "no figure"),
        (figures("Too many nested blocks (6 > 5)"), "no figure"),
        (Output("ruff", b"[]", b"warning: `TCH001` has been remapped to `TC001`.", 0), "complained"),
        (Output("ruff", b"", b"", 0), "nothing at all"),
        (Output("ruff", b"[]", b"", 1), "status 1 and shows 0"),
        (kept("syntax-new", 1), "invalid-syntax"),
    ],
)
def test_what_is_no_figure_is_not_judged(output: Output, says: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        list(parse_figures(output, PATHS, {"C901": 15, "PLR1702": 5}))
    assert says in refusal.value.faults[0].message
