"""Does a comment on a pull request show names as they are, notify nobody, and fit?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from abutment.model.violation import Violation
from abutment.reports.markdown import MARKER, render_markdown, render_summary
from abutment.verdicts.verdict import Run, Verdict

GOLDEN = Path(__file__).parent / "golden"


def rendered(markdown: str) -> str:
    html: str = MarkdownIt("commonmark").enable("table").render(markdown)
    return html


def cells(markdown: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", rendered(markdown), re.DOTALL)
    return [re.findall(r"<t[dh]>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]


def test_a_bot_finds_its_comment_again(run: Run) -> None:
    assert render_markdown(run).startswith(f"{MARKER}\n### abutment: {run.status.value}\n")


def test_tables_keep_their_columns_whatever_a_name_holds(run: Run) -> None:
    assert {len(row) for row in cells(render_markdown(run))} <= {5}


def test_every_violation_is_a_row(runs: Mapping[str, Run]) -> None:
    for name in ("kinds", "strange", "many in few files"):
        rows = [row for row in cells(render_markdown(runs[name])) if "ABT302" in row[1]]
        assert len(rows) == len(runs[name].violations)


def test_names_are_shown_as_they_are(runs: Mapping[str, Run]) -> None:
    (row,) = [row for row in cells(render_markdown(runs["strange"])) if "100%" in row[0]]
    assert row[0] == "<code>a b/100%, été:π|`.py:3</code>"
    assert "a b imports `x|y`, &lt;b&gt;100 %&lt;/b&gt; of [it](now) with \\x1b[31mred" in row[2]
    assert row[4] == "<code>@org/team</code>, <code>someone@example.org</code>"


def test_nobody_is_notified(run: Run) -> None:
    outside_code = re.sub(r"<code>.*?</code>", "", rendered(render_markdown(run)))
    assert not re.search(r"(?<!\w)(@|#\d)", outside_code)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain.py", "<code>plain.py</code>"),
        ("a`b.py", "<code>a`b.py</code>"),
        ("`a``b`", "<code>`a``b`</code>"),
        ("a|b.py", "<code>a|b.py</code>"),
        (" a", "<code> a</code>"),
        ("<b>&amp;", "<code>&lt;b&gt;&amp;amp;</code>"),
    ],
)
def test_a_code_span_holds_any_name(
    violation: Callable[..., Violation],
    verdict: Callable[..., Verdict],
    a_run: Callable[..., Run],
    name: str,
    expected: str,
) -> None:
    row = cells(render_markdown(a_run(verdict(violation(owners=(name,))))))[-1]
    assert row[4] == expected


def test_what_does_not_fit_is_counted(runs: Mapping[str, Run]) -> None:
    comment = render_markdown(runs["many in many files"])
    rows = comment.count("| ABT302 ")
    assert len(comment.encode()) < 65_536
    assert 0 < rows < 400
    assert f"{400 - rows} more did not fit" in comment


def test_a_tiny_limit_still_says_the_status_and_the_numbers(runs: Mapping[str, Run]) -> None:
    summary = render_summary(runs["not judged"], limit=10)
    assert summary.startswith("### abutment: not judged\n")
    assert "2 more did not fit" not in summary
    assert "3 more did not fit" in summary


def test_long_details_are_cut(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    item = violation(details=("\n".join(f"step {number}" for number in range(14)),))
    row = cells(render_markdown(a_run(verdict(item))))[-1]
    assert row[2].endswith("step 9<br>and 4 more lines")


def test_warnings_and_notes_are_lists(runs: Mapping[str, Run]) -> None:
    html = rendered(render_markdown(runs["tolerated"]))
    assert "<h4>Tolerated for now (1)</h4>" in html
    assert "<li><code>boundaries</code>: debt per tracking:<br>ADR-12: 3</li>" in html
    assert "<li><code>boundaries</code>: 100 % | `held`</li>" in html


@pytest.mark.parametrize("name", ["kinds", "strange", "not judged", "tolerated"])
def test_the_comment_is_as_reviewed_and_repeatable(
    runs: Mapping[str, Run], name: str, reviewed: Callable[[Path, str], None]
) -> None:
    text = render_markdown(runs[name])
    reviewed(GOLDEN / f"{name}.md", text)
    assert text.encode() == render_markdown(runs[name]).encode()
