"""Do runs of several roots fit into one report without losing or mixing anything?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import jsonschema
import pytest

from abutment.model.violation import Violation
from abutment.reports.github import render_github
from abutment.reports.gitlab import render_gitlab
from abutment.reports.json import render_json
from abutment.reports.junit import render_junit
from abutment.reports.markdown import render_markdown
from abutment.reports.merged import merged, rebased
from abutment.reports.sarif import render_sarif
from abutment.reports.text import render_text
from abutment.verdicts.verdict import Run, Verdict

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/report.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", ["", ".", "./"])
def test_a_root_at_the_top_changes_nothing(run: Run, folder: str) -> None:
    assert rebased(run, folder) is run


@pytest.mark.parametrize("folder", ["services/pay", "services/pay/", "./services/pay"])
def test_every_path_is_told_from_above(runs: Mapping[str, Run], folder: str) -> None:
    text = render_text(rebased(runs["not judged"], folder), verbose=True)
    assert "services/pay/app/sync.py:41: ABT302" in text
    assert "services/pay/fixtures/architecture/boundaries.jsonl does not grant" in text
    assert "services/pay/app/bad.py:3: not judged: " in text
    assert "services/pay/tests/odd.py: not judged: " in text
    assert "roots: services/pay/src\n" in text
    assert text.count("not judged: looked at nothing. (cycles)") == 1


def test_the_place_of_a_fault_of_the_whole_run_is_told_from_above(runs: Mapping[str, Run]) -> None:
    assert "\na/pyproject.toml:12: not judged: " in render_text(rebased(runs["configuration"], "a"))


def test_identities_stay(run: Run) -> None:
    moved = rebased(run, "services/pay")
    assert sorted(v.fingerprint for v in moved.violations) == sorted(v.fingerprint for v in run.violations)


def test_the_worst_status_wins_and_every_violation_stays(runs: Mapping[str, Run]) -> None:
    names = sorted(runs)
    for one in names:
        for other in names:
            both = merged([("", runs[one]), ("b", runs[other])])
            assert both.status.exit_status == max(runs[one].status.exit_status, runs[other].status.exit_status)
            assert len(both.violations) == len(runs[one].violations) + len(runs[other].violations)


def test_verdicts_stand_apart_under_their_root(runs: Mapping[str, Run]) -> None:
    both = merged([("a", runs["held"]), ("./b/", runs["tolerated"])])
    assert [verdict.gate for verdict in both.verdicts] == ["a/boundaries", "a/cycles", "b/boundaries"]


def test_accounts_add_up(runs: Mapping[str, Run]) -> None:
    both = merged([("a", runs["narrowed"]), ("b", runs["not judged"]), (".", runs["narrowed"])])
    assert (both.files.scanned, dict(both.files.left_out)) == (18, {"hidden": 3, "ignored by .gitignore": 6})
    assert (both.files.grammar, both.files.roots) == ("CPython 3.11", ("a/src", "b/src", "src"))
    assert [fault.path for fault in both.files.not_judged] == ["b/app/bad.py", "b/tests/odd.py"]
    assert both.narrowed == "--changed origin/main"


def test_gates_that_are_off_are_named_with_their_root(runs: Mapping[str, Run]) -> None:
    assert merged([("a", runs["kinds"])]).idle_gates == ("a/snapshot", "a/egress")


def test_a_root_where_nothing_was_judged_is_named(runs: Mapping[str, Run]) -> None:
    both = merged([("a", runs["held"]), ("b", runs["nothing judged"]), ("c", runs["configuration"])])
    assert [fault.path for fault in both.faults] == ["b", "c", "c/pyproject.toml"]


def test_no_run_is_no_report() -> None:
    with pytest.raises(ValueError, match="no run"):
        merged([])


def test_the_same_debt_in_two_roots_is_two_results_in_every_format(
    violation: Callable[..., Violation], verdict: Callable[..., Verdict], a_run: Callable[..., Run]
) -> None:
    one = a_run(verdict(violation()))
    both = merged([("a", one), ("b", one)])
    assert [item.sites[0].path for item in both.violations] == ["a/app/sync.py", "b/app/sync.py"]
    assert len({entry["fingerprint"] for entry in json.loads(render_gitlab(both))}) == 2
    results = json.loads(render_sarif(both))["runs"][0]["results"]
    assert len({result["partialFingerprints"]["abutment/v1"] for result in results}) == 2
    assert render_junit(both).count("<failure") == 2
    assert render_github(both).count("::error ") == 2
    assert render_markdown(both).count("| ABT302 ") == 2
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(render_json(both)))
