"""Every gate's fixture trees, judged by the whole tool: the report must be the expected one, to the letter."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from abutment.cli.main import status_of
from abutment.gates import TABLE, load_gate
from tests.cli.tool import git, repository

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = sorted(path.parent for gate in TABLE for path in (FIXTURES / gate).glob("*/abutment.toml"))
STATUS_OF_CASE = {"kept": 0, "broken": 1, "stale": 1, "malformed": 2}
NEVER_STALE = {"changed"}  # grants nothing, so that there is nothing it could no longer need


@pytest.fixture
def placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Path]:
    """Return a function that says where a case is judged: one with `before/` on a branch, behind a commit of that."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_DATE", "2027-01-01T00:00:00Z")  # so that the commit has one name everywhere

    def place(case: Path) -> Path:
        if not (case / "before").is_dir():
            return case
        root = Path(shutil.copytree(case / "before", tmp_path / case.name))
        repository(root)
        git(root, "checkout", "-q", "-b", "topic")
        git(root, "commit", "-q", "--allow-empty", "-m", "topic")
        return Path(shutil.copytree(case, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("before")))

    return place


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_the_report_is_the_expected_one(
    case: Path,
    placed: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    root = placed(case)
    status = status_of(["check", "--config", str(root), "--no-cache", "--today", "2027-01-01", "--jobs", "1"])
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
    wanted = set(STATUS_OF_CASE) - ({"stale"} if gate in NEVER_STALE else set())
    assert {case.name for case in CASES if case.parent.name == gate} >= wanted
