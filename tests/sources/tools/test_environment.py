"""A tool's answer depends on the project, and on no variable of who asks that its record does not hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from abutment.sources.tools.coverage import coverage_conditions
from abutment.sources.tools.coverage_report import CoverageReport
from abutment.sources.tools.environment import MISLEADING, tool_environment, variables_in
from tests.cli.tool import Tool

CODE = "import os\n\n\ndef f(x: int) -> str:\n    assert x\n    return x\n"
PYPROJECT = """
[tool.abutment]
roots = ["shop"]
gates = ["lint", "complexity", "mypy", "coverage"]

[tool.abutment.mypy]
targets = ["shop"]

[tool.abutment.coverage]
data = ".coverage"

[tool.ruff.lint]
select = ["F"]
"""


@pytest.mark.parametrize("value", ["1", "true", "/nowhere"])
def test_no_variable_that_misleads_makes_another_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    tool = Tool(tmp_path, capsys)
    tool.write({"pyproject.toml": PYPROJECT, "shop/__init__.py": "", "shop/cart.py": CODE})
    ran = [sys.executable, "-m", "coverage", "run", "--source=shop", "-m", "shop.cart"]
    subprocess.run(ran, cwd=tmp_path, env=tool_environment({}), check=True)
    assert tool("init").status == 0
    plain = tool("check")
    assert plain.status == 0
    for name in MISLEADING:
        monkeypatch.setenv(name, value)
    answer = tool("check")
    assert (answer.status, answer.out) == (0, plain.out)
    assert tool("tighten").status == 0


def test_what_a_configuration_names_is_a_condition_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def configured() -> str:
        return coverage_conditions(CoverageReport("7.6", False, {}), tmp_path)["configuration"]

    (tmp_path / ".coveragerc").write_text("[run]\nomit = ${LEFT_OUT-none}\n[html]\ntitle = $TITLE\n", encoding="utf-8")
    monkeypatch.delenv("LEFT_OUT", raising=False)
    before = configured()
    monkeypatch.setenv("TITLE", "another")
    assert configured() == before
    monkeypatch.setenv("LEFT_OUT", "shop/*")
    assert configured() != before


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("$HERE/stubs", {"$HERE": b"./below"}),
        ("${HERE}", {"$HERE": b"./below"}),
        ("${HERE?}", {"$HERE": b"./below"}),
        ("${ABSENT-$HERE}", {}),  # the text that stands in for one that is not set is no name
        ("raise$", {}),  # a pattern's end
        ("$$HERE", {}),
        ("$SET_BY_THE_TOOL/stubs", {}),
    ],
)
def test_variables_are_found_where_tools_put_them_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, named: dict[str, bytes]
) -> None:
    monkeypatch.setenv("HERE", f"{tmp_path}/below")
    monkeypatch.setenv("SET_BY_THE_TOOL", "1")
    assert variables_in([text], tmp_path, known=["SET_BY_THE_TOOL"]) == named


def test_a_folder_of_stubs_that_a_variable_names_is_a_condition_of_mypy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = Tool(tmp_path, capsys)
    settings = PYPROJECT.replace('["lint", "complexity", "mypy", "coverage"]', '["mypy"]').replace("coverage]", "none]")
    settings = settings.split("[tool.abutment.none]")[0] + "[tool.mypy]\nmypy_path = '$STUBS'\n"
    tool.write({"pyproject.toml": settings, "shop/__init__.py": "", "shop/cart.py": CODE})
    monkeypatch.setenv("STUBS", str(tmp_path / "stubs"))
    assert tool("init").status == 0
    assert tool("check").status == 0
    monkeypatch.setenv("STUBS", str(tmp_path / "others"))
    answer = tool("check")
    assert answer.status == 2
    assert "mypy was recorded under other conditions: configuration" in answer.err + answer.out
