"""The conformance suite of `fixtures/engine/`, as its README says."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from abutment.semantics.build import build_program
from abutment.semantics.interpret import Interpreted
from abutment.semantics.program import Import, Program
from abutment.semantics.work import read_file
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root

SUITE = Path(__file__).parents[2] / "fixtures" / "engine"
UNLISTED = {"typing", "typing_extensions", "importlib", "contextlib", "builtins"}


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['title']}")
        for path in sorted(SUITE.glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
    ]


def program_of(case: dict[str, Any]) -> Program:
    files: dict[str, bytes | str] = dict(case.get("files", {}))
    files.update((path, bytes.fromhex(text)) for path, text in case.get("hex", {}).items())
    tree = MemoryTree(files)
    return build_program(discover(tree, [Root(".")]), tree)


def shown(one: Import) -> str:
    words = [one.when, *(word for word in ("optional", "dynamic") if getattr(one, word))]
    words += ["lazy"] if one.via == "lazy" else []
    symbol = f" [{one.symbol}]" if one.symbol else ""
    return f"{one.site.place()} {one.imported}{symbol} {' '.join(words)}"


def with_columns(one: Import) -> str:
    site = one.site
    return f"{site.path}:{site.line}:{site.column}-{site.end_line}:{site.end_column} {one.imported}"


@pytest.mark.parametrize("case", cases())
def test_the_engine_conforms(case: dict[str, Any]) -> None:
    program, expect = program_of(case), case["expect"]
    unlisted = set() if expect.get("every") else UNLISTED
    written = [one for one in program.imports() if one.via != "parent" and one.imported not in unlisted]
    assert Counter(map(shown, written)) == Counter(expect["imports"])
    if "parents" in expect:
        assert Counter(shown(one) for one in program.imports() if one.via == "parent") == Counter(expect["parents"])
    spots = Counter(f"{one.site.place()} {one.kind.value} {one.what}" for one in program.blind)
    assert spots == Counter(expect.get("blind", []))
    assert Counter(f"{one.path}:{one.line}" for one in program.unread) == Counter(expect.get("unread", []))
    for name, origin in expect.get("exports", {}).items():
        assert program.origin(*name.split(":")) == (origin or None), name
    if "columns" in expect:
        assert Counter(map(with_columns, written)) == Counter(expect["columns"])


@pytest.mark.parametrize("case", cases())
def test_what_a_file_means_does_not_depend_on_whether_uses_are_wanted(case: dict[str, Any]) -> None:
    for path, text in case.get("files", {}).items():
        module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        about = (text.encode(), module, path.endswith("__init__.py"), ".py")
        whole, lean = read_file(*about), read_file(*about, uses=False)
        if isinstance(whole, Interpreted) and isinstance(lean, Interpreted):
            assert lean.meaning == whole.meaning
            assert lean.provenance is None
        else:
            assert lean == whole


def test_hash_seeds_decide_nothing() -> None:
    script = (
        "import sys, tomllib; from pathlib import Path\n"
        "from abutment.semantics.work import packed_meaning, unpacked_meaning\n"
        "for path in sorted(Path(sys.argv[1]).glob('*.toml')):\n"
        "    for case in tomllib.loads(path.read_text('utf-8'))['case']:\n"
        "        for name, text in case.get('files', {}).items():\n"
        "            module = name.removesuffix('.py').replace('/', '.').removesuffix('.__init__')\n"
        "            package = name.endswith('__init__.py')\n"
        "            print(ascii(unpacked_meaning(packed_meaning((0, text.encode(), module, package, '.py', True)))))\n"
    )
    answers = set()
    for seed in ("0", "1", "2"):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script, str(SUITE)]
        answers.add(subprocess.run(command, env=env, capture_output=True, check=True).stdout)
    assert len(answers) == 1
    assert len(answers.pop()) > 10_000
