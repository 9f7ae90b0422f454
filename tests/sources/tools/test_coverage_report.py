"""A report of coverage.py is believed only where it is whole; `fixtures/tools/coverage` has those that are not."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.coverage_report import CoverageReport, parse_coverage
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow

FIXTURES = Path(__file__).parents[3] / "fixtures" / "tools" / "coverage"
WHOLE = sorted((FIXTURES / "whole").glob("*.json"))
EDITS = tomllib.loads((FIXTURES / "edits.toml").read_text(encoding="utf-8"))["edit"]
BROKEN = {
    "behind-a-line": "is no JSON: ",
    "blank": "is empty",
    "coloured": "is no JSON: ",
    "conflict": "is no JSON: ",
    "cut-before-totals": "totals: covered_lines is missing",
    "cut-between-files": "is no JSON: ",
    "cut-in-a-number": "is no JSON: ",
    "cut-one-brace": "is no JSON: ",
    "empty": "is empty",
    "html": "is no JSON: ",
    "key-twice": "is no JSON: says 'till/cash.py' twice",
    "latin-1": "printed what is no UTF-8",
    "lcov": "is no JSON: ",
    "list": "expected a table, found a list",
    "nested": "is no JSON: ",
    "no-data": "is no JSON: ",
    "no-source": "is no JSON: ",
    "not-a-number": "is no JSON: holds NaN",
    "nothing": "expected a table, found None",
    "spoilt-data": "is no JSON: ",
    "text": "is no JSON: ",
    "twice-over": "is no JSON: ",
    "two-spellings": "has till/cash.py twice",
    "utf-16": "printed what is no UTF-8",
    "version-6": "has no `meta.format`",
    "wrapped": "is no JSON: ",
    "xml": "is no JSON: ",
}


def parsed(data: bytes, elsewhere: str = "") -> CoverageReport:
    return parse_coverage(Output("coverage.json", data), PathsBelow(Path("/nowhere"), elsewhere))


def refusal(data: bytes) -> str:
    with pytest.raises(NotJudged) as refused:
        parsed(data)
    return str(refused.value)


def edited(document: dict[str, Any], edit: Mapping[str, Any]) -> bytes:
    *way, last = edit["at"]
    table = document
    for key in way:
        table = table[key]
    if "value" in edit:
        table[last] = edit["value"]
    else:
        del table[last]
    return json.dumps(document).encode()


def test_the_report_that_is_edited_is_whole_before() -> None:
    report = parsed((FIXTURES / "whole/branches.json").read_bytes())
    cash, drawer = report.files["till/cash.py"], report.files["till/drawer.py"]
    assert (report.version, report.has_branches) == ("7.17.5", True)
    assert (cash.statements, cash.covered, sorted(cash.missing), cash.branches) == (9, 8, [11], 4)
    assert cash.missing_branches == ((8, 11),)
    assert cash.counted == {1, 2, 3, 4, 7, 8, 9, 11, 12}
    assert cash.definitions == {1, 7}
    assert drawer.excluded == {9, 10}
    assert report.files["till/__init__.py"].statements == 0


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_reports_of_every_version_that_names_its_format_are_read(path: Path) -> None:
    report = parsed(path.read_bytes())
    missing = {name: len(one.missing) for name, one in report.files.items() if one.statements}
    not_imported = {} if path.stem == "nosource" else {"till/idle/more.py": 1, "till/never.py": 2}
    assert missing == {"till/cash.py": 1, "till/drawer.py": 1, **not_imported} | (
        {"drive.py": 0} if path.stem == "nosource" else {}
    )


def test_every_broken_report_is_in_the_table() -> None:
    assert {path.stem for path in (FIXTURES / "broken").iterdir()} == set(BROKEN)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_report_is_not_judged(name: str) -> None:
    said = refusal((FIXTURES / "broken" / f"{name}.json").read_bytes())
    assert BROKEN[name] in said
    assert "coverage.json" in said


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["name"])
def test_an_edited_report_is_not_judged(edit: Mapping[str, Any]) -> None:
    document = json.loads((FIXTURES / "whole/branches.json").read_text(encoding="utf-8"))
    said = refusal(edited(document, edit))
    assert edit["says"] in said
    assert "Make it once more" in said or "Upgrade" in said


def test_a_report_that_is_cut_anywhere_is_not_judged() -> None:
    data = json.dumps(json.loads((FIXTURES / "whole/version-7.5.4.json").read_bytes())).encode()
    for end in range(len(data)):
        refusal(data[:end])


def test_a_signature_and_windows_paths_are_read() -> None:
    text = (FIXTURES / "whole/branches.json").read_text(encoding="utf-8")
    moved = text.replace("till/", "C:\\\\ci\\\\shop\\\\till\\\\")
    report = parsed(b"\xef\xbb\xbf" + moved.encode(), "C:\\ci\\shop")
    assert "till/cash.py" in report.files
