from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.case import Project
from tests.cli.tool import Tool


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    """An empty project; nothing above its folder speaks of ignored files."""
    root = tmp_path / "project"
    root.mkdir()
    return Project(Tool(root, capsys))
