"""How is a run handed to code scanning? SARIF 2.1.0.

The baseline of `baselineState` is what is granted today: an excess is new against it, a gone fact is absent.
Granted facts are in order and are not listed. What only follows from another violation is no result of its own:
it is counted at the one that leads it, and shown there as a related location.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.ordinals import Ordinals
from abutment.reports.paths import uri
from abutment.reports.plain_json import dump
from abutment.reports.rules import HOMEPAGE, GateText, RuleText, page_address, remedy_text
from abutment.reports.wording import advice, fault_text, follow_text, place
from abutment.verdicts.verdict import Run, Status, followers

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FOLLOWERS = 20  # that are shown beside the one that leads them
_STATES = {Kind.GONE: "absent", Kind.SHRUNK: "updated"}
Json = dict[str, object]


def render_sarif(run: Run, gates: Sequence[GateText] = ()) -> str:
    """Return the run as a SARIF log with one run in it.

    `gates` tells the rules' texts; a rule of no given gate is listed by its id alone.
    """
    rules = _rules(run, gates)
    number = {str(rule["id"]): index for index, rule in enumerate(rules)}
    log: Json = {
        "tool": {"driver": _driver(run, rules)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
        "invocations": [_invocation(run)],
        "results": list(_results(run, number)),
    }
    if run.narrowed:
        log["properties"] = {"narrowed": run.narrowed}
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [log]})


def _driver(run: Run, rules: list[Json]) -> Json:
    driver: Json = {"name": "abutment", "version": run.version, "rules": rules}
    return {**driver, "informationUri": HOMEPAGE} if HOMEPAGE else driver


def _rules(run: Run, gates: Sequence[GateText]) -> list[Json]:
    known = {rule.id: _rule(gate, rule) for gate in gates for rule in gate.rules}
    for violation in _shown(run):
        known.setdefault(violation.rule, {"id": violation.rule})
    return [known[rule] for rule in sorted(known)]


def _rule(gate: GateText, rule: RuleText) -> Json:
    described: Json = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{gate.question} {rule.summary}"},
        "help": {"text": f"{remedy_text(gate)} Run `abutment explain {rule.id}` for the whole page."},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["architecture", gate.name]},
    }
    address = page_address(gate.name, rule.id)
    return {**described, "helpUri": address} if address else described


def _shown(run: Run) -> Iterable[Violation]:
    yield from run.violations
    yield from (violation for verdict in run.verdicts for violation in verdict.tolerated)


def _results(run: Run, number: dict[str, int]) -> Iterable[Json]:
    ordinals = Ordinals()
    led = {leader: those for verdict in run.verdicts for leader, those in followers(verdict).items()}
    for violation in sorted(led, key=Violation.sort_key):
        ordinal = ordinals.next(violation.fingerprint)
        result = _result(violation, "error", number[violation.rule], ordinal)
        yield _with_followers(result, led[violation]) if led[violation] else result
    for violation in (violation for verdict in run.verdicts for violation in verdict.tolerated):
        yield _result(violation, "warning", number[violation.rule], ordinals.next(violation.fingerprint))


def _with_followers(result: Json, following: Sequence[Violation]) -> Json:
    """Return the result with what follows from it: a few of these places, and how many there are."""
    related = [*_listed(result, "relatedLocations")]
    for violation in following[:_FOLLOWERS]:
        site = place(violation)
        if site.path:
            told = {"message": {"text": f"follows: {violation.what}"}}
            related.append({"id": len(related) + 1, **_location(site), **told})
    text = f"{_table(result, 'message')['text']}\n{follow_text(len(following))}"
    properties = {**_table(result, "properties"), "followers": len(following)}
    return {**result, "message": {"text": text}, "relatedLocations": related, "properties": properties}


def _listed(result: Json, name: str) -> list[object]:
    found = result.get(name, [])
    assert isinstance(found, list)
    return found


def _table(result: Json, name: str) -> Json:
    found = result[name]
    assert isinstance(found, dict)
    return found


def _result(violation: Violation, level: str, rule: int, ordinal: int) -> Json:
    result: Json = {
        "ruleId": violation.rule,
        "ruleIndex": rule,
        "level": level,
        "message": {"text": "\n".join((advice(violation), *violation.details))},
        "locations": [_location(site) for site in (place(violation),) if site.path],
        "partialFingerprints": {"abutment/v1": f"{violation.fingerprint}:{ordinal}"},
        "baselineState": _STATES.get(violation.kind, "new"),
        "properties": {
            "gate": violation.gate,
            "kind": violation.kind.value,
            "found": violation.found,
            "granted": violation.granted,
            "document": violation.document,
            "owners": list(violation.owners),
        },
    }
    if violation.found and not violation.kind.stale:
        result["occurrenceCount"] = violation.found
    if len(violation.sites) > 1:
        result["relatedLocations"] = [
            {"id": index, **_location(site)} for index, site in enumerate(violation.sites[1:], start=1)
        ]
    return result


def _location(site: Site) -> Json:
    physical: Json = {"artifactLocation": {"uri": uri(site.path), "uriBaseId": "%SRCROOT%"}}
    if site.line:
        physical["region"] = _region(site)
    return {"physicalLocation": physical}


def _region(site: Site) -> Json:
    region: Json = {"startLine": site.line}
    if site.column:
        region["startColumn"] = site.column
    if site.end_line >= site.line:
        region["endLine"] = site.end_line
        # A region without a start column ends where its last line does.
        if site.column and site.end_column:
            region["endColumn"] = site.end_column
    return region


def _invocation(run: Run) -> Json:
    return {
        "executionSuccessful": run.status is not Status.NOT_JUDGED,
        "exitCode": run.status.exit_status,
        "exitCodeDescription": run.status.value,
        "toolExecutionNotifications": [
            *(_not_judged(cause) for cause in causes(run)),
            *(_aside("warning", line) for verdict in run.verdicts for line in verdict.warnings),
            *(_aside("note", f"{verdict.gate}: {line}") for verdict in run.verdicts for line in verdict.notes),
            *(_aside("note", notice.line_text()) for notice in run.notices),
        ],
    }


def _not_judged(cause: Cause) -> Json:
    met = f" (gates: {', '.join(cause.gates)})" if cause.gates else ""
    notification: Json = {
        "level": "error" if cause.stops else "warning",
        "message": {"text": f"not judged: {fault_text(cause.fault)}{met}"},
    }
    if cause.fault.path:
        notification["locations"] = [_location(cause.fault.site)]
    return notification


def _aside(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": text}}
