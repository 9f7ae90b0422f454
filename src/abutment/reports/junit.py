"""How is a run handed to a test report? JUnit XML: a suite a gate, a case a violation.

A gate that held is one passing case; a cause for which something was not judged is an error, so that no
report is green where the exit status is not 0. What only follows from another violation stands in its case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import visible, visible_lines
from abutment.reports.ordinals import Ordinals
from abutment.reports.wording import advice, clause, fault_text, follow_text, place
from abutment.verdicts.verdict import Run, Status, Verdict, followers

_FOLLOWERS = 20  # that are listed beside the one that leads them


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    outcome: str = ""  # "failure", "error", "skipped"; "" is a pass
    type: str = ""
    message: str = ""
    text: str = ""
    file: str = ""


def render_junit(run: Run) -> str:
    """Return the run as JUnit XML."""
    found = causes(run)
    suites = [(verdict.gate, list(_cases(verdict, found))) for verdict in run.verdicts]
    apart = [_of_cause(cause) for cause in found if not cause.gates]
    if apart:
        suites.insert(0, ("run", apart))
    top = Element("testsuites", {"name": "abutment", **_totals([case for _name, cases in suites for case in cases])})
    for name, cases in suites:
        _append(top, visible(name), cases)
    indent(top)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(top, encoding="unicode")}\n'


def _cases(verdict: Verdict, found: tuple[Cause, ...]) -> Iterator[_Case]:
    yield from (_of_cause(cause) for cause in found if verdict.gate in cause.gates)
    for violation, following in followers(verdict).items():
        yield _of_violation(violation, "failure", following)
    yield from (_of_violation(violation, "skipped") for violation in verdict.tolerated)
    if verdict.status is Status.HELD:
        yield _Case("held")


def _of_cause(cause: Cause) -> _Case:
    text = fault_text(cause.fault)
    whole = _placed(cause.fault.site, text)
    outcome = "error" if cause.stops else "skipped"
    return _Case(f"not judged: {whole}", outcome, "not judged", text, whole, cause.fault.path)


def _of_violation(violation: Violation, outcome: str, following: Sequence[Violation] = ()) -> _Case:
    site = place(violation)
    lines = [
        _placed(site, advice(violation)),
        *(line for detail in violation.details for line in visible_lines(detail)),
        *(f"also {visible(other.place())}" for other in violation.sites[1:]),
        *(f"owner {visible(owner)}" for owner in violation.owners),
        *_followers(following),
    ]
    name = visible(f"{violation.rule} {violation.kind}: {violation.what}")
    return _Case(name, outcome, violation.kind.value, clause(violation), "\n".join(lines), site.path)


def _followers(following: Sequence[Violation]) -> Iterator[str]:
    if following:
        yield follow_text(len(following))
    for violation in following[:_FOLLOWERS]:
        yield f"follows: {_placed(place(violation), visible(violation.what))}"
    if len(following) > _FOLLOWERS:
        yield f"and {len(following) - _FOLLOWERS} more"


def _placed(site: Site, text: str) -> str:
    return f"{visible(site.place())}: {text}" if site.path else text


def _append(top: Element, suite: str, cases: list[_Case]) -> None:
    element, ordinals = SubElement(top, "testsuite", {"name": suite, **_totals(cases)}), Ordinals()
    for case in cases:
        # Readers drop a case whose name another case of its class bears.
        ordinal = ordinals.next(case.name)
        name = case.name if ordinal == 1 else f"{case.name} ({ordinal})"
        file = {"file": visible(case.file)} if case.file else {}
        added = SubElement(element, "testcase", {"classname": f"abutment.{suite}", "name": name, **file})
        if case.outcome == "skipped":
            SubElement(added, "skipped", {"message": case.message})
        elif case.outcome:
            SubElement(added, case.outcome, {"type": case.type, "message": case.message}).text = case.text


def _totals(cases: list[_Case]) -> dict[str, str]:
    outcomes = [case.outcome for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
        "skipped": str(outcomes.count("skipped")),
    }
