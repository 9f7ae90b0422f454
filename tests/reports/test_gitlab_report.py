"""Does GitLab's code quality widget show every violation?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from abutment.reports.gitlab import render_gitlab
from abutment.verdicts.verdict import Run

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "fixtures/schemas/gitlab-code-quality.schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden"


def entries(run: Run) -> list[dict[str, Any]]:
    report: list[dict[str, Any]] = json.loads(render_gitlab(run))
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_the_report_has_the_shape_gitlab_reads(run: Run) -> None:
    entries(run)


@pytest.mark.parametrize("path", ["/abs.py", "./a.py", ""])
def test_the_shape_can_be_missed(path: str) -> None:
    entry = {"description": "x", "check_name": "x", "fingerprint": "x", "severity": "info"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{**entry, "location": {"path": path, "lines": {"begin": 1}}}], SCHEMA)


def test_fingerprints_are_unique(run: Run) -> None:
    given = [entry["fingerprint"] for entry in entries(run)]
    assert len(given) == len(set(given))


def test_a_red_run_has_a_heavy_entry_and_a_green_one_has_none(run: Run) -> None:
    heavy = [entry for entry in entries(run) if entry["severity"] != "info"]
    assert bool(heavy) is (run.status.exit_status != 0)
    assert ("blocker" in {entry["severity"] for entry in heavy}) is (run.status.exit_status == 2)


def test_a_violation_bears_the_fingerprint_of_every_other_format(runs: Mapping[str, Run]) -> None:
    run = runs["kinds"]
    assert [entry["fingerprint"] for entry in entries(run)] == [item.fingerprint for item in run.violations]


def test_stale_is_minor_and_tolerated_is_info(runs: Mapping[str, Run]) -> None:
    assert {entry["severity"] for entry in entries(runs["kinds"])} == {"major", "minor"}
    assert [entry["severity"] for entry in entries(runs["tolerated"])] == ["info"]


def test_what_has_no_line_is_shown_at_the_first_and_what_has_no_file_at_the_folder(runs: Mapping[str, Run]) -> None:
    assert {entry["location"]["path"] for entry in entries(runs["nothing judged"])} == {"."}
    places = [(e["location"]["path"], e["location"]["lines"]["begin"]) for e in entries(runs["strange"])]
    assert ("app/zero.py", 1) in places


def test_the_report_is_as_reviewed_and_repeatable(
    runs: Mapping[str, Run], reviewed: Callable[[Path, str], None]
) -> None:
    text = render_gitlab(runs["not judged"])
    reviewed(GOLDEN / "not judged.gitlab.json", text)
    assert text.encode() == render_gitlab(runs["not judged"]).encode()


def test_what_follows_is_counted_at_the_one_that_leads_it(runs: Mapping[str, Run]) -> None:
    (entry,) = entries(runs["followed"])
    assert entry["description"].endswith("25 more violations follow from this one and go with it.")
