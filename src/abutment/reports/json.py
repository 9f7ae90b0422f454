"""How is a run handed to a program? The shape is published as `docs/report.schema.json`."""

from __future__ import annotations

from dataclasses import asdict

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.causes import causes
from abutment.reports.plain_json import dump
from abutment.verdicts.verdict import FileAccount, Run, Verdict, tally

SCHEMA = 1


def render_json(run: Run) -> str:
    """Return the run as one sorted JSON document."""
    return dump(
        {
            "schema": SCHEMA,
            "version": run.version,
            "status": run.status.value,
            "exit_status": run.status.exit_status,
            "files": _files(run.files),
            "gates": [_gate(verdict) for verdict in sorted(run.verdicts, key=lambda verdict: verdict.gate)],
            "faults": [
                {**_fault(cause.fault), "gates": sorted(cause.gates), "stops": cause.stops} for cause in causes(run)
            ],
            "idle_gates": sorted(run.idle_gates),
            "unasked_gates": sorted(run.unasked_gates),
            "narrowed": run.narrowed,
            "law_changed": run.law_changed,
            "notices": [_fault(notice) for notice in sorted(run.notices)],
        }
    )


def _files(files: FileAccount) -> dict[str, object]:
    return {
        "scanned": files.scanned,
        "left_out": dict(files.left_out),
        "not_judged": [_fault(fault) for fault in sorted(files.not_judged)],
        "grammar": files.grammar,
        "roots": list(files.roots),
    }


def _gate(verdict: Verdict) -> dict[str, object]:
    found = tally(verdict)
    return {
        "gate": verdict.gate,
        "status": verdict.status.value,
        "facts": verdict.facts,
        "granted": verdict.granted,
        "looked_at": verdict.looked_at,
        "unit": verdict.unit,
        "leading": len(found.leading),
        "following": found.following,
        "violations": [_violation(item) for item in sorted(verdict.violations, key=Violation.sort_key)],
        "tolerated": [_violation(item) for item in sorted(verdict.tolerated, key=Violation.sort_key)],
        "faults": [_fault(fault) for fault in sorted(verdict.faults)],
        "warnings": list(verdict.warnings),
        "notes": list(verdict.notes),
    }


def _violation(violation: Violation) -> dict[str, object]:
    return {
        "rule": violation.rule,
        "kind": violation.kind.value,
        "fingerprint": violation.fingerprint,
        "identity": dict(violation.identity),
        "found": violation.found,
        "granted": violation.granted,
        "what": violation.what,
        "document": violation.document,
        "remedy": violation.remedy,
        "owners": list(violation.owners),
        "follows": violation.follows,
        "sites": [_site(site) for site in violation.sites],
        "details": list(violation.details),
    }


def _site(site: Site) -> dict[str, object]:
    return asdict(site)


def _fault(fault: Fault) -> dict[str, object]:
    return asdict(fault)
