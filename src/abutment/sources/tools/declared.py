"""What does a user say of a tool for which there is no reader of ours?

How it is called, how its output reads, and what proves that the output is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How the output is written."""

    LINES = "lines"  # one diagnostic a line, by a pattern
    JSON = "json"  # one document
    JSONL = "jsonl"  # one object a line
    SARIF = "sarif"  # SARIF 2.1.0


@dataclass(frozen=True, slots=True)
class Fields:
    """Where one JSON result says what it says: a JSON Pointer (RFC 6901) each, "" where it does not say it."""

    path: str
    message: str
    line: str = ""
    column: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """By what one knows that the tool did its work, and that all of its output is here."""

    clean: tuple[int, ...]  # with which statuses it ends where it has nothing to say
    found: tuple[int, ...]  # and where it has
    is_silent: bool = True  # it says nothing on stderr
    # Patterns, of which the last line that is not skipped has to match one; the group `count` is the number of results.
    summary: tuple[str, ...] = ()
    is_summary_on_stderr: bool = False
    total: tuple[str, ...] = ()  # pointers to numbers whose sum is the number of results
    none: tuple[str, ...] = ()  # pointers to what has to be empty, 0, false, null or missing: errors, files left out
    failures: tuple[str, ...] = ()  # codes by which it says that it could not read a file
    looked_at: str = ""  # a pointer to a number, list or table that is not empty where it looked at anything

    @property
    def tells_by_status(self) -> bool:
        """Say whether no status stands for both."""
        return not set(self.clean) & set(self.found)


@dataclass(frozen=True, slots=True)
class Declared:
    """One tool as a user declares it."""

    id: str
    command: tuple[str, ...]
    version: tuple[str, ...]  # the command that prints it; one word that begins with "/" is a pointer into the output
    form: Form
    proof: Proof
    configuration: tuple[
        str, ...
    ] = ()  # files that configure it; `pyproject.toml:tool.bandit` is a table, or a section
    pattern: str = ""  # of a line; "" for the usual one
    skip: tuple[str, ...] = ()  # patterns of lines that say nothing of the code
    results: str = ""  # pointer to the list of results; "" for the document itself
    fields: Fields | None = None
    first_line: int = 1  # how the tool counts
    first_column: int = 1
