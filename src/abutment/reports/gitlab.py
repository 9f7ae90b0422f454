"""How is a run handed to GitLab's code quality widget?

GitLab reads a list of objects with `description`, `check_name`, `fingerprint`, `severity` and `location`, and
shows one of those that share a fingerprint; so fingerprints are made unique here. The format knows no state
of a run: what could not be judged is listed as a blocker, so that an empty list means "held". What only follows
from another violation is counted there and is no entry of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.model.identity import fingerprint
from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import visible
from abutment.reports.ordinals import Ordinals
from abutment.reports.plain_json import dump
from abutment.reports.wording import advice, fault_text, follow_text, place
from abutment.verdicts.verdict import Run, followers

# An entry must name a file; a fault without one is shown at the project's own folder.
_NO_FILE = "."


def render_gitlab(run: Run) -> str:
    """Return the run as a code quality report."""
    ordinals = Ordinals()
    return dump([_plain(entry, ordinals.next(entry.identity)) for entry in _entries(run)])


@dataclass(frozen=True, slots=True)
class _Entry:
    identity: str
    name: str
    severity: str
    text: str
    site: Site


def _entries(run: Run) -> Iterator[_Entry]:
    yield from map(_of_cause, causes(run))
    led = {leader: len(those) for verdict in run.verdicts for leader, those in followers(verdict).items()}
    for violation in sorted(led, key=Violation.sort_key):
        yield _of_violation(violation, "minor" if violation.kind.stale else "major", led[violation])
    for verdict in run.verdicts:
        yield from (_of_violation(violation, "info") for violation in verdict.tolerated)


def _of_cause(cause: Cause) -> _Entry:
    fault = cause.fault
    return _Entry(
        identity=fingerprint("not judged", {"path": fault.path, "message": fault.message}),
        name="not-judged",
        severity="blocker" if cause.stops else "info",
        text=f"not judged: {fault_text(fault)}",
        site=fault.site,
    )


def _of_violation(violation: Violation, severity: str, following: int = 0) -> _Entry:
    text = f"{violation.gate}: {advice(violation)}" + (f" {follow_text(following)}" if following else "")
    return _Entry(violation.fingerprint, violation.rule, severity, text, place(violation))


def _plain(entry: _Entry, ordinal: int) -> dict[str, object]:
    repeated = fingerprint(entry.identity, {"ordinal": ordinal})
    return {
        "description": visible(entry.text),
        "check_name": entry.name,
        "fingerprint": entry.identity if ordinal == 1 else repeated,
        "severity": entry.severity,
        "location": {"path": entry.site.path or _NO_FILE, "lines": {"begin": entry.site.line or 1}},
    }
