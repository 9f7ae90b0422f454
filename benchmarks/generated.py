"""A codebase that nobody wrote, as large as is asked for, under law in a git repository with some history.

What it holds is decided by a seed: two runs of a benchmark have the same tree.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, clean_environment, run_quietly

_GATES = ("blindspots", "cycles", "boundaries", "snapshot", "egress", "blocking", "concurrency", "effects")
_CONFIGURATION = """\
roots = ["src"]
exclude = ["src/big/p0/generated/"]
gates = [{gates}]

[[contracts]]
id = "order"
kind = "layers"
layers = [{layers}]

[[contracts]]
id = "apart"
kind = "forbidden"
sources = ["big.p1", "big.p2.m3"]
forbidden = ["big.p5.m2", "big.p7"]
"""
_WORKFLOW = """\
on: [push, pull_request]
jobs:
  gates:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install abutment
      - run: abutment check --against origin/main
"""
_FUNCTION = """

def {name}_{number}(first, *others, scale={number}):
    \"\"\"Return what is asked of {name} number {number}.\"\"\"
    total = {used}.VALUE + scale
    for other in others:
        if other is None:
            continue
        total += other * scale
    {call}
    return first, total
"""
_AGAINST_THE_ORDER = 0.05
_CALLS = ("log(total)", "requests.get(str(total))", "time.sleep(scale)", "total -= {number}", "total = max(total, 0)")


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a codebase is to be."""

    packages: int = 20
    modules: int = 49  # of each package, beside its `__init__`
    functions: int = 8  # of each module
    commits: int = 40


class Repository:
    """A generated codebase in a git repository; its main branch is under law."""

    def __init__(self, root: Path, shape: Shape, seed: int = 1) -> None:
        self.root, self._shape, self._chance = root, shape, random.Random(seed)
        self._write(dict(self._files()))
        layers = ", ".join(f'"big.p{number}"' for number in range(shape.packages))
        gates = ", ".join(f'"{gate}"' for gate in _GATES)
        settings = _CONFIGURATION.format(gates=gates, layers=layers)
        self._write({"abutment.toml": settings, ".github/workflows/ci.yml": _WORKFLOW})
        self.git("init", "--quiet", "--initial-branch=main")
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init", *_GATES], cwd=root)
        self.commit("law")
        for number in range(shape.commits):
            self.edit(1)
            self.commit(f"change {number}")

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *words], cwd=self.root, check=True, env=clean_environment())

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def edit(self, count: int) -> None:
        """Change some modules as people do: a few lines at the end."""
        for path in self._chance.sample(sorted((self.root / "src").rglob("m*.py")), count):
            number = self._chance.randrange(10**6)
            path.write_text(f"{path.read_text(encoding='utf-8')}\n\ndef added_{number}():\n    return {number}\n")

    def rename(self, old: str, new: str) -> None:
        """Rename a package, whatever speaks of it, and what was recorded of it."""
        path = f"src/{old.replace('.', '/')}"
        self.git("mv", path, f"src/{new.replace('.', '/')}")
        spelled = re.compile(rf"\b{re.escape(old)}\b")
        for file in (self.root / "abutment.toml", *(self.root / "src").rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            file.write_text(spelled.sub(new, text).replace(f"{path}/", f"src/{new.replace('.', '/')}/"))
        for words in (("move", old, new), ("record", "snapshot")):
            run_quietly([ABUTMENT_PYTHON, "-m", "abutment", *words], cwd=self.root, accept=(0, 1))

    def _write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def _files(self) -> Iterator[tuple[str, str]]:
        yield "src/big/__init__.py", ""
        yield "src/big/p0/generated/x.py", "X = 1\n"
        for package in range(self._shape.packages):
            yield f"src/big/p{package}/__init__.py", ""
            for module in range(self._shape.modules):
                yield f"src/big/p{package}/m{module}.py", self._module(package, f"p{package}_m{module}")

    def _module(self, package: int, name: str) -> str:
        uses = [self._use(package) for _ in range(self._chance.randint(1, 8))]
        lines = ["import time", "import requests", "from logging import info as log"]
        lines += [f"from big.{use.replace('_', ' import ')} as {use}" for use in sorted(set(uses))]
        functions = (self._function(name, number, uses) for number in range(self._shape.functions))
        return "\n".join([*lines, "", "VALUE = 1"]) + "\n" + "".join(functions)

    def _function(self, name: str, number: int, uses: list[str]) -> str:
        call = self._chance.choices(_CALLS, (20, 1, 1, 20, 20))[0].format(number=number)
        return _FUNCTION.format(name=name, number=number, used=self._chance.choice(uses), call=call)

    def _use(self, package: int) -> str:
        """Return a module to import: of the package or one below it, but for every twentieth."""
        against = self._chance.random() < _AGAINST_THE_ORDER
        used = self._chance.randrange(0 if against else package, self._shape.packages)
        return f"p{used}_m{self._chance.randrange(self._shape.modules)}"
