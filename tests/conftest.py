"""Options of the test suite."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="Write what the tool says now into the fixtures' expected.txt, for review in the diff.",
    )


def pytest_configure() -> None:
    # Projects that tests write have no environment: the tools of ours judge them, whichever one is active outside.
    os.environ.pop("VIRTUAL_ENV", None)


@pytest.fixture
def reviewed(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Hold a text against a reviewed file; with --accept, write the file instead."""

    def hold(path: Path, text: str) -> None:
        if request.config.getoption("--accept"):
            path.write_text(text, encoding="utf-8", newline="")
        assert text == path.read_text(encoding="utf-8")

    return hold
