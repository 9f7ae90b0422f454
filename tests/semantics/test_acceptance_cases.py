"""The acceptance cases of the import graph and of hard files, as facts of the engine."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from abutment.semantics.build import build_program
from abutment.semantics.program import Import, Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root
from abutment.sources.work_tree import WorkTree

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
EDGES = ["001", "003", "005", "007", "009", "011", "013", "015", "017", "021", "023", "029"]


def case(number: str) -> tuple[dict[str, Any], Path]:
    (folder,) = CASES.glob(f"{number}-*")
    return tomllib.loads((folder / "case.toml").read_text("utf-8"))["expected"], folder / "input"


def program(folder: Path) -> Program:
    tree = WorkTree(folder)
    return build_program(discover(tree, [Root(".")]), tree)


def fits(one: Import, kind: str) -> bool:
    """Say whether an import is what a case calls it."""
    if kind == "implied_parent":
        return one.via == "parent"
    if one.via == "parent":
        return False
    if kind == "runtime":
        return one.when == "module"
    return one.when == kind


@pytest.mark.parametrize("number", EDGES)
def test_edges_of_the_case(number: str) -> None:
    expected, folder = case(number)
    found = list(program(folder).imports())
    for edge in expected.get("edges", []):
        ends = [one for one in found if (one.importer, one.imported) == (edge["from"], edge["to"])]
        at = [one for one in ends if one.site.place() == edge.get("at", one.site.place())]
        assert any(fits(one, edge["kind"]) for one in at), edge
    for edge in expected.get("absent_edges", []):
        ends = [one for one in found if (one.importer, one.imported) == (edge["from"], edge["to"])]
        assert not any(fits(one, edge["kind"]) for one in ends), edge


def test_007_climbing_past_the_top_is_said() -> None:
    expected, folder = case("007")
    kinds = {"past-top": "unresolved_relative", "unresolved": "unresolved_internal"}
    spots = {(kinds[one.kind.value], one.site.place()) for one in program(folder).blind}
    assert spots == {(problem["kind"], problem["at"]) for problem in expected["problems"]}


def test_009_every_module_is_scanned() -> None:
    modules = program(case("009")[1]).modules
    assert sorted(name for name, one in modules.items() if one.kind.value == "source") == [
        "tannery",
        "tannery.books",
        "tannery.front",
        "tannery.hides.raw.cure",
    ]


def test_011_the_shadowed_file_is_said() -> None:
    (spot,) = program(case("011")[1]).blind
    assert (spot.kind.value, spot.site.path, spot.what) == ("shadowed", "shop/tax.py", "shop/tax/__init__.py")


def test_015_computed_names_are_said_with_their_beginning() -> None:
    spots = [(one.site.place(), one.what) for one in program(case("015")[1]).blind]
    assert spots == [("plug/load.py:24", "plug.parts.*"), ("plug/load.py:28", "*")]


def test_023_the_locale_decides_nothing() -> None:
    script = (
        "import sys; from pathlib import Path; from abutment.sources.work_tree import WorkTree\n"
        "from abutment.sources.discovery import discover; from abutment.sources.universe import Root\n"
        "from abutment.semantics.build import build_program\n"
        "tree = WorkTree(Path(sys.argv[1])); program = build_program(discover(tree, [Root('.')]), tree)\n"
        "print(ascii([(one.importer, one.imported, one.site) for one in program.imports()]), program.unread)\n"
    )
    plain = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    narrow = {**plain, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", script, str(case("023")[1])]
    answers = {subprocess.run(command, env=env, capture_output=True, check=True).stdout for env in (plain, narrow)}
    assert len(answers) == 1


def test_025_a_file_that_does_not_parse_is_not_absent() -> None:
    expected, folder = case("025")
    found = program(folder)
    assert [one.path for one in found.unread] == [problem["at"] for problem in expected["problems"]]
    assert found.modules["quarry.broken"].kind.value == "unread"
    assert all(found.grammar in one.message for one in found.unread)


def test_027_lines_are_the_parsers() -> None:
    expected, folder = case("027")
    found = sorted((one.site.place(), one.imported) for one in program(folder).imports() if one.via != "parent")
    assert found == sorted((fact["at"], fact["what"]) for fact in expected["facts"])


def test_031_a_huge_table_is_only_read(tmp_path: Path) -> None:
    lines = ["import big.base", "", "ROWS = {"]
    lines += [f'    "key{at:06d}": ("v{at % 97}", {at}, [{at % 7}, {at % 11}]),' for at in range(100_000)]
    lines += ["}", "", "import requests", "", "", "def push(url):", "    return requests.post(url, json=len(ROWS))", ""]
    tree = MemoryTree({"big/__init__.py": "", "big/base.py": "", "big/table.py": "\n".join(lines)})
    found = [(one.imported, one.site.line) for one in build_program(discover(tree, [Root(".")]), tree).imports()]
    assert found == [("big", 1), ("big.base", 1), ("requests", 100006)]
