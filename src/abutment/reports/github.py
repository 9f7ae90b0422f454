"""How is a run shown in GitHub Actions? Annotations at their lines, the whole text in the log, a step summary.

GitHub keeps ten annotations of a kind for each step and drops the rest in silence. So where there are more,
those of one file become one, and what is still too much is told by a last one; the log always has everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import encodable, visible, visible_lines
from abutment.reports.markdown import render_summary
from abutment.reports.text import render_text
from abutment.reports.wording import advice, counted, fault_text, place
from abutment.verdicts.verdict import Run, leading

LIMIT = 10  # of one kind, for each step
_LINES = 10  # of one annotation's message
# GitHub refuses a summary above 1 MiB whole; a step with several configurations appends several.
_SUMMARY_BYTES = 250_000


def render_github(run: Run) -> str:
    """Return annotation commands and the text report."""
    found = causes(run)
    errors = [
        *(_of_cause(cause) for cause in found if cause.stops),
        *map(_of_violation, sorted((v for d in run.verdicts for v in leading(d)), key=Violation.sort_key)),
    ]
    warnings = [
        *(_of_cause(cause) for cause in found if not cause.stops),
        *(_of_violation(violation) for verdict in run.verdicts for violation in verdict.tolerated),
        *(
            _Note(Site(""), f"abutment {verdict.gate}", (line,))
            for verdict in run.verdicts
            for line in verdict.warnings
        ),
    ]
    notices = [_Note(Site(told.path, told.line), "abutment", (fault_text(told),)) for told in run.notices]
    lines = [*_commands("error", errors), *_commands("warning", warnings), *_commands("notice", notices)]
    return "".join(f"{line}\n" for line in lines) + _inert(render_text(run))


def render_step_summary(run: Run) -> str:
    """Return Markdown to be appended to the file that `$GITHUB_STEP_SUMMARY` names."""
    return render_summary(run, limit=_SUMMARY_BYTES)


@dataclass(frozen=True, slots=True)
class _Note:
    site: Site
    title: str
    lines: tuple[str, ...]
    stands_for: int = 1


def _of_violation(violation: Violation) -> _Note:
    owners = f" [{', '.join(violation.owners)}]" if violation.owners else ""
    lines = (advice(violation) + owners, *violation.details)
    return _Note(place(violation), f"{violation.rule} {violation.gate}", lines)


def _of_cause(cause: Cause) -> _Note:
    met = f" ({', '.join(cause.gates)})" if cause.gates else ""
    return _Note(cause.fault.site, "abutment: not judged", (fault_text(cause.fault) + met,))


def _commands(kind: str, notes: list[_Note]) -> Iterator[str]:
    if len(notes) > LIMIT:
        notes = [_together(group) for group in _by_file(notes)]
    if len(notes) > LIMIT:
        notes = [*notes[: LIMIT - 1], _rest(notes[LIMIT - 1 :])]
    return (_command(kind, note) for note in notes)


def _by_file(notes: Iterable[_Note]) -> Iterable[list[_Note]]:
    groups: dict[str, list[_Note]] = {}
    for note in notes:
        groups.setdefault(note.site.path, []).append(note)
    return groups.values()


def _together(group: list[_Note]) -> _Note:
    if len(group) == 1:
        return group[0]
    site = Site(group[0].site.path, group[0].site.line)
    titles = sorted({note.title for note in group})
    title = titles[0] if len(titles) == 1 else "abutment"
    lines = tuple(f"line {n.site.line}: {n.lines[0]}" if n.site.line else n.lines[0] for n in group)
    return _Note(site, f"{title} ({len(group)})", lines, stands_for=len(group))


def _rest(notes: list[_Note]) -> _Note:
    more = sum(note.stands_for for note in notes)
    text = f"{more} more, in {counted(len(notes), 'more file')}. The log and the step's summary have all of them."
    return _Note(Site(""), f"abutment: {more} more", (text,))


def _command(kind: str, note: _Note) -> str:
    lines = [shown for line in note.lines for shown in visible_lines(line)]
    if len(lines) > _LINES:
        lines = [*lines[:_LINES], f"and {counted(len(lines) - _LINES, 'more line')} (see the log)"]
    properties = ",".join(f"{name}={_property(value)}" for name, value in _properties(note))
    return f"::{kind} {properties}::{_data(chr(10).join(lines))}"


def _properties(note: _Note) -> Iterator[tuple[str, str]]:
    site = note.site
    if site.path:
        yield "file", encodable(site.path)
    if site.path and site.line:
        yield "line", str(site.line)
        if site.end_line >= site.line:
            yield "endLine", str(site.end_line)
        # GitHub takes columns only where the place is on one line.
        if site.column and site.end_line in (0, site.line):
            yield "col", str(site.column)
            if site.end_line and site.end_column:
                yield "endColumn", str(site.end_column)
    yield "title", visible(note.title)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _inert(text: str) -> str:
    """Return the text so that no line of it is read as a command: a file may be named `::set-env name=…`.

    The word that ends the pause must not occur in the text; its own digest cannot.
    """
    token = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return f"::stop-commands::{token}\n{text}::{token}::\n"
