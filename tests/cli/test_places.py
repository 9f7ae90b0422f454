"""A project below the top of its repository: a forge is told the way from the top, and owners come from there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from abutment.cli.main import status_of
from tests.cli.conftest import SHOP
from tests.cli.tool import Tool


@pytest.fixture
def pay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """The shop as one of several projects of a repository, with its debt recorded and one import added."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "CODEOWNERS").write_text("/services/pay/ @pay\n/shop/ @other\n")
    tool = Tool(tmp_path / "services" / "pay", capsys)
    tool.write(SHOP)
    assert tool("init").status == 0
    tool.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    return tool


def test_text_names_files_as_the_user_sees_them(pay: Tool) -> None:
    answer = pay("check", "boundaries")
    assert answer.status == 1
    assert answer.out.startswith("shop/core.py:2: ")
    assert "[@pay]" in answer.out


def test_a_forge_is_told_the_way_from_the_top(pay: Tool) -> None:
    command = pay("check", "boundaries", "--format", "github").out.splitlines()[0]
    assert command.startswith("::error file=services/pay/shop/core.py,line=2,")
    (result,) = json.loads(pay("check", "boundaries", "--format", "sarif").out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "services/pay/shop/core.py"
    (entry,) = json.loads(pay("check", "boundaries", "--format", "gitlab").out)
    assert entry["location"]["path"] == "services/pay/shop/core.py"


def test_a_program_is_told_the_way_from_the_root_and_the_same_fingerprint(pay: Tool) -> None:
    (gate,) = json.loads(pay("check", "boundaries", "--format", "json").out)["gates"]
    (violation,) = gate["violations"]
    assert violation["sites"][0]["path"] == "shop/core.py"
    (result,) = json.loads(pay("check", "boundaries", "--format", "sarif").out)["runs"][0]["results"]
    assert result["partialFingerprints"]["abutment/v1"] == f"{violation['fingerprint']}:1"


@pytest.fixture
def without_receipts(pay: Tool) -> Tool:
    """The same project, with its debt recorded anew in a repository that ignores receipts."""
    for path in (pay.root / "fixtures").rglob("*.json*"):
        path.unlink()
    (pay.root / ".gitignore").write_text("receipts/\n")
    return pay


def test_init_tells_of_law_that_git_ignores(without_receipts: Tool) -> None:
    assert "Tell git not to ignore fixtures/architecture/receipts/" in without_receipts("init").out


def test_writing_verbs_tell_of_law_that_git_ignores(without_receipts: Tool) -> None:
    without_receipts("init")
    without_receipts.write({"shop/core.py": "", "shop/store.py": ""})
    answer = without_receipts("tighten")
    assert answer.status == 0
    assert answer.err.startswith("warning: git ignores fixtures/architecture/receipts/")


def test_a_checkout_without_the_receipts_is_not_judged(without_receipts: Tool) -> None:
    without_receipts("init")
    for path in (without_receipts.root / "fixtures").rglob("receipts/*"):
        path.unlink()
    answer = without_receipts("check", "boundaries")
    assert answer.status == 2
    assert "no receipt tells of this baseline" in answer.out


def test_without_a_home_nothing_is_cached_and_everything_is_judged(
    recorded: Tool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "~")
    assert status_of(["check", "--config", str(recorded.root), "--jobs", "1"]) == 0
    assert "3 held" in capsys.readouterr().out
