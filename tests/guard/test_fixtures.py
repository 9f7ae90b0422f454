"""Two revisions of a small project, judged by the whole tool: the report must be the expected one, to the letter."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.tool import Tool
from tests.guard.shop import Shop

CASES = sorted(path.parent for path in (Path(__file__).parents[2] / "fixtures" / "guard").glob("*/base"))
STATUS = {"kept": 0, "amended": 0, "behind": 0, "broken": 1, "malformed": 2}


def played(case: Path, tool: Tool) -> Shop:
    """Return a repository whose branch `feature` goes from `base` to `head`, and whose main branch to `main`."""
    shop = Shop(tool)
    shutil.copytree(case / "base", shop.root, dirs_exist_ok=True)
    shop.git("init", "-q", "-b", "main")
    shop.commit("base")
    shop.branch()
    step(shop, case / "head", "head")
    if (case / "main").is_dir():
        shop.back()
        step(shop, case / "main", "main")
        shop.back("feature")
    return shop


def step(shop: Shop, source: Path, name: str) -> None:
    for path in shop.root.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(source, shop.root, dirs_exist_ok=True)
    shop.commit(name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_report_is_the_expected_one(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], reviewed: Callable[[Path, str], None]
) -> None:
    answer = played(case, Tool(tmp_path / "shop", capsys)).guard("--verbose")
    # Commits have other ids each time, and each new setting of any gate is one more item.
    said = re.sub(r"at [0-9a-f]{8}", "at 0a1b2c3d", answer.out)
    said = re.sub(r"(items of law looked at: )[1-9]\d*", r"\1many", said)
    reviewed(case / "expected.txt", f"exit {answer.status}\n{said}")
    assert answer.status == STATUS[case.name]


def test_every_answer_has_a_case() -> None:
    assert [case.name for case in CASES] == sorted(STATUS)
