"""Does `docs/agents.md` work as it stands: the hook run, the rules of its files true?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from abutment.cli.main import VERBS
from abutment.sources.codeowners import load_codeowners
from abutment.sources.memory_tree import MemoryTree

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"
FILE = re.compile(r"<!-- file: (\S+) -->\n\n```\w+\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"<!-- session -->\n\n```console\n(.*?)```", re.DOTALL)
HOOK = "sh tools/abutment-stop.sh"
BEGIN = "git init -q -b main && abutment init && git add -A && git commit -qm law"
_NOBODY = {f"GIT_{who}_{what}": "n@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def files() -> dict[str, str]:
    return dict(FILE.findall(PAGE.read_text(encoding="utf-8")))


class Place:
    """A project with the page's files, in which a shell finds our `abutment`."""

    def __init__(self, root: Path) -> None:
        self.root, tools = root / "project", root / "bin"
        for path, text in files().items():
            self.write(path, text)
        tools.mkdir()
        self.tool = tools / "abutment"
        self.tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m abutment "$@"\n', encoding="utf-8")
        self.tool.chmod(0o755)
        path = os.pathsep.join((str(tools), os.environ["PATH"]))
        self.environment = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(root / "cache"), **_NOBODY}

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        options = {"cwd": self.root, "env": self.environment, "capture_output": True, "text": True}
        return subprocess.run(["sh", "-c", line], check=False, **options)  # type: ignore[call-overload,no-any-return]  # options by name


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_session_is_as_the_page_shows(place: Place, request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (session,) = SESSION.findall(page)
    said = ""
    for line in session.splitlines():
        if line.startswith("$ "):
            said += f"{line}\n{place.run(line[2:]).stdout}"
    if request.config.getoption("--accept"):
        PAGE.write_text(page.replace(session, said), encoding="utf-8")
        session = said
    assert said == session


def test_the_hook_lets_an_agent_stop_only_where_all_holds_or_nothing_more_can_be_done(place: Place) -> None:
    assert place.run(BEGIN).returncode == 0
    assert place.run(HOOK).returncode == 0
    place.write("shop/orders.py", "print('')\n")
    broken = place.run(HOOK)
    assert (broken.returncode, broken.stdout) == (2, "")
    assert "ABT501" in broken.stderr
    place.write("shop/orders.py", "print('')\nprint('')\n")
    assert place.run(HOOK).returncode == 2, "another report: it goes on"
    given_up = place.run(HOOK)
    assert given_up.returncode == 0
    assert "a person has to look" in given_up.stderr
    assert place.run(HOOK).returncode == 2, "and begins anew"
    place.write("abutment.toml", "roots = 1\n")
    unjudged = place.run(HOOK)
    assert unjudged.returncode == 2
    assert "not judged" in unjudged.stderr


def test_the_hook_takes_a_law_that_was_widened_for_no_way_out(place: Place) -> None:
    assert place.run(BEGIN).returncode == 0
    place.write("shop/orders.py", 'print("")  # abutment: ignore[ABT501] reason="so that it is green"\n')
    stopped = place.run(HOOK)
    assert stopped.returncode == 2
    assert "## ABT952 guard: 1 violation" in stopped.stderr
    assert "## ABT501" not in stopped.stderr, "the gate itself holds"


def test_the_hook_takes_a_tool_that_is_missing_for_nothing_proven(place: Place) -> None:
    assert place.run("git init -q").returncode == 0
    place.tool.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    assert place.run(HOOK).returncode == 2


def test_the_owners_hold_all_that_an_agent_must_not_widen() -> None:
    every = files()
    owners = load_codeowners(MemoryTree({".github/CODEOWNERS": every[".github/CODEOWNERS"]}))
    law = ("abutment.toml", "pyproject.toml", "fixtures/architecture/bans.toml", "fixtures/architecture/bans.jsonl")
    around = (
        ".github/CODEOWNERS",
        ".github/workflows/ci.yml",
        ".pre-commit-config.yaml",
        "AGENTS.md",
    )
    for path in (*law, "fixtures/architecture/receipts/0.json", "tools/abutment-stop.sh", *around):
        assert owners.of(path) == ("@org/architecture",), path
    assert owners.of("shop/orders.py") == ()


def test_the_snippet_for_agents_names_verbs_that_there_are() -> None:
    named = re.findall(r"`abutment (\w+)", files()["AGENTS.md"])
    assert {"check", "tighten", "move", "draft"} <= set(named) <= set(VERBS)
