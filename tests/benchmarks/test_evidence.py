"""Do the evidence tools find a difference where there is one, and excuse only what has a reason?"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.catalogue import CORPORA, MissingError, chosen, module_names
from benchmarks.evidence import blind_spots, interpreter_edges
from benchmarks.evidence.blind_spots import called, compare_calls, importer_calls
from benchmarks.evidence.certain import certain_imports
from benchmarks.evidence.edges import Edges, Fact, Place, inside, print_sorted, print_table, read_facts
from benchmarks.evidence.grimp_edges import (
    BINARY,
    DYNAMIC,
    ELSEWHERE,
    IN_NO_INIT,
    IN_STUB,
    ITSELF,
    LAZY,
    NO_INIT,
    NO_PARENT,
    PARENT,
    RUNS,
    STAR,
    STUB,
    SYMBOL,
    UNEXPLAINED,
    AnyPlace,
    Comparison,
    Disk,
    Graph,
    compare,
)
from benchmarks.evidence.interpreter_edges import (
    CANDIDATE,
    COMPUTED,
    DEFERRED,
    KNOWN,
    MISPLACED,
    MISSING,
    NOT_RUN,
    RECORDER,
    TYPE_ONLY,
    Outcome,
    Recorded,
    certain_places,
    hold,
    is_wrong,
    not_carried_out,
)
from benchmarks.install import locked_versions

# A tree as the judged project's: what grimp does not know is told from what lies here.
TREE = {
    "p/__init__.py": "",
    "p/a.py": "import p\n" * 3 + "from p import *\nimport_module('p.b')\n",
    "p/b.py": "",
    "p/lib.cpython-311-x86_64-linux-gnu.so": "",
    "p/lib.pyi": "import p.b\n",
    "p/typed.pyi": "",
    "p/bare/x.py": "import p.b\n",
    "p/sub/__init__.py": "",
    "p/sub/leaf.py": "",
}
GRIMPS = frozenset({"p", "p.a", "p.b", "p.sub", "p.sub.leaf"})


def fact(
    importer: str,
    imported: str,
    *,
    when: str = "module",
    dynamic: bool = False,
    via: str = "written",
    lines: tuple[int, ...] = (1,),
    path: str = "p/a.py",
) -> Fact:
    return Fact(importer, imported, when, False, dynamic, via, tuple(Place(path, line) for line in lines))


def plant(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def against_grimp(
    folder: Path, ours: list[Fact], theirs: list[AnyPlace], running: list[AnyPlace] | None = None
) -> Comparison:
    """Compare with what grimp said; all of it runs unless told otherwise, and has its parents among ours."""
    grimp = Graph(GRIMPS, frozenset(theirs), frozenset(theirs if running is None else running))
    return compare(inside("p", ours), grimp, Disk(plant(folder, TREE)))


TOP = fact("p.a", "p", via="parent", lines=(1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("ours", "reason"),
    [
        (fact("p.a", "p.b"), UNEXPLAINED),
        (fact("p.a", "p.b", via="parent"), UNEXPLAINED),  # it says parent, and nothing below it is imported there
        (fact("p.a", "p.b", via="lazy"), LAZY),
        (fact("p.a", "p.b", dynamic=True, lines=(5,)), DYNAMIC),
        (fact("p.a", "p.b", dynamic=True), UNEXPLAINED),  # it says dynamic, and the line has no such call
        (fact("p.a", "p.b", lines=(4,)), STAR),
        (fact("p.a", "p.lib"), BINARY),
        (fact("p.a", "p.typed"), STUB),
        (fact("p.a", "p.bare"), NO_INIT),
        (fact("p.a", "p.bare.x"), NO_INIT),
        (fact("p.a", "p.elsewhere.x"), ELSEWHERE),
        (fact("p.lib", "p.b", when="type_only", path="p/lib.pyi"), IN_STUB),
        (fact("p.lib", "p.b", path="p/lib.pyi"), UNEXPLAINED),  # an edge of a stub that is said to run
        (fact("p.bare.x", "p.b", path="p/bare/x.py"), IN_NO_INIT),
        (fact("p.unknown", "p.b"), UNEXPLAINED),
    ],
)
def test_an_edge_that_grimp_has_not_has_its_reason_or_none(tmp_path: Path, ours: Fact, reason: str) -> None:
    found = against_grimp(tmp_path, [ours], [])
    assert list(found.ours_only) == [reason]
    assert found.unexplained == (1 if reason == UNEXPLAINED else 0)


@pytest.mark.parametrize(
    ("package", "reason"),
    [(fact("p.a", "p.sub", via="parent"), PARENT), (fact("p.a", "p.sub"), SYMBOL)],
)
def test_a_package_is_a_parent_where_something_below_it_is_imported(tmp_path: Path, package: Fact, reason: str) -> None:
    found = against_grimp(tmp_path, [TOP, package, fact("p.a", "p.sub.leaf")], [("p.a", "p.sub.leaf", 1)])
    assert found.ours_only[reason] == (
        (("p.a", "p", 1), ("p.a", "p.sub", 1)) if reason == PARENT else (("p.a", "p.sub", 1),)
    )
    assert found.places == 1


@pytest.mark.parametrize(
    ("ours", "theirs", "running", "reasons"),
    [
        ([TOP, fact("p.a", "p.b")], [("p.a", "p.b", 1)], None, []),
        ([TOP, fact("p.a", "p.b", when="type_only")], [("p.a", "p.b", 1)], [], []),
        ([TOP], [("p.a", "p.b", 1)], None, [UNEXPLAINED]),
        ([TOP, fact("p.a", "p.b")], [("p.a", "p.b", 2)], None, [UNEXPLAINED]),  # another line is another import
        ([fact("p.a", "p.b")], [("p.a", "p.b", 1)], None, [NO_PARENT]),
        ([TOP], [("p.a", "p.a", 1)], None, [ITSELF]),
        ([TOP, fact("p.a", "p.b", when="type_only")], [("p.a", "p.b", 1)], None, [RUNS]),
    ],
)
def test_an_edge_of_grimp_that_we_have_not_is_unexplained(
    tmp_path: Path, ours: list[Fact], theirs: list[AnyPlace], running: list[AnyPlace] | None, reasons: list[str]
) -> None:
    assert list(against_grimp(tmp_path, ours, theirs, running).grimp_only) == reasons


def test_what_runs_for_us_only_is_unexplained(tmp_path: Path) -> None:
    top = fact("p.a", "p", via="parent")
    found = against_grimp(tmp_path, [top, fact("p.a", "p.b")], [("p.a", "p.b", 1)], [])
    assert found.ours_only[RUNS] == (("p.a", "p.b", 1),)
    assert found.unexplained == 1


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
    assert read_facts([row]) == [Fact("p.a", "p.b", "deferred", False, True, "written", (Place("p/a.py", 4),))]
    with pytest.raises(KeyError):
        read_facts([{"importer": "p.a"}])


MODULES = frozenset({"p", "p.a", "p.b"})


def recorded(
    importer: str, imported: str, how: str = "statement", when: str = "module", line: int = 1, via: str = "written"
) -> Recorded:
    return Recorded(importer, imported, how, when, line, via)


@pytest.mark.parametrize(
    ("edge", "ours", "dynamic_modules", "said"),
    [
        (recorded("p.a", "p.b"), [fact("p.a", "p.b")], (), KNOWN),
        (recorded("p.a", "p.b"), [fact("p.a", "p.b", via="parent")], (), KNOWN),
        (recorded("p.a", "p.b"), [fact("p.a", "p.b", when="type_only")], (), TYPE_ONLY),
        (recorded("p.a", "p.b"), [fact("p.a", "p.b", when="deferred")], (), DEFERRED),
        (recorded("p.a", "p.b", when="deferred"), [fact("p.a", "p.b", when="deferred")], (), KNOWN),
        (recorded("p.a", "p.b"), [fact("p.a", "p.b", lines=(2,))], (), MISPLACED),
        (recorded("p.a", "p.b"), [], (), MISSING),
        (recorded("p.a", "p.b"), [], ("p.a",), MISSING),  # a statement is never excused by a dynamic import elsewhere
        (recorded("p.a", "p.b", "import_module"), [], ("p.a",), COMPUTED),
        (recorded("p.a", "p.b", "import_module"), [], ("p.b",), MISSING),
        (recorded("p.a", "p.b", "import_module"), [fact("p.a", "p.b", dynamic=True, lines=(7,))], (), KNOWN),
        (recorded("p.a", "p.b", "import_module"), [fact("p.a", "p.b", when="type_only")], (), MISSING),
        (recorded("p.a", "p.b", "__import__"), [], ("p.a",), COMPUTED),
        (recorded("p.a", "p.a"), [], (), interpreter_edges.ITSELF),
        (recorded("p.a", "p.sdk", via="parent"), [], (), interpreter_edges.ELSEWHERE),
        (recorded("p.a", "p.sdk"), [], (), MISSING),
    ],
)
def test_a_recorded_edge_is_known_or_reported_dynamic_or_wrong(
    edge: Recorded, ours: list[Fact], dynamic_modules: tuple[str, ...], said: str
) -> None:
    edges = Edges(inside("p", ours), dynamic_modules=frozenset(dynamic_modules))
    assert hold(frozenset({edge}), edges, MODULES) == {said: [str(edge)]}
    assert is_wrong(said) == (said in {TYPE_ONLY, DEFERRED, MISPLACED, MISSING})


def test_what_other_distributions_import_is_none_of_ours() -> None:
    assert hold(frozenset({recorded("p.sdk", "p.b")}), Edges({}, frozenset()), MODULES) == {}


@pytest.mark.parametrize(
    ("ours", "seen", "said"),
    [
        (fact("p.a", "p.b"), [recorded("p.a", "p.b")], {}),
        (fact("p.a", "p.b"), [recorded("p.a", "p.b", line=2)], {NOT_RUN: 1}),
        (fact("p.a", "p.b"), [], {NOT_RUN: 1}),
        (fact("p.a", "p.sdk.Name"), [recorded("p.a", "p.sdk")], {CANDIDATE: 1}),
        (fact("p.a", "p.sdk.Name"), [], {NOT_RUN: 1}),
        (fact("p.a", "p.b"), [recorded("p.a", "p")], {NOT_RUN: 1}),  # a module of ours is never only a candidate
    ],
)
def test_what_loading_has_to_carry_out_was_recorded_or_is_wrong(
    ours: Fact, seen: list[Recorded], said: dict[str, int]
) -> None:
    found = not_carried_out([(ours, ours.places[0])], frozenset(seen), MODULES)
    assert {reason: len(lines) for reason, lines in found.items()} == said


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import p\nfrom p import (\n    b,\n)\n", {1, 2}),
        ("class C:\n    import p\n", {2}),
        ("def f():\n    import p\n", set()),
        ("if x:\n    import p\n", set()),
        ("try:\n    import p\nfinally:\n    import q\n", set()),
        ("with x:\n    import p\n", set()),
    ],
)
def test_only_what_stands_below_no_condition_is_certain(text: str, lines: set[int]) -> None:
    assert certain_imports(text.encode()) == lines


def test_only_import_time_edges_of_loaded_modules_are_certain(tmp_path: Path) -> None:
    ours = [
        fact("p.a", "p.b", lines=(1, 9)),
        fact("p.a", "p.sub", when="deferred"),
        fact("p.a", "p.lib", when="type_only"),
        fact("p.a", "p.sub.leaf", dynamic=True),
        fact("p.a", "p.typed", via="lazy"),
        fact("p.b", "p.a"),
    ]
    found = certain_places(plant(tmp_path, TREE), Edges(inside("p", ours), frozenset()), frozenset({"p.a"}))
    assert found == [(ours[0], Place("p/a.py", 1))]


PACKAGE = {
    "p/__init__.py": "",
    "p/a.py": "import p.b\nfrom . import b, c\nfrom .c import inner\nfrom p.sub import *\n",
    "p/b.py": "def later():\n    import p.unknown\n",
    "p/c.py": "import importlib\nimportlib.import_module('.b', 'p')\ninner = __import__('p.b', fromlist=['x'])\n",
    "p/sub/__init__.py": "__all__ = ['leaf']\n",
    "p/sub/leaf.py": "exec('import p.b')\n",
    "p/broken.py": "import p.b\nraise SystemExit(3)\n",
}


def run_recorder(folder: Path, modules: list[str]) -> dict[str, Any]:
    request, answer = folder / "request.json", folder / "answer.json"
    setup = f"import sys\nsys.path.insert(0, {str(folder)!r})"
    request.write_text(json.dumps({"package": "p", "modules": modules, "setup": setup}), encoding="utf-8")
    subprocess.run([sys.executable, RECORDER, request, answer], check=True)
    said = json.loads(answer.read_text(encoding="utf-8"))
    assert isinstance(said, dict)
    return said


def test_the_recorder_sees_what_the_interpreter_carries_out(tmp_path: Path) -> None:
    said = run_recorder(plant(tmp_path, PACKAGE), ["p.broken", "p.a"])
    assert said["failed"] == {"p.broken": "SystemExit: 3"}
    assert {tuple(edge) for edge in said["edges"] if edge[5] == "written"} == {
        ("p.broken", "p.b", "statement", "module", 1, "written"),
        ("p.a", "p.b", "statement", "module", 1, "written"),
        ("p.a", "p", "statement", "module", 2, "written"),
        ("p.a", "p.b", "statement", "module", 2, "written"),
        ("p.a", "p.c", "statement", "module", 2, "written"),
        ("p.a", "p.c", "statement", "module", 3, "written"),
        ("p.a", "p.sub", "statement", "module", 4, "written"),
        ("p.a", "p.sub.leaf", "statement", "module", 4, "written"),
        ("p.c", "p.b", "import_module", "module", 2, "written"),
        ("p.c", "p.b", "__import__", "module", 3, "written"),
        ("p.sub.leaf", "p.b", "statement in executed text", "module", 1, "written"),
    }
    assert {tuple(edge[:5]) for edge in said["edges"] if edge[0] == "p.a" and edge[5] == "parent"} == {
        ("p.a", "p", "statement", "module", line) for line in (1, 3, 4)
    }
    assert {"b", "c", "inner", "leaf", "__name__"} <= set(said["names"]["p.a"])


@pytest.mark.parametrize(
    ("files", "edge"),
    [
        # What a function does while its module is loaded is still the function's.
        ({"p/a.py": "def f():\n    import p.b\nf()\n"}, ["p.a", "p.b", "statement", "deferred", 2, "written"]),
        ({"p/a.py": "class C:\n    import p.b\n"}, ["p.a", "p.b", "statement", "module", 2, "written"]),
        # In a circle `from p import c` finds the module though its package does not hold it yet.
        ({"p/a.py": "import p.c\n", "p/c.py": "import p.d\n", "p/d.py": "from p import c\n"},
         ["p.d", "p.c", "statement", "module", 1, "written"]),
    ],
)  # fmt: skip
def test_the_recorder_tells_when_and_what(tmp_path: Path, files: dict[str, str], edge: list[object]) -> None:
    said = run_recorder(plant(tmp_path, {"p/__init__.py": "", "p/b.py": ""} | files), ["p.a"])
    assert said["failed"] == {}
    assert edge in said["edges"]


def test_a_name_that_hides_a_submodule_is_no_submodule(tmp_path: Path) -> None:
    files = {"p/__init__.py": "import p.b\nb = 1\n", "p/b.py": "", "p/a.py": "from p import b\n"}
    said = run_recorder(plant(tmp_path, files), ["p.a"])
    assert [edge[1] for edge in said["edges"] if edge[0] == "p.a"] == ["p"]


NO_CALLS = blind_spots.Calls(0, 0, 0, ())
CALLS = """
import importlib
importlib.import_module('p.b')
__import__(name)
other(import_module)
table['x']('p')
"""


def test_a_call_of_an_importer_is_somewhere_or_wrong(tmp_path: Path) -> None:
    places = importer_calls(plant(tmp_path, {"p/x.py": CALLS}))
    assert [place.line for place in places] == [3, 4]
    found = compare_calls(places, blind=frozenset({places[1]}), constant=frozenset())
    assert (found.total, found.blind, found.constant, found.nowhere) == (2, 1, 0, (places[0],))
    outcome = blind_spots.Outcome({}, (), found, None)
    assert outcome.wrong == 1


@pytest.mark.parametrize(("text", "name"), [("f()", "f"), ("a.b.f()", "f"), ("f()()", ""), ("a[0]()", "")])
def test_what_is_called_has_a_last_name(text: str, name: str) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert called(call.func) == name


def test_only_what_a_statement_can_spell_is_probed() -> None:
    assert blind_spots.can_be_written("p.a")
    assert not blind_spots.can_be_written("p.is.formats")


def test_a_probe_takes_names_and_is_told_which_are_missing(tmp_path: Path) -> None:
    blind_spots.write_probe(tmp_path / "probe.py", [("p.a", "x"), ("p", "b")])
    assert (tmp_path / "probe.py").read_text(encoding="utf-8") == "from p.a import x\nfrom p import b\n"
    rows = [{"module": "p.probe", "what": "p.a.x"}, {"module": "p.other", "what": "p.y"}]
    assert blind_spots.missing_in(rows, "p.probe") == {"p.a.x"}


def test_a_name_called_missing_is_wrong_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    probed = blind_spots.Probed(names=9, modules=3, by_extension=("p.capi",), wrong=("p.a.x",), gone=2)
    outcome = blind_spots.Outcome({"dynamic": 1}, ("unresolved: p.a: p.y (p/a.py:1)",), NO_CALLS, probed)
    assert outcome.wrong == 1
    blind_spots.print_outcome("p==1", outcome)
    blind_spots.print_summary({"p==1": outcome, "q==1": blind_spots.Outcome({}, (), NO_CALLS, None)})
    said = capsys.readouterr().out
    assert "    unresolved: p.a: p.y (p/a.py:1)\n" in said
    assert "WRONG: called missing, and is there:\n    p.a.x\n" in said
    assert "| WRONG: called missing | 1 |  |" in said


def test_everything_wrong_is_counted_and_an_absence_is_no_record(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = Outcome(2, {"p.x": "SystemExit: 3"}, 4, {KNOWN: ["a"], MISSING: ["b"], NOT_RUN: ["c"], CANDIDATE: ["d"]})
    assert (outcome.recorded, outcome.wrong) == (2, 2)
    interpreter_edges.print_outcome("p==1", outcome, shown=1)
    interpreter_edges.print_summary({"p==1": outcome})
    said = capsys.readouterr().out
    assert "1 not imported, SystemExit: 3:\n    p.x\n" in said
    assert f"1 {MISSING}:\n    b\n" in said
    assert f"| {NOT_RUN} | 1 |" in said


def test_a_table_is_markdown_and_a_long_list_says_what_it_leaves_off(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["", "a"], [["x", 1]])
    print_sorted("found", ["b", "a", "c"], most=2)
    print_sorted("nothing", [])
    assert capsys.readouterr().out == (
        "\n|  | a |\n| --- | --- |\n| x | 1 |\n\n  found:\n    a\n    b\n    … and 1 more (--all shows them)\n"
    )


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
