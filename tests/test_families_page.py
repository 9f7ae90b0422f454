"""Does `docs/families.md` work as it stands: the package installed, the session played?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import Page

PAGE = Page(Path(__file__).parents[1] / "docs" / "families.md", ("pyproject.toml", "flag_gate.py"))


def test_the_example_of_the_page_is_a_gate(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    said, written = PAGE.play(tmp_path, PAGE.install(tmp_path), accept=request.config.getoption("--accept"))
    assert said == written


def test_the_page_shows_the_file_that_is_in_the_entry_point() -> None:
    assert 'flags = "flag_gate:GATE"' in PAGE.files["pyproject.toml"]
    assert set(PAGE.package) < set(PAGE.files)
