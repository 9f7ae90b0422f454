"""What can go wrong, as one family of exceptions that only `cli/` catches.

A violation is a value, never an exception. An exception here means that nothing is known about the code.
"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.model.fault import Fault


class AbutmentError(Exception):
    """The root of everything this package raises on purpose."""


class NotJudged(AbutmentError):
    """Nothing can be said; `faults` holds every cause found in one go (exit status 2)."""

    def __init__(self, faults: Fault | Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(fault.line_text() for fault in self.faults))


class UnknownName(NotJudged):
    """A gate, module, rule, family or fingerprint that was asked for does not exist."""


class Refused(NotJudged):
    """A writing verb declined: carrying it out would record something worse, or an unproven thing."""


class Busy(NotJudged):
    """Another process is writing the documents, and did not finish while we waited."""
