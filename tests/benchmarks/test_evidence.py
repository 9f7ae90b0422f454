"""Do the evidence tools find a difference where there is one, and excuse only what has a reason?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.catalogue import CORPORA, MissingError, chosen, module_names
from benchmarks.evidence.edges import Edges, Fact, Place, inside, read_facts
from benchmarks.evidence.grimp_edges import UNEXPLAINED, Graph, SourceLines, compare
from benchmarks.evidence.interpreter_edges import RECORDER, hold
from benchmarks.install import locked_versions


def fact(
    importer: str, imported: str, *, when: str = "module", dynamic: bool = False, via: str = "written", line: int = 1
) -> Fact:
    return Fact(importer, imported, when, dynamic, via, (Place("p/a.py", line),))


def reasons(tmp_path: Path, ours: list[Fact], theirs: list[tuple[str, str]], source: str = "import p\n" * 3) -> object:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.py").write_text(source, encoding="utf-8")
    grimp = Graph(frozenset({"p", "p.a", "p.b", "p.b.c"}), frozenset(theirs))
    found = compare(inside("p", ours), grimp, SourceLines(tmp_path))
    return (found.agreed, list(found.ours_only), list(found.grimp_only), found.unexplained)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([fact("p.a", "p.b")], [("p.a", "p.b")], (1, [], [], 0)),
        ([fact("p.a", "p.b", when="type_only")], [("p.a", "p.b")], (1, [], [], 0)),
        ([fact("p.a", "p.b")], [], (0, [UNEXPLAINED], [], 1)),
        ([], [("p.a", "p.b")], (0, [], [UNEXPLAINED], 1)),
        ([fact("p.a", "p.b", via="parent")], [], (0, ["parent"], [], 0)),
        ([fact("p.a", "p.b", via="parent"), fact("p.a", "p.b", line=2)], [], (0, [UNEXPLAINED], [], 1)),
        ([fact("p.a", "p.b", via="lazy")], [], (0, ["lazy"], [], 0)),
        ([fact("p.a", "p.b", dynamic=True)], [], (0, ["dynamic"], [], 0)),
        ([fact("p.a", "p.new")], [], (0, ["a directory without __init__.py, or what lies below one"], [], 0)),
        ([fact("p.a", "p.b"), fact("p.a", "p.b.c")], [("p.a", "p.b.c")], (1, ["symbol"], [], 0)),
        ([fact("p.a", "p.b"), fact("p.a", "p.b.c", line=2)], [("p.a", "p.b.c")], (1, [UNEXPLAINED], [], 1)),
        ([fact("p.a", "p.b"), fact("p.a", "other")], [("p.a", "p.b")], (1, [], [], 0)),
    ],
)
def test_each_difference_to_grimp_has_its_reason_or_none(
    tmp_path: Path, ours: list[Fact], theirs: list[tuple[str, str]], expected: tuple[int, list[str], list[str], int]
) -> None:
    agreed, ours_only, grimp_only, unexplained = expected
    found = reasons(tmp_path, ours, theirs)
    assert isinstance(found, tuple)
    assert (found[0], found[3]) == (agreed, unexplained)
    assert [said.split(":")[0].split(", or a file")[0] for said in found[1]] == ours_only
    assert list(found[2]) == grimp_only


def test_a_star_is_told_by_its_line(tmp_path: Path) -> None:
    found = reasons(tmp_path, [fact("p.a", "p.b", line=2)], [], "import p\nfrom p import *\n")
    assert found == (0, ["star: a submodule named in a literal __all__"], [], 0)


def test_facts_are_read_as_they_are_documented() -> None:
    row = {
        "importer": "p.a",
        "imported": "p.b",
        "when": "deferred",
        "optional": False,
        "dynamic": True,
        "via": "written",
        "count": 1,
        "fingerprint": "0",
        "sites": [{"path": "p/a.py", "line": 4, "column": 1, "end_line": 4, "end_column": 9, "scope": "f"}],
    }
    assert read_facts([row]) == [Fact("p.a", "p.b", "deferred", True, "written", (Place("p/a.py", 4),))]
    with pytest.raises(KeyError):
        read_facts([{"importer": "p.a"}])


@pytest.mark.parametrize(
    ("how", "ours", "dynamic_modules", "place"),
    [
        ("statement", [fact("p.a", "p.b", when="deferred")], (), "known"),
        ("statement", [fact("p.a", "p.b", via="parent")], (), "known"),
        ("statement", [fact("p.a", "p.b", when="type_only")], (), "type_only"),
        ("statement", [], (), "missing"),
        ("statement", [], ("p.a",), "missing"),  # a statement is never excused by a dynamic import elsewhere
        ("import_module", [], ("p.a",), "dynamic"),
        ("import_module", [], ("p.b",), "missing"),
        ("__import__", [], ("p.a",), "dynamic"),
    ],
)
def test_a_recorded_edge_is_known_or_reported_dynamic_or_wrong(
    how: str, ours: list[Fact], dynamic_modules: tuple[str, ...], place: str
) -> None:
    outcome = hold(
        frozenset({("p.a", "p.b", how)}), Edges(inside("p", ours), dynamic_modules=frozenset(dynamic_modules))
    )
    sizes = {
        "known": outcome.known,
        "dynamic": len(outcome.dynamic),
        "type_only": len(outcome.type_only),
        "missing": len(outcome.missing),
    }
    assert sizes == {"known": 0, "dynamic": 0, "type_only": 0, "missing": 0} | {place: 1}


PACKAGE = {
    "p/__init__.py": "",
    "p/a.py": "import p.b\nfrom . import b, c\nfrom .c import inner\nfrom p.sub import *\n",
    "p/b.py": "def later():\n    import p.unknown\n",
    "p/c.py": "import importlib\nimportlib.import_module('.b', 'p')\ninner = __import__('p.b', fromlist=['x'])\n",
    "p/sub/__init__.py": "__all__ = ['leaf']\n",
    "p/sub/leaf.py": "exec('import p.b')\n",
    "p/broken.py": "import p.b\nraise SystemExit(3)\n",
}


def test_the_recorder_sees_what_the_interpreter_carries_out(tmp_path: Path) -> None:
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    request, answer = tmp_path / "request.json", tmp_path / "answer.json"
    setup = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})"
    modules = ["p.broken", "p.a"]
    request.write_text(json.dumps({"package": "p", "modules": modules, "setup": setup}), encoding="utf-8")
    subprocess.run([sys.executable, RECORDER, request, answer], check=True)
    said = json.loads(answer.read_text(encoding="utf-8"))
    assert said["failed"] == {"p.broken": "SystemExit: 3"}
    assert {tuple(edge) for edge in said["edges"]} == {
        ("p.broken", "p.b", "statement"),
        ("p.a", "p.b", "statement"),
        ("p.a", "p", "statement"),
        ("p.a", "p.c", "statement"),
        ("p.a", "p.sub", "statement"),
        ("p.a", "p.sub.leaf", "statement"),
        ("p.c", "p.b", "import_module"),
        ("p.c", "p.b", "__import__"),
        ("p.sub.leaf", "p.b", "statement in executed text"),
    }


def test_every_file_has_its_module_name(tmp_path: Path) -> None:
    for name in ("p/__init__.py", "p/sub/__init__.py", "p/sub/x.py", "p/no-name.py", "p/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert sorted(module_names(tmp_path, "p")) == ["p", "p.sub", "p.sub.x"]


def test_corpora_are_chosen_by_name_and_a_wrong_name_is_refused() -> None:
    assert chosen([]) == CORPORA
    assert [corpus.name for corpus in chosen(["pandas", "django"])] == ["pandas", "django"]
    with pytest.raises(MissingError, match="unknown corpus nosuch"):
        chosen(["nosuch"])


def test_the_measured_copy_has_the_locked_dependencies() -> None:
    lines = locked_versions().splitlines()
    assert any(line.startswith("click==") for line in lines)
    assert not [line for line in lines if "hash" in line or "\\" in line]
