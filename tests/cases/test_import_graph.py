"""The cases on the import graph: every expected edge at its place, and not one more."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.cases.case import Edge, Project, Row, case, edges_of, place_of, word_of

GATES = 'roots = ["{root}"]\ngates = ["blindspots"]\n'
# Written imports of first-party modules that a case's table does not name but its text allows or implies.
BESIDE: dict[str, set[Edge]] = {
    "013": {("depot.tools.my notes", "depot.load", "runtime", "depot/tools/my notes.py:1")},
    # What the table of the lazy package leads to; the case has it among its facts.
    "017": {
        ("basin", "basin.pump", "deferred", "basin/__init__.py:8"),
        ("basin", "basin.valve", "deferred", "basin/__init__.py:8"),
    },
    # They lead into the circles, which is all that the case says of them.
    "019": {
        ("ring.d", "ring.a", "runtime", "ring/d.py:1"),
        ("ring.g", "ring.f", "runtime", "ring/g.py:1"),
        ("ring.g", "ring.d", "runtime", "ring/g.py:2"),
    },
}
ROOTS = {
    "001": "orchard",
    "003": "depot",
    "005": "ferry",
    "007": "depot",
    "009": "tannery",
    "011": "shop",
    "013": "depot",
    "015": "plug",
    "017": "basin",
    "019": "ring",
    "021": "yarn",
    "023": "orts",
    "029": "deep",
}


def opened(project: Project, number: str) -> Project:
    """Return the project with the case's files and no law but blind spots."""
    project.copy(case(number).input)
    project.configure(GATES.format(root=ROOTS[number]))
    return project


def is_inside(root: str, row: Row) -> bool:
    """Say whether both ends are first-party."""
    return all(name == root or name.startswith(f"{root}.") for name in (row["importer"], row["imported"]))


@pytest.mark.parametrize("number", ROOTS)
def test_every_expected_edge_is_there_at_its_place(project: Project, number: str) -> None:
    found = edges_of(opened(project, number).imports(), among=lambda _row: True)
    assert case(number).edges() - found == set()


@pytest.mark.parametrize("number", ROOTS)
def test_no_absent_edge_is_there(project: Project, number: str) -> None:
    rows = opened(project, number).imports()
    absent = [(one["from"], one["to"], one["kind"]) for one in case(number).expected.get("absent_edges", [])]
    assert [row for row in rows if (row["importer"], row["imported"], word_of(row)) in absent] == []


@pytest.mark.parametrize("number", ROOTS)
def test_there_is_no_other_written_edge_between_first_party_modules(project: Project, number: str) -> None:
    rows = opened(project, number).imports()
    written = edges_of(rows, among=lambda row: row["via"] != "parent" and is_inside(ROOTS[number], row))
    expected = {edge for edge in case(number).edges() if edge[2] != "implied_parent"}
    inside = {edge for edge in expected if edge[1].split(".")[0] == ROOTS[number]}
    assert written - BESIDE.get(number, set()) == inside


@pytest.mark.parametrize("number", ROOTS)
def test_every_name_is_a_modules_and_none_ends_in_a_star(project: Project, number: str) -> None:
    rows = opened(project, number).imports()
    assert rows
    assert [row for row in rows if "*" in row["imported"] or not row["imported"].strip(".")] == []


def test_001_a_body_that_may_run_is_a_run_time_import_for_cycles_and_layers(project: Project) -> None:
    opened(project, "001").configure(
        """\
roots = ["orchard"]
gates = ["boundaries"]
[[contracts]]
id = "cellar"
kind = "forbidden"
sources = ["orchard.cellar"]
forbidden = ["orchard.audit", "orchard.ledger"]
"""
    )
    project.record("boundaries")
    documents = project.tool.documents()
    assert b'"imported": "orchard.audit"' in documents["boundaries.jsonl"]
    assert b"orchard.ledger" not in documents["boundaries.jsonl"]


# --- 003: what an import runs on the way

NO_HTTP = """\
roots = ["depot"]
gates = ["boundaries"]
[[contracts]]
id = "no-network"
kind = "forbidden"
sources = ["depot.core"]
forbidden = ["http.client"]
indirect = true
"""


def test_003_the_chain_leads_through_the_package_that_runs(project: Project) -> None:
    opened(project, "003").configure(NO_HTTP)
    project.record_bare()
    judged = project.check()
    assert judged.status == 1
    assert judged.told("boundaries") == [("new", "depot.core.plan -> http.client", "depot/core/plan.py:1")]
    (violation,) = judged.violations("boundaries")
    runs, *imports = violation["details"]
    assert "depot.core.plan runs depot.wire" in runs, "no statement of depot.core.plan imports depot.wire"
    assert imports == [
        "depot.wire imports depot.wire.dialer (depot/wire/__init__.py:1)",
        "depot.wire.dialer imports http.client (depot/wire/dialer.py:1)",
    ]


