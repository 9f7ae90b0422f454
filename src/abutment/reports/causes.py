"""Why was something not judged, and which gates could not judge because of it?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.verdicts.verdict import Run, Status, Verdict


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """One fault, told once however many gates met it."""

    fault: Fault
    gates: tuple[str, ...]  # in the run's order; () where it concerns the run as a whole, or no gate at all
    stops: bool  # False for a file that could not be read and that no gate's scope holds


def causes(run: Run) -> tuple[Cause, ...]:
    """Return every cause in order of place. A run that is not judged always has one that stops it."""
    met: dict[Fault, list[str]] = {fault: [] for fault in run.faults}
    stopping = set(run.faults)
    for verdict in run.verdicts:
        for fault in _faults(verdict):
            met.setdefault(fault, []).append(verdict.gate)
            if verdict.status is Status.NOT_JUDGED:
                stopping.add(fault)
    for fault in run.files.not_judged:
        met.setdefault(fault, [])
    if not run.verdicts and not run.faults:
        nothing = Fault("", 0, "no gate was judged.", "Name gates in `gates = [...]`, or on the command line.")
        met[nothing] = []
        stopping.add(nothing)
    return tuple(sorted(Cause(fault, tuple(dict.fromkeys(met[fault])), fault in stopping) for fault in met))


def _faults(verdict: Verdict) -> tuple[Fault, ...]:
    if verdict.status is Status.NOT_JUDGED and not verdict.faults:
        return (Fault("", 0, f"{verdict.gate} was not judged and gave no cause.", "This is a bug in that gate."),)
    return verdict.faults
