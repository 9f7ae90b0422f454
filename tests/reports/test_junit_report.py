"""Does a reader of JUnit XML see red where the run is red, and nothing lost?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

from abutment.reports.junit import render_junit
from abutment.verdicts.verdict import Run, tally

GOLDEN = Path(__file__).parent / "golden"
_ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name", "file"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
}
_CHILDREN = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error", "skipped"}}


def suites(run: Run) -> ElementTree.Element:
    """Read the report as GitLab and Jenkins do, refusing what they do not know."""
    top = ElementTree.fromstring(render_junit(run).encode())
    assert top.tag == "testsuites"
    for element in top.iter():
        assert set(element.attrib) <= _ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= _CHILDREN.get(element.tag, set())
    for element in [top, *top]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(element.attrib[attribute]) == len(list(element.iter(tag)))
        assert int(element.attrib["skipped"]) == len(list(element.iter("skipped")))
    return top


def test_the_report_reads_back(run: Run) -> None:
    suites(run)


def test_red_is_red_and_green_is_green(run: Run) -> None:
    top = suites(run)
    assert int(top.attrib["failures"]) == len(tally(*run.verdicts).leading)
    assert (int(top.attrib["errors"]) > 0) is (run.status.exit_status == 2)
    assert int(top.attrib["tests"]) > 0


def test_no_two_cases_of_a_suite_share_a_name(run: Run) -> None:
    for suite in suites(run):
        names = [case.attrib["name"] for case in suite]
        assert len(names) == len(set(names))


def test_a_held_gate_is_a_passing_case(runs: Mapping[str, Run]) -> None:
    cases = [case for suite in suites(runs["held"]) for case in suite]
    assert [(case.attrib["classname"], len(case)) for case in cases] == [
        ("abutment.boundaries", 0),
        ("abutment.cycles", 0),
    ]


def test_tolerated_debt_is_skipped(runs: Mapping[str, Run]) -> None:
    top = suites(runs["tolerated"])
    assert (top.attrib["skipped"], top.attrib["failures"]) == ("1", "0")


def test_the_report_is_as_reviewed_and_repeatable(
    runs: Mapping[str, Run], reviewed: Callable[[Path, str], None]
) -> None:
    for name in ("strange", "not judged"):
        text = render_junit(runs[name])
        reviewed(GOLDEN / f"{name}.xml", text)
        assert text.encode() == render_junit(runs[name]).encode()


def test_what_follows_stands_in_the_case_that_leads_it(runs: Mapping[str, Run]) -> None:
    top = suites(runs["followed"])
    assert top.attrib["failures"] == "1"
    said = top.findtext(".//failure") or ""
    assert "25 more violations follow from this one" in said
    assert said.endswith("and 5 more")
