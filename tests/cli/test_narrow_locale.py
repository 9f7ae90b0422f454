"""Below a folder with letters beyond ASCII every verb works, also where the locale knows none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tool import Answer, child

NARROW = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
WIDE = {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"}
FILES = {
    "abutment.toml": 'documents = "ärchiv"\nroots = ["shöp"]\n'
    'gates = ["blindspots", "snapshot", "lint", "complexity", "mypy", "startup"]\n\n'
    '[mypy]\ntargets = ["shöp"]\n\n[complexity]\nsecond_opinion = true\n\n[startup]\nmodules = ["shöp.käse"]\n',
    "ruff.toml": '[lint]\nselect = ["F"]\n',
    "shöp/__init__.py": 'import os\n\nX = "é"\n',
    "shöp/käse.py": "import shöp\n\n\ndef ü() -> int:\n    return shöp.X\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project below a folder of such a name, with one diagnostic of ruff and one of mypy."""
    root = tmp_path / "pröjekt"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def asked(project: Path, *words: str, **environment: str) -> Answer:
    return child(project, *words, "--no-cache", **environment)


def test_everything_is_recorded_judged_and_shown_as_under_another_locale(project: Path) -> None:
    begun = asked(project, "init", **NARROW)
    assert begun.status == 0, begun.err
    for words in (["check"], ["facts", "lint"], ["facts", "mypy", "--format", "json"], ["facts", "imports", "--sites"]):
        narrow, wide = asked(project, *words, **NARROW), asked(project, *words, **WIDE)
        assert (narrow.status, narrow.out) == (0, wide.out), narrow.err
    assert "shöp.käse" in asked(project, "list", "modules", **NARROW).out
    assert asked(project, "why", "=shöp.käse", "=shöp", **NARROW).status == 0


def test_everything_is_written_as_under_another_locale(project: Path) -> None:
    assert asked(project, "init", **WIDE).status == 0
    (project / "shöp" / "käse.py").write_text("import shöp\n\n\ndef ü() -> str:\n    return shöp.X\n", encoding="utf-8")
    (project / "shöp" / "__init__.py").write_text('X = "é"\n', encoding="utf-8")
    for words in (["record", "snapshot"], ["tighten"]):
        answer = asked(project, *words, **NARROW)
        assert answer.status == 0, answer.err
    assert asked(project, "check", **WIDE).status == 0


def test_a_name_that_is_no_utf_8_is_shown_and_breaks_nothing(project: Path) -> None:
    assert asked(project, "init", **WIDE).status == 0
    (project / "shöp" / "b\udcffd.txt").write_text("", encoding="utf-8")
    narrow, wide = asked(project, "check", **NARROW), asked(project, "check", **WIDE)
    assert (narrow.status, narrow.out) == (wide.status, wide.out) == (0, wide.out)
