"""More files of the kinds that the cases are about: deep, long, oddly encoded, oddly named."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.case import Project, Row, place_of

BEFORE, BEHIND = "import before\n", "import behind\n"
CYCLES = 'roots = ["pkg"]\ngates = ["blindspots", "cycles"]\n'


def around(text: str) -> str:
    """Return the text between two imports, which have to be found whatever it is."""
    return f"{BEFORE}{text}\n{BEHIND}"


def ladder(head: str, branch: str, count: int) -> str:
    """Return a statement with many branches, each of which imports something."""
    return head + "".join(f"{branch.format(step)}\n    import inner\n" for step in range(count))


# What CPython's parser reads has to be read to its end, in a process as a user starts it.
READABLE = {
    "sum": around("X = " + " + ".join(["1"] * 5_000)),
    "text_sum": around("X = " + " + ".join(["f'{1}'"] * 5_000)),
    "power": around("X = " + "2 ** " * 900 + "1"),
    "conjunction": around("X = " + " and ".join(["a"] * 5_000)),
    "comparison": around("X = a" + " < a" * 5_000),
    "attributes": around("X = a" + ".a" * 5_000),
    "calls": around("X = a" + ".a()" * 2_500),
    "subscripts": around("X = a" + "[0]" * 5_000),
    "minus": around("X = " + "-" * 900 + "1"),
    "not": around("X = " + "not " * 900 + "1"),
    "condition": around("X = " + "1 if a else " * 900 + "2"),
    "lambdas": around("X = " + "lambda: " * 900 + "1"),
    "brackets": around("X = " + "[" * 90 + "1" + "]" * 90),
    "arguments": around("X = " + "f(" * 90 + "1" + ")" * 90),
    "blocks": BEFORE + "".join(" " * depth + "if 1:\n" for depth in range(90)) + " " * 90 + "pass\n" + BEHIND,
    "functions": BEFORE
    + "".join(" " * depth + "def f():\n" for depth in range(90))
    + " " * 90
    + "import inner\n"
    + BEHIND,
    "elif": BEFORE + ladder("if 0:\n    pass\n", "elif x == {}:", 5_000) + BEHIND,
    "except": BEFORE + ladder("try:\n    pass\n", "except E{}:", 2_000) + BEHIND,
    "case": BEFORE + "match x:\n" + "".join(f"    case {at}:\n        import inner\n" for at in range(2_000)) + BEHIND,
    "one_line": "import before; " + "x = 1; " * 20_000 + "import behind\n",
    "many_functions": BEFORE + "def f(): pass\n" * 10_000 + BEHIND,
    "long_text": around("X = '" + "x" * 2_000_000 + "'"),
    "blank_lines": BEFORE + "\n" * 100_000 + BEHIND,
}
# What the parser itself refuses is not judged, whatever else is in the file.
REFUSED = {
    "parentheses": around("X = " + "(" * 300 + "1" + ")" * 300),
    "deep_blocks": BEFORE + "".join(" " * depth + "if 1:\n" for depth in range(120)) + " " * 120 + "pass\n",
    "deep_minus": around("X = " + "-" * 200_000 + "1"),
}


def asked(folder: Path, *words: str) -> tuple[int, str, str]:
    """Run the tool in a process of its own, at the interpreter's own limits."""
    command = [sys.executable, "-m", "abutment", *words, "--config", str(folder), "--no-cache", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def written(folder: Path, files: dict[str, str]) -> Path:
    (folder / "pkg").mkdir()
    (folder / "abutment.toml").write_text(CYCLES, encoding="utf-8")
    (folder / "pkg/__init__.py").write_bytes(b"")
    for name, text in files.items():
        (folder / f"pkg/{name}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def readable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Row]]]:
    """The imports of each readable file, all of them read in one run."""
    folder = written(tmp_path_factory.mktemp("readable"), READABLE)
    status, out, err = asked(folder, "facts", "imports", "--sites", "--format", "json")
    assert (status, err) == (0, "")
    rows: dict[str, list[Row]] = {name: [] for name in READABLE}
    for row in json.loads(out)["sites"]:
        rows[row["importer"].removeprefix("pkg.")].append(row)
    yield rows


@pytest.mark.parametrize("name", READABLE)
def test_what_the_parser_reads_is_read_to_its_end(readable: dict[str, list[Row]], name: str) -> None:
    lines = READABLE[name].splitlines()
    behind = len(lines)
    found = {(row["what"], row["line"]) for row in readable[name]}
    inner = {("inner", at) for at, line in enumerate(lines, 1) if line.strip() == "import inner"}
    assert found == {("before", 1), ("behind", behind), *inner}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_parser_refuses_is_not_judged_and_said(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path, {name: REFUSED[name], "fine": "import json\n"})
    status, out, err = asked(folder, "facts", "imports", "--sites", "--format", "json")
    assert status == 2
    assert err.startswith(f"pkg/{name}.py")
    assert len(err.splitlines()) == 1
    assert [row["what"] for row in json.loads(out)["sites"]] == ["json"], "the others are read all the same"
    assert asked(folder, "check")[0] == 2


# --- bytes


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbfimport json\n", [("json", 1)]),
        (b"\xef\xbb\xbf# coding: utf-8\nimport json\n", [("json", 2)]),
        (b"\n", []),
        (b"# only a remark", []),
        (b"\x0c", []),
        (b"\x0c\x0cimport json\x0c\n\x0c\n\x0c\x0cimport csv\n", [("json", 1), ("csv", 3)]),
        (b"\x0cimport json\n\x0c\n \x0cimport csv\n", [("json", 1), ("csv", 3)]),
        (b"import json\\\n\\\n  , csv\n", [("json", 1), ("csv", 1)]),
        (b"if 1:\r\n\timport json\r\n", [("json", 2)]),
        (b"#!/usr/bin/python\r# coding: latin-1\rX = '\xe9'\rimport json\r", [("json", 4)]),
        (b"# -*- coding: cp1252 -*-\nX = '\x80'\nimport json\n", [("json", 3)]),
        (b"# coding: shift_jis\nX = '\x83\x5c'\nimport json\n", [("json", 3)]),
        (b"# coding: utf-7\nimport json\n", [("json", 2)]),
        (b"\n\n# coding: nonsense, but too late to count\nimport json\n", [("json", 4)]),
        ("import gr\N{LATIN SMALL LETTER O WITH DIAERESIS}sse\n".encode(), [("grösse", 1)]),
        # Identifiers are compared in NFKC: these two are one name to Python.
        ("import \N{LATIN SMALL LIGATURE FI}le\n".encode(), [("file", 1)]),
        (b"import json # \xe2\x80\xa8 import csv\n", [("json", 1)]),
        (b"X = '''\nimport csv\n'''\nimport json\n", [("json", 4)]),
        (b"import json;import csv\n", [("json", 1), ("csv", 1)]),
    ],
)
def test_bytes_that_python_reads(project: Project, data: bytes, found: list[tuple[str, int]]) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/odd.py": data})
    project.configure(CYCLES)
    rows = [(row["what"], row["line"]) for row in project.imports() if row["path"] == "pkg/odd.py"]
    assert sorted(rows) == sorted(found)
    project.record()
    assert project.check().status == 0


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"# coding: nonsense\nimport json\n", 1, "unknown encoding: nonsense"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=nonsense :\nimport json\n", 2, "unknown encoding: nonsense"),
        (b"# coding: rot13\nvzcbeg wfba\n", 1, "rot13"),
        (b"# coding: base64\naW1wb3J0IGpzb24K\n", 1, "base64"),
        (b"\xef\xbb\xbf# coding: latin-1\nimport json\n", 1, "with BOM"),
        (b"import json\nX = 'caf\xe9'\n", 2, "utf-8"),
        (b"# coding: ascii\nimport json\nX = 'caf\xe9'\n", 3, "ascii"),
        ("import json\n".encode("utf-16"), 1, ""),
        ("import json\n".encode("utf-32"), 1, ""),
        (b"\0" * 100_000, 1, "null bytes"),
        (b"import json\nX = 1\0\nimport csv\n", 2, "null bytes"),
        (b"import json\r\nX = 1\0\r\n", 2, "null bytes"),
        (b"\x7fELF\x02\x01\x01\0\0\0", 1, ""),
        (b"import json\nimport\n", 2, "CPython"),
        (b"import json\n  import csv\n", 2, "CPython"),
        (b"X = '''\nimport json\n", 1, "CPython"),
        (b"print 'two'\n", 1, "CPython"),
        (b"<<<<<<< HEAD\nimport json\n=======\nimport csv\n>>>>>>> feature\n", 1, "CPython"),
        (b"import os.path as\nX = 1\n", 1, "CPython"),
        (b"from . import *, json\n", 1, "CPython"),
        ("import json\N{NO-BREAK SPACE}\n".encode(), 1, "CPython"),
    ],
)
def test_bytes_that_python_refuses_are_not_judged(project: Project, data: bytes, line: int, says: str) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/odd.py": b"", "pkg/fine.py": b"import json\n"})
    project.configure(CYCLES)
    project.record()
    project.put({"pkg/odd.py": data})
    judged = project.check()
    assert judged.status == 2
    ((path, at, message),) = judged.faults()
    assert (path, at) == ("pkg/odd.py", line)
    assert says in message
    assert {gate["status"] for gate in judged.report["gates"]} == {"not judged"}
    assert project.tool("tighten").status == 2
    assert [row["path"] for row in project.imports()] == ["pkg/fine.py"]


