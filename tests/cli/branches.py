"""A project in a git repository whose branches pay debt: `app.low.m0` to `m5` import upwards, which layers forbid."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool

LAW = "fixtures/architecture"
BASELINE = f"{LAW}/boundaries.jsonl"
CONFIG = """\
roots = ["app"]
gates = ["boundaries"]

[[contracts]]
id = "layers"
kind = "layers"
layers = ["app.top", "app.low"]
"""
MODULES = tuple(f"m{number}" for number in range(6))


UPWARDS = "import app.top.t0\n"


@dataclass(frozen=True)
class Branches:
    """The repository; `main` is checked out at first and has recorded all debt."""

    root: Path
    tool: Tool

    def git(self, *words: str, fine: bool = True) -> Answer:
        """Run git; without `fine` it may end with any status."""
        who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
        ended = subprocess.run(["git", *who, *words], cwd=self.root, env=ENVIRONMENT, capture_output=True, check=False)
        answer = Answer(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
        assert not fine or answer.status == 0, answer
        return answer

    def start(self, gates: str = "boundaries", *, repository: bool = True) -> None:
        """Write the project, record its debt and commit both."""
        empty = ("app/__init__.py", "app/low/__init__.py", "app/top/__init__.py", "app/top/t0.py")
        config = f'documents = "{LAW}"\n' + CONFIG.replace("boundaries", gates)
        self.tool.write({"abutment.toml": config, **dict.fromkeys(empty, "")})
        self.tool.write({f"app/low/{name}.py": UPWARDS for name in MODULES})
        self.tool.write({".gitattributes": "* text=auto\n"})
        assert self.tool("init").status == 0
        if repository:
            self.git("init", "-q", "-b", "main")
        self.commit("first")

    def commit(self, message: str) -> None:
        """Commit whatever is there."""
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)

    def on(self, branch: str, start: str = "main") -> None:
        """Go to a new branch."""
        self.git("checkout", "-q", "-b", branch, start)

    def pay(self, *names: str) -> None:
        """Take out all debt of these modules, record that and commit it."""
        self.tool.write({f"app/low/{name}.py": "" for name in names})
        assert self.tool("tighten").status == 0
        self.commit(f"pay {' '.join(names)}")

    def unsettled(self) -> list[str]:
        """Return the paths that git calls unmerged."""
        said = self.git("diff", "--name-only", "--diff-filter=U").out
        return said.splitlines()

    def entries(self) -> list[str]:
        """Return the importers that the baseline names, by their last names."""
        lines = (self.root / BASELINE).read_text(encoding="utf-8").splitlines()[1:]
        return [line.split('"importer": "app.low.')[1].split('"')[0] for line in lines]


# The machine's own settings, and a developer's, are none of the tests'.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_EDITOR": "true",
    "LC_ALL": "C",
}


def branches_in(root: Path, capsys: pytest.CaptureFixture[str]) -> Branches:
    """Return such a project in a new folder, started."""
    root.mkdir()
    branches = Branches(root, Tool(root, capsys))
    branches.start()
    return branches
