from __future__ import annotations

import gc
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.semantics import build, workers
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import CasePair, Role, Root, Shadow, Universe

FILES = {
    "app/__init__.py": "from .a import A as B\n",
    "app/a.py": "import app.b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING: import app.c\nclass A: pass\n",
    "app/b.py": "import app.missing\ndef f():\n    import json\n",
    "app/c.py": "from .b import *\nfrom ... import x\n",
    "app/broken.py": "def (\n",
    "app/sub/__init__.py": "",
    "app/sub/m.py": "from .. import a, b\n__import__('json', globals())\n",
}


def universe_of(files: dict[str, str]) -> tuple[Universe, MemoryTree]:
    tree = MemoryTree(files)
    return discover(tree, [Root(".")]), tree


def same(one: Program, other: Program) -> bool:
    return (
        list(one.imports()) == list(other.imports())
        and dict(one.modules) == dict(other.modules)
        and one.blind == other.blind
        and one.unread == other.unread
        and one.grammar == other.grammar
        and {name: dict(one.exports[name]) for name in one.exports}
        == {name: dict(other.exports[name]) for name in other.exports}
    )


def test_rows_are_sorted_by_place() -> None:
    program = build_program(*universe_of(FILES))
    places = [(one.site.path, one.site.line, one.site.column, one.imported, one.symbol) for one in program.imports()]
    assert places == sorted(places)
    assert len(places) > 10


def test_the_order_of_files_changes_nothing() -> None:
    universe, tree = universe_of(FILES)
    first = build_program(universe, tree)
    for seed in range(3):
        files = list(universe.files)
        random.Random(seed).shuffle(files)
        assert same(first, build_program(replace(universe, files=tuple(files)), tree))


def test_two_processes_give_what_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_WORTH_WORKERS", 0)
    monkeypatch.setattr(workers, "_CHUNK_FILES", 2)
    universe, tree = universe_of(FILES)
    assert same(build_program(universe, tree, jobs=1), build_program(universe, tree, jobs=2))


def test_a_lost_worker_leaves_the_whole_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = workers.start

    def killed() -> subprocess.Popen[bytes]:
        worker = start()
        worker.kill()
        started.append(worker)
        return worker

    monkeypatch.setattr(build, "_WORTH_WORKERS", 0)
    monkeypatch.setattr(workers, "start", killed)
    with pytest.raises(NotJudged, match=r"worker.*exit status -?\d+"):
        build_program(*universe_of(FILES), jobs=2)
    assert all(worker.returncode is not None for worker in started)


def test_a_frozen_program_starts_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> subprocess.Popen[bytes]:
        raise AssertionError("of a frozen program, sys.executable is the program itself")

    monkeypatch.setattr(build, "_WORTH_WORKERS", 0)
    monkeypatch.setattr(workers, "start", never)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    universe, tree = universe_of(FILES)
    assert same(build_program(universe, tree, jobs=2), build_program(universe, tree, jobs=1))


def test_the_collector_is_left_as_it_was() -> None:
    for was_on in (True, False):
        (gc.enable if was_on else gc.disable)()
        try:
            build_program(*universe_of(FILES))
            assert gc.isenabled() is was_on
        finally:
            gc.enable()


class UnreadableTree(MemoryTree):
    """A tree in which one file cannot be read."""

    def read(self, path: str) -> bytes:
        if path == "app/a.py":
            raise NotJudged(Fault(path, 0, "permission denied"))
        return super().read(path)


def test_a_file_that_cannot_be_read_stays_known(tmp_path: Path) -> None:
    universe, _ = universe_of(FILES)
    program = build_program(universe, UnreadableTree(FILES), cache=Cache(tmp_path, "1"))
    assert [one.path for one in program.unread] == ["app/a.py", "app/broken.py"]
    assert program.modules["app.a"].kind.value == "unread"
    assert all(one.importer != "app.a" for one in program.imports())
    assert any(one.imported == "app.a" for one in program.imports())
    assert same(program, build_program(universe, UnreadableTree(FILES), cache=Cache(tmp_path, "1")))
    assert not same(program, build_program(universe, MemoryTree(FILES), cache=Cache(tmp_path, "1")))


def test_names_that_lead_in_circles_are_soon_told() -> None:
    mesh = {f"m{at}.py": "".join(f"from m{to} import *\n" for to in range(20) if to != at) for at in range(20)}
    either = {
        f"n{at}.py": f"try: from n{(at + 1) % 9} import X\nexcept E: from n{(at + 2) % 9} import X" for at in range(9)
    }
    guards = "import m3, n3\nif m3.Y: import a\nif n3.X: import b\n"
    program = build_program(*universe_of({**mesh, **either, "m0.py": mesh["m0.py"] + "Y = 1\n", "u.py": guards}))
    assert [one.when for one in program.imports() if one.importer == "u"] == ["module"] * 4
    assert program.origin("n3", "X") == "n3:X"


def test_what_discovery_could_not_tell_is_blind() -> None:
    universe, tree = universe_of({"a.py": "", "b.py": ""})
    fault = Fault("c", 0, "cannot be listed")
    program = build_program(
        replace(
            universe,
            shadows=(Shadow("a", "a.py", "a/__init__.py"),),
            case_pairs=(CasePair("b", "b.py", "B.py"),),
            not_judged=(fault,),
        ),
        tree,
    )
    assert [(one.kind.value, one.module, one.what, one.site.path) for one in program.blind] == [
        ("shadowed", "a", "a/__init__.py", "a.py"),
        ("case-pair", "b", "B.py", "b.py"),
    ]
    assert program.unread == (fault,)


def test_known_modules_are_targets_without_facts() -> None:
    tree = MemoryTree(
        {
            "app/__init__.py": "",
            "app/user.py": "import app.gen.proto.x, app.ex.y\nfrom app.gen import proto\nfrom app.fast import f\n",
            "app/fast.so": "",
            "app/ex/__init__.py": "import json\n",
            "app/ex/m.py": "",
            ".gitignore": "app/gen.py\n",
            "app/gen.py": "import json\n",
        }
    )
    program = build_program(discover(tree, [Root(".")], exclude=["app/ex/"]), tree)
    assert program.blind == ()
    kinds = {name: one.kind.value for name, one in program.modules.items()}
    assert kinds["app.fast"] == "extension"
    assert kinds["app.ex"] == "excluded"
    assert kinds["app.gen"] == "generated"
    assert {one.importer for one in program.imports()} == {"app.user"}
    written = {(one.imported, one.symbol) for one in program.imports() if one.via == "written"}
    assert written == {("app.gen", "proto.x"), ("app.gen", "proto"), ("app.fast", "f"), ("app.ex", "y")}


def test_roles_come_from_the_roots() -> None:
    tree = MemoryTree({"src/a.py": "", "tests/test_a.py": "import a\n"})
    program = build_program(discover(tree, [Root("src"), Root("tests", Role.TESTS)]), tree)
    assert {one.role for one in program.modules.values()} == {"source", "tests"}
    assert [one.imported for one in program.imports()] == ["a"]
