from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tool import Tool

SHOP = {
    "abutment.toml": """\
roots = ["shop"]
gates = ["blindspots", "cycles", "boundaries"]

[[contracts]]
id = "layers"
kind = "layers"
layers = ["shop.web", "shop.core", "shop.store"]
""",
    "shop/__init__.py": "",
    "shop/web.py": "import shop.core\n",
    "shop/core.py": "import shop.store\n",
    "shop/store.py": "import shop.web\n",
}


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with one upward import, which closes one cycle; nothing is recorded yet."""
    shop = Tool(tmp_path, capsys)
    shop.write(SHOP)
    return shop


@pytest.fixture
def recorded(tool: Tool) -> Tool:
    """The same project after `init`."""
    assert tool("init").status == 0
    return tool
