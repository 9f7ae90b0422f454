"""`scripts/architecture/baseline.py`: the graph gates under the words that its first users type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tool import TODAY, Answer, Tool

SCRIPT = Path(__file__).parents[2] / "scripts" / "architecture" / "baseline.py"


def script(tool: Tool, *words: str, dated: bool = True) -> Answer:
    command = [sys.executable, str(SCRIPT), *words, "--no-cache", *(["--today", TODAY] if dated else [])]
    ended = subprocess.run(command, cwd=tool.root, env=dict(os.environ), capture_output=True, text=True, check=False)
    return Answer(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def host(tool: Tool) -> Tool:
    """The project with the snapshot switched on, recorded."""
    text = (tool.root / "abutment.toml").read_text(encoding="utf-8")
    tool.write({"abutment.toml": text.replace('"cycles",', '"cycles", "snapshot",')})
    assert tool("init").status == 0
    return tool


def test_the_host_is_held_and_nothing_is_written(host: Tool) -> None:
    before = host.documents()
    answer = script(host, "--check-host")
    assert answer.status == 0, answer.out
    assert "gates: 4 held" in answer.out
    assert host.documents() == before


def test_gates_that_are_not_of_the_graph_or_off_are_not_judged(recorded: Tool) -> None:
    answer = script(recorded, "--check-host")
    assert answer.status == 0
    assert "gates: 3 held" in answer.out and "not switched on: snapshot" in answer.out


def test_what_breaks_is_1_and_stands_in_the_report(host: Tool) -> None:
    host.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    answer = script(host, "--check-host", "--report", "report.json")
    assert answer.status == 1
    assert "shop/core.py:2: ABT301" in answer.out
    report = json.loads((host.root / "report.json").read_text(encoding="utf-8"))
    assert [gate["status"] for gate in report["gates"]] == ["held", "broken", "broken", "broken"]


def test_diagnostics_are_every_place_of_every_fact(host: Tool) -> None:
    host.write({"shop/core.py": "import shop.store\nimport shop.gone\n"})
    answer = script(host, "--check-host", "--diagnostics")
    assert answer.status == 1
    sites = json.loads(answer.out)["sites"]
    assert [(row["path"], row["line"], row["what"]) for row in sites["blindspots"]] == [
        ("shop/core.py", 2, "shop.gone")
    ]
    assert len(sites["imports"]) > 4
    assert "shop/core.py:2: ABT101" in answer.err


def test_write_records_the_snapshot_and_tightens_and_names_what_it_wrote(host: Tool) -> None:
    host.write({"shop/store.py": ""})
    assert script(host, "--check-host").status == 1
    answer = script(host, "--write-host")
    assert answer.status == 0, answer.err
    written = [line.split("/")[-1] for line in answer.out.splitlines() if line.startswith("wrote ")]
    (receipt,) = set(written) - {"boundaries.jsonl", "cycles.jsonl", "snapshot.jsonl"}  # one write, whole or not at all
    (told,) = [data for name, data in host.documents().items() if name.endswith(receipt)]
    assert json.loads(told)["verb"] == "write-host"
    assert not any(name.endswith(".toml") for name in written)
    assert script(host, "--check-host").status == 0
    assert "Nothing to write." in script(host, "--write-host").out


def test_write_refuses_growth_and_leaves_the_snapshot_as_it_was(host: Tool) -> None:
    before = host.documents()
    host.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    answer = script(host, "--write-host")
    assert answer.status == 2
    assert "shop.core imports shop.web" in answer.err
    assert host.documents() == before


def test_what_cannot_be_read_is_2(host: Tool) -> None:
    host.write({"shop/odd.py": "def broken(:\n"})
    assert script(host, "--check-host").status == 2
    assert script(host, "--write-host").status == 2


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--check-host", "--write-host"],
        ["--write-host", "--diagnostics"],
        ["--write-host", "--report", "report.json"],
        ["--check-plugins"],
        ["--check-host", "--report", "no/such/folder.json"],
    ],
)
def test_words_that_do_not_fit_are_2(host: Tool, words: list[str]) -> None:
    answer = script(host, *words)
    assert answer.status == 2
    assert answer.err
    assert "Traceback" not in answer.err


def test_a_host_without_graph_gates_is_not_judged(tool: Tool) -> None:
    tool.write({"abutment.toml": 'roots = ["shop"]\ngates = []\n'})
    for words in ("--check-host", "--write-host"):
        answer = script(tool, words)
        assert answer.status == 2
        assert "is switched on" in answer.out + answer.err


def test_help_and_traceback_are_known(host: Tool) -> None:
    assert "--check-host" in script(host, "--help", dated=False).out
    assert script(host, "--check-host", "--traceback").status == 0
