"""One gate's answer and a whole run's: the worst wins, and nothing asked is not judged."""

from __future__ import annotations

import pytest

from abutment.model.fault import Fault
from abutment.model.grants import Grants, Recorded
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import FileAccount, Run, Status, Verdict
from tests.baselines.laws import TERMS, TODAY, key, measured

HELD, BROKEN = Verdict("a", Status.HELD), Verdict("b", Status.BROKEN)
NOT_JUDGED = Verdict("c", Status.NOT_JUDGED)


def run(*verdicts: Verdict, faults: tuple[Fault, ...] = ()) -> Run:
    return Run("0", ".", verdicts, FileAccount(1, (), (), "CPython 3.11"), faults=faults)


@pytest.mark.parametrize(
    ("whole", "status", "exit_status"),
    [
        (run(HELD, HELD), Status.HELD, 0),
        (run(HELD, BROKEN), Status.BROKEN, 1),
        (run(BROKEN, NOT_JUDGED, HELD), Status.NOT_JUDGED, 2),
        (run(), Status.NOT_JUDGED, 2),
        (run(HELD, faults=(Fault("", 0, "nothing."),)), Status.NOT_JUDGED, 2),
    ],
)
def test_the_worst_verdict_is_the_runs(whole: Run, status: Status, exit_status: int) -> None:
    assert (whole.status, whole.status.exit_status) == (status, exit_status)


def test_violations_of_all_gates_stand_in_one_order() -> None:
    grants = Grants(recorded=(Recorded(key("c z q"), 1, 2),))
    one = judge(TERMS, measured({"c b x": 1, "c a x": 1}), grants, TODAY)
    whole = run(one, BROKEN)
    assert [violation.sites[0].path for violation in whole.violations] == ["a.py", "b.py", TERMS.baseline]
    assert run(BROKEN, one).violations == whole.violations
