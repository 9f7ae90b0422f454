"""How is a run shown in a comment on a pull request, or in a job's summary? GitHub-flavoured Markdown.

The first line is a marker by which a bot finds the comment to replace. Names stand in code spans: so an
`@team` is not notified by every push.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from abutment.model.fault import Fault
from abutment.model.violation import Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import sentence, visible, visible_lines
from abutment.reports.wording import clause, counted, fault_text, files_text, gate_kinds, place, shown_text, tally_text
from abutment.verdicts.verdict import Run, Verdict, leading, tally

MARKER = "<!-- abutment-report -->"
# A comment may have 65,536 characters. Bytes are counted, which are never fewer.
_COMMENT_BYTES = 60_000
_DETAILS = 10
_ESCAPED = re.compile(r"[\\`*_{}\[\]#|~$]")
# GitHub turns these into a notification or a reference even behind a backslash; never inside a code span.
_LINKED = re.compile(r"((?<!\w)(?:@[\w/-]+|#\d+))")


def render_markdown(run: Run) -> str:
    """Return the run as a comment that fits into a pull request; what does not fit is counted."""
    return f"{MARKER}\n{render_summary(run, limit=_COMMENT_BYTES)}"


def render_summary(run: Run, *, limit: int) -> str:
    """Return the run as Markdown of at most `limit` bytes, but for the head and one line a section."""
    page = _Page(limit)
    page.add(f"### abutment: {run.status.value}\n\n{_summary(run)}\n\n")
    page.table(("Gate", "Verdict", "Looked at", "Facts", "Granted"), (_gate_row(verdict) for verdict in run.verdicts))
    page.items("Not judged", (_cause_item(cause) for cause in causes(run)))
    page.rows("Violations", sorted((v for verdict in run.verdicts for v in leading(verdict)), key=Violation.sort_key))
    page.items("Not shown", _followers(run))
    page.rows("Tolerated for now", (violation for verdict in run.verdicts for violation in verdict.tolerated))
    page.items("Warnings", (_text(line) for verdict in run.verdicts for line in verdict.warnings))
    page.items(
        "Notes", (f"{_code(verdict.gate)}: {_block(note)}" for verdict in run.verdicts for note in verdict.notes)
    )
    page.items("Notices", (_notice_item(notice) for notice in run.notices))
    return page.text()


def _followers(run: Run) -> Iterable[str]:
    for verdict in run.verdicts:
        more = len(verdict.violations) - len(leading(verdict))
        if more:
            yield f"{_code(verdict.gate)}: {more} more violations follow from those above and go with them."


class _Page:
    """Markdown that grows up to a limit and says what it left out."""

    def __init__(self, limit: int) -> None:
        self._parts: list[str] = []
        self._left = limit

    def text(self) -> str:
        """Return the page, ending in one newline."""
        return "".join(self._parts).rstrip("\n") + "\n"

    def add(self, part: str) -> None:
        """Append a part whether it fits or not."""
        self._parts.append(part)
        self._left -= len(part.encode())

    def table(self, head: tuple[str, ...], rows: Iterable[str]) -> None:
        """Append a table, unless it has no row."""
        self._fill(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}\n", list(rows))

    def rows(self, title: str, violations: Iterable[Violation]) -> None:
        """Append a titled table of violations, unless there are none."""
        rows = [_violation_row(violation) for violation in violations]
        head = "| Where | Rule | What is wrong | What to do | Owners |\n| --- | --- | --- | --- | --- |\n"
        self._fill(f"#### {title} ({len(rows)})\n\n{head}", rows)

    def items(self, title: str, items: Iterable[str]) -> None:
        """Append a titled list, unless it has no item."""
        self._fill(f"#### {title}\n\n", [f"- {item}\n" for item in items])

    def _fill(self, head: str, lines: list[str]) -> None:
        if not lines:
            return
        self.add(head)
        for position, line in enumerate(lines):
            if len(line.encode()) > self._left:
                self.add(f"\n{len(lines) - position} more did not fit; the text report has all of them.\n")
                break
            self.add(line)
        self.add("\n")


def _summary(run: Run) -> str:
    parts = [tally_text(tally(*run.verdicts)) or "No violation"]
    parts.append(files_text(run.files))
    if run.idle_gates:
        parts.append(f"gates not switched on: {', '.join(map(_code, run.idle_gates))}")
    if run.unasked_gates:
        parts.append(f"gates not asked for: {', '.join(map(_code, run.unasked_gates))}")
    if run.narrowed:
        parts.append(f"shown: {shown_text(run, _code)}")
    return f"{'; '.join(parts)}."


def _gate_row(verdict: Verdict) -> str:
    found = gate_kinds(verdict)
    status = f"{verdict.status}: {found}" if found else verdict.status.value
    looked_at = f"{_text(verdict.unit)}: {verdict.looked_at}"
    return f"| {_code(verdict.gate)} | {status} | {looked_at} | {verdict.facts} | {verdict.granted} |\n"


def _cause_item(cause: Cause) -> str:
    met = f" ({', '.join(map(_code, cause.gates))})" if cause.gates else ""
    return f"{_notice_item(cause.fault)}{met}"


def _notice_item(notice: Fault) -> str:
    where = notice.site.place()
    return f"{_code(where) + ': ' if where else ''}{_text(fault_text(notice))}"


def _violation_row(violation: Violation) -> str:
    details = [line for detail in violation.details for line in visible_lines(detail)]
    shown = [_text(line) for line in details[:_DETAILS]]
    if len(details) > _DETAILS:
        shown.append(f"and {counted(len(details) - _DETAILS, 'more line')}")
    cells = (
        _code(place(violation).place()),
        f"{_text(violation.rule)} {_text(violation.gate)}",
        "<br>".join((_text(clause(violation)), *shown)),
        _text(sentence(violation.remedy)),
        ", ".join(map(_code, violation.owners)),
    )
    return f"| {' | '.join(cells)} |\n"


def _block(text: str) -> str:
    return "<br>".join(_text(line) for line in text.splitlines())


def _text(text: str) -> str:
    """Return the text so that Markdown and HTML show it as it is, on one line."""
    parts = _LINKED.split(visible(text))
    return "".join(_code(part) if position % 2 else _escaped(part) for position, part in enumerate(parts))


def _escaped(text: str) -> str:
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _ESCAPED.sub(r"\\\g<0>", plain)


def _code(text: str) -> str:
    """Return the text as a code span that may also stand in a table's cell."""
    shown = visible(text)
    if not shown:
        return ""
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    padding = " " if shown[0] in "` " or shown[-1] in "` " else ""
    # A table is cut at bars before code spans are read.
    return f"{fence}{padding}{shown}{padding}{fence}".replace("|", "\\|")
