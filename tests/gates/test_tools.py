"""Is a tool that a user declares held as our own are, and refused where nothing would prove its output?"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from abutment.errors import NotJudged
from abutment.gates.tools import GATE
from tests.broken import KEPT
from tests.cli.tool import Tool
from tests.settings import settings_of

LINES: dict[str, Any] = {
    "id": "lint",
    "command": ["lint"],
    "version": ["lint", "--version"],
    "format": "lines",
    "proof": {"clean": [0], "found": [1]},
}
JSON: dict[str, Any] = {**LINES, "format": "json", "fields": {"path": "/path", "message": "/text"}}
EITHER = {"clean": [0], "found": [0]}


def proof(base: dict[str, Any], **keys: object) -> dict[str, Any]:
    return {**base, "proof": {**base["proof"], **keys}}


def without(base: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in base.items() if name != key}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (without(LINES, "proof"), "proof: clean is missing"),
        ({**LINES, "proof": {}}, "proof: found is missing"),
        ({**LINES, "proof": {"clean": [0]}}, "proof: found is missing"),
        ({**LINES, "proof": EITHER}, "status 0 stands for both, so that nothing proves the output whole"),
        (proof(LINES, clean=[]), "expected at least 1 entries"),
        (proof(LINES, clean=[True]), "expected a status from 0 to 255"),
        (proof(LINES, clean=[-9]), "expected a status from 0 to 255"),
        (proof(LINES, clean=[256]), "expected a status from 0 to 255"),
        (proof(LINES, stderr="some"), "expected one of empty, any"),
        (proof(LINES, summary=["Found it"]), "none of them has a group (?P<count>…)"),
        (proof(LINES, summary=["(?P<count>"]), "is no regular expression"),
        (proof(LINES, summary=["(?P<count>1)"], summary_on="stderr"), "a summary on stderr needs `any`"),
        (proof(LINES, total=["/count"]), "points into one document, and there is none"),
        (proof(LINES, none=["/errors"]), "points into one document, and there is none"),
        (proof(LINES, looked_at="/files"), "points into one document, and there is none"),
        (proof(JSON, summary=["(?P<count>1)"]), "a document has no last line"),
        (proof(JSON, total=["count"]), "'count' is no JSON Pointer"),
        (proof(JSON, none=["errors"]), "'errors' is no JSON Pointer"),
        (proof(JSON, wrong=1), "proof.wrong: unknown key"),
        (without(LINES, "id"), "id is missing"),
        ({**LINES, "id": "my tool"}, "'my tool' is no id"),
        (without(LINES, "command"), "command is missing"),
        ({**LINES, "command": []}, "expected at least 1 entries"),
        ({**LINES, "command": "lint src"}, "expected a list"),
        (without(LINES, "version"), "version is missing"),
        ({**LINES, "version": "1.0"}, "expected the command that prints it"),
        ({**LINES, "version": "/version"}, "expected the command that prints it"),
        ({**JSON, "version": "version"}, "expected the command that prints it"),
        (without(LINES, "format"), "format is missing"),
        ({**LINES, "format": "xml"}, "expected one of lines, json, jsonl, sarif"),
        ({**LINES, "pattern": "(?P<path>.*)"}, "has no group (?P<message>…)"),
        ({**LINES, "pattern": "("}, "is no regular expression"),
        ({**LINES, "skip": ["("]}, "is no regular expression"),
        ({**LINES, "fields": {"path": "/p", "message": "/m"}}, "is of no use with format lines"),
        ({**JSON, "skip": ["x"]}, "is of no use with format json"),
        ({**LINES, "format": "sarif", "first_line": 0}, "is of no use with format sarif"),
        (without(JSON, "fields"), "fields: path is missing"),
        ({**JSON, "fields": {"path": "/p"}}, "fields: message is missing"),
        ({**JSON, "fields": {"path": "p", "message": "/m"}}, "'p' is no JSON Pointer"),
        ({**JSON, "results": "results"}, "'results' is no JSON Pointer"),
        ({**LINES, "shell": True}, "shell: unknown key"),
    ],
)
def test_a_declaration_that_proves_nothing_is_refused(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"declared": [entry]})
    assert any(message in fault.message for fault in refusal.value.faults)


@pytest.mark.parametrize(
    "entry",
    [
        LINES,
        JSON,
        {**LINES, "proof": {**EITHER, "summary": ["Clean", "(?P<count>\\d+) found"]}},
        {**JSON, "proof": {**EITHER, "total": ["/count"]}},
        {**without(LINES, "version"), "format": "sarif"},
        {**JSON, "version": "/version"},
    ],
)
def test_a_declaration_with_a_proof_is_read(entry: dict[str, Any]) -> None:
    (written,) = settings_of(GATE, {"declared": [entry]}).declared
    assert written.declared.id == "lint"


def test_an_id_names_one_tool() -> None:
    with pytest.raises(NotJudged, match="is the id of another tool, too"):
        settings_of(GATE, {"declared": [LINES, LINES]})


# --- through the whole tool, with a linter that says what it is told to

LINTER = """\
#!/bin/sh
[ "$1" = --version ] && { cat version; exit 0; }
cat said 2>/dev/null
exit $(cat status)
"""
CONFIGURATION = """\
roots = ["till"]
gates = ["tools"]

