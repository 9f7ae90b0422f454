"""The whole tool on a small project in a folder, with what it said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from abutment.cli.main import status_of

TODAY = "2027-01-01"
NO_CODE = (("migrate", "apply"), ("migrate", "verify"))


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Tool:
    """A project below `root`; each call is one run of the command line inside this process."""

    root: Path
    capture: pytest.CaptureFixture[str]

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def __call__(self, *words: str) -> Answer:
        self.capture.readouterr()
        dated = ["--today", TODAY] if words[0] in ("check", "tighten", "move", "draft") else []
        reads_code = words[0] not in ("resolve", "receipts") and words[:2] not in NO_CODE
        reading = ["--no-cache", "--jobs", "1"] if reads_code else []
        status = status_of([*words, *dated, "--config", str(self.root), *reading])
        said = self.capture.readouterr()
        return Answer(status, said.out, said.err)

    def documents(self) -> dict[str, bytes]:
        folder = self.root / "fixtures" / "architecture"
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and ".abutment" not in path.parts
        }


def child(root: Path, *words: str, **environment: str) -> Answer:
    """Run `python -m abutment` in a process of its own, standing in `root`."""
    command = [sys.executable, "-m", "abutment", *words]
    ended = subprocess.run(command, cwd=root, env={**os.environ, **environment}, capture_output=True, check=False)
    return Answer(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def git(root: Path, *words: str) -> None:
    """Run git in a folder, as nobody in particular."""
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def repository(root: Path) -> None:
    """Make the folder a git repository whose first commit holds everything in it."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