def test_003_the_rule_is_kept_without_the_chain(project: Project) -> None:
    opened(project, "003").configure(NO_HTTP)
    project.put({"depot/wire/__init__.py": b""})
    project.record_bare()
    assert project.check().status == 0


def test_003_everything_that_one_import_loads(project: Project) -> None:
    rows = opened(project, "003").imports()
    loaded = loaded_by(rows, "depot.core.plan")
    inside = {name for name in loaded if name.split(".")[0] == "depot"}
    assert len(inside) == case("003").expected["figures"]["loaded_under_depot"], inside


def test_003_a_package_that_imports_its_own_child_is_no_cycle(project: Project) -> None:
    opened(project, "003").configure('roots = ["depot"]\ngates = ["cycles"]\n')
    project.record("cycles")
    assert project.check().gate("cycles")["facts"] == 0


def loaded_by(rows: Iterable[Row], module: str) -> set[str]:
    """Return what importing a module loads: itself, its packages, and all that those import at import time."""
    rows = [row for row in rows if row["when"] == "module"]
    parts = module.split(".")
    waiting = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
    loaded: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in loaded:
            loaded.add(name)
            waiting += [row["imported"] for row in rows if row["importer"] == name]
    return loaded


# --- 007: imports that lead nowhere


def test_007_each_import_that_leads_nowhere_is_told_at_its_place(project: Project) -> None:
    kinds = {"past-top": "unresolved_relative", "unresolved": "unresolved_internal"}
    rows = opened(project, "007").blindspots()
    told = [(kinds[row["kind"]], place_of(row)) for row in rows]
    assert told == [(one["kind"], one["at"]) for one in case("007").expected["problems"]]
    assert [row["what"] for row in rows] == ["...secrets", "....far", ".missing"]


def test_007_the_run_is_not_green(project: Project) -> None:
    opened(project, "007")
    assert project.check().status == 2, "nothing was recorded yet"
    project.record_bare()
    judged = project.check()
    assert judged.status == 1
    told = [(one["kind"], place_of(one["sites"][0])) for one in judged.violations("blindspots")]
    assert told == [("new", one["at"]) for one in case("007").expected["problems"]]


@pytest.mark.parametrize(
    ("module", "text", "kind", "what"),
    [
        ("depot/a/b.py", "import depot.a.missing", "unresolved", "depot.a.missing"),
        ("depot/a/b.py", "from depot.a import missing", "missing-name", "depot.a.missing"),
        ("depot/a/b.py", "from . import missing", "missing-name", "depot.a.missing"),
        ("depot/a/b.py", "from .missing import *", "unresolved", ".missing"),
        ("depot/a/b.py", "from ... import *", "past-top", "..."),
        ("depot/a/b.py", "def late():\n    from .missing import thing", "unresolved", ".missing"),
        ("depot/a/b.py", "import depot.a.b.deeper", "unresolved", "depot.a.b.deeper"),
        ("depot/a/b.py", "from importlib import import_module as m\nm('..missing', __package__)", "unresolved", ""),
        ("depot/a/__init__.py", "from .missing import thing", "unresolved", ".missing"),
        ("depot/__init__.py", "from .. import secrets", "past-top", "..secrets"),
        # The statement itself is all that would bind the name.
        ("depot/a/__init__.py", "from . import missing", "missing-name", "depot.a.missing"),
        ("depot/a/__init__.py", "from depot.a import missing", "missing-name", "depot.a.missing"),
    ],
)
def test_007_other_imports_that_lead_nowhere(project: Project, module: str, text: str, kind: str, what: str) -> None:
    opened(project, "007")
    project.put({"depot/a/b.py": b"", module: text.encode()})
    (spot,) = project.blindspots()
    assert (spot["kind"], spot["path"]) == (kind, module)
    assert spot["what"] == what or not what


# --- 009: folders without `__init__`

NO_SQLITE = """\
roots = ["tannery"]
gates = ["boundaries"]
[[contracts]]
id = "no-sqlite"
kind = "external"
modules = ["tannery"]
banned = ["sqlite3"]
"""


def test_009_the_ban_is_broken_once_in_the_folder_without_init(project: Project) -> None:
    opened(project, "009").configure(NO_SQLITE)
    project.record_bare()
    judged = project.check()
    assert judged.status == 1
    told = [(place, edge.partition(" -> ")[2]) for _kind, edge, place in judged.told("boundaries")]
    assert told == case("009").places("facts", "forbidden_import")
    assert judged.report["files"]["scanned"] == case("009").expected["figures"]["modules_scanned"]


