"""`scripts/architecture/complexity.py`, `ruff_ratchet.py`, and where a report may not be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_gate_scripts import script
from tests.cli.tool import Tool

ON = 'roots = ["shop.py"]\ngates = ["complexity"]\n[complexity]\ncomplexity = 2\n[sizes]\nfunction = 3\n'


def function(branches: int) -> str:
    return "def f(a):\n" + "    if a: pass\n" * (branches - 1)


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    found = Tool(tmp_path, capsys)
    found.write({"abutment.toml": ON, "shop.py": function(5)})
    assert found("init").status == 0
    return found


def test_it_checks_and_with_write_records_only_what_was_paid(tool: Tool) -> None:
    before = tool.documents()
    assert script(tool, "complexity").status == 0
    assert script(tool, "complexity", "--check").status == 0
    assert script(tool, "complexity", "--check", "--write").status == 2
    tool.write({"shop.py": function(6)})
    assert script(tool, "complexity").status == 1
    assert script(tool, "complexity", "--write", "--report", "hot.json").status == 2
    assert tool.documents() == before
    spots = json.loads((tool.root / "hot.json").read_text("utf-8"))["hot_spots"]
    assert [(spot["qualname"], spot["what"], spot["figure"], spot["percent"]) for spot in spots] == [
        ("f", "complexity", 6, 300),
        ("f", "lines of a function", 6, 200),
    ]
    tool.write({"shop.py": function(4)})
    assert script(tool, "complexity").status == 1
    assert script(tool, "complexity", "--write").status == 0
    assert script(tool, "complexity").status == 0


PLACES = ["fixtures/architecture/complexity.jsonl", "fixtures/architecture/new.json", "abutment.toml", "link.json"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("name", "words"),
    [("complexity", ["--report"]), ("complexity", ["--write", "--report"]), ("baseline", ["--check-host", "--report"])],
)
def test_a_report_never_takes_the_place_of_the_law(tool: Tool, place: str, name: str, words: list[str]) -> None:
    (tool.root / "link.json").symlink_to(tool.root / "fixtures" / "architecture" / "complexity.jsonl")
    before = tool.documents(), (tool.root / "abutment.toml").read_bytes()
    refused = script(tool, name, *words, place)
    assert (refused.status, "is where the law stands" in refused.err) == (2, True), refused
    assert (tool.documents(), (tool.root / "abutment.toml").read_bytes()) == before


@pytest.mark.parametrize("place", PLACES)
def test_nor_does_the_output_of_a_check(tool: Tool, place: str) -> None:
    (tool.root / "link.json").symlink_to(tool.root / "fixtures" / "architecture" / "complexity.jsonl")
    before = tool.documents()
    assert tool("check", "--output", str(tool.root / place)).status == 2
    assert tool.documents() == before
    assert tool("check", "--output", str(tool.root / "report.txt")).status == 0


def test_the_script_of_ruff_checks_and_records_what_was_paid(tool: Tool) -> None:
    tool.write({"abutment.toml": 'roots = ["shop.py"]\ngates = ["lint"]\n[lint]\ntargets = ["shop.py"]\n'})
    tool.write({"shop.py": "import os\nimport sys\n", "ruff.toml": '[lint]\nselect = ["F"]\n'})
    assert tool("init", "lint").status == 0
    assert script(tool, "ruff_ratchet").status == 0
    tool.write({"shop.py": "import os\nimport json\n"})
    assert script(tool, "ruff_ratchet").status == 1
    assert script(tool, "ruff_ratchet", "--write").status == 2
    tool.write({"shop.py": "import os\n"})
    assert script(tool, "ruff_ratchet", "--write").status == 0
    assert script(tool, "ruff_ratchet").status == 0
