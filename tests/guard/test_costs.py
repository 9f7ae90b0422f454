"""What two revisions have in common is read once: counted, not timed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abutment.baselines import document
from abutment.guard import comments
from abutment.guard.likeness import bytes_of
from abutment.model.exact_json import exact_json
from abutment.sources import git
from abutment.sources.work_tree import WorkTree
from tests.cli.tool import Tool
from tests.guard.shop import CONFIGURATION, LAW, Shop


@pytest.fixture
def renamed(tool: Tool) -> Shop:
    """A branch on which a package was renamed of which the configuration and some lines of the baselines speak."""
    both = CONFIGURATION.replace('["shop.web"]', '["shop.web", "shop.core"]')
    shop = Shop.under_law(tool, both, {"src/shop/core.py": "import shop.db\n"})
    shop.branch()
    shop.git("mv", "src/shop/web", "src/shop/front")
    for path in (shop.root / "abutment.toml", *(shop.root / "src").rglob("*.py")):
        path.write_text(re.sub(r"\bshop\.web\b", "shop.front", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert shop.tool("move", "shop.web", "shop.front").status == 0
    shop.commit()
    return shop


def test_few_git_processes_are_asked(renamed: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = git._git

    def noted(root: Path, *arguments: str, **how: object) -> bytes:
        asked.append(arguments[0])
        return ask(root, *arguments, **how)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(git, "_git", noted)
    assert renamed.tool("check", "--against", "main").status == 0
    assert sorted(asked) == ["cat-file"] * 4 + ["ls-files", "ls-tree", "merge-base"]


def test_a_comment_is_looked_for_in_code_that_no_gate_has_read(renamed: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    look = bytes_of

    def noted(tree: object, path: str) -> bytes:
        read.extend([path] if isinstance(tree, WorkTree) else [])
        return look(tree, path)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(comments, "bytes_of", noted)
    assert renamed.tool("check", "--against", "main").status == 0
    assert read == []
    assert renamed.guard().status == 0
    assert "src/shop/front/cart.py" in read  # the guard alone reads for itself


def test_lines_of_a_baseline_that_stayed_are_parsed_once(renamed: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def noted(line: str) -> object:
        parsed.append(line)
        return exact_json(line)

    monkeypatch.setattr(document, "exact_json", noted)
    assert renamed.tool("check", "--against", "main").status == 0
    entries = [line for line in parsed if "schema" not in line]
    now = [line for path in (renamed.root / LAW).glob("*.jsonl") for line in path.read_text("utf-8").splitlines()[1:]]
    before = [line.replace("shop.front", "shop.web") for line in now]
    assert sorted(entries) == sorted({*now, *before})
