"""What is asked of mypy, what it leaves behind, and what has to be clean.

mypy itself is run where its own behaviour matters; elsewhere the gate reads what was kept, or a stand-in prints it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from abutment.gates.mypy import read_settings
from abutment.model.reading import Faults, TableReader
from tests.cli.tool import Answer, Tool

LAW = 'roots = ["till"]\ngates = ["mypy"]\n[mypy]\n'
CONFIGURED = "[mypy]\npython_version = 3.11\nplatform = linux\n"
OWN, KEPT = 'targets = ["till"]\n', 'targets = ["till"]\ninput = "said.txt"\n'
FILES = {
    "till/__init__.py": "",
    "till/cash.py": "from till.base import read\n\n\ndef total(rows: list[int]) -> int:\n    return read(rows) or 0\n",
    "till/base.py": "def read(rows):\n    return sum(rows)\n",
}
STAND_IN = (
    "import pathlib, sys\nsys.stdout.write(text := pathlib.Path('strict.txt').read_text())\nsys.exit('error' in text)\n"
)
CLEAN = "Success: no issues found in {} source files\n"


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A small project without an error, and nothing above its folder that configures anything."""
    made = Tool(tmp_path / "project", capsys)
    made.write({"mypy.ini": CONFIGURED, "stand_in.py": STAND_IN, **FILES})
    keep(made, CLEAN.format(3))
    return made


def keep(tool: Tool, text: str) -> None:
    tool.write({"said.txt": f"mypy 2.4.1 (compiled: yes)\n{text}"})


def errors(*lines: str, files: int = 1, checked: int = 3) -> str:
    said = f"Found {len(lines)} error{'s' if len(lines) > 1 else ''} in {files} file{'s' if files > 1 else ''}"
    return (
        "".join(f"{line}\n" for line in lines) + f"{said} (checked {checked} source file{'s' if checked > 1 else ''})\n"
    )


def configure(tool: Tool, text: str) -> None:
    tool.write({"abutment.toml": LAW + text})


def record(tool: Tool, text: str = KEPT) -> None:
    configure(tool, text)
    answer = tool("init", "mypy")
    assert answer.status == 0, said(answer)


def said(answer: Answer) -> str:
    return answer.out + answer.err


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if "fixtures" not in path.parts}


# ---- mypy itself


