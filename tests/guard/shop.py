"""A small shop under law in a real git repository, and the whole tool on it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.cli.tool import Answer, Tool, git

LAW = "fixtures/architecture"
CONFIGURATION = """\
roots = ["src"]
gates = ["blindspots", "cycles", "boundaries", "egress"]

[[contracts]]
id = "web-not-db"
kind = "forbidden"
sources = ["shop.web"]
forbidden = ["shop.db"]
"""
CODE = {
    "src/shop/__init__.py": "",
    "src/shop/db.py": "",
    "src/shop/core.py": "",
    "src/shop/web/__init__.py": "",
    "src/shop/web/cart.py": "import shop.db\n",
    "src/shop/web/item.py": "import shop.db\n",
    "src/shop/web/page.py": "import shop.core\n",
}
PAGE = "src/shop/web/page.py"
NEW = {PAGE: "import shop.core\nimport shop.db\n"}  # the violation that everybody wants to get past us


class Shop:
    """A repository whose main branch is under law, with two recorded debts."""

    def __init__(self, tool: Tool) -> None:
        self.tool, self.root = tool, tool.root

    @classmethod
    def under_law(
        cls,
        tool: Tool,
        configuration: str = CONFIGURATION,
        more: Mapping[str, str] | None = None,
        top: Path | None = None,
    ) -> Shop:
        """Return a new one, whose first commit has everything; `top` is of a repository that is more than the shop."""
        shop = cls(tool)
        shop.write({**CODE, "abutment.toml": configuration, **(more or {})})
        git(top or shop.root, "init", "-q", "-b", "main")
        shop.init()
        git(top or shop.root, "add", "-A")
        shop.commit("law")
        return shop

    def write(self, files: Mapping[str, str]) -> None:
        self.tool.write(files)

    def init(self) -> None:
        answer = self.tool("init", *self.gates())
        assert answer.status == 0, answer.err

    def gates(self) -> list[str]:
        import tomllib

        found = tomllib.loads((self.root / "abutment.toml").read_text(encoding="utf-8"))["gates"]
        assert isinstance(found, list)
        return found

    def git(self, *words: str) -> None:
        git(self.root, *words)

    def said_by_git(self, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, message: str = "more") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.said_by_git("rev-parse", "HEAD")

    def branch(self, name: str = "feature", start: str = "main") -> None:
        self.git("checkout", "-q", "-b", name, start)

    def back(self, name: str = "main") -> None:
        self.git("checkout", "-q", name)

    def remove_documents(self) -> None:
        shutil.rmtree(self.root / LAW)

    def pay(self, module: str) -> None:
        """Pay the debt of one module, and record it."""
        self.write({f"src/shop/web/{module}.py": ""})
        answer = self.tool("tighten")
        assert answer.status == 0, answer.err
        self.commit(f"pay {module}")

    def loosen(self, line: str = '[cycles]\nexclude = ["shop.core"]\n') -> None:
        path = self.root / "abutment.toml"
        path.write_text(path.read_text(encoding="utf-8") + line, encoding="utf-8")

    def guard(self, *words: str) -> Answer:
        return self.tool("check", "guard", *words)

    def amend(self, ref: str | None = None) -> None:
        """Write the amendment of everything that is loosened, as a person would."""
        drafted = self.tool("draft", "guard", *(("--against", ref) if ref else ()))
        assert drafted.status == 0, drafted.err
        text = drafted.out
        for key in ("what", "decided_by", "reason"):
            text = text.replace(f'{key} = ""', f'{key} = "said"')
        path = self.root / LAW / "amendments.toml"
        earlier = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
        path.write_text(earlier + text, encoding="utf-8")


def violations(answer: Answer) -> list[str]:
    """Return what the guard says is loosened, without remedies."""
    lines = [line for line in answer.out.splitlines() if " guard: loosened: " in line]
    return [line.partition(" guard: loosened: ")[2].partition(", which ")[0] for line in lines]
