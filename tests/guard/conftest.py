from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tool import Tool
from tests.guard.shop import Shop


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    return Tool(tmp_path, capsys)


@pytest.fixture
def shop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shop:
    return Shop.under_law(Tool(tmp_path, capsys))
