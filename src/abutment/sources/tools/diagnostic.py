"""What does one line of another tool say, whatever that tool prints it like?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One thing that a tool says of one place."""

    path: str  # relative to the root, "/"-separated
    line: int  # 1-based; 0 where the tool names none
    column: int  # 1-based; 0 where the tool names none
    code: str  # the tool's own: "arg-type", "F401"; "unknown" where it prints none
    message: str  # one line


@dataclass(frozen=True, slots=True)
class Report:
    """All that a tool said, proven to be all."""

    diagnostics: tuple[Diagnostic, ...]  # in order of place
    looked_at: int  # how many files the tool read, as far as it says so
    conditions: Mapping[str, str] = field(default_factory=dict)  # under which it looked: its version, a configuration
    files: frozenset[str] | None = None  # which ones these were, relative to the root; None where it does not say so
    notes: tuple[str, ...] = ()  # for the reader: what could not be proven
