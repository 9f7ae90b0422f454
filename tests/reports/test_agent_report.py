"""Does a coding agent learn what is asked, where, what to do and what is not its to do, and in bounds?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.reports.agent import (
    LONGEST_LINE,
    MOST_CAUSES,
    MOST_DETAILS,
    MOST_PLACES,
    MOST_REMEDIES,
    MOST_RULES,
    render_agent,
)
from abutment.reports.merged import merged, rebased
from abutment.reports.rules import GateText
from abutment.verdicts.verdict import Run, Status, Verdict, tally

GOLDEN = Path(__file__).parent / "golden"
Make = Callable[..., Violation]


@pytest.mark.parametrize("name", ["held", "kinds", "strange", "not judged", "nothing judged", "narrowed", "followed"])
def test_the_text_is_as_reviewed(
    runs: Mapping[str, Run], gate: GateText, name: str, reviewed: Callable[[Path, str], None]
) -> None:
    law = ("abutment.toml", "fixtures/architecture")
    reviewed(GOLDEN / f"{name}.agent.txt", render_agent(replace(runs[name], law=law), [gate], "abutment check"))


def test_what_was_not_judged_comes_first_and_the_verdict_last(run: Run) -> None:
    lines = render_agent(run).splitlines()
    assert lines[0].startswith(f"# abutment: {run.status.value}")
    assert lines[-1].startswith(f"Verdict: {run.status.value}, exit status {run.status.exit_status}.")
    titles = [line for line in lines if line.startswith("## ")]
    assert not any("Not judged" in title for title in titles[1:])
    if run.status is Status.NOT_JUDGED:
        assert titles[0] == "## Not judged: mend this first"


def test_whoever_has_something_to_do_learns_what_is_not_theirs_and_how_to_ask_again(run: Run) -> None:
    said = render_agent(run, again="abutment check bans")
    assert ("## Not yours to do" in said) == (run.status is not Status.HELD)
    assert ("Run again: abutment check bans\n" in said) == (run.status is not Status.HELD)


def test_there_is_neither_colour_nor_a_time_nor_a_place_that_forges_a_line(run: Run) -> None:
    said = render_agent(run)
    assert "\x1b" not in said
    assert said == render_agent(run)
    assert len([line for line in said.splitlines() if line.startswith("Verdict: ")]) == 1


def test_every_rule_says_cause_places_remedy_and_what_not_to_do(
    violation: Make, verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    first, second = violation(), violation(rule="ABT301", identity=(("importer", "a"),), remedy="Turn it round.")
    said = render_agent(a_run(verdict(first, second)))
    for rule, remedy in (("ABT301", "Turn it round."), ("ABT302", "Import adapters.network instead")):
        part = said[said.index(f"## {rule}") :].partition("\n\n")[0].splitlines()
        assert [line.partition(":")[0] for line in part[1:] if not line.startswith(("-", " "))] == [
            "Cause",
            "Places",
            "Do",
            "Do not",
        ]
        assert f"Do: {remedy}" in "\n".join(part)


@pytest.mark.parametrize("kind", [Kind.GONE, Kind.SHRUNK])
def test_a_stale_grant_is_no_reason_to_bring_the_code_back(
    violation: Make, verdict: Callable[..., Verdict], a_run: Callable[..., Run], kind: Kind
) -> None:
    said = render_agent(a_run(verdict(violation(kind=kind))))
    assert "Do not: bring the old code back" in said


def test_a_loosened_law_is_no_reason_to_write_an_amendment(
    violation: Make, verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    assert "Do not: amend it yourself" in render_agent(a_run(verdict(violation(kind=Kind.LOOSENED))))


def test_it_stays_within_bounds_and_counts_the_rest(
    violation: Make, verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    many = [
        violation(
            rule=f"ABT{rule}",
            identity=(("importer", f"m{number}"),),
            what=f"m{number} " + "x" * 2 * LONGEST_LINE,
            sites=tuple(Site(f"m{number}.py", line) for line in range(1, 40)),
            details=("one", "two"),
        )
        for rule in range(300, 340)
        for number in range(30)
    ]
    faults = tuple(Fault(f"f{number}.py", 1, "cannot be read") for number in range(50))
    said = render_agent(a_run(verdict(*many, status=Status.NOT_JUDGED, faults=faults)))
    lines = said.splitlines()
    assert max(map(len, lines)) == LONGEST_LINE
    assert len(lines) <= 40 + MOST_CAUSES + MOST_RULES * (MOST_PLACES * (MOST_DETAILS + 2) + 6)
    assert f"- and {50 - MOST_CAUSES} more causes" in lines
    assert lines.count(f"- and {30 - MOST_PLACES} more places") == MOST_RULES
    assert f"  - and {2 + 38 - MOST_DETAILS} more lines" in lines
    assert f"And {40 - MOST_RULES} more rules with {30 * (40 - MOST_RULES)} violations: mend these first" in said


def test_many_ways_to_mend_one_rule_are_counted(
    violation: Make, verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    several = [violation(identity=(("importer", f"m{at}"),), remedy=f"Way {at}.") for at in range(7)]
    said = render_agent(a_run(verdict(*several)))
    assert re.findall(r"Do: Way (\d)", said) == ["0", "1", "2", "3"]
    assert "- and 3 more places" in said


def test_every_violation_that_leads_is_counted(run: Run) -> None:
    counts = [int(number) for number in re.findall(r"^## \S+ \S+: (\d+) violations?$", render_agent(run), re.MULTILINE)]
    assert sum(counts) == len(tally(*run.verdicts).leading)


def test_the_bounds_are_those_of_the_page() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8").split())
    assert (
        f"at most {MOST_RULES} rules, {MOST_REMEDIES} remedies of each, {MOST_PLACES} places of each remedy and "
        f"{MOST_DETAILS} lines below a place, {MOST_CAUSES} causes and {LONGEST_LINE} characters a line"
    ) in page


def test_the_law_of_several_roots_is_named_as_seen_from_above(runs: Mapping[str, Run]) -> None:
    one = replace(runs["kinds"], law=("abutment.toml", "law"))
    assert "holds the law: pay/abutment.toml, pay/law." in render_agent(rebased(one, "pay"))
    both = render_agent(merged([("pay", one), (".", one)]))
    assert "holds the law: pay/abutment.toml, pay/law, abutment.toml, law." in both


def test_what_stops_a_gate_is_told_before_what_stops_none(
    verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    stopping, other = Fault("z.py", 1, "cannot be read"), Fault("a.py", 1, "cannot be read")
    run = a_run(verdict(status=Status.NOT_JUDGED, faults=(stopping,)))
    said = render_agent(replace(run, files=replace(run.files, not_judged=(stopping, other))))
    assert re.findall(r"^- (\w)\.py:1: ", said, re.MULTILINE) == ["z", "a"]
