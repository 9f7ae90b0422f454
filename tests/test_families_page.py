"""Does `docs/families.md` work as it stands: the package installed, the session played?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "families.md"
FILE = re.compile(r"<!-- file: (\S+) -->\n\n```\w+\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"<!-- session -->\n\n```console\n(.*?)```", re.DOTALL)
PACKAGE = ("pyproject.toml", "flag_gate.py")


def files() -> dict[str, str]:
    return dict(FILE.findall(PAGE.read_text(encoding="utf-8")))


def write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder into which the page's package was installed, from what is there and no index."""
    source, target = tmp_path / "package", tmp_path / "installed"
    write(source, {path: text for path, text in files().items() if path in PACKAGE})
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def played(line: str, folder: Path, environment: dict[str, str]) -> tuple[str, int]:
    """Carry one line of the session out in a shell; return what it said on its output, and its status."""
    ended = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ended.stdout, ended.returncode


def test_the_example_of_the_page_is_a_gate(installed: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    project, tools = tmp_path / "project", tmp_path / "bin"
    write(project, {path: text for path, text in files().items() if path not in PACKAGE})
    write(tools, {"abutment": f'#!/bin/sh\nexec "{sys.executable}" -m abutment "$@"\n'})
    (tools / "abutment").chmod(0o755)
    path = os.pathsep.join((str(tools), os.environ["PATH"]))
    environment = {**os.environ, "PYTHONPATH": str(installed), "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    page = PAGE.read_text(encoding="utf-8")
    (session,) = SESSION.findall(page)
    said, status = "", 0
    for line in session.splitlines():
        if line.startswith("$ "):
            out, status = played(line[2:].replace("$?", str(status)), project, environment)
            said += f"{line}\n{out}"
    said = re.sub(r"receipts/[0-9a-f]{32}", "receipts/6f0c…", said)
    if request.config.getoption("--accept"):
        PAGE.write_text(page.replace(session, said), encoding="utf-8")
        session = said
    assert said == session


def test_the_page_shows_the_file_that_is_in_the_entry_point() -> None:
    assert 'flags = "flag_gate:GATE"' in files()["pyproject.toml"]
    assert set(PACKAGE) < set(files())
