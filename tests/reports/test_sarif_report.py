"""Is the SARIF log valid, and does it say what code scanning must know?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.reports import rules, sarif
from abutment.reports.paths import uri
from abutment.reports.rules import GateText
from abutment.reports.sarif import render_sarif
from abutment.verdicts.verdict import Run, Status, Verdict, tally

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "fixtures/schemas/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden"


def log_of(run: Run, *gates: GateText) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(render_sarif(run, gates))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


def test_the_log_validates_against_the_standard(run: Run, gate: GateText) -> None:
    log_of(run)
    log_of(run, gate)


def test_the_schema_can_refuse(runs: Mapping[str, Run]) -> None:
    log = json.loads(render_sarif(runs["kinds"]))
    log["runs"][0]["results"][0]["baselineState"] = "fresh"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_execution_failed_exactly_where_nothing_can_be_said(run: Run) -> None:
    (invocation,) = log_of(run)["invocations"]
    assert invocation["executionSuccessful"] is (run.status is not Status.NOT_JUDGED)
    assert invocation["exitCode"] == run.status.exit_status
    errors = [note for note in invocation["toolExecutionNotifications"] if note["level"] == "error"]
    assert bool(errors) is (run.status is Status.NOT_JUDGED)


def test_every_violation_is_a_result_of_its_rule(run: Run) -> None:
    log = log_of(run)
    ids = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert ids == sorted(set(ids))
    errors = [result for result in log["results"] if result["level"] == "error"]
    assert len(errors) == len(tally(*run.verdicts).leading)
    assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in log["results"])


def test_fingerprints_are_unique_and_numbered_where_they_repeat(run: Run) -> None:
    given = [result["partialFingerprints"]["abutment/v1"] for result in log_of(run)["results"]]
    assert not [value for value, times in Counter(given).items() if times > 1]


def test_a_repeat_keeps_the_identity_and_counts_on(runs: Mapping[str, Run]) -> None:
    run = runs["repeated"]
    given = [result["partialFingerprints"]["abutment/v1"] for result in log_of(run)["results"]]
    identity = run.violations[0].fingerprint
    assert given == [f"{identity}:1", f"{identity}:2"]


@pytest.mark.parametrize(
    ("kind", "found", "state"),
    [
        (Kind.NEW, 1, "new"),
        (Kind.GROWN, 3, "new"),
        (Kind.RETURNED, 1, "new"),
        (Kind.EXPIRED, 1, "new"),
        (Kind.LOOSENED, 1, "new"),
        (Kind.SHRUNK, 1, "updated"),
        (Kind.GONE, 0, "absent"),
    ],
)
def test_the_baseline_is_what_is_granted(
    violation: Callable[..., Violation],
    verdict: Callable[..., Verdict],
    a_run: Callable[..., Run],
    kind: Kind,
    found: int,
    state: str,
) -> None:
    (result,) = log_of(a_run(verdict(violation(kind=kind, found=found, granted=2))))["results"]
    assert result["baselineState"] == state
    assert result.get("occurrenceCount") == (None if kind.stale else found)


def test_tolerated_debt_is_a_warning(runs: Mapping[str, Run]) -> None:
    log = log_of(runs["tolerated"])
    assert [(result["level"], result["baselineState"]) for result in log["results"]] == [("warning", "absent")]
    levels = [note["level"] for note in log["invocations"][0]["toolExecutionNotifications"]]
    assert levels == ["warning", "note", "note"]


@pytest.mark.parametrize(
    ("site", "region"),
    [
        (Site("a.py"), None),
        (Site("a.py", 4), {"startLine": 4}),
        (Site("a.py", 4, 2), {"startLine": 4, "startColumn": 2}),
        (Site("a.py", 4, 2, 4, 9), {"startLine": 4, "startColumn": 2, "endLine": 4, "endColumn": 9}),
        (Site("a.py", 4, 2, 6, 1), {"startLine": 4, "startColumn": 2, "endLine": 6, "endColumn": 1}),
        (Site("a.py", 4, 0, 5, 0), {"startLine": 4, "endLine": 5}),
        (Site("a.py", 4, 0, 5, 7), {"startLine": 4, "endLine": 5}),
        (Site("a.py", 4, 2, 3, 1), {"startLine": 4, "startColumn": 2}),
    ],
)
def test_a_region_says_only_what_is_known(
    violation: Callable[..., Violation],
    verdict: Callable[..., Verdict],
    a_run: Callable[..., Run],
    site: Site,
    region: dict[str, int] | None,
) -> None:
    (result,) = log_of(a_run(verdict(violation(sites=(site,)))))["results"]
    assert result["locations"][0]["physicalLocation"].get("region") == region


def test_paths_are_relative_percent_encoded_uris(runs: Mapping[str, Run]) -> None:
    places = [result["locations"] for result in log_of(runs["strange"])["results"]]
    locations = [place[0]["physicalLocation"]["artifactLocation"] for place in places if place]
    assert {location["uriBaseId"] for location in locations} == {"%SRCROOT%"}
    assert "a%20b/100%25%2C%20%C3%A9t%C3%A9%3A%CF%80%7C%60.py" in {item["uri"] for item in locations}
    assert places.count([]) == 1  # the one violation that names neither a site nor a document


def test_further_sites_are_related_locations(runs: Mapping[str, Run]) -> None:
    related = [result.get("relatedLocations", []) for result in log_of(runs["strange"])["results"]]
    assert [[place["id"] for place in places] for places in related if places] == [[1, 2]]


@pytest.mark.parametrize("path", ["a.py", "a b/é.py", "a:b.py", "100%.py", "x\udcffy.py", "#?&.py"])
def test_a_uri_reads_back_as_the_path(path: str) -> None:
    assert unquote_to_bytes(uri(path)) == path.encode("utf-8", "surrogateescape")


def test_a_uri_of_no_real_path_is_still_a_uri() -> None:
    assert uri("x\ud800") == "x%3F"


def test_a_narrowed_log_says_so(runs: Mapping[str, Run]) -> None:
    assert log_of(runs["narrowed"])["properties"] == {"narrowed": "--changed origin/main"}
    assert "properties" not in log_of(runs["kinds"])


def test_rules_carry_their_texts(runs: Mapping[str, Run], gate: GateText) -> None:
    first, second = log_of(runs["kinds"], gate)["tool"]["driver"]["rules"]
    assert (first["id"], second["id"]) == ("ABT301", "ABT302")
    assert second["shortDescription"]["text"] == "A module imports what its contract forbids."
    assert "boundaries.toml" in second["help"]["text"]
    assert "abutment explain ABT302" in second["help"]["text"]
    assert "helpUri" not in second


def test_rules_link_to_their_page_once_there_is_a_home(
    runs: Mapping[str, Run], gate: GateText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "HOMEPAGE", "https://abutment.example")
    monkeypatch.setattr(sarif, "HOMEPAGE", "https://abutment.example")
    driver = log_of(runs["kinds"], gate)["tool"]["driver"]
    assert driver["informationUri"] == "https://abutment.example"
    assert driver["rules"][0]["helpUri"] == "https://abutment.example/gates/boundaries#abt301"


def test_the_log_is_as_reviewed_and_repeatable(
    runs: Mapping[str, Run], gate: GateText, reviewed: Callable[[Path, str], None]
) -> None:
    text = render_sarif(runs["kinds"], (gate,))
    reviewed(GOLDEN / "kinds.sarif", text)
    assert text.encode() == render_sarif(runs["kinds"], (gate,)).encode()


def test_what_follows_stands_at_the_one_that_leads_it(runs: Mapping[str, Run]) -> None:
    (result,) = log_of(runs["followed"])["results"]
    assert result["message"]["text"].endswith("25 more violations follow from this one and go with it.")
    assert result["properties"]["followers"] == 25
    assert len(result["relatedLocations"]) == 20
    assert result["relatedLocations"][0]["message"]["text"] == "follows: app.m0 imports httpx"
