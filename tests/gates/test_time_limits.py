"""`seconds` bounds every process that a gate over a tool starts, also those that only tell a version or settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from abutment.sources.tools.environment import tool_environment
from tests.cli.tool import Tool

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there such a script is no program")
# A tool that is what it stands for, but for one thing that it is asked, over which it sleeps.
SLOW = """#!{python}
import subprocess, sys, time
if any({word!r} in given for given in sys.argv[1:]):
    time.sleep(60)
sys.exit(subprocess.run([{python!r}, "-m", {tool!r}, *sys.argv[1:]]).returncode)
"""
CODE = "import click\n\n\ndef f() -> int:\n    return 1\n"
DECLARED = """[[tools.declared]]
id = "words"
command = ["{path}", "shop"]
version = ["{path}", "--version"]
format = "lines"
seconds = 2
proof = {{ clean = [0], found = [1] }}
"""
CONFIGURED = {
    "lint": '[lint]\nseconds = 2\ncommand = ["{path}"]\n',
    "complexity": '[complexity]\nseconds = 2\ncommand = ["{path}"]\n',
    "mypy": '[mypy]\ntargets = ["shop"]\nseconds = 2\ncommand = ["{path}"]\n',
    "coverage": '[coverage]\ndata = ".coverage"\nseconds = 2\ncommand = ["{path}"]\n',
    "tools": DECLARED,
}


@pytest.mark.parametrize(
    ("gate", "tool", "word"),
    [
        ("lint", "ruff", "--version"),
        ("lint", "ruff", "--show-files"),
        ("lint", "ruff", "--show-settings"),
        ("complexity", "ruff", "--help"),
        ("complexity", "ruff", "--version"),
        ("mypy", "mypy", "--version"),
        ("mypy", "mypy", "imports.py"),
        ("coverage", "coverage", "debug"),
        ("tools", "tabnanny", "--version"),
    ],
)
def test_a_process_that_only_tells_something_is_bounded_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gate: str, tool: str, word: str
) -> None:
    path = tmp_path / "slow"
    path.write_text(SLOW.format(python=sys.executable, word=word, tool=tool), "utf-8")
    path.chmod(0o755)
    found = Tool(tmp_path / "project", capsys)
    configured = CONFIGURED[gate].format(path=path)
    if gate == "mypy":
        configured = configured.replace("seconds = 2", "seconds = 8")  # what mypy itself may take here
    found.write({"abutment.toml": f'roots = ["shop"]\ngates = ["{gate}"]\n{configured}', "shop/__init__.py": CODE})
    if gate == "coverage":
        ran = [sys.executable, "-m", "coverage", "run", "--source=shop", "shop/__init__.py"]
        subprocess.run(ran, cwd=found.root, env=tool_environment({}), capture_output=True, check=False)
    answer = found("init", gate)
    assert answer.status == 2
    assert "did not end within" in answer.out + answer.err
    assert "Give it more time with `seconds`" in answer.out + answer.err
    assert not (found.root / "fixtures" / "architecture" / f"{gate}.jsonl").exists()
