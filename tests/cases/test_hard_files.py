"""The cases on files that are hard to read: encodings, line ends, depth, size, and what does not parse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases.case import Project, case, place_of, word_of

NO_REQUESTS = """\
roots = ["{root}"]
gates = ["boundaries"]
[[contracts]]
id = "no-network"
kind = "external"
modules = ["{root}"]
banned = ["requests"]
"""


def in_a_child(project: Project, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run the tool in a process of its own, as a user would."""
    command = [sys.executable, "-m", "abutment", *words, "--config", str(project.root), "--no-cache", "--jobs", "1"]
    return subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, check=False, timeout=300)


# --- 023: encodings

NARROW = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_023_four_edges_and_no_problem(project: Project) -> None:
    project.copy(case("023").input)
    project.configure('roots = ["orts"]\ngates = ["blindspots", "cycles"]\n')
    project.record()
    judged = project.check()
    assert (judged.status, judged.faults()) == (0, [])
    assert judged.report["files"]["not_judged"] == case("023").expected["problems"]
    found = {(row["importer"], row["imported"], word_of(row), place_of(row)) for row in project.imports()}
    assert {edge for edge in found if edge[1] == "orts.base"} == case("023").edges()


@pytest.mark.parametrize(
    "words",
    [
        ("facts", "imports", "--sites", "--format", "json"),
        ("facts", "blindspots"),
        ("check", "--format", "json"),
        ("check",),
        ("list", "modules"),
    ],
    ids=" ".join,
)
def test_023_a_locale_of_plain_ascii_changes_no_byte(project: Project, words: tuple[str, ...]) -> None:
    project.copy(case("023").input)
    project.configure('roots = ["orts"]\ngates = ["blindspots", "cycles"]\n')
    project.record()
    plain, narrow = in_a_child(project, *words), in_a_child(project, *words, env=NARROW)
    assert plain.returncode == 0, plain.stderr
    assert (narrow.returncode, narrow.stdout) == (plain.returncode, plain.stdout)


def test_023_a_locale_of_plain_ascii_writes_the_same_documents(project: Project) -> None:
    project.copy(case("023").input)
    project.put({"orts/plain.py": "import orts.größe\n".encode()})
    project.configure('roots = ["orts"]\ngates = ["blindspots"]\n')
    written = []
    for env in ({}, NARROW):
        assert in_a_child(project, "init", env=env).returncode == 0
        written.append(project.tool.documents())
        shutil.rmtree(project.root / "fixtures")
    assert written[0] == written[1]
    assert "orts.größe" in written[0]["blindspots.jsonl"].decode("utf-8")


def test_a_name_beyond_ascii_is_the_same_module_under_every_locale(project: Project) -> None:
    project.put({"orts/__init__.py": b"", "orts/straße.py": b"", "orts/use.py": "import orts.straße\n".encode()})
    project.configure('roots = ["orts"]\ngates = ["blindspots"]\n')
    words = ("facts", "imports", "--sites", "--format", "json")
    plain, narrow = in_a_child(project, *words), in_a_child(project, *words, env=NARROW)
    assert "orts.straße" in plain.stdout.decode("utf-8")
    assert (narrow.returncode, narrow.stderr, narrow.stdout) == (0, b"", plain.stdout)


# --- 025: a file that does not parse


@pytest.fixture
def quarry(project: Project) -> Project:
    """Two bans are on record: of `broken` and of `clean`; then two files stop parsing."""
    project.copy(case("025").input)
    project.put({"quarry/broken.py": b"import requests\n", "quarry/legacy.py": b""})
    project.configure(NO_REQUESTS.format(root="quarry"))
    project.record()
    project.copy(case("025").input)
    return project


def unparsable(number: str = "025") -> list[str]:
    return [place for place, _what in case(number).places("problems", "unparsable")]


def test_025_facts_end_with_2_and_what_does_parse_is_still_told(quarry: Project) -> None:
    answer = quarry.tool("facts", "imports", "--sites", "--format", "json")
    assert answer.status == 2
    assert [line.partition(":")[0] for line in answer.err.splitlines()] == unparsable()
    # `requests.get` at line 5 of the same file waits for the egress family.
    assert [(place_of(row), row["what"]) for row in json.loads(answer.out)["sites"]] == [
        ("quarry/clean.py:1", "requests")
    ]


def test_025_a_check_is_not_judged_and_nothing_of_the_broken_file_is_stale(quarry: Project) -> None:
    judged = quarry.check()
    assert judged.status == 2
    assert [path for path, _line, _message in judged.faults()] == unparsable()
    assert all("CPython" in message for _path, _line, message in judged.faults())
    assert judged.gate("boundaries")["status"] == "not judged"
    assert judged.violations("boundaries") == [], "unknown is neither new nor fixed"
    assert quarry.check("--exit-zero").status == 2
    assert quarry.check("--stale", "warn").status == 2


def test_025_new_debt_beside_a_broken_file_is_told_all_the_same(quarry: Project) -> None:
    quarry.put({"quarry/more.py": b"import requests\n"})
    judged = quarry.check()
    assert judged.status == 2
    assert judged.told("boundaries") == [("new", "quarry.more -> requests", "quarry/more.py:1")]


@pytest.mark.parametrize("words", [("tighten",), ("tighten", "--dry-run"), ("tighten", "boundaries")])
def test_025_a_refresh_is_refused_and_writes_nothing(quarry: Project, words: tuple[str, ...]) -> None:
    before = quarry.tool.documents()
    answer = quarry.tool(*words)
    assert answer.status == 2
    assert [path for path in unparsable() if path not in answer.err] == []
    assert quarry.tool.documents() == before
    assert b"quarry.broken" in before["boundaries.jsonl"]


