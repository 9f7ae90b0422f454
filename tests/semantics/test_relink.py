from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from abutment.semantics import relink
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.link import Linker
from abutment.semantics.meaning import Meaning
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root

NAMES = ("A", "B", "C", "im", "TYPE_CHECKING", "m0", "m1", "sub")
PLACES = ("app/__init__.py", *(f"app/m{at}.py" for at in range(9)), "app/sub/__init__.py", "app/sub/m0.py", "user.py")
MODULES = ("app", *(f"app.m{at}" for at in range(9)), "app.sub", "app.sub.m0", "user", "json")
LINES = (
    "from {module} import {name}",
    "from {module} import {name} as {other}",
    "from . import {name}",
    "from .m1 import {name}",
    "import {module}",
    "import {module} as {name}",
    "{name} = 1",
    "{name} = {other}",
    "{name} = {module}.{other}",
    "def {name}(): from {module} import {other}",
    "class {name}: from {module} import {other}",
    "if {name}: from {module} import {other}",
    "if {name}.{other}: import {module}",
    "try: from {module} import {name}\nexcept ImportError: {name} = None",
    "from importlib import import_module as {name}",
    "{name}('{module}')",
    "{module}.{name}('{module}')",
    "from typing import TYPE_CHECKING as {name}",
    "del {name}",
    "{name} = 2  # abutment: {other}",
)
LAZY = """
import importlib
_WHERE = {{"{name}": "{module}"}}
def __getattr__(name):
    return getattr(importlib.import_module(_WHERE[name]), name)
"""
# What these say is true of all modules together.
RARE = (
    "from {module} import *",
    "__all__ = ['{name}', '{other}']",
    "__all__ = [*{module}.__all__]",
    "import {module} as x\nx.{name} = 1",
    LAZY,
    "globals()['x'] = 1",
    "def (",
)


def a_line(chance: random.Random, rare: float) -> str:
    form = chance.choice(RARE if chance.random() < rare else LINES)
    return form.format(module=chance.choice(MODULES), name=chance.choice(NAMES), other=chance.choice(NAMES))


def built(files: Mapping[str, str], cache: Cache | None) -> Program:
    tree = MemoryTree(dict(files))
    return build_program(discover(tree, [Root(".")]), tree, cache=cache)


def shown(program: Program) -> object:
    exports = {name: dict(program.exports[name]) for name in program.exports}
    return (
        list(program.imports()),
        dict(program.modules),
        program.blind,
        program.unread,
        program.grammar,
        exports,
        program.directives,
    )


def edited(chance: random.Random, files: dict[str, str], rare: float) -> None:
    path = chance.choice(PLACES)
    lines = files[path].split("\n")
    if chance.random() < 0.4 and len(lines) > 1:
        lines.pop(chance.randrange(len(lines)))
    else:
        lines.insert(chance.randrange(len(lines) + 1), a_line(chance, rare))
    files[path] = "\n".join(lines)
    if chance.random() < rare:
        files[f"app/n{chance.randrange(2)}.py"] = a_line(chance, rare)


class Relinking:
    """Counts the edits that were linked from the program before, and how many modules that took."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.partly: list[int] = []
        inner, self._rows = relink.relinked, 0

        def counting(*arguments: object) -> object:
            found = inner(*arguments)  # type: ignore[arg-type]
            if found is not None:
                self.partly.append(self._rows)
            self._rows = 0
            return found

        class CountingLinker(Linker):
            def rows(linker, meaning: Meaning) -> list[object]:  # type: ignore[override]  # noqa: N805
                self._rows += 1
                return super().rows(meaning)  # type: ignore[return-value]

        monkeypatch.setattr(relink, "relinked", counting)
        monkeypatch.setattr(relink, "Linker", CountingLinker)


@pytest.mark.parametrize("rare", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_it_is_what_linking_anew_gives(
    seed: int, rare: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Relinking(monkeypatch)
    monkeypatch.setattr(relink, "_MOST_SHARE", 1)
    chance = random.Random(f"{seed} {rare}")
    files = {path: "\n".join(a_line(chance, rare / 4) for _ in range(4)) for path in PLACES}
    built(files, Cache(tmp_path, "1"))
    for _ in range(40):
        edited(chance, files, rare)
        assert shown(built(files, Cache(tmp_path, "1"))) == shown(built(files, None)), files
        assert shown(built(files, Cache(tmp_path, "1"))) == shown(built(files, None)), "as it was stored"
    assert len(counted.partly) > (20 if not rare else 0)


USERS = {f"u{at}.py": "import m\n" for at in range(20)}


def after(files: dict[str, str], edit: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many modules were linked again after one edit; [] where all were."""
    counted = Relinking(monkeypatch)
    built({**USERS, **files}, Cache(folder, "1"))
    now = {**USERS, **files, **edit}
    assert shown(built(now, Cache(folder, "1"))) == shown(built(now, None))
    return counted.partly


@pytest.mark.parametrize(
    ("m", "user", "edit", "linked"),
    [
        ("A = 1", "from m import A", "A = 1\ndef f(): import json", [1]),  # nobody had asked for f
        ("A = 1", "from m import B", "A = 1\nB = 1", [2]),  # the user's missing name is there now
        ("A = 1", "from m import A", "", [2]),
        ("A = 1", "from m import *", "A = 1\nB = 1", []),  # a star takes whatever there is
        ("A = 1", "from m import B", "A = 1\nfrom k import *", []),
        ("A = 1\nfrom k import *", "from m import A", "from k import *\nA = 1", []),  # the star came later
        ("A = 1", "import m", "A = 1\n__all__ = []", []),
        (LAZY.format(name="L", module="k"), "from m import L", LAZY.format(name="L", module="json"), []),
        ("A = 1", "import m", "A = 1\ndef __getattr__(name): ...", []),
        ("A = 1", "import m", "A = 1\nimport k\nk.B = 1", []),  # it sets another module's name
        ("A = 1", "import m", "def (", []),
        ("def (", "import m", "A = 1", []),
    ],
)
def test_only_whoever_asked_for_what_changed_is_linked_again(
    m: str, user: str, edit: str, linked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert after({"m.py": m, "k.py": "B = 1", "user.py": user}, {"m.py": edit}, tmp_path, monkeypatch) == linked


def test_a_name_is_followed_through_other_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "m.py": "from k import G",
        "k.py": "from typing import TYPE_CHECKING as G",
        "user.py": "from m import G\nif G: import json",
    }
    assert after(files, {"k.py": "G = True"}, tmp_path, monkeypatch) == [3]


def test_whoever_looks_through_a_star_depends_on_all_that_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"m.py": "from k import *\n__all__ = ['A']", "k.py": "A = 1", "user.py": "from m import B"}
    assert after(files, {"k.py": "A = 1\nB = 1"}, tmp_path, monkeypatch) == []


def test_a_new_module_means_linking_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert after({"m.py": "from n import A"}, {"n.py": "A = 1"}, tmp_path, monkeypatch) == []


def test_much_that_is_not_used_any_more_means_linking_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Relinking(monkeypatch)
    monkeypatch.setattr(relink, "_SLACK", 3)
    for at in range(12):
        files = {**USERS, "m.py": f"import json{at}"}
        program = built(files, Cache(tmp_path, "1"))
        assert shown(program) == shown(built(files, None))
        assert len(program.columns.names) <= len(built(files, None).columns.names) + 8
    assert 0 < len(counted.partly) < 11