def test_009_the_modules_are_the_four_files_and_two_folders(project: Project) -> None:
    assert sorted(opened(project, "009").modules()) == [
        "tannery (source): tannery/__init__.py",
        "tannery.books (source): tannery/books.py",
        "tannery.front (source): tannery/front.py",
        "tannery.hides (namespace): tannery/hides",
        "tannery.hides.raw (namespace): tannery/hides/raw",
        "tannery.hides.raw.cure (source): tannery/hides/raw/cure.py",
    ]


# --- 011: a module beside a package


def test_011_the_package_is_the_module_and_the_file_is_shadowed(project: Project) -> None:
    opened(project, "011")
    assert "shop.tax (source): shop/tax/__init__.py" in project.modules()
    (spot,) = project.blindspots()
    (problem,) = case("011").expected["problems"]
    assert (spot["kind"], spot["path"], spot["what"]) == ("shadowed", problem["at"], problem["by"])
    (import_,) = [row for row in project.imports() if row["imported"] == "smtplib"]
    assert place_of(import_) == "shop/tax.py:1"
    assert import_["importer"] != "shop.tax"


def test_011_a_file_that_becomes_shadowed_breaks_the_run(project: Project) -> None:
    opened(project, "011")
    (project.root / "shop/tax.py").unlink()
    project.record()
    project.put({"shop/tax.py": b"import smtplib\n"})
    judged = project.check()
    assert judged.status == 1
    assert [one["kind"] for one in judged.violations("blindspots")] == ["new"]


# --- 013: names that no statement can reach


def test_013_every_file_is_read_and_keeps_its_own_imports(project: Project) -> None:
    opened(project, "013")
    project.record()
    judged = project.check()
    assert judged.report["files"]["scanned"] == case("013").expected["figures"]["python_files_read"]
    assert judged.report["files"]["not_judged"] == []
    by_place = {place_of(row): row for row in project.imports() if row["via"] != "parent"}
    assert by_place["depot/tools/old.v1.py:1"]["imported"] == "smtplib"
    assert by_place["depot/tools/my notes.py:1"]["imported"] == "depot.load"
    # `urllib.request.urlopen` at line 5 waits for the egress family; its import is read now.
    assert by_place["depot/tools/fix-names.py:1"]["imported"] == "urllib.request"


def test_013_a_ban_on_a_package_reaches_the_files_in_it_that_no_statement_can_reach(project: Project) -> None:
    opened(project, "013").configure(
        """\
roots = ["depot"]
gates = ["boundaries"]
[[contracts]]
id = "no-mail"
kind = "external"
modules = ["depot.tools"]
banned = ["smtplib", "urllib"]
"""
    )
    project.record_bare()
    places = sorted(place for _kind, _edge, place in project.check().told("boundaries"))
    assert places == ["depot/tools/fix-names.py:1", "depot/tools/old.v1.py:1"]


# --- 015: imports that are calls


def test_015_computed_names_are_told_with_what_is_known_of_them(project: Project) -> None:
    rows = opened(project, "015").blindspots()
    facts = [one for one in case("015").expected["facts"] if one["kind"] == "dynamic_import_unresolved"]
    assert [(row["kind"], place_of(row)) for row in rows] == [("dynamic", one["at"]) for one in facts]
    assert [row["what"].startswith(one.get("prefix", "")) for row, one in zip(rows, facts, strict=True)] == [True] * 2


def test_015_a_method_that_shares_the_name_imports_nothing(project: Project) -> None:
    opened(project, "015")
    assert [row for row in (*project.imports(), *project.blindspots()) if row["line"] > 28] == []


# --- 017: a lazy package


@pytest.mark.parametrize(("module", "loads"), [("basin.quick", False), ("basin.slow", True)])
def test_017_who_loads_sqlite(project: Project, module: str, loads: bool) -> None:
    assert ("sqlite3" in loaded_by(opened(project, "017").imports(), module)) is loads
    answer = project.tool("why", module, "sqlite3", "--import-time")
    assert answer.status == 0
    assert ("basin/pump.py:1: basin.pump imports sqlite3" in answer.out) is loads


def test_017_the_table_lookup_is_resolved_to_both_targets(project: Project) -> None:
    ((place, _what),) = case("017").places("facts", "dynamic_import")
    rows = [row for row in opened(project, "017").imports() if place_of(row) == place and row["via"] != "parent"]
    assert [(row["imported"], row["when"], row["dynamic"]) for row in rows] == [
        ("basin.pump", "deferred", True),
        ("basin.valve", "deferred", True),
    ]
    assert project.blindspots() == []
