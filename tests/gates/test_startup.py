"""The gate itself: what it asks, when it cannot tell, and under which conditions it holds."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from abutment.errors import NotJudged
from abutment.facts.startup import Place
from abutment.gates.startup import GATE, conditions
from abutment.gates.startup_asking import bases, is_over, orders_of
from abutment.gates.startup_settings import Settings
from abutment.model.grants import Grants, Recorded
from abutment.model.measurement import Measurement
from abutment.semantics.build import build_program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Role, Root
from abutment.sources.work_tree import WorkTree
from tests.settings import settings_of

VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


HERE = (Root("."),)


def measured(folder: Path, files: dict[str, str], roots: tuple[Root, ...] = HERE, /, **table: Any) -> Measurement:
    return measured_under(Grants(), folder, files, roots, **table)


def measured_under(
    grants: Grants, folder: Path, files: dict[str, str], roots: tuple[Root, ...] = HERE, /, **table: Any
) -> Measurement:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(dedent(text), encoding="utf-8")
    tree = WorkTree(folder)
    assert GATE.prepare is not None
    asked = GATE.prepare(settings_of(GATE, table), tree)
    return GATE.measure(build_program(discover(tree, roots), tree), asked, grants)


def faults(measurement: Measurement) -> list[str]:
    return [fault.message for fault in measurement.faults]


CYCLE = {"a.py": "import b\nx = 1\n", "b.py": "from a import x\n"}


def test_facts_are_the_modules_that_come_with_each_target(tmp_path: Path) -> None:
    measurement = measured(tmp_path, {"a.py": "import b, json", "b.py": "", "c.py": ""}, modules=["a", "c"])
    assert measurement.counts == {("a", "module", "a"): 1, ("a", "module", "b"): 1, ("c", "module", "c"): 1}
    assert (measurement.looked_at, measurement.covers, faults(measurement)) == (2, ("a", "c"), [])


def test_each_target_is_imported_first_in_a_process_of_its_own(tmp_path: Path) -> None:
    files = {"a.py": "import sys\nif 'b' in sys.modules: import c", "b.py": "", "c.py": ""}
    assert ("a", "module", "c") not in measured(tmp_path, files, modules=["b", "a"]).counts


def test_packages_are_held_where_that_is_asked_and_what_is_excluded_is_not(tmp_path: Path) -> None:
    files = {"a.py": "import b, click, packaging.version", "b.py": ""}
    packages = measured(tmp_path, files, modules=["a"], third_party=True, first_party=False, exclude=["packaging"])
    assert packages.counts == {("a", "package", "click"): 1}
    assert faults(packages) == []


def test_roots_are_in_front_of_the_path(tmp_path: Path) -> None:
    files = {"src/app/a.py": "import app.b", "src/app/b.py": "", "lib/one.py": "import app.a"}
    measurement = measured(tmp_path, files, (Root("src"), Root("lib")), modules=["one"])
    assert [key[2] for key in measurement.counts] == ["app", "app.a", "app.b", "one"]


def test_what_a_package_is_called_elsewhere_needs_a_path(tmp_path: Path) -> None:
    files = {"lib/cloud/a.py": "", "shim/google/cloud/__init__.py": "__path__.append('lib/cloud')\n"}
    roots = (Root("lib/cloud", package="google.cloud"),)
    assert "ModuleNotFoundError" in faults(measured(tmp_path, files, roots, modules=["google.cloud.a"]))[0]
    assert not faults(measured(tmp_path, files, roots, modules=["google.cloud.a"], path=["shim"]))


def test_the_folders_from_which_modules_are_imported_are_seen_from_their_files() -> None:
    tree = MemoryTree({"src/app/a.py": "", "one.py": "", "tests/test_a.py": ""})
    roots = [Root("src"), Root("one.py"), Root("tests", Role.TESTS)]
    place = Place(Path("/nowhere"), build_program(discover(tree, roots), tree))
    assert bases(place, Settings()) == {"src", "."}


@pytest.mark.parametrize(
    ("files", "table", "said"),
    [
        ({"a.py": ""}, {}, "startup has nothing to start."),
        ({"a.py": ""}, {"modules": ["b"]}, "startup.modules[0]: b: there is no module b here."),
        ({"a.py": "import nowhere_at_all"}, {"modules": ["a"]}, "its import ends with ModuleNotFoundError"),
        ({"a.py": "1 / 0"}, {"modules": ["a"]}, "its import ends with ZeroDivisionError: division by zero."),
        ({"a.py": "raise SystemExit"}, {"modules": ["a"]}, "its import ends with SystemExit."),
        ({"a.py": "import os; os._exit(0)"}, {"modules": ["a"]}, "ended without an answer."),
        ({"a.py": "while True: pass"}, {"modules": ["a"], "seconds": 1}, "did not end within 1 seconds."),
        ({"a.py": ""}, {"constructors": ["a:make"]}, "its call ends with AttributeError"),
        ({"a.py": "def make(x): pass"}, {"constructors": ["a:make"]}, "its call ends with TypeError"),
        ({"a.py": "import nowhere_at_all", "b.py": ""}, {"orders": [["a", "b"]]}, "ModuleNotFoundError"),
        ({"a.py": "1 / 0", "b.py": ""}, {"orders": [["a", "b"]]}, "importing a ends with ZeroDivisionError"),
        ({"a.py": "def go(): 1 / 0"}, {"modes": [{"name": "m", "start": "a:go"}]}, "its start or stop ends with"),
        ({"a.py": "def go(): pass"}, {"modes": [{"name": "m", "start": "b:go"}]}, "there is no module b here."),
        (
            {"a.py": "def go(): pass"},
            {"modes": [{"name": "m", "start": "a:go", "manifest": ["x"]}]},
            "nothing tells which components were started.",
        ),
        (
            {"a.py": "def go(): pass\ndef net(): pass"},
            {"modes": [{"name": "m", "start": "a:go", "fail": "a:net"}]},
            "a:net was never called, so that it could not fail.",
        ),
        ({"a.py": ""}, {"modules": ["a"], "exclude": ["b"]}, "'b' matches no module."),
    ],
)
def test_what_cannot_be_told_leaves_the_gate_unjudged(
    files: dict[str, str], table: dict[str, Any], said: str, tmp_path: Path
) -> None:
    found = faults(measured(tmp_path, files, **table))
    assert any(said in one for one in found), found
    assert str(tmp_path) not in "".join(found)


def test_one_target_that_says_nothing_does_not_silence_the_others(tmp_path: Path) -> None:
    measurement = measured(tmp_path, {"a.py": "1 / 0", "b.py": ""}, modules=["a", "b"])
    assert list(measurement.counts) == [("b", "module", "b")]
    assert len(measurement.faults) == 1


def test_code_that_is_loaded_from_elsewhere_is_not_the_judged_one(tmp_path: Path) -> None:
    files = {"src/app/a.py": "", "copy/app/a.py": ""}
    found = faults(measured(tmp_path, files, (Root("src"),), modules=["app.a"], path=["copy"]))
    assert "app.a was loaded from" in found[0]
    assert "which is not the file that is judged." in found[0]


def test_an_interpreter_that_says_nothing_stops_the_gate(tmp_path: Path) -> None:
    with pytest.raises(NotJudged, match="the interpreter ended without an answer"):
        measured(tmp_path, {"a.py": ""}, modules=["a"], command=["true"])


def test_an_interpreter_that_is_too_old_stops_the_gate(tmp_path: Path) -> None:
    old = tmp_path / "old"
    text = f"""\
        #!{sys.executable}
        import sys, pathlib
        request = dict(line.split("=", 1) for line in pathlib.Path(sys.argv[2]).read_text().splitlines())
        body = "{{'python': 'cpython 3.7'}}"
        pathlib.Path(request["answer"]).write_text(f"abutment-startup-1 {{request['number']}} {{len(body)}}\\n{{body}}")
    """
    old.write_text(dedent(text), encoding="utf-8")
    with pytest.raises(NotJudged, match=re.escape("cpython 3.7 is too old to be asked: 3.8 is the oldest.")):
        measured(tmp_path, {"a.py": ""}, modules=["a"], command=[sys.executable, str(old)])


def test_a_revision_that_git_keeps_runs_nowhere() -> None:
    assert GATE.prepare is not None
    with pytest.raises(NotJudged):
        GATE.prepare(Settings(), MemoryTree({}))


def test_facts_are_not_listed_where_some_could_not_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1 / 0", encoding="utf-8")
    tree = WorkTree(tmp_path)
    assert GATE.prepare is not None
    assert GATE.facts is not None
    program = build_program(discover(tree, [Root(".")]), tree)
    with pytest.raises(NotJudged):
        list(GATE.facts.scan(program, GATE.prepare(settings_of(GATE, {"modules": ["a"]}), tree)))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="processes are seen where there is a /proc")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("process", "import subprocess\n\nsubprocess.Popen(['sleep', '60'])"),
        ("socket", "import socket\n\nS = socket.create_server(('127.0.0.1', 0))"),
        ("file", "import os\n\nF = open(os.devnull)"),
        ("thread", "import threading, time\ndef poll(): time.sleep(60)\nthreading.Thread(target=poll).start()"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_the_report_names_the_line_from_which_it_comes(kind: str, text: str, tmp_path: Path) -> None:
    measurement = measured(tmp_path, {"a.py": "import b", "b.py": text}, modules=["a"])
    (key,) = (key for key in measurement.counts if key[1] != "module")
    assert key[1] == kind
    (site,) = measurement.describe(key).sites
    # Before Python 3.12 nobody is told where a thread starts: then it is where the thread is.
    assert (site.path, site.line) in {("b.py", 3), ("b.py", 2)}


def test_what_a_newcomer_brings_along_follows_from_it(tmp_path: Path) -> None:
    files = {"a.py": "import b", "b.py": "import c", "c.py": "import click"}
    recorded = Grants(recorded=(Recorded(("a", "module", "a"), 1, 2),))
    measurement = measured_under(recorded, tmp_path, files, modules=["a"], third_party=True)
    leaders = {key: measurement.describe(key).leader for key in measurement.counts}
    assert leaders[("a", "module", "b")] == ()
    assert leaders[("a", "module", "c")] == leaders[("a", "package", "click")] == ("a", "module", "b")
    granted = Grants(recorded=(*recorded.recorded, Recorded(("a", "module", "b"), 1, 3)))
    measurement = measured_under(granted, tmp_path, files, modules=["a"], third_party=True)
    assert not measurement.describe(("a", "module", "c")).follows


# ---- orders


def test_an_order_that_fails_is_told_with_the_module_that_failed(tmp_path: Path) -> None:
    measurement = measured(tmp_path, CYCLE, orders=[["a", "b"]])
    assert measurement.counts == {("a, b", "order", "a"): 1}
    evidence = measurement.describe(("a, b", "order", "a"))
    assert evidence.what.startswith("importing a, b one after the other fails at a: ImportError: cannot import name")
    assert str(tmp_path) not in evidence.what


def test_another_exception_counts_where_another_order_works(tmp_path: Path) -> None:
    files = {"a.py": "import sys\nassert 'b' in sys.modules", "b.py": ""}
    assert measured(tmp_path, files, orders=[["a", "b"]]).counts == {("a, b", "order", "a"): 1}


@pytest.mark.parametrize(("number", "orders"), [(2, 2), (3, 6), (4, 24), (5, 10), (7, 14)])
def test_each_module_is_first_and_last_in_some_order(number: int, orders: int) -> None:
    names = tuple("abcdefg"[:number])
    found = orders_of(names)
    assert len(set(found)) == len(found) == orders
    assert {one[0] for one in found} == {one[-1] for one in found} == set(names)


def test_it_is_said_where_not_every_order_was_tried(tmp_path: Path) -> None:
    files = {f"{name}.py": "" for name in "abcde"}
    assert measured(tmp_path, files, orders=[[*"abcde"]]).notes == (
        "startup.orders[0]: 10 orders of 5 modules were tried.",
    )


# ---- times


def test_a_budget_is_held_by_the_ratio_and_told_with_both_times(tmp_path: Path) -> None:
    measurement = measured(tmp_path, {"a.py": "import time; time.sleep(0.5)"}, modules=["a"], budget=1.5, repeat=1)
    assert ("a", "time", "over budget") in measurement.counts
    what = measurement.describe(("a", "time", "over budget")).what
    assert "times as long as a bare interpreter (medians of 2: " in what
    assert what.endswith("and its budget is 1.5")


@pytest.mark.parametrize(
    ("ratio", "budget", "over"),
    [(1.5, 1.5, False), (1.5000001, 1.5, True), (1.4999999, 1.5, False), (99.0, None, False)],
)
def test_a_time_that_is_equal_to_its_budget_keeps_it(ratio: float, budget: float | None, over: bool) -> None:
    assert is_over(ratio, budget) is over


def test_without_a_budget_no_time_is_taken_and_one_that_is_kept_is_no_fact(tmp_path: Path) -> None:
    assert measured(tmp_path, {"a.py": ""}, modules=["a"]).notes == ()
    kept = measured(tmp_path, {"a.py": ""}, modules=["a"], budget=1000, repeat=1)
    assert set(kept.counts) == {("a", "module", "a")}
    assert len(kept.notes) == 1


# ---- what is held, and under which conditions


@pytest.mark.parametrize(
    ("kind", "by_hand"),
    [("module", False), ("package", False), ("thread", True), ("file", True), ("order", True), ("time", True)],
)
def test_only_what_is_loaded_is_recorded_and_all_else_is_approved(kind: str, by_hand: bool, tmp_path: Path) -> None:
    assert measured(tmp_path, {"a.py": ""}, modules=["a"]).reviewed_only(("a", kind, "x")) is by_hand


def test_versions_that_are_held_alike_are_one_condition(tmp_path: Path) -> None:
    alone = measured(tmp_path, {"a.py": ""}, modules=["a"]).conditions
    together = measured(tmp_path, {"a.py": ""}, modules=["a"], pythons=["3.8", VERSION]).conditions
    other = measured(tmp_path, {"a.py": ""}, modules=["a"], pythons=["3.8"]).conditions
    assert alone["python"] == other["python"] == f"cpython {VERSION}"
    assert together["python"] == f"cpython 3.8, {VERSION}"


def test_what_surrounds_the_code_is_a_condition() -> None:
    plain = conditions(Settings(), "p")
    assert plain["held"] == "module"
    assert conditions(Settings(environment=(("A", "1"),)), "p") != plain
    assert conditions(Settings(path=("stubs",)), "p") != plain
    assert conditions(Settings(seconds=1, repeat=3, budget=2.0), "p") == plain


def test_a_kind_that_is_held_now_explains_its_own_facts_alone(tmp_path: Path) -> None:
    measurement = measured(tmp_path, {"a.py": ""}, modules=["a"], third_party=True)
    explained = measurement.explains({**measurement.conditions, "held": "module"})
    assert explained(("a", "package", "yaml"))
    assert not explained(("a", "module", "b"))
    assert measurement.explains({**measurement.conditions, "python": "cpython 3.2"})(("a", "module", "b"))


# ---- the table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"modules": ["a b"]}, "startup.modules[0]: expected a dotted module, such as app.main, found 'a b'"),
        ({"modules": ["a:b"]}, "startup.modules[0]: expected a dotted module"),
        ({"modules": ["a", "a"]}, "'a' is there twice"),
        ({"constructors": ["a"]}, "startup.constructors[0]: expected module:callable"),
        ({"orders": [["a"]]}, "startup.orders[0]: expected a list of two modules or more"),
        ({"orders": ["a, b"]}, "startup.orders[0]: expected a list of two modules or more"),
        ({"modes": [{"name": "m"}]}, "start is missing"),
        ({"modes": [{"name": "m", "start": "a"}]}, "start: expected module:callable"),
        ({"modes": [{"name": "m", "start": "a:b", "end": "a:c"}]}, "end: unknown key"),
        ({"modes": [{"name": "m", "start": "a:b", "started": "a:c"}]}, "there is no `manifest`"),
        ({"modes": [{"name": "a", "start": "a:b"}], "modules": ["a"]}, "'a' is there twice"),
        ({"budget": 0}, "startup.budget: expected a number above 0, found 0"),
        ({"budget": True}, "startup.budget: expected a number above 0, found true"),
        ({"budget": float("nan")}, "startup.budget: expected a number above 0"),
        ({"budget": float("inf")}, "startup.budget: expected a number above 0"),
        ({"pythons": ["3"]}, "startup.pythons[0]: expected a version such as 3.12"),
        ({"environment": {"A": 1}}, "startup.environment.A: expected text, found 1"),
        ({"environment": {"A=B": "1"}}, "is nothing that an environment can hold"),
        ({"path": ["a\nb"]}, "startup.path[0]: expected a path"),
        ({"seconds": 0}, "startup.seconds: expected at least 1"),
        ({"module": ["a"]}, "startup.module: unknown key"),
    ],
)
def test_a_wrong_table_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_environment_reaches_the_code(tmp_path: Path) -> None:
    text = "import os\nif os.environ.get('MODE') == 'full': import b"
    measurement = measured(tmp_path, {"a.py": text, "b.py": ""}, modules=["a"], environment={"MODE": "full"})
    assert ("a", "module", "b") in measurement.counts