def test_mypy_is_asked_and_leaves_the_tree_as_it_was(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.write({"mypy.py": "raise SystemExit('judged code ran')\n", "json.py": "raise SystemExit('so did this')\n"})
    tool.write({"tools/plug.py": "from mypy.plugin import Plugin\n\n\ndef plugin(version):\n    return Plugin\n"})
    more = "plugins = tools/plug.py\nincremental = True\npretty = True\nwarn_unused_configs = True\n[mypy-no.where]\n"
    tool.write({"mypy.ini": CONFIGURED + more})
    monkeypatch.setenv("MYPY_CACHE_DIR", str(tool.root / "cache"))
    configure(tool, OWN)
    before = files(tool.root)
    assert tool("init", "mypy").status == 0
    tool.write({"till/cash.py": FILES["till/cash.py"] + "\n\nx: int = ''\n"})
    answer = tool("check")
    assert (answer.status, "till/cash.py:8: ABT011 mypy: new: till.cash has assignment" in answer.out) == (1, True)
    assert files(tool.root) == before


def test_mypy_finds_strictly_what_it_did_not_find(tool: Tool) -> None:
    record(tool)
    configure(tool, KEPT + 'strict = ["till.cash"]\n')
    answer = tool("check", "--verbose")
    what = "till/cash.py:5: ABT012 mypy: new: till.cash, in total, has no-untyped-call"
    assert (answer.status, what in answer.out, "ABT011" in answer.out) == (1, True, False), said(answer)
    assert "modules of `strict` import till.base, which are not in it" in said(answer)
    assert "base.py" not in answer.out


@pytest.mark.parametrize(
    ("written", "table", "message"),
    [
        ({}, 'targets = ["tall"]', "ended with status 2"),
        ({}, "", "mypy is not told what to check."),
        ({}, f'command = ["{sys.executable}", "-I", "-m", "no_such_tool"]', "Install it, or name its `command`."),
        ({}, 'command = ["no-such-program"]\ntargets = ["till"]', "cannot be run"),
        ({"till/cash.py": "def f(:\n"}, 'targets = ["till"]', "ended with status 2"),
        ({}, 'targets = ["till"]\nargs = ["--no-such-option"]', "unrecognized arguments"),
        ({}, 'targets = ["till"]\nargs = ["--config-file=none.ini"]', "is not there"),
        ({"mypy.ini": CONFIGURED + "strikt = True\n"}, 'targets = ["till"]', "mypy.ini: [mypy]: Unrecognized option"),
        ({"strict.txt": '{"file": "a"}\n'}, f'command = ["{sys.executable}", "stand_in.py"]', "printed JSON"),
        ({}, 'input = "none.txt"', "cannot be read"),
    ],
)
def test_what_mypy_cannot_answer_is_not_judged(tool: Tool, written: dict[str, str], table: str, message: str) -> None:
    record(tool)
    documents = tool.documents()
    tool.write(written)
    configure(tool, table + "\n")
    answer = tool("tighten")
    assert (answer.status, message in said(answer)) == (2, True), said(answer)
    assert tool.documents() == documents


# ---- conditions


@pytest.mark.parametrize(
    ("written", "table"),
    [
        ({"mypy.ini": CONFIGURED + "ignore_errors = True\n"}, KEPT),
        ({"mypy.ini": CONFIGURED + "[mypy-till.cash]\nignore_errors = True\n"}, KEPT),
        ({"mypy.ini": CONFIGURED + "exclude = base\n"}, KEPT),
        ({"mypy.ini": CONFIGURED.replace("linux", "win32")}, KEPT),
        ({"mypy.ini": "[mypy]\nplatform = linux\n"}, KEPT),
        ({}, KEPT.replace('["till"]', '["till/cash.py", "till/base.py", "till/__init__.py"]')),
        ({}, KEPT + 'args = ["--disable-error-code=assignment"]\n'),
    ],
)
def test_another_configuration_is_not_judged_until_it_is_recorded(
    tool: Tool, written: dict[str, str], table: str
) -> None:
    record(tool)
    tool.write(written)
    checked = 2 if "exclude" in str(written) else 3
    keep(tool, CLEAN.format(checked))
    configure(tool, table)
    answer = tool("check")
    assert (answer.status, "configuration was" in said(answer)) == (2, True), said(answer)
    assert tool("init", "mypy", "--again", "--reason", "it is what we want").status == 0
    assert tool("check").status == 0


def test_the_interpreter_and_the_machine_count_where_the_configuration_names_none(tool: Tool) -> None:
    tool.write({"mypy.ini": "[mypy]\n"})
    record(tool)
    header = (tool.root / "fixtures/architecture/mypy.jsonl").read_text("utf-8").partition("\n")[0]
    assert f'"python": "3.{sys.version_info.minor}"' in header
    assert f'"platform": "{sys.platform}"' in header


def test_an_interpreter_that_nobody_names_is_told(tool: Tool) -> None:
    tool.write({"mypy.ini": "[mypy]\nplugins = a.plugin\n"})
    record(tool, KEPT + 'command = ["mypy"]\n')
    told = said(tool("check", "--verbose"))
    assert (
        "the version of Python (say `python_version` in mypy's configuration), the versions of its plugins (a)" in told
    )


def test_a_plugin_is_of_a_version_or_of_a_content(tool: Tool) -> None:
    tool.write({"mypy.ini": CONFIGURED + "plugins = tools/p.py, pytest.plugin\n", "tools/p.py": "x = 1\n"})
    record(tool)
    header = (tool.root / "fixtures/architecture/mypy.jsonl").read_text("utf-8").partition("\n")[0]
    assert f'"plugin pytest": "pytest {pytest.__version__}"' in header
    tool.write({"tools/p.py": "x = 2\n"})
    assert "configuration was" in said(tool("check"))


def test_a_search_path_in_the_environment_is_configuration(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tool)
    monkeypatch.setenv("MYPYPATH", "stubs")
    answer = tool("check")
    assert (answer.status, "configuration was" in said(answer)) == (2, True)


def test_the_same_configuration_in_another_file_changes_nothing(tool: Tool) -> None:
    record(tool)
    tool.write({"checks/types.ini": CONFIGURED})
    (tool.root / "mypy.ini").unlink()
    configure(tool, KEPT + 'args = ["--config-file=checks/types.ini"]\n')
    assert tool("check").status == 0


# ---- what was kept


@pytest.mark.parametrize(("number", "status"), [(2, 2), (3, 0), (4, 2)])
def test_output_over_another_number_of_files_is_about_another_tree(tool: Tool, number: int, status: int) -> None:
    record(tool)
    keep(tool, CLEAN.format(number))
    answer = tool("check")
    assert (answer.status, "there are 3" in said(answer)) == (status, bool(status))


def test_a_run_over_fewer_files_than_there_are_is_not_judged(tool: Tool) -> None:
    record(tool)
    tool.write({"strict.txt": CLEAN.format(2)})
    configure(tool, f'{OWN}command = ["{sys.executable}", "stand_in.py"]\n')
    answer = tool("check")
    assert (answer.status, "checked 2 files, and there are 3" in said(answer)) == (2, True), said(answer)


def test_a_file_added_after_the_output_was_kept_is_seen(tool: Tool) -> None:
    record(tool)
    tool.write({"till/later.py": ""})
    assert tool("check").status == 2


def test_what_has_no_known_function_is_counted_and_told(tool: Tool) -> None:
    keep(tool, errors("till/gone.py:3: error: So  [misc]", "till/cash.py: error: So  [misc]", files=2))
    record(tool)
    answer = tool("check")
    assert (answer.status, "beside: 2 in no known function" in answer.out) == (0, True)


def test_facts_are_those_of_the_gate(tool: Tool) -> None:
    keep(tool, errors("till/cash.py:5:12: error: So  [misc]"))
    configure(tool, KEPT)
    answer = tool("facts", "mypy", "--sites", "--format", "jsonl")
    assert '"path": "till/cash.py", "line": 5, "column": 12' in answer.out
    assert '"scope": "total", "what": "So"' in answer.out


# ---- what has to be clean

STRICTLY = f'{KEPT}command = ["{sys.executable}", "stand_in.py"]\nstrict = ["till.cash"]\n'
LOOSE = errors("till/cash.py:5: error: So  [misc]", checked=1)


def test_nothing_of_it_is_recorded_drafted_or_approved(tool: Tool) -> None:
    keep(tool, errors("till/base.py:2: error: Thus  [misc]"))
    tool.write({"strict.txt": LOOSE})
    configure(tool, STRICTLY)
    assert "mypy: 1 fact may stand in no document" in said(tool("init", "mypy"))
    document = (tool.root / "fixtures/architecture/mypy.jsonl").read_text("utf-8")
    assert ("till.base" in document, "till.cash" in document) == (True, False)
    draft = tool("draft", "mypy")
    assert ("nobody may approve this" in draft.err, draft.out) == (True, "")
    tool.write({"fixtures/architecture/mypy.toml": APPROVAL})
    approved = tool("check")
    fault = "mypy.toml:2: not judged: mypy: nobody may approve this: till.cash, in total, has misc: So."
    assert (approved.status, fault in said(approved)) == (2, True), said(approved)


APPROVAL = """schema = 1
[[approvals]]
module = "till.cash"
qualname = "total"
code = "misc"
message = "So"
class = "exception"
owner = "till"
reason = "It is old."
"""


def test_what_was_recorded_before_is_taken_out_once_it_is_paid(tool: Tool) -> None:
    keep(tool, errors("till/cash.py:5: error: So  [misc]"))
    record(tool)
    tool.write({"strict.txt": LOOSE})
    configure(tool, STRICTLY)
    excess = tool("check")
    assert (excess.status, "does not count: nothing grants this" in excess.out) == (1, True), said(excess)
    assert tool("tighten").status == 2
    keep(tool, CLEAN.format(3))
    tool.write({"strict.txt": CLEAN.format(1)})
    assert "gone" in tool("check").out
    assert tool("tighten").status == 0
    assert tool("check").status == 0


def test_an_answer_about_fewer_files_than_were_asked_is_not_judged(tool: Tool) -> None:
    record(tool)
    tool.write({"strict.txt": CLEAN.format(1)})
    configure(tool, STRICTLY.replace('"till.cash"', '"till"'))
    answer = tool("check")
    assert (answer.status, "checked 1 files where it was given 3" in said(answer)) == (2, True)


@pytest.mark.parametrize(
    ("written", "status", "message"),
    [
        (
            {"till/cash.py": "# mypy: ignore-errors\n"},
            1,
            "ABT012 mypy: new: till.cash has not-strict: a comment sets",
        ),
        ({"till/cash.py": "# type: ignore\n"}, 1, "has not-strict: a comment on top ignores every error"),
        ({"mypy.ini": CONFIGURED + "[mypy-till.*]\nignore_errors = True\n"}, 2, "says `ignore_errors` for till.*"),
    ],
)
def test_nothing_takes_from_strict_in_silence(tool: Tool, written: dict[str, str], status: int, message: str) -> None:
    tool.write({"strict.txt": CLEAN.format(1)})
    record(tool, STRICTLY)
    tool.write(written)
    answer = tool("check")
    assert (answer.status, message in said(answer)) == (status, True), said(answer)


def test_a_name_that_selects_no_module_is_a_fault(tool: Tool) -> None:
    record(tool)
    configure(tool, STRICTLY.replace("till.cash", "till.cush"))
    answer = tool("check")
    assert (answer.status, "'till.cush' matches no module" in said(answer)) == (2, True)


# ---- settings


def faults(table: dict[str, object]) -> list[str]:
    found = Faults()
    read_settings(TableReader("abutment.toml", table, found, lambda _path: 0))
    return [fault.message for fault in found.found]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"args": ["--python-version", "3.11"]}, "args[1]: '3.11' is no option"),
        ({"args": ["--output=json"]}, "args[0]: mypy has to print its text"),
        (
            {"args": ["--allow-untyped-defs"], "strict": ["a"]},
            "args[0]: '--allow-untyped-defs' takes away from `strict`",
        ),
        ({"strict": ["a..b"]}, "strict[0]: 'a..b' is no dotted module name"),
        ({"target": []}, "target: unknown key"),
    ],
)
def test_a_table_that_means_nothing_is_a_fault(table: dict[str, object], message: str) -> None:
    assert faults(table) == [message]


def test_arguments_may_allow_what_nothing_holds_strictly() -> None:
    assert faults({"args": ["--allow-untyped-defs"]}) == []
