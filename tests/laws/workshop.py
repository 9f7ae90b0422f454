"""A project in a folder of its own, and every verb on it inside this process.

Unlike `tests.cli.tool.Tool` it needs no fixture of pytest, so that one test may have many of them.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from abutment.cli import host
from abutment.cli.main import status_of
from abutment.gates import load_gate
from tests.cli.tool import TODAY, Answer

DOCUMENTS = "fixtures/architecture"
# A disk in memory where there is one: hundreds of small projects, each brought down to the medium, take minutes.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
DATED = ("check", "tighten", "move", "draft", "--check-host", "--write-host")


@dataclass(frozen=True)
class Workshop:
    """A project below `root`."""

    root: Path

    def write(self, files: Mapping[str, str]) -> None:
        """Write these files and leave the others as they are."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())

    def become(self, files: Mapping[str, str]) -> None:
        """Write these files, and take away every other Python file."""
        for path in self.root.rglob("*.py"):
            if path.relative_to(self.root).as_posix() not in files:
                path.unlink()
        self.write(files)

    def __call__(self, *words: str, today: str = TODAY) -> Answer:
        """Run `abutment` with these words."""
        return self._run(words, today, None)

    def host(self, *words: str, today: str = TODAY) -> Answer:
        """Run `baseline.py` with these words."""
        return self._run(words, today, host.command)

    def report(self, *words: str) -> dict[str, Any]:
        """Return what `check --format json` says."""
        return parsed(self("check", *words, "--format", "json").out)

    def kinds(self, gate: str, *words: str) -> list[tuple[str, str]]:
        """Return (kind, identity) of each violation of a gate, as `("new", "layers app.low app.high")`."""
        (found,) = self.report(gate, *words)["gates"]
        fields = load_gate(gate).fields
        return sorted((v["kind"], " ".join(v["identity"][name] for name in fields)) for v in found["violations"])

    def documents(self) -> dict[str, bytes]:
        """Return policies, baselines and receipts by their path below the documents."""
        folder = self.root / DOCUMENTS
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and ".abutment" not in path.parts
        }

    def recorded(self, gate: str) -> dict[tuple[str, ...], int]:
        """Return a baseline's counts by key, read without any code of ours."""
        _header, *entries = self.documents()[f"{gate}.jsonl"].decode().splitlines()
        counts: dict[tuple[str, ...], int] = {}
        for entry in map(json.loads, entries):
            count = entry.pop("count")
            counts[tuple(entry.values())] = count
        return counts

    def _run(self, words: tuple[str, ...], today: str, command: click.Command | None) -> Answer:
        given = [*words, "--config", str(self.root)]
        given += ["--today", today] if words and words[0] in DATED else []
        given += [] if "--cache-dir" in words else ["--no-cache"]
        given += [] if "--jobs" in words else ["--jobs", "1"]
        return run(given, command)


def parsed(text: str) -> dict[str, Any]:
    """Return a JSON document."""
    return dict(json.loads(text))


def run(words: list[str], command: click.Command | None = None) -> Answer:
    """Run the command line (or one command of it) and return what it said."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = status_of(words, command=command)
    return Answer(status, out.getvalue(), err.getvalue())


@contextmanager
def workshop(files: Mapping[str, str]) -> Iterator[Workshop]:
    """Yield a project of these files; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="workshop-", dir=MEMORY) as folder:
        shop = Workshop(Path(folder))
        shop.write(files)
        yield shop


@contextmanager
def adopted(files: Mapping[str, str]) -> Iterator[Workshop]:
    """Yield a project of these files whose debt has been recorded."""
    with workshop(files) as shop:
        answer = shop("init")
        assert answer.status == 0, answer.err
        yield shop
