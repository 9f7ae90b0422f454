"""Does `docs/tools.md` work as it stands: its reader installed, its session played, and cut outputs refused?"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow
from tests.broken import KEPT, Broken, broken_outputs, kept_output
from tests.pages import Page, write

PAGE = Page(Path(__file__).parents[1] / "docs" / "tools.md", ("pyproject.toml", "pyright_gate.py"))
WHOLE = KEPT / "declared" / "whole"
PATHS = PathsBelow(Path("/here"), "/srv/ci/checkout")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The page's file, imported."""
    folder = tmp_path_factory.mktemp("reader")
    write(folder, {"pyright_gate.py": PAGE.files["pyright_gate.py"]})
    sys.path.insert(0, str(folder))
    yield import_module("pyright_gate")
    sys.path.remove(str(folder))
    del sys.modules["pyright_gate"]


def test_the_example_of_the_page_is_a_gate(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    for name in ("clean", "found"):
        (tmp_path / "project").mkdir(exist_ok=True)
        shutil.copy(WHOLE / f"pyright-{name}.out", tmp_path / "project" / f"{name}.json")
    said, written = PAGE.play(tmp_path, PAGE.install(tmp_path), accept=request.config.getoption("--accept"))
    assert said == written


def test_the_reader_of_the_page_reads_what_pyright_printed(reader: ModuleType) -> None:
    report = reader.parse(kept_output("declared", "whole/pyright-found.out", 1), PATHS, "")
    assert [f"{one.path}:{one.line} {one.code}" for one in report.diagnostics] == [
        "till/__init__.py:10 reportCallIssue",
        "till/__init__.py:15 reportReturnType",
    ]
    assert (report.looked_at, report.conditions["pyright"]) == (1, "1.1.414")


def test_no_piece_of_an_output_is_an_answer(reader: ModuleType) -> None:
    whole = kept_output("declared", "whole/pyright-found.out", 1)
    text = whole.stdout.rstrip()
    for at in range(len(text)):
        for status in (0, 1, None):
            with pytest.raises(NotJudged):
                reader.parse(replace(whole, stdout=text[:at], status=status), PATHS, "")


@pytest.mark.parametrize(
    "broken", [one for one in broken_outputs("declared") if one.tool == "pyright"], ids=lambda broken: broken.name
)
def test_no_broken_output_is_an_answer(reader: ModuleType, broken: Broken) -> None:
    with pytest.raises(NotJudged):
        reader.parse(broken.output, PATHS, "")


def test_a_report_of_no_file_is_no_answer(reader: ModuleType) -> None:
    text = (WHOLE / "pyright-clean.out").read_text(encoding="utf-8").replace('"filesAnalyzed": 1', '"filesAnalyzed": 0')
    with pytest.raises(NotJudged, match="looked at no file"):
        reader.parse(Output("pyright", text.encode(), b"", 0), PATHS, "")
