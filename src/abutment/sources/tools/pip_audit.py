"""Which known vulnerabilities does pip-audit find? Its JSON, with its summary where it was run here.

The form is that of pip-audit's documentation ("--format json"). A dependency that it skips was not looked at, whatever
it says at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.utils import canonicalize_name

from abutment.sources.tools.json_text import text_of
from abutment.sources.tools.output import BY_HAND, Output

_FOUND = re.compile(r"Found (?P<vulnerabilities>\d+) known vulnerabilit(?:y|ies) in (?P<packages>\d+) packages?")
_NONE = re.compile(r"No known vulnerabilities found")
# The one by which most people know it comes first, and stays when another list gives it another name.
_LISTS = ("CVE-", "GHSA-", "PYSEC-")


@dataclass(frozen=True, slots=True)
class Vulnerability:
    """One advisory about one package that is used."""

    package: str  # as PEP 503 normalises it
    version: str
    ids: tuple[str, ...]  # the best known first: CVE, GHSA, PYSEC, others
    fixed_in: tuple[str, ...]  # versions


@dataclass(frozen=True, slots=True)
class Audit:
    """All that pip-audit said."""

    looked_at: frozenset[str]  # packages
    skipped: Mapping[str, str]  # packages, and why
    vulnerabilities: tuple[Vulnerability, ...]


def parse_audit(output: Output) -> Audit:
    """Return what pip-audit said; raises NotJudged unless it ended as it does when it has looked, and all is here.

    Its status is 1 where it found something, and also where it failed.
    """
    output.require_status(0, 1)
    try:
        audit = _audit(output.document())
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise output.fault("printed JSON of another form than is known.", BY_HAND) from error
    if not audit.looked_at and not audit.skipped:
        raise output.fault("looked at no package at all.", BY_HAND)
    _compare(output, audit)
    return audit


def _audit(document: Any) -> Audit:
    dependencies = document["dependencies"]
    if not isinstance(dependencies, list):
        raise TypeError(dependencies)
    skipped = {_name(row): str(row["skip_reason"]) for row in dependencies if "skip_reason" in row}
    audited = [row for row in dependencies if "skip_reason" not in row]
    found = (one for row in audited for one in _vulnerabilities(row))
    return Audit(frozenset(map(_name, audited)), skipped, tuple(found))


def _name(row: Mapping[str, object]) -> str:
    return canonicalize_name(text_of(row["name"]))


def _vulnerabilities(row: Mapping[str, object]) -> Iterator[Vulnerability]:
    listed = row["vulns"]
    if not isinstance(listed, list):
        raise TypeError(listed)
    for one in listed:
        ids = {text_of(name) for name in (one["id"], *one.get("aliases", []))}
        fixed = tuple(text_of(version) for version in one["fix_versions"])
        yield Vulnerability(_name(row), text_of(row["version"]), tuple(sorted(ids, key=_renown)), fixed)


def _renown(id: str) -> tuple[int, str]:
    return next((at for at, prefix in enumerate(_LISTS) if id.startswith(prefix)), len(_LISTS)), id


def _compare(output: Output, audit: Audit) -> None:
    """Raise NotJudged where what it printed, its status, and what it said at the end do not agree."""
    number, packages = len(audit.vulnerabilities), len({one.package for one in audit.vulnerabilities})
    output.require_agreement(number, "vulnerabilities")
    if output.is_kept:
        return
    said = output.stderr.decode("utf-8", "replace")
    found, none = _FOUND.findall(said), _NONE.findall(said)
    if len(found) + len(none) != 1:
        raise output.fault("does not say at the end what it found.", BY_HAND)
    if (found or [("0", "0")]) != [(str(number), str(packages))]:
        raise output.fault(f"shows {number} vulnerabilities in {packages} packages.", BY_HAND)