[[tools.declared]]
id = "lint"
command = ["lint", "till"]
version = ["lint", "--version"]
configuration = ["lint.toml:lint", "lint.cfg:lint"]
format = "lines"
proof = { clean = [0], found = [1] }
"""
TILL = "def total():\n    return 1\n\n\ndef paid():\n    return 2\n"
ONE, TWO = "till/__init__.py:2:5: L1 is wrong\n", "till/__init__.py:6:5: L1 is wrong\n"


@pytest.fixture
def till(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tool:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    found = Tool(tmp_path, capsys)
    found.write(
        {
            "abutment.toml": CONFIGURATION,
            "till/__init__.py": TILL,
            "lint.toml": "[lint]\nstrict = true\n",
            "lint.cfg": "[lint]\nstrict = true\n[other]\nx = 1\n",
            ".venv/bin/python": "",
            ".venv/bin/lint": LINTER,
            "version": "lint 1.0\n",
        }
    )
    (tmp_path / ".venv" / "bin" / "lint").chmod(0o755)
    says(found, ONE)
    return found


def says(till: Tool, text: str) -> None:
    till.write({"said": text, "status": "1" if text else "0"})


def test_what_it_says_is_recorded_held_and_paid(till: Tool) -> None:
    assert till("init").status == 0
    assert till("check").status == 0
    says(till, TWO)
    worse = till("check")
    assert worse.status == 1
    assert "ABT081 tools: new: till, in paid, has lint say L1: is wrong" in worse.out
    says(till, "")
    assert "gone" in till("check").out
    assert till("tighten").status == 0
    assert till("check").status == 0


def test_a_line_that_moved_is_the_same_debt(till: Tool) -> None:
    till("init")
    till.write({"till/__init__.py": "# more\n" + TILL})
    says(till, ONE.replace(":2:", ":3:"))
    assert till("check").status == 0


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"version": "lint 2.0\n"}, "lint version was lint 1.0, and is lint 2.0"),
        ({"lint.toml": "[lint]\nstrict = false\n"}, "lint configuration was"),
        ({"lint.cfg": "[lint]\nstrict = false\n"}, "lint configuration was"),
        (
            {"abutment.toml": CONFIGURATION.replace('"till"]\nversion', '"--all", "till"]\nversion')},
            "lint configuration",
        ),
        ({"abutment.toml": CONFIGURATION.replace("found = [1]", "found = [1, 2]")}, "lint configuration was"),
    ],
)
def test_under_other_conditions_nothing_is_judged_until_it_is_recorded_again(
    till: Tool, files: dict[str, str], said: str
) -> None:
    till("init")
    before = till.documents()
    till.write(files)
    says(till, ONE + TWO)
    refused = till("check")
    assert refused.status == 2
    assert said in refused.out
    assert "abutment init tools --again --reason TEXT" in refused.out
    assert till("tighten").status == 2
    assert till.documents() == before
    assert till("init", "tools", "--again", "--reason", "Upgraded.").status == 0
    assert till("check").status == 0


@pytest.mark.parametrize(
    "files",
    [
        {"lint.toml": "# a comment\n[lint]\nstrict = true\n[another]\nx = 1\n"},
        {"lint.cfg": "[lint]\nstrict = true\n[other]\nx = 2\n"},
        {"abutment.toml": CONFIGURATION.replace('id = "lint"', 'id = "lint"\nseconds = 90')},
    ],
)
def test_what_does_not_configure_it_changes_no_condition(till: Tool, files: dict[str, str]) -> None:
    till("init")
    till.write(files)
    assert till("check").status == 0


def test_recording_again_forgives_nothing_of_another_tool(till: Tool) -> None:
    second = CONFIGURATION[CONFIGURATION.index("[[") :].replace('id = "lint"', 'id = "other"')
    till("init")
    till.write({"abutment.toml": CONFIGURATION + "\n" + second})
    assert till("check").status == 2
    says(till, ONE + TWO)
    assert till("init", "tools", "--again", "--reason", "Another one.").status == 0
    after = till("check")
    assert after.status == 1
    assert after.out.count("ABT081") == 1
    assert "has lint say" in after.out


def test_a_tool_that_is_no_longer_asked_takes_its_debt_with_it_when_a_reason_is_given(till: Tool) -> None:
    second = CONFIGURATION[CONFIGURATION.index("[[") :].replace('id = "lint"', 'id = "other"')
    till.write({"abutment.toml": CONFIGURATION + "\n" + second})
    till("init")
    till.write({"abutment.toml": CONFIGURATION})
    assert till("check").status == 2
    assert till("init", "tools", "--again", "--reason", "Taken out.").status == 0
    assert b"other" not in till.documents()["tools.jsonl"]
    assert till("check").status == 0


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"status": "2"}, "lint ended with status 2"),
        ({"status": "0"}, "lint ended with status 0 and shows 1 results"),
        ({"said": "Traceback\n"}, "has a line 1 that is not understood"),
        ({".venv/bin/lint": "#!/bin/sh\necho oh >&2\nexit 1\n"}, "lint complained. It said: oh"),
        ({".venv/bin/lint": "#!/bin/sh\nkill -9 $$\n"}, "lint was killed by SIGKILL"),
        ({".venv/bin/lint": "#!/bin/nowhere\n"}, "lint cannot be run"),
        ({"version": ""}, "lint does not say its version"),
        ({"lint.toml": "[other]\n"}, "lint.toml: not judged: has no 'lint'"),
        ({"lint.toml": "[lint\n"}, "lint.toml: not judged: cannot be read"),
        (
            {"abutment.toml": CONFIGURATION.replace("lint.cfg", "no.cfg")},
            "no.cfg: not judged: configures a tool, and is",
        ),
        ({"abutment.toml": 'roots = ["till"]\ngates = ["tools"]\n'}, "tools has none"),
    ],
)
def test_a_tool_that_could_not_do_its_work_is_not_judged(till: Tool, files: dict[str, str], message: str) -> None:
    till("init")
    before = till.documents()
    till.write(files)
    refused = till("check")
    assert refused.status == 2
    assert message in refused.out
    assert till("tighten").status == 2
    assert till.documents() == before


def test_several_tools_are_told_together(till: Tool) -> None:
    second = CONFIGURATION[CONFIGURATION.index("[[") :].replace('id = "lint"', 'id = "other"')
    till.write({"abutment.toml": CONFIGURATION + "\n" + second, "status": "7"})
    refused = till("init")
    assert "lint ended with status 7" in refused.err
    assert "other ended with status 7" in refused.err


def test_a_kept_output_is_given_to_the_tool_of_that_id(till: Tool, tmp_path: Path) -> None:
    till("init")
    (tmp_path / "kept.txt").write_text(ONE + TWO)
    words = ("--input", f"tools.lint={tmp_path / 'kept.txt'}", "--input-status", "tools.lint=1")
    assert till("check", "tools", *words).status == 1


def test_each_kept_declaration_can_be_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tomllib.loads((KEPT / "declared" / "declared.toml").read_text(encoding="utf-8"))["declared"]
    (row,) = (one for one in rows if one["id"] == "pyright")
    kept = {"input": str(KEPT / "declared" / "whole" / "pyright-found.out"), "input_root": "/srv/ci/checkout"}
    settings = json.dumps({**row, **kept})
    project = Tool(tmp_path, capsys)
    table = 'roots = ["till"]\ngates = ["tools"]\n[[tools.declared]]\n' + _toml(json.loads(settings))
    project.write({"abutment.toml": table, "till/__init__.py": ""})
    assert project("init").status == 0
    assert project("check").status == 0


def _toml(row: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in row.items())


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(below)}" for key, below in value.items()) + " }"
    return json.dumps(value)
