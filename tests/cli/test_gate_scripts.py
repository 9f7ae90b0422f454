"""`scripts/architecture/egress.py` and its like: one gate under the words that its first users type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tool import TODAY, Answer, Tool

SCRIPTS = Path(__file__).parents[2] / "scripts" / "architecture"
CODE = {
    "egress": ("import requests\nrequests.get('')\n", "ABT602"),
    "async_blocking": ("import time\n\n\nasync def serve():\n    time.sleep(1)\n", "ABT701"),
}
CODE["concurrency"] = ("import threading\n\n\ndef start():\n    threading.Thread()\n", "ABT802")
GATES = {"concurrency": "concurrency", "egress": "egress", "async_blocking": "blocking"}


def script(tool: Tool, name: str, *words: str) -> Answer:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *words, "--no-cache", "--today", TODAY]
    ended = subprocess.run(command, cwd=tool.root, env=dict(os.environ), capture_output=True, text=True, check=False)
    return Answer(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("name", CODE)
def test_a_script_checks_and_with_write_records_only_what_was_paid(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool, (text, rule) = Tool(tmp_path, capsys), CODE[name]
    tool.write({"abutment.toml": f'roots = ["shop.py"]\ngates = ["{GATES[name]}"]\n', "shop.py": text})
    assert tool("init").status == 0
    before = tool.documents()
    assert script(tool, name).status == 0
    assert script(tool, name, "--check").status == 0
    assert tool.documents() == before

    tool.write({"shop.py": text + text.splitlines()[-1] + "\n"})
    broken = script(tool, name)
    assert broken.status == 1
    assert rule in broken.out
    assert script(tool, name, "--write").status == 2
    assert tool.documents() == before

    tool.write({"shop.py": ""})
    assert script(tool, name).status == 1
    assert script(tool, name, "--write").status == 0
    assert script(tool, name).status == 0
    assert script(tool, name, "--write", "--check").status == 2


def test_owners_of_tasks_have_no_debt_to_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = Tool(tmp_path, capsys)
    registry = "class Tasks:\n    def create(self, coro, owner): ...\n"
    table = '[[tasks.registries]]\nclasses = ["reg.Tasks"]\n'
    tool.write({"abutment.toml": f'roots = ["."]\ngates = ["tasks"]\n{table}', "reg.py": registry})
    tool.write({"shop.py": "from reg import Tasks\nTasks().create(1, owner='shop')\n"})
    assert script(tool, "task_ownership").status == 0
    tool.write({"shop.py": "from reg import Tasks\nTasks().create(1)\n"})
    broken = script(tool, "task_ownership")
    assert broken.status == 1
    assert "shop.py:2: ABT851" in broken.out
    assert script(tool, "task_ownership", "--write").status == 2
    assert tool.documents() == {}


EVENTS = """
roots = ["shop.py"]
gates = ["events"]
[[events.apis]]
id = "bus"
classes = ["shop.Bus"]
produce = ["send(event)"]
consume = ["on(event, handler)"]
"""
BUS = """
class Bus:
    def send(self, event): pass
    def on(self, event, handler): pass
def thank(): pass
bus = Bus()
bus.on("paid", thank)
"""


def test_the_script_of_events_has_no_way_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = Tool(tmp_path, capsys)
    tool.write({"abutment.toml": EVENTS, "shop.py": BUS})
    tool("init")
    before = tool.documents()
    unreviewed = script(tool, "event_policy")
    assert (unreviewed.status, "ABT682" in unreviewed.out) == (1, True), unreviewed
    assert script(tool, "event_policy", "--write").status == 2
    assert tool.documents() == before


def test_the_script_of_locators_checks_and_records_what_was_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = Tool(tmp_path, capsys)
    rule = '[[locators.rules]]\nid = "env"\nnames = ["os.environ"]\n'
    tool.write(
        {
            "abutment.toml": f'roots = ["shop.py"]\ngates = ["locators"]\n{rule}',
            "shop.py": "import os\nos.environ.get('x')\n",
        }
    )
    assert tool("init").status == 0
    assert script(tool, "service_locator").status == 0
    tool.write({"shop.py": ""})
    assert script(tool, "service_locator").status == 1
    assert script(tool, "service_locator", "--write").status == 0
    assert script(tool, "service_locator").status == 0


def test_the_script_of_mypy_checks_and_records_what_was_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = Tool(tmp_path, capsys)
    asked = 'targets = ["shop.py"]\ninput = "said.txt"\n'
    version, clean = "mypy 2.4.1 (compiled: yes)\n", "Success: no issues found in 1 source file\n"
    error = "shop.py:1: error: So  [misc]\nFound 1 error in 1 file (checked 1 source file)\n"
    tool.write(
        {
            "abutment.toml": f'roots = ["shop.py"]\ngates = ["mypy"]\n[mypy]\n{asked}',
            "mypy.ini": "[mypy]\npython_version = 3.11\nplatform = linux\n",
            "shop.py": "x = 1\n",
            "said.txt": version + error,
        }
    )
    assert tool("init").status == 0
    assert script(tool, "mypy_ratchet").status == 0
    tool.write({"said.txt": version + clean})
    assert script(tool, "mypy_ratchet").status == 1
    assert script(tool, "mypy_ratchet", "--write").status == 0
    assert script(tool, "mypy_ratchet").status == 0
