"""How does a run read on a terminal and in a pipe?

One line a violation, place first, so that it can be searched, sorted and clicked; what belongs to it is
indented below. Violations come first, then what is tolerated, warned of and noted, then what was not judged,
then a line a gate, and last the closing line: the most important is nearest to the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import visible, visible_lines
from abutment.reports.wording import (
    advice,
    counted,
    fault_text,
    files_text,
    gate_kinds,
    kinds,
    place,
    shown_text,
    tally_text,
)
from abutment.verdicts.verdict import Run, Status, Verdict, leading, tally

_SITES_SHOWN = 5
_NOTES_SHOWN = 2
_NOTE_LONG = 200  # characters of a note's line
_BOLD, _RED, _YELLOW, _GREEN, _DIM = "1", "31", "33", "32", "2"
_STATUS_COLOUR = {Status.HELD: _GREEN, Status.BROKEN: _RED, Status.NOT_JUDGED: _RED}


def render_text(run: Run, *, colour: bool = False, quiet: bool = False, verbose: bool = False) -> str:
    """Return the run as lines for a reader.

    `quiet` keeps violations and faults alone (nothing at all where everything held); `verbose` adds every
    further site, the fingerprint that `explain` takes, roots, grammar and the files left out by rule.
    """
    page = _Page(colour, verbose)
    lines = [*_violations(run, page), *_causes(run, page)] if quiet else [*_whole(run, page)]
    return "".join(f"{line}\n" for line in lines)


def _whole(run: Run, page: _Page) -> Iterator[str]:
    yield from _violations(run, page)
    yield from _asides(run, page)
    yield from _causes(run, page)
    yield from (_gate_line(verdict, page) for verdict in run.verdicts)
    if page.verbose:
        yield from _account(run)
    yield _closing(run, page)


class _Page:
    """How much is shown, and in which colours."""

    def __init__(self, colour: bool, verbose: bool) -> None:
        self._colour, self.verbose = colour, verbose

    def paint(self, text: str, code: str) -> str:
        """Return the text in a colour, where there is colour and text."""
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and text else text

    def at(self, where: str) -> str:
        """Return `place: `, or nothing where no place is known."""
        return f"{self.paint(visible(where), _BOLD)}: " if where else ""


def _violations(run: Run, page: _Page) -> Iterator[str]:
    for verdict in run.verdicts:
        shown = verdict.violations if page.verbose else leading(verdict)
        for violation in sorted(shown, key=Violation.sort_key):
            yield from _violation(violation, page, _RED, "")
        if len(shown) < len(verdict.violations):
            more = len(verdict.violations) - len(shown)
            yield f"{visible(verdict.gate)}: {more} more that follow from these and go with them (--verbose shows all)"


def _violation(violation: Violation, page: _Page, hue: str, mark: str) -> Iterator[str]:
    rule = page.paint(visible(violation.rule), hue)
    owners = page.paint(f" [{visible(', '.join(violation.owners))}]" if violation.owners else "", _DIM)
    where = page.at(place(violation).place())
    yield f"{where}{rule} {visible(violation.gate)}: {mark}{advice(violation)}{owners}"
    for line in _below(violation, page.verbose):
        yield page.paint(f"    {line}", _DIM)


def _below(violation: Violation, verbose: bool) -> Iterator[str]:
    for detail in violation.details:
        yield from visible_lines(detail)
    others = violation.sites[1:]
    shown = others if verbose else others[:_SITES_SHOWN]
    yield from (f"also {visible(_scoped(site))}" for site in shown)
    if len(others) > len(shown):
        yield f"and {counted(len(others) - len(shown), 'more place')} (--verbose shows all)"
    if verbose:
        yield f"fingerprint {violation.fingerprint}"


def _scoped(site: Site) -> str:
    return site.place() if site.scope in ("", "<module>") else f"{site.place()} in {site.scope}"


def _asides(run: Run, page: _Page) -> Iterator[str]:
    for verdict in run.verdicts:
        for violation in verdict.tolerated:
            yield from _violation(violation, page, _YELLOW, "warning: ")
    for verdict in run.verdicts:
        yield from (page.paint("warning: ", _YELLOW) + visible(line) for line in verdict.warnings)
    for verdict in run.verdicts:
        yield from _notes(verdict, page)
    for notice in run.notices:
        yield f"{page.at(notice.site.place())}notice: {fault_text(notice)}"


def _notes(verdict: Verdict, page: _Page) -> Iterator[str]:
    """Yield what a gate has to tell besides: all with `verbose`, else a little, and only where it did not hold."""
    most = len(verdict.notes) if page.verbose else 0 if verdict.status is Status.HELD else _NOTES_SHOWN
    for note in verdict.notes[:most]:
        first, *more = visible_lines(note)
        yield f"note: {visible(verdict.gate)}: {_cut_short(first, page)}"
        yield from (f"    {_cut_short(line, page)}" for line in more)
    if 0 < most < len(verdict.notes):
        yield f"note: {visible(verdict.gate)}: {counted(len(verdict.notes) - most, 'more note')} (--verbose shows all)"


def _cut_short(line: str, page: _Page) -> str:
    """Return the line of a note; a long one would bury the violations above it."""
    if page.verbose or len(line) <= _NOTE_LONG:
        return line
    return f"{line[:_NOTE_LONG].rsplit(' ', 1)[0]} … (--verbose shows all)"


def _causes(run: Run, page: _Page) -> Iterator[str]:
    return (_cause_line(cause, page) for cause in causes(run))


def _cause_line(cause: Cause, page: _Page) -> str:
    fault = cause.fault
    met = ", ".join(cause.gates) if cause.gates else "" if cause.stops else "in the scope of no gate"
    suffix = f" ({visible(met)})" if met else ""
    word = page.paint("not judged", _RED if cause.stops else _YELLOW)
    return f"{page.at(fault.site.place())}{word}: {fault_text(fault)}{suffix}"


def _gate_line(verdict: Verdict, page: _Page) -> str:
    found = gate_kinds(verdict)
    parts = [
        page.paint(verdict.status.value, _STATUS_COLOUR[verdict.status]) + (f" ({found})" if found else ""),
        f"{visible(verdict.unit) or 'modules'} looked at: {verdict.looked_at}",
        f"facts: {verdict.facts}",
        f"granted: {verdict.granted}",
    ]
    if verdict.tolerated:
        parts.append(f"tolerated: {kinds(verdict.tolerated)}")
    beside = f"; beside: {visible(verdict.beside)}" if verdict.beside else ""
    return f"gate {visible(verdict.gate)}: {', '.join(parts)}{beside}"


def _account(run: Run) -> Iterator[str]:
    files = run.files
    if files.roots:
        yield f"roots: {visible(', '.join(files.roots))}"
    if files.grammar:
        yield f"grammar: {visible(files.grammar)}"
    yield from (f"left out: {visible(rule)}: {number}" for rule, number in files.left_out)


def _closing(run: Run, page: _Page) -> str:
    found, tolerated = tally_text(tally(*run.verdicts)), [v for verdict in run.verdicts for v in verdict.tolerated]
    counts = [sum(verdict.status is status for verdict in run.verdicts) for status in Status]
    parts = [
        files_text(run.files),
        counted(sum(verdict.facts for verdict in run.verdicts), "fact"),
        f"gates: {counts[0]} held, {counts[1]} broken, {counts[2]} not judged",
    ]
    if found:
        parts.insert(0, found)
    if tolerated:
        parts.append(f"{len(tolerated)} stale tolerated")
    if run.idle_gates:
        parts.append(f"not switched on: {visible(', '.join(run.idle_gates))}")
    if run.unasked_gates:
        parts.append(f"not asked for: {visible(', '.join(run.unasked_gates))}")
    if run.narrowed:
        parts.append(f"shown: {shown_text(run)}")
    return f"abutment: {page.paint(run.status.value, _STATUS_COLOUR[run.status])}: {'; '.join(parts)}"
