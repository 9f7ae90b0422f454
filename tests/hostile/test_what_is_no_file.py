"""A pipe, a folder or a file where another thing belongs: nothing waits for ever, and nothing is a bug of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.tool import Answer
from tests.laws.workshop import workshop

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system here")

RING = {
    "abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\n',
    "shop/__init__.py": "",
    "shop/a.py": "import shop.b\n",
    "shop/b.py": "import shop.a\n",
}
LAW = "fixtures/architecture"
PLACES = (
    "abutment.toml",
    "pyproject.toml",
    ".git",
    ".git/info/exclude",
    ".gitignore",
    "CODEOWNERS",
    "shop/a.py",
    "shop/.gitignore",
    LAW,
    f"{LAW}/cycles.jsonl",
    f"{LAW}/cycles.toml",
    f"{LAW}/receipts",
    f"{LAW}/receipts/odd.json",
    f"{LAW}/migrations",
    f"{LAW}/migrations/odd.jsonl",
    f"{LAW}/.abutment",
    f"{LAW}/.abutment/journal.json",
    f"{LAW}/.abutment/lock",
    f"{LAW}/.abutment/.gitignore",
)


def take_away(path: Path) -> None:
    if path.is_dir():
        for below in path.iterdir():
            take_away(below)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def answer_of(root: Path, *words: str) -> Answer:
    command = [sys.executable, "-m", "abutment", *words, "--no-cache", "--jobs", "1"]
    ended = subprocess.run(command, cwd=root, capture_output=True, timeout=60, text=True, check=False)
    return Answer(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("what", [os.mkfifo, os.mkdir, Path.touch], ids=["pipe", "folder", "file"])
@pytest.mark.parametrize("place", PLACES)
def test_another_thing_in_a_files_place_is_said_or_passed_over(place: str, what: Callable[[Path], None]) -> None:
    with workshop(RING) as shop:
        assert shop("init").status == 0
        subprocess.run(["git", "init", "-q", str(shop.root)], check=True)
        target = shop.root / place
        take_away(target)
        target.parent.mkdir(exist_ok=True)
        what(target)
        for verb in ("check", "tighten", "init"):
            answer = answer_of(shop.root, verb)
            assert answer.status in (0, 1, 2)
            assert "failed: " not in answer.err, answer.err


def test_patterns_above_the_project_are_read_only_from_a_file(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    os.mkfifo(tmp_path / ".gitignore")
    project = tmp_path / "project"
    for path, text in RING.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
    answer = answer_of(project, "check")
    assert answer.status == 2
    assert ".gitignore cannot be read: it is no regular file" in answer.out


def test_a_configuration_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "law.toml")
    answer = answer_of(tmp_path, "check", "--config", "law.toml")
    assert answer.status == 2
    assert "law.toml: not judged: the file cannot be read: it is no regular file." in answer.out
