"""`scripts/startup/performance.py`: the gate `startup` under the words that its first users type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tool import TODAY, Answer, Tool

SCRIPT = Path(__file__).parents[2] / "scripts" / "startup" / "performance.py"
FILES = {
    "abutment.toml": 'roots = ["."]\ngates = ["startup"]\n[startup]\nmodules = ["shop"]\n',
    "shop.py": "import stock\n",
    "stock.py": "",
    "mail.py": "",
}


def script(tool: Tool, *words: str) -> Answer:
    command = [sys.executable, str(SCRIPT), *words, "--no-cache", "--today", TODAY]
    ended = subprocess.run(command, cwd=tool.root, env=dict(os.environ), capture_output=True, text=True, check=False)
    return Answer(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    tool = Tool(tmp_path, capsys)
    tool.write(FILES)
    assert tool("init").status == 0
    return tool


def test_without_a_word_it_shows_what_is_found_and_writes_nothing(tool: Tool) -> None:
    before = tool.documents()
    shown = script(tool)
    assert shown.status == 0
    document = json.loads(shown.out)
    assert [fact["name"] for fact in document["facts"]] == ["shop", "stock"]
    assert set(document["conditions"]) == {"python", "surroundings", "held"}
    assert script(tool, "--print").out == shown.out
    assert tool.documents() == before


def test_it_checks_and_writes_only_what_was_paid(tool: Tool) -> None:
    before = tool.documents()
    assert script(tool, "--check").status == 0
    tool.write({"shop.py": "import mail\n"})  # as many modules, and another one
    broken = script(tool, "--check")
    assert broken.status == 1
    assert "ABT061 startup: new: importing shop loads mail" in broken.out
    assert script(tool, "--write").status == 2
    assert tool.documents() == before

    tool.write({"shop.py": ""})
    assert script(tool, "--check").status == 1
    assert script(tool, "--write").status == 0
    assert script(tool, "--check").status == 0


def test_times_are_taken_as_often_as_is_said_and_only_then(tool: Tool, tmp_path: Path) -> None:
    assert "times as long" not in script(tool, "--check").out
    report = tmp_path / "report.json"
    judged = script(tool, "--check", "--repeat", "2", "--output", str(report))
    assert judged.status == 0
    assert "times as long as a bare interpreter (medians of 2: " in judged.out
    assert json.loads(report.read_text(encoding="utf-8"))["status"] == "held"


def test_what_could_not_be_asked_for_is_said_and_is_status_2(tool: Tool, tmp_path: Path) -> None:
    tool.write({"stock.py": "1 / 0\n"})
    kept = tmp_path / "kept.json"
    shown = script(tool, "--output", str(kept))
    assert shown.status == 2
    assert "ZeroDivisionError" in shown.err
    assert json.loads(kept.read_text(encoding="utf-8"))["facts"] == []


@pytest.mark.parametrize(
    "words", [("--check", "--write"), ("--print", "--check"), ("--write", "--repeat", "3"), ("--repeat", "0")]
)
def test_words_that_do_not_go_together_are_refused(tool: Tool, words: tuple[str, ...]) -> None:
    assert script(tool, *words).status == 2


def test_a_change_of_conditions_is_not_judged_until_it_is_recorded_again(tool: Tool) -> None:
    before = tool.documents()
    tool.write({"abutment.toml": FILES["abutment.toml"] + 'environment = { MODE = "full" }\n'})
    tool.write({"shop.py": "import os\nif 'MODE' in os.environ: import mail\n"})
    checked = tool("check")
    assert checked.status == 2
    assert "surroundings was" in checked.out
    assert "abutment init startup --again --reason TEXT" in checked.out
    assert tool("tighten").status == 2
    assert tool.documents() == before
    assert tool("init", "startup", "--again").status == 2
    assert tool("init", "startup", "--again", "--reason", "As it runs in production.").status == 0
    assert tool("check").status == 0


def test_packages_are_recorded_once_they_are_held_and_no_module_with_them(tool: Tool) -> None:
    tool.write({"abutment.toml": FILES["abutment.toml"] + "third_party = true\n"})
    tool.write({"shop.py": "import click, stock, mail\n"})
    assert tool("check").status == 2
    assert tool("init", "startup", "--again", "--reason", "Packages count as well.").status == 0
    checked = tool("check")
    assert checked.status == 1
    assert "loads mail" in checked.out
    assert "loads the package click" not in checked.out


def test_a_target_that_is_new_is_recorded_again_with_a_reason(tool: Tool) -> None:
    tool.write({"abutment.toml": FILES["abutment.toml"].replace('["shop"]', '["shop", "mail"]')})
    assert "importing mail loads mail" in tool("check").out
    assert tool("init", "startup", "--again", "--reason", "A second entry point.").status == 0
    assert tool("check").status == 0
