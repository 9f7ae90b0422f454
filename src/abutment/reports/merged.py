"""How are runs of several roots shown in one report, and a run of a root below the repository's top?

A report knows one run. So paths are rebased to the folder from which all roots are seen, and the verdicts of
several runs stand in one, each under its root's name. Identities, and with them fingerprints, stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from posixpath import normpath

from abutment.model.fault import Fault
from abutment.model.violation import Violation
from abutment.reports.causes import causes
from abutment.verdicts.verdict import FileAccount, Run, Verdict


def rebased(run: Run, folder: str) -> Run:
    """Return the run with every path as seen from above; `folder` is its root from there (`services/pay`)."""
    if normpath(folder or ".") == ".":
        return run
    return replace(
        run,
        verdicts=tuple(_verdict(verdict, _Above(folder, run.paths)) for verdict in run.verdicts),
        faults=_faults(run.faults, folder),
        notices=tuple(_notice(notice, folder) for notice in run.notices),
        law=tuple(_below(folder, path) for path in run.law),
        files=replace(
            run.files,
            not_judged=_faults(run.files.not_judged, folder),
            roots=tuple(_below(folder, root) for root in run.files.roots),
        ),
    )


class _Above:
    """How texts about one root read from above it."""

    def __init__(self, folder: str, paths: Collection[str]) -> None:
        self.folder, self._paths = folder, paths

    def text(self, text: str) -> str:
        """Return the text with every path of the root that it names as seen from above."""
        shown, done = "", 0
        for ending in _ENDING.finditer(text):
            # A path may hold spaces and brackets: the longest text that is one of the root's paths is meant.
            starts = (at for at in range(done, ending.end()) if at == 0 or not _INSIDE.match(text[at - 1]))
            start = next((at for at in starts if text[at : ending.end()] in self._paths), None)
            if start is not None:
                shown += text[done:start] + _below(self.folder, text[start : ending.end()])
                done = ending.end()
        return shown + text[done:]


# What ends a path that a text may name, and what a name goes on with, so that no path begins behind it.
_ENDING = re.compile(r"\.(?:py|pyi|ipynb|so|pyd|toml|jsonl|cfg)(?!\w|\.\w)")
_INSIDE = re.compile(r"[\w./-]")


def _verdict(verdict: Verdict, above: _Above) -> Verdict:
    return replace(
        verdict,
        violations=tuple(_violation(item, above) for item in verdict.violations),
        tolerated=tuple(_violation(item, above) for item in verdict.tolerated),
        faults=_faults(verdict.faults, above.folder),
        notes=tuple(map(above.text, verdict.notes)),
        warnings=tuple(map(above.text, verdict.warnings)),
    )


def _violation(violation: Violation, above: _Above) -> Violation:
    return replace(
        violation,
        sites=tuple(replace(site, path=_below(above.folder, site.path)) for site in violation.sites),
        document=_below(above.folder, violation.document),
        remedy=above.text(violation.remedy),
        details=tuple(map(above.text, violation.details)),
    )


def _faults(faults: tuple[Fault, ...], folder: str) -> tuple[Fault, ...]:
    return tuple(replace(fault, path=_below(folder, fault.path)) for fault in faults)


def _notice(notice: Fault, folder: str) -> Fault:
    """Return the notice as seen from above; one without a path of its own is about the root and names paths in it."""
    return replace(notice, path=normpath(f"{folder}/{notice.path}"))


def _below(folder: str, path: str) -> str:
    return normpath(f"{folder}/{path}") if path else path


def merged(runs: Sequence[tuple[str, Run]]) -> Run:
    """Return one run for several `(folder, run)`: verdicts apart, the worst status wins.

    Raises ValueError where there is none.
    """
    if not runs:
        raise ValueError("there is no run to show")
    seen = [(normpath(folder or "."), rebased(run, folder)) for folder, run in runs]
    return Run(
        version=seen[0][1].version,
        root="",
        verdicts=tuple(replace(v, gate=_named(folder, v.gate)) for folder, run in seen for v in run.verdicts),
        files=_files([run.files for _folder, run in seen]),
        faults=tuple(fault for folder, run in seen for fault in _stops(folder, run)),
        idle_gates=tuple(_named(folder, gate) for folder, run in seen for gate in run.idle_gates),
        unasked_gates=tuple(_named(folder, gate) for folder, run in seen for gate in run.unasked_gates),
        narrowed=", ".join(dict.fromkeys(run.narrowed for _folder, run in seen if run.narrowed)),
        law=tuple(path for _folder, run in seen for path in run.law),
        law_changed=any(run.law_changed for _folder, run in seen),
        notices=tuple(notice for _folder, run in seen for notice in run.notices),
    )


def _named(folder: str, gate: str) -> str:
    return gate if folder == "." else f"{folder}/{gate}"


def _stops(folder: str, run: Run) -> tuple[Fault, ...]:
    """Return why a run as a whole was not judged: among others, one without a verdict would go unseen."""
    if run.verdicts:
        return run.faults
    found = tuple(cause.fault for cause in causes(run) if cause.stops)
    return tuple(fault if fault.path else replace(fault, path=folder) for fault in found)


def _files(accounts: Sequence[FileAccount]) -> FileAccount:
    left_out: Counter[str] = Counter()
    for account in accounts:
        left_out.update(dict(account.left_out))
    return FileAccount(
        scanned=sum(account.scanned for account in accounts),
        left_out=tuple(sorted(left_out.items())),
        not_judged=tuple(fault for account in accounts for fault in account.not_judged),
        grammar=", ".join(dict.fromkeys(account.grammar for account in accounts if account.grammar)),
        roots=tuple(root for account in accounts for root in account.roots),
    )
