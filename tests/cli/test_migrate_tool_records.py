"""What ratchets over other tools recorded is held here by the gate over the same tool, with that gate switched on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.records import left, planned, recorded
from tests.cli.tool import Tool
from tests.coverage_reports import coverage_json


def test_what_mypy_baseline_kept_is_recorded_under_the_conditions_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Tool(tmp_path, capsys)
    command = json.dumps([sys.executable, "-m", "mypy"])
    app.write(
        {
            "abutment.toml": f'roots = ["app"]\ngates = ["mypy"]\n\n[mypy]\ncommand = {command}\ntargets = ["app"]\n',
            "app/__init__.py": "",
            "app/one.py": "a: int = ''\nb: int = ''\n\n\ndef f() -> int:\n    return ''\n",
        }
    )
    said = 'app/one.py:0: error: Incompatible types in assignment (expression has type "str", variable has type "int")'
    kept = f"{said}  [assignment]\n{said}  [assignment]\napp/one.py:0: error: Gone since  [misc]\n"
    answer = planned(app, "mypy-baseline", kept, "mypy-baseline.txt")
    assert [line.partition("mypy-baseline.txt:")[2].partition(":")[0] for line in left(answer)] == ["3"]
    (count,) = recorded(app, answer, "mypy").values()
    assert count == 2
    assert '"conditions": {' in app.documents()["mypy.jsonl"].decode().splitlines()[0]
    check = app("check")
    assert check.status == 1
    assert "mypy: broken (1 new)" in check.out


def test_lengths_are_recorded_and_never_above_what_was_admitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Tool(tmp_path, capsys)
    body = "    x = 1\n" * 11
    app.write(
        {
            "abutment.toml": 'roots = ["app"]\ngates = ["sizes"]\n\n[sizes]\nfunction = 10\n',
            "app/__init__.py": "",
            "app/one.py": f"def f():\n{body}\n\ndef f():\n{body}\n\ndef g():\n{body}\n\ndef h():\n{body}",
        }
    )
    lengths = {"app/one.py:f": 12, "app/one.py:f#2": 90, "app/one.py:g": 11}
    answer = planned(app, "complexity", {"method": lengths, "class": {}, "file": {}})
    assert recorded(app, answer, "sizes") == {
        "app.one f function": 12,
        "app.one f#2 function": 12,
        "app.one g function": 11,
    }
    check = app("check").out
    assert "grown from 11 to 12" in check
    assert "sizes: broken (1 new, 1 grown)" in check


def test_counts_of_ruff_by_file_and_code_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = Tool(tmp_path, capsys)
    app.write(
        {
            "abutment.toml": 'roots = ["app"]\ngates = ["lint"]\n\n[lint]\ntargets = ["app"]\n',
            "ruff.toml": '[lint]\nselect = ["F401", "E711"]\n',
            "app/__init__.py": "",
            "app/one.py": "import os\nimport sys\nimport re\n\n\ndef f(a):\n    return a == None\n",
        }
    )
    counts = {"app/one.py": {"F401": 2, "E711": 5, "E999": 1}, "app/gone.py": {"F401": 1}}
    answer = planned(app, "ruff", counts)
    assert [line.partition("debt.json: ")[2].partition(":")[0] for line in left(answer)] == [
        "app/gone.py.F401",
        "app/one.py.E999",
    ]
    assert "lint: 1 fact of the code no record names" in answer.out
    entries = recorded(app, answer, "lint")
    assert sorted(entries.values()) == [1, 1, 1]
    assert sum("F401" in entry for entry in entries) == 2
    check = app("check")
    assert (check.status, "lint: broken (1 new)" in check.out) == (1, True), check.out


def test_counts_of_mypy_by_file_and_code_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = Tool(tmp_path, capsys)
    command = json.dumps([sys.executable, "-m", "mypy"])
    app.write(
        {
            "abutment.toml": f'roots = ["app"]\ngates = ["mypy"]\n\n[mypy]\ncommand = {command}\ntargets = ["app"]\n',
            "app/__init__.py": "",
            "app/one.py": "a: int = ''\n\n\ndef f() -> int:\n    return ''\n",
        }
    )
    answer = planned(app, "mypy", {"app/one.py": {"assignment": 7, "return-value": 1}})
    assert left(answer) == []
    assert list(recorded(app, answer, "mypy").values()) == [1, 1]
    assert app("check").status == 0


def test_figures_of_complexity_are_recorded_and_never_above_what_was_admitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Tool(tmp_path, capsys)
    body = "".join(f"    if a == {number}:\n        a += 1\n" for number in range(5))
    app.write(
        {
            "abutment.toml": 'roots = ["app"]\ngates = ["complexity"]\n\n[complexity]\ncomplexity = 3\n',
            "app/__init__.py": "",
            "app/one.py": f"def f(a):\n{body}\n\ndef f(a):\n{body}\n\ndef g(a):\n{body}\n\ndef h(a):\n{body}",
        }
    )
    figures = {"app/one.py:f": 6, "app/one.py:f#2": 90, "app/one.py:g": 5, "app/one.py:gone": 9}
    document = {"schema_version": 3, "thresholds": {"C901": 3}, "metrics": {"C901": figures, "PLR1702": {}}}
    answer = planned(app, "complexity", document)
    assert [line.partition("debt.json: ")[2] for line in left(answer)] == [
        "C901.app/one.py:gone: app/one.py:gone has 9: the code has nothing of that kind that may still be granted."
    ]
    assert recorded(app, answer, "complexity") == {
        "app.one f C901": 6,
        "app.one f#2 C901": 6,
        "app.one g C901": 5,
    }
    check = app("check").out
    assert "complexity: broken (1 new, 1 grown)" in check, check


COVERED = """\
roots = ["app"]
gates = ["coverage"]

[[coverage.groups]]
name = "domain"
modules = ["app.domain"]
"""


@pytest.mark.parametrize(("covered", "recorded_as", "status"), [(1, 2, 0), (3, 1, 1)])
def test_statements_that_packages_missed_are_recorded_and_never_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], covered: int, recorded_as: int, status: int
) -> None:
    app = Tool(tmp_path, capsys)
    files = {"app/__init__.py": "", "app/domain.py": "a = 1\nb = 2\nc = 3\nd = 4\n", "app/other.py": "e = 5\n"}
    report = coverage_json({"app/__init__.py": "", "app/domain.py": "1 2 !3 !4", "app/other.py": "1"})
    app.write({"abutment.toml": COVERED, **files, "coverage.json": report})
    whole = {"statements": 9, "covered_lines": 9, "percent": 100.0}
    figures = {"statements": 4, "covered_lines": covered, "percent": 25.0 * covered}
    answer = planned(app, "coverage", {"domain": figures, "application": whole, "gone": {**figures}})
    (cause,) = left(answer)
    missed = "1 statement" if covered == 3 else f"{4 - covered} statements"
    assert cause.endswith(
        f"gone: gone misses {missed}: no group of that name has statements that no test runs. "
        "`groups` of [tool.abutment.coverage] say which modules a group has."
    )
    assert recorded(app, answer, "coverage") == {"domain statements ": recorded_as}
    check = app("check")
    assert check.status == status, check.out
    assert ("grown from 1 to 2" in check.out) == (status == 1)
