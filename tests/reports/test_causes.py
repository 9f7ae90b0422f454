"""Is every cause told once, with the gates it stopped?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abutment.model.fault import Fault
from abutment.reports.causes import Cause, causes
from abutment.verdicts.verdict import Run, Status, Verdict


def test_a_run_that_is_not_judged_always_has_a_cause(run: Run) -> None:
    assert any(cause.stops for cause in causes(run)) is (run.status is Status.NOT_JUDGED)


def test_a_shared_fault_names_its_gates_in_order(runs: Mapping[str, Run]) -> None:
    assert [(cause.fault.path, cause.gates, cause.stops) for cause in causes(runs["not judged"])] == [
        ("", ("cycles",), True),
        ("app/bad.py", ("boundaries", "cycles"), True),
        ("tests/odd.py", (), False),
    ]


def test_a_fault_that_stopped_nobody_stops_nothing(verdict: Callable[..., Verdict], a_run: Callable[..., Run]) -> None:
    fault = Fault("a.py", 1, "odd")
    assert causes(a_run(verdict(faults=(fault, fault)))) == (Cause(fault, ("boundaries",), False),)


def test_a_fault_of_the_run_stops_it(a_run: Callable[..., Run], verdict: Callable[..., Verdict]) -> None:
    fault = Fault("pyproject.toml", 1, "odd")
    assert causes(a_run(verdict(), faults=(fault,))) == (Cause(fault, (), True),)
