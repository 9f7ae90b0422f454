"""Does the runner of GitHub Actions read what we meant, and keep all of it?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.github import LIMIT, render_github, render_step_summary
from abutment.reports.text import render_text
from abutment.verdicts.verdict import Run, Verdict

GOLDEN = Path(__file__).parent / "golden"
_COMMAND = re.compile(r"::(?P<name>[\w-]+)(?: (?P<properties>.*?))?::(?P<data>.*)")


@dataclass(frozen=True)
class Command:
    """One workflow command as the runner understands it."""

    name: str
    properties: dict[str, str]
    data: str


def commands(log: str) -> list[Command]:
    """Read a log as GitHub documents it: a command begins a line, and `stop-commands` pauses reading."""
    found: list[Command] = []
    paused = ""
    for line in log.split("\n"):
        match = _COMMAND.fullmatch(line.lstrip())
        if paused:
            paused = "" if line == f"::{paused}::" else paused
        elif match and match["name"] == "stop-commands":
            paused = match["data"]
        elif match:
            pairs = [pair.split("=", 1) for pair in (match["properties"] or "").split(",") if pair]
            properties = {name: unescaped(value) for name, value in pairs}
            found.append(Command(match["name"], properties, unescaped(match["data"])))
    assert not paused
    return found


def unescaped(text: str) -> str:
    for escape, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def test_no_kind_has_more_annotations_than_github_keeps(run: Run) -> None:
    names = Counter(command.name for command in commands(render_github(run)))
    assert set(names) <= {"error", "warning", "notice"}
    assert all(number <= LIMIT for number in names.values())


def test_a_red_run_has_an_error_and_a_green_one_has_none(run: Run) -> None:
    errors = [command for command in commands(render_github(run)) if command.name == "error"]
    assert bool(errors) is (run.status.exit_status != 0)


def test_the_whole_text_stands_in_the_log(run: Run) -> None:
    assert render_text(run) in render_github(run)


def test_a_path_cannot_give_the_runner_a_command(runs: Mapping[str, Run]) -> None:
    log = render_github(runs["strange"])
    assert "\n::error file=x::y/a.py:1: ABT302" in log
    assert len(commands(log)) == len(runs["strange"].violations)


def test_properties_read_back_as_they_were(runs: Mapping[str, Run]) -> None:
    files = {command.properties.get("file") for command in commands(render_github(runs["strange"]))}
    assert files == {
        None,
        "fixtures/architecture/boundaries.jsonl",
        "::error file=x::y/a.py",
        "a b/100%, été:π|`.py",
        "app/zero.py",
    }


def test_a_message_keeps_its_lines(runs: Mapping[str, Run]) -> None:
    (message,) = [c.data for c in commands(render_github(runs["strange"])) if "été" in c.properties.get("file", "")]
    assert "100 %</b>" in message
    assert message.endswith("\napp.a -> app.b\napp.b -> app.c\n\\u202eesrever")


@pytest.mark.parametrize(
    ("site", "expected"),
    [
        (Site("a.py"), {}),
        (Site("a.py", 3), {"line": "3"}),
        (Site("a.py", 3, 5), {"line": "3", "col": "5"}),
        (Site("a.py", 3, 5, 3, 9), {"line": "3", "endLine": "3", "col": "5", "endColumn": "9"}),
        (Site("a.py", 3, 5, 3, 0), {"line": "3", "endLine": "3", "col": "5"}),
        (Site("a.py", 3, 5, 4, 2), {"line": "3", "endLine": "4"}),
    ],
)
def test_columns_are_given_only_on_one_line(
    violation: Callable[..., Violation],
    verdict: Callable[..., Verdict],
    a_run: Callable[..., Run],
    site: Site,
    expected: dict[str, str],
) -> None:
    (command,) = commands(render_github(a_run(verdict(violation(sites=(site,))))))
    assert command.properties == {"file": "a.py", **expected, "title": "ABT302 boundaries"}


def test_ten_annotations_are_shown_one_by_one(runs: Mapping[str, Run]) -> None:
    assert [c.properties["line"] for c in commands(render_github(runs["ten"]))] == [str(n) for n in range(1, 11)]


def test_more_than_ten_are_gathered_by_file(runs: Mapping[str, Run]) -> None:
    found = commands(render_github(runs["many in few files"]))
    assert [command.properties["title"] for command in found] == [
        "ABT302 boundaries (9)",
        "ABT302 boundaries (8)",
        "ABT302 boundaries (8)",
    ]
    assert [command.data.count("app.m") for command in found] == [9, 8, 8]


def test_what_is_still_too_much_is_counted(runs: Mapping[str, Run]) -> None:
    *shown, last = commands(render_github(runs["many in many files"]))
    assert len(shown) == LIMIT - 1
    assert last.properties == {"title": "abutment: 391 more"}
    assert last.data.startswith("391 more, in 391 more files.")


def test_a_group_of_several_rules_has_a_common_title_and_a_bounded_message(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    items = [
        violation(rule=f"ABT30{number % 2}", identity=(("n", str(number)),), sites=(Site("a.py", number),))
        for number in range(12)
    ]
    (command,) = commands(render_github(a_run(verdict(*items))))
    assert command.properties["title"] == "abutment (12)"
    assert len(command.data.splitlines()) == 11
    assert command.data.endswith("and 2 more lines (see the log)")
    assert command.data.startswith("new: ")  # the one without a line names none


def test_causes_come_before_violations(runs: Mapping[str, Run]) -> None:
    found = commands(render_github(runs["not judged"]))
    assert [(c.name, c.properties["title"]) for c in found] == [
        ("error", "abutment: not judged"),
        ("error", "abutment: not judged"),
        ("error", "ABT302 boundaries"),
        ("warning", "abutment: not judged"),
    ]


def test_what_looks_like_an_escape_reads_back_as_it_was(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    item = violation(what="a%0Ab%25 is", sites=(Site("a%3Ab%25.py", 1),))
    (command,) = commands(render_github(a_run(verdict(item))))
    assert command.properties["file"] == "a%3Ab%25.py"
    assert command.data.startswith("new: a%0Ab%25 is, which ")


def test_owners_are_told(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    (command,) = commands(render_github(a_run(verdict(violation(owners=("@team",))))))
    assert command.data.endswith(" [@team]")


def test_the_log_is_as_reviewed_and_repeatable(runs: Mapping[str, Run], reviewed: Callable[[Path, str], None]) -> None:
    text = render_github(runs["not judged"])
    reviewed(GOLDEN / "not judged.github", text)
    assert text.encode() == render_github(runs["not judged"]).encode()


def test_the_step_summary_fits_and_says_what_did_not(runs: Mapping[str, Run]) -> None:
    summary = render_step_summary(runs["many in many files"])
    assert summary.startswith("### abutment: broken\n")
    assert len(summary.encode()) < 1_048_576