def test_025_a_first_record_leaves_out_what_could_not_be_judged(project: Project) -> None:
    project.copy(case("025").input)
    answer = project.tool("init")
    assert answer.status == 2
    assert (project.root / "abutment.toml").is_file()
    assert project.tool.documents() == {}
    assert [path for path in unparsable() if f"not judged: {path}" not in answer.err] == []


def test_025_a_check_says_truly_which_gates_a_broken_file_concerns(project: Project) -> None:
    project.copy(case("025").input)
    project.tool("init")
    faults = {fault["path"]: fault["gates"] for fault in project.check().report["faults"]}
    assert [faults[path] for path in unparsable()] == [["blindspots", "cycles"]] * 2


# --- 027: line ends


def test_027_thirteen_imports_at_these_lines(project: Project) -> None:
    project.copy(case("027").input)
    project.configure('roots = ["pages"]\ngates = ["cycles"]\n')
    rows = [(place_of(row), row["what"]) for row in project.imports() if row["via"] != "parent"]
    assert sorted(rows) == sorted(case("027").places("facts", "import"))
    assert len(rows) == case("027").expected["figures"]["import_facts"]


@pytest.mark.parametrize("form", ["text", "sarif", "gitlab", "github"])
def test_027_every_report_points_to_these_lines(project: Project, form: str) -> None:
    project.copy(case("027").input)
    banned = sorted({what for _place, what in case("027").places("facts", "import")})
    text = NO_REQUESTS.format(root="pages").replace('"requests"', ", ".join(f'"{name}"' for name in banned))
    project.configure(text)
    project.record_bare()
    answer = project.tool("check", "--format", form)
    assert answer.status == 1
    expected = sorted(place for place, _what in case("027").places("facts", "import"))
    places = _places(answer.out, form)
    # GitHub shows ten annotations of a step and swallows the rest; what is shown has to be right.
    assert sorted(places) == expected if form != "github" else set(places) <= set(expected) and places


def _places(out: str, form: str) -> list[str]:
    if form == "sarif":
        found = [one["locations"][0]["physicalLocation"] for one in json.loads(out)["runs"][0]["results"]]
        return [f"{one['artifactLocation']['uri']}:{one['region']['startLine']}" for one in found]
    if form == "gitlab":
        found = [one["location"] for one in json.loads(out)]
        return [f"{one['path']}:{one['lines']['begin']}" for one in found]
    if form == "github":
        lines = [line.partition("file=")[2] for line in out.splitlines() if "file=" in line]
        return [f"{line.split(',')[0]}:{line.partition('line=')[2].split(',')[0]}" for line in lines]
    return [":".join(line.split(":")[:2]) for line in out.splitlines() if ": ABT" in line]


# --- 029: depth


def test_029_what_stands_before_and_behind_the_deep_expression_is_found(project: Project) -> None:
    project.copy(case("029").input)
    project.configure('roots = ["deep"]\ngates = ["cycles"]\n')
    answer = in_a_child(project, "facts", "imports", "--sites", "--format", "json")
    assert (answer.returncode, answer.stderr) == (0, b"")
    rows = json.loads(answer.stdout)["sites"]
    found = {(row["importer"], row["imported"], word_of(row), place_of(row)) for row in rows}
    assert case("029").edges() <= found
    # `requests.post` at line 11 waits for the egress family, both figures for the complexity family.
    ((place, what),) = case("029").places("facts", "import")
    assert [row["scope"] for row in rows if (place_of(row), row["what"]) == (place, what)] == ["<module>"]


# --- 031: size

PEAK = """\
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(json.dumps({"status": done.returncode, "peak_mib": peak, "out": done.stdout.decode()}))
"""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case's folder, with the input that its script writes."""
    folder = tmp_path_factory.mktemp("huge") / "case"
    shutil.copytree(case("031").folder, folder)
    subprocess.run([sys.executable, str(folder / "make_input.py")], check=True, timeout=60)
    (folder / "input" / "abutment.toml").write_text('roots = ["big"]\ngates = ["cycles"]\n', encoding="utf-8")
    return folder / "input"


def test_031_the_facts_of_a_huge_table_within_its_time_and_memory(big: Path) -> None:
    words = ["facts", "imports", "--sites", "--format", "json", "--config", str(big), "--no-cache", "--jobs", "1"]
    figures = case("031").expected["figures"]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, sys.executable, "-m", "abutment", *words],
        capture_output=True,
        check=True,
        timeout=figures["seconds_max"],
    )
    measured = json.loads(done.stdout)
    assert measured["status"] == 0
    assert measured["peak_mib"] < figures["peak_mib_max"]
    rows = json.loads(measured["out"])["sites"]
    found = {(row["importer"], row["imported"], word_of(row), place_of(row)) for row in rows}
    assert case("031").edges() <= found
    # `requests.post` at line 100010 waits for the egress family.
    told = [(place_of(row), row["what"]) for row in rows if row["what"] == "requests"]
    assert told == case("031").places("facts", "import")


# --- 033: notebooks


def test_033_the_notebook_is_left_out_by_name_and_counted(project: Project) -> None:
    project.copy(case("033").input)
    project.record()
    rows = [(place_of(row), row["what"]) for row in project.imports() if row["via"] != "parent"]
    assert rows == case("033").places("facts", "import")
    assert "nb/report.ipynb: left out: notebook" in project.files()
    judged = project.check()
    assert judged.status == 0
    assert judged.report["files"]["left_out"]["notebook"] == 1
    absent = {what for _place, what in case("033").places("absent_facts", "import")}
    assert absent.isdisjoint(what for _place, what in rows)