# --- names


def test_a_module_named_like_a_built_in_one_is_itself(project: Project) -> None:
    names = ("sys", "builtins", "json", "typing", "importlib", "__main__", "_", "print")
    project.put({f"pkg/{name}.py": b"" for name in names} | {"pkg/__init__.py": b""})
    project.put({"pkg/use.py": b"from pkg import sys, json\nimport json\nfrom . import typing\nimport builtins\n"})
    project.configure(CYCLES)
    found = [row["what"] for row in project.imports() if row["via"] == "written"]
    assert sorted(found) == ["builtins", "json", "pkg.json", "pkg.sys", "pkg.typing"]
    assert project.blindspots() == []


def test_a_top_level_module_named_like_a_standard_one_is_the_one_that_is_meant(project: Project) -> None:
    project.put({"json.py": b"import queue\n", "queue.py": b"import json\n"})
    project.configure('roots = ["json.py", "queue.py"]\ngates = ["cycles"]\n')
    project.record()
    assert project.check().gate("cycles")["facts"] == 2


@pytest.mark.parametrize("folder", ["x.py", "v1.2", "two words.d"])
def test_a_folder_whose_name_has_a_dot_hides_nothing(project: Project, folder: str) -> None:
    project.put({"pkg/__init__.py": b"", f"pkg/{folder}/__init__.py": b""})
    project.put({f"pkg/{folder}/deep.py": b"import smtplib\n"})
    project.configure(CYCLES)
    (row,) = [row for row in project.imports() if row["what"] == "smtplib"]
    assert place_of(row) == f"pkg/{folder}/deep.py:1"
    assert row["importer"] == f"pkg/{folder}/deep.py"


