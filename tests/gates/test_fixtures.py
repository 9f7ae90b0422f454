"""Every gate's fixture trees, judged by the whole tool: the report must be the expected one, to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abutment.cli.main import status_of
from abutment.gates import TABLE, load_gate

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = sorted(path.parent for gate in TABLE for path in (FIXTURES / gate).glob("*/abutment.toml"))
STATUS_OF_CASE = {"kept": 0, "broken": 1, "stale": 1, "malformed": 2}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_the_report_is_the_expected_one(
    case: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    status = status_of(["check", "--config", str(case), "--no-cache", "--today", "2027-01-01", "--jobs", "1"])
    said = f"exit {status}\n{capsys.readouterr().out}"
    expected = case / "expected.txt"
    if request.config.getoption("--accept"):
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")
    assert status == STATUS_OF_CASE.get(case.name, status)


@pytest.mark.parametrize("gate", TABLE)
def test_a_gate_has_the_rules_that_its_reports_name(gate: str) -> None:
    said = "".join((case / "expected.txt").read_text("utf-8") for case in CASES if case.parent.name == gate)
    named = set(re.findall(rf"(ABT\d+) {gate}:", said))
    assert named
    assert named <= {rule.id for rule in load_gate(gate).rules}


@pytest.mark.parametrize("gate", TABLE)
def test_four_cases_show_the_gates_teeth(gate: str) -> None:
    assert {case.name for case in CASES if case.parent.name == gate} >= set(STATUS_OF_CASE)
