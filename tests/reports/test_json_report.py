"""Can a program read the JSON report, and is it what the published schema says?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from abutment.model.violation import Violation
from abutment.reports.json import render_json
from abutment.verdicts.verdict import Run, Status, Verdict

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/report.schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden"


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_report_validates(run: Run) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(render_json(run)))


@pytest.mark.parametrize("wrong", [{"schema": 2}, {"status": "fine"}, {"extra": 1}, {"faults": [{}]}])
def test_the_schema_refuses_another_shape(runs: Mapping[str, Run], wrong: dict[str, object]) -> None:
    report = {**json.loads(render_json(runs["not judged"])), **wrong}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(report)


def test_status_and_counts_survive(run: Run) -> None:
    report = json.loads(render_json(run))
    assert (report["status"], report["exit_status"]) == (run.status.value, run.status.exit_status)
    found = [item["fingerprint"] for gate in report["gates"] for item in gate["violations"]]
    assert sorted(found) == sorted(item.fingerprint for item in run.violations)


def test_a_run_that_is_not_judged_names_what_stopped_it(run: Run) -> None:
    stops = [fault for fault in json.loads(render_json(run))["faults"] if fault["stops"]]
    assert bool(stops) is (run.status is Status.NOT_JUDGED)


def test_the_bytes_are_stable_and_end_in_one_newline(run: Run) -> None:
    text = render_json(run)
    assert text.encode() == render_json(run).encode()
    assert text.endswith("}\n")
    assert json.dumps(json.loads(text), sort_keys=True, indent=2, ensure_ascii=False) + "\n" == text


def test_the_order_of_gates_and_violations_changes_nothing(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    first, second = violation(what="a"), violation(what="b", identity=(("importer", "b"),))
    one = a_run(verdict(first, second), verdict(gate="cycles"))
    two = a_run(verdict(gate="cycles"), verdict(second, first))
    assert render_json(one) == render_json(two)


def test_the_absolute_root_is_no_part_of_the_report(runs: Mapping[str, Run]) -> None:
    assert render_json(replace(runs["kinds"], root="/elsewhere")) == render_json(runs["kinds"])


def test_the_report_is_as_reviewed(runs: Mapping[str, Run], reviewed: Callable[[Path, str], None]) -> None:
    reviewed(GOLDEN / "not judged.json", render_json(runs["not judged"]))


def test_what_leads_and_what_follows_is_counted(runs: Mapping[str, Run]) -> None:
    document = json.loads(render_json(runs["followed"]))
    (gate,) = document["gates"]
    assert (gate["leading"], gate["following"], len(gate["violations"])) == (1, 25, 26)
    assert document["unasked_gates"] == ["cycles"]