def test_a_folder_named_like_a_module_is_not_taken_for_a_file(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/x.py/notes.txt": b"", "pkg/y.pyi/notes.txt": b""})
    project.configure(CYCLES)
    project.record()
    judged = project.check()
    assert (judged.status, judged.report["files"]["scanned"]) == (0, 1)


def test_a_lone_stub_is_a_module_whose_imports_are_for_the_type_checker(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/base.py": b"", "pkg/ext/__init__.pyi": b"from pkg import base\n"})
    project.put({"pkg/use.py": b"import pkg.ext\n"})
    project.configure(CYCLES)
    assert "pkg.ext (stub): pkg/ext/__init__.pyi" in project.modules()
    found = {(row["importer"], row["what"], row["kind"]) for row in project.imports() if row["via"] == "written"}
    assert found == {("pkg.ext", "pkg.base", "type_only"), ("pkg.use", "pkg.ext", "runtime")}
    assert project.blindspots() == []


def test_a_stub_beside_its_source_adds_nothing(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/a.py": b"import json\n", "pkg/a.pyi": b"import csv\n"})
    project.configure(CYCLES)
    assert [row["what"] for row in project.imports()] == ["json"]
    assert "pkg/a.pyi: left out: stub beside source" in project.files()


# --- what a clone on another system could not hold


def test_two_files_whose_names_differ_by_case_are_a_blind_spot(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/Tax.py": b"import json\n", "pkg/tax.py": b"import csv\n"})
    if len(list((project.root / "pkg").iterdir())) < 3:
        pytest.skip("this file system holds the two names for one")
    project.configure(CYCLES)
    (spot,) = project.blindspots()
    assert (spot["kind"], spot["path"], spot["what"]) == ("case-pair", "pkg/tax.py", "pkg/Tax.py")
    assert {(row["importer"], row["what"]) for row in project.imports()} == {("pkg.Tax", "json"), ("pkg.tax", "csv")}


def test_an_import_in_another_case_leads_nowhere(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/tax.py": b"", "pkg/use.py": b"import pkg.Tax\n"})
    project.configure(CYCLES)
    (spot,) = project.blindspots()
    assert (spot["kind"], spot["what"]) == ("unresolved", "pkg.Tax")


def test_links_out_are_not_followed_and_loops_end(project: Project, tmp_path: Path) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/real.py": b"import json\n"})
    (tmp_path / "outside.py").write_bytes(b"import smtplib\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/far.py").write_bytes(b"import ftplib\n")
    pkg = project.root / "pkg"
    (pkg / "out.py").symlink_to(tmp_path / "outside.py")
    (pkg / "far").symlink_to(tmp_path / "folder")
    (pkg / "loop").symlink_to(pkg)
    (pkg / "gone.py").symlink_to(pkg / "nowhere.py")
    (pkg / "self.py").symlink_to(pkg / "self.py")
    (pkg / "same.py").symlink_to(pkg / "real.py")
    project.configure(CYCLES)
    assert {(row["importer"], row["what"]) for row in project.imports()} == {("pkg.real", "json"), ("pkg.same", "json")}
    files = project.files()
    assert "pkg/far: left out: link out of the tree" in files
    for name in ("gone.py", "self.py"):
        assert f"pkg/{name}: left out: link that leads nowhere" in files
    assert "pkg/loop/: left out: link loop" in files


def test_a_file_that_may_not_be_read_is_not_judged(project: Project) -> None:
    project.put({"pkg/__init__.py": b"", "pkg/closed.py": b"import json\n"})
    project.configure(CYCLES)
    project.record()
    closed = project.root / "pkg/closed.py"
    closed.chmod(0)
    try:
        closed.read_bytes()
    except PermissionError:
        judged = project.check()
        assert judged.status == 2
        assert [path for path, _line, _message in judged.faults()] == ["pkg/closed.py"]
    else:
        pytest.skip("this user may read everything")
    finally:
        closed.chmod(0o644)


def test_no_source_at_all_is_not_judged(project: Project) -> None:
    project.put({"pkg/notes.txt": b""})
    project.configure(CYCLES)
    assert project.check().status == 2
