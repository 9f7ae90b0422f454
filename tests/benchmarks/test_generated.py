"""Is the generated codebase what the benchmark of the guard says: under law, the same each time, and held?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.generated import Repository, Shape
from benchmarks.guard import BRANCHES, LIMIT, TARGETS

SMALL = Shape(packages=8, modules=6, functions=2, commits=2)


@pytest.mark.parametrize("branch", BRANCHES)
def test_both_branches_have_debt_and_loosen_nothing(
    branch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.generated.ABUTMENT_PYTHON", Path(sys.executable))
    repository = Repository(tmp_path, SMALL)
    repository.git("checkout", "--quiet", "-b", "feature")
    BRANCHES[branch](repository)
    repository.commit(branch)
    words = [sys.executable, "-m", "abutment", "check", "--no-cache", "--verbose", "--against", "main"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "gate guard: held" in ended.stdout, ended.stdout
    assert "ABT95" not in ended.stdout
    recorded = (tmp_path / "fixtures" / "architecture" / "boundaries.jsonl").read_text(encoding="utf-8")
    assert len(recorded.splitlines()) > 1


def test_a_seed_decides_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.generated.ABUTMENT_PYTHON", Path(sys.executable))
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        Repository(tmp_path / name, SMALL)
        files = sorted((tmp_path / name / "src").rglob("*.py"))
        found.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert found[0] == found[1]


def test_every_branch_has_a_promise_cold_and_warm() -> None:
    assert [(target.name, target.limit) for target in TARGETS] == [
        (f"{name} guarded {state}", LIMIT) for name in BRANCHES for state in ("cold", "warm")
    ]
