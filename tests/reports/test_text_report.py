"""Does a reader see at once what is broken, where, why, and what next?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.text import render_text
from abutment.verdicts.verdict import Run, Status, Verdict, tally

GOLDEN = Path(__file__).parent / "golden"
_COLOUR = re.compile(r"\x1b\[\d+m")


@pytest.mark.parametrize("name", ["held", "kinds", "strange", "tolerated", "not judged", "nothing judged", "narrowed"])
def test_the_text_is_as_reviewed(runs: Mapping[str, Run], name: str, reviewed: Callable[[Path, str], None]) -> None:
    reviewed(GOLDEN / f"{name}.txt", render_text(runs[name]))


def test_every_violation_is_one_line_whatever_the_paths_hold(run: Run) -> None:
    lines = render_text(run).splitlines()
    # A line that is not indented begins with a place, and each violation has exactly one.
    heads = [line for line in lines if re.search(r"ABT\d{3} \w+: (?!warning)", line) and not line.startswith(" ")]
    assert len(heads) == len(tally(*run.verdicts).leading)


def test_the_closing_line_says_the_status_and_never_a_time(run: Run) -> None:
    last = render_text(run).splitlines()[-1]
    assert last.startswith(f"abutment: {run.status.value}: ")
    assert not re.search(r"\d\s*m?s\b", last)


def test_what_is_not_judged_is_shown_even_when_quiet(run: Run) -> None:
    if run.status is Status.NOT_JUDGED:
        assert "not judged: " in render_text(run, quiet=True)


def test_quiet_says_nothing_where_everything_held(runs: Mapping[str, Run]) -> None:
    assert render_text(runs["held"], quiet=True) == ""
    assert render_text(runs["tolerated"], quiet=True) == ""


def test_quiet_keeps_violations_alone(runs: Mapping[str, Run]) -> None:
    quiet, whole = render_text(runs["kinds"], quiet=True), render_text(runs["kinds"])
    assert len(quiet.splitlines()) == len(runs["kinds"].violations)
    assert whole.startswith(quiet)


def test_colour_changes_no_word(run: Run) -> None:
    painted = render_text(run, colour=True)
    assert "\x1b[" in painted
    assert _COLOUR.sub("", painted) == render_text(run)


def test_without_colour_there_is_no_escape_sequence(run: Run) -> None:
    assert "\x1b" not in render_text(run, verbose=True)


def test_rendering_is_repeatable(run: Run) -> None:
    assert render_text(run, verbose=True).encode() == render_text(run, verbose=True).encode()


def test_hundreds_of_violations_are_all_printed_and_counted(runs: Mapping[str, Run]) -> None:
    text = render_text(runs["many in many files"])
    assert text.count("ABT302") == 400
    assert "400 violations (400 new)" in text.splitlines()[-1]


@pytest.mark.parametrize(("verbose", "shown", "closes"), [(False, 5, True), (True, 8, False)])
def test_further_places_are_cut_unless_verbose(
    violation: Callable[..., Violation],
    verdict: Callable[..., Verdict],
    a_run: Callable[..., Run],
    verbose: bool,
    shown: int,
    closes: bool,
) -> None:
    item = violation(sites=tuple(Site("app/a.py", line) for line in range(1, 10)))
    text = render_text(a_run(verdict(item)), verbose=verbose)
    assert text.count("    also app/a.py:") == shown
    assert ("    and 3 more places (--verbose shows all)" in text) is closes


def test_verbose_tells_the_fingerprint_and_what_was_left_out(runs: Mapping[str, Run]) -> None:
    run = runs["narrowed"]
    text = render_text(run, verbose=True)
    assert f"    fingerprint {run.violations[0].fingerprint}\n" in text
    assert "left out: ignored by .gitignore: 2\n" in text
    assert "roots: src\ngrammar: CPython 3.11\n" in text


def test_an_unknown_account_of_files_is_not_invented(runs: Mapping[str, Run]) -> None:
    text = render_text(runs["nothing judged"], verbose=True)
    assert "roots:" not in text
    assert "grammar:" not in text


def test_a_fault_met_by_two_gates_is_told_once(runs: Mapping[str, Run]) -> None:
    text = render_text(runs["not judged"])
    assert text.count("invalid syntax") == 1
    assert "(boundaries, cycles)" in text


def test_owners_stand_beside_the_violation(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    first = render_text(a_run(verdict(violation(owners=("@a/team", "@b"))))).splitlines()[0]
    assert first.endswith(" [@a/team, @b]")


def test_what_only_follows_is_counted_and_not_shown_until_asked(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    cause = violation(what="a imports b")
    follower = violation(what="b imports c", follows=True, sites=(Site("b.py", 1),))
    broken = a_run(verdict(cause, follower))
    assert "b imports c" not in render_text(broken)
    assert "boundaries: 1 more that follow from these and go with them" in render_text(broken)
    assert "b imports c" in render_text(broken, verbose=True)
    assert "b imports c" in render_text(a_run(verdict(follower)))
    assert "gate boundaries: broken (1 new, 1 follow)" in render_text(broken)
    assert "abutment: broken: 1 violation (1 new), 1 that follow; " in render_text(broken)


def test_a_long_note_does_not_bury_what_stands_above_it(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    broken = a_run(verdict(violation(), notes=("word " * 100 + "end",)))
    assert all(len(line) < 260 for line in render_text(broken).splitlines() if line.startswith("note"))
    assert "word end" in render_text(broken, verbose=True)
