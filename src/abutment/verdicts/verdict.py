"""What is the answer, for one gate and for a whole run?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from abutment.model.fault import Fault
from abutment.model.violation import Violation


class Status(StrEnum):
    """The three answers. `not judged` is never softened and outranks the others."""

    HELD = "held"
    BROKEN = "broken"
    NOT_JUDGED = "not judged"

    @property
    def exit_status(self) -> int:
        """0 held, 1 broken, 2 not judged."""
        return (Status.HELD, Status.BROKEN, Status.NOT_JUDGED).index(self)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate's answer."""

    gate: str
    status: Status
    violations: tuple[Violation, ...] = ()
    tolerated: tuple[Violation, ...] = ()  # stale ones under --stale=warn: shown, not counted
    faults: tuple[Fault, ...] = ()  # why it was not judged
    warnings: tuple[str, ...] = ()  # approvals that run out within 14 days
    notes: tuple[str, ...] = ()
    facts: int = 0  # how many the code has: the sum of all counts, or the number of keys where these are figures
    granted: int = 0  # how many approvals and baseline grant
    looked_at: int = 0
    unit: str = ""
    beside: str = ""  # what was seen and is not judged, as one clause


@dataclass(frozen=True, slots=True)
class FileAccount:
    """What became of every file of the universe."""

    scanned: int
    left_out: tuple[tuple[str, int], ...]  # (rule, how many), sorted
    not_judged: tuple[Fault, ...]  # files that could not be read or parsed
    grammar: str  # "CPython 3.11"
    roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One judgement of one configuration: a value, to be rendered and turned into an exit status."""

    version: str
    root: str  # as the user would write it; never part of a report's identity
    verdicts: tuple[Verdict, ...]
    files: FileAccount
    faults: tuple[Fault, ...] = ()  # what stopped the run as a whole
    idle_gates: tuple[str, ...] = ()  # known gates that are not switched on
    unasked_gates: tuple[str, ...] = ()  # gates that are switched on, while others were named
    paths: frozenset[str] = frozenset()  # every file and document that a text may name; never part of a report
    law: tuple[str, ...] = ()  # what a person edits: the configuration, and the folder of documents behind it
    narrowed: str = ""  # "--changed REF": which violations are shown
    law_changed: bool = False  # the law is among what narrows: all but stale is shown
    notices: tuple[Fault, ...] = ()  # of the form of a fault: what a reader should know, though it stops nothing

    @property
    def status(self) -> Status:
        """The worst of the gates; `not judged` where nothing was asked."""
        if self.faults or not self.verdicts:
            return Status.NOT_JUDGED
        worst = max(verdict.status.exit_status for verdict in self.verdicts)
        return (Status.HELD, Status.BROKEN, Status.NOT_JUDGED)[worst]

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations that count, in a stable order."""
        return tuple(sorted((v for d in self.verdicts for v in d.violations), key=Violation.sort_key))


def leading(verdict: Verdict) -> tuple[Violation, ...]:
    """Return the violations a person has to look at: without those that only follow from another one.

    Where nothing leads (as the cause was narrowed away), all are returned.
    """
    leaders = tuple(violation for violation in verdict.violations if not violation.follows)
    return leaders or verdict.violations


@dataclass(frozen=True, slots=True)
class Tally:
    """How many violations a person has to look at, and how many only follow from these and go with them."""

    leading: tuple[Violation, ...]
    following: int


def tally(*verdicts: Verdict) -> Tally:
    """Return what is to be counted in the total of these gates."""
    leaders = tuple(violation for verdict in verdicts for violation in leading(verdict))
    return Tally(leaders, sum(len(verdict.violations) for verdict in verdicts) - len(leaders))


def followers(verdict: Verdict) -> dict[Violation, tuple[Violation, ...]]:
    """Return each leading violation with those that follow from it; one whose leader is not told goes to the first."""
    leaders = leading(verdict)
    found: dict[Violation, list[Violation]] = {leader: [] for leader in leaders}
    by_fingerprint = {leader.fingerprint: leader for leader in leaders}
    for violation in verdict.violations:
        if violation not in found:
            found[by_fingerprint.get(violation.leader, leaders[0])].append(violation)
    return {leader: tuple(sorted(those, key=Violation.sort_key)) for leader, those in found.items()}


def tolerate_stale(verdict: Verdict) -> Verdict:
    """Return the verdict under `--stale=warn`: stale violations are shown but do not break; excess does."""
    stale = tuple(v for v in verdict.violations if v.kind.stale)
    kept = tuple(v for v in verdict.violations if not v.kind.stale)
    status = verdict.status
    if status is Status.BROKEN and not kept:
        status = Status.HELD
    return replace(verdict, status=status, violations=kept, tolerated=verdict.tolerated + stale)
