"""What does a rule mean, why is there a chain, and what is known of one fact? Answers without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abutment.model.site import Site
from abutment.reports.characters import sentence, visible, visible_lines
from abutment.reports.plain_json import dump
from abutment.reports.rules import GateText, RuleText, remedy_text
from abutment.reports.wording import counted

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def render_rule(gate: GateText, rule: RuleText, page_markdown: str) -> str:
    """Return what a rule means: its summary, its section of the gate's page, and what to do.

    The section is the one whose heading names the rule's id; where the page has none, the whole page.
    """
    section = _section(page_markdown, rule.id) or page_markdown.strip()
    head = f"{rule.id} {rule.name} ({gate.name}): {sentence(rule.summary)}"
    parts = [head, gate.question, section, f"What to do: {sentence(remedy_text(gate))}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(page: str, id: str) -> str:
    """Return the page's part under the first heading that names `id`, up to the next heading of its rank."""
    named = re.compile(rf"\b{re.escape(id)}\b")
    kept: list[str] = []
    rank = 0
    for line, heading in _with_headings(page):
        if rank and heading and len(heading[1]) <= rank:
            break
        if not rank and heading and named.search(heading[2]):
            rank = len(heading[1])
        if rank:
            kept.append(line)
    return "\n".join(kept).strip()


def _with_headings(page: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    fence = ""
    for line in page.splitlines():
        mark = _FENCE.match(line)
        if fence:
            # A fence is closed by at least as many of the same mark.
            closes = mark is not None and mark[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
            yield line, None
        elif mark:
            fence = mark[1]
            yield line, None
        else:
            yield line, _HEADING.match(line)


@dataclass(frozen=True, slots=True)
class Step:
    """One import of a chain."""

    importer: str
    imported: str
    word: str  # runtime, deferred, type_only, parent …
    site: Site


def render_why(importer: str, imported: str, chain: Sequence[Step], cut: Sequence[Step], unread: int = 0) -> str:
    """Return the shortest chain, and the smallest set of imports without which there would be none.

    An empty chain is an answer, too, unless files are `unread`, which may make one.
    """
    if not chain and unread:
        who = f"from {visible(importer)} to {visible(imported)}"
        return (
            f"It is not known whether there is a chain of imports {who}: {counted(unread, 'file')} could not be read.\n"
        )
    if not chain:
        return f"There is no chain of imports from {visible(importer)} to {visible(imported)}.\n"
    lines = [f"{visible(importer)} reaches {visible(imported)} by {counted(len(chain), 'import')}:"]
    lines += [_step(step) for step in chain]
    if cut:
        lines.append(f"There would be no chain without {_these(len(cut))}:")
        lines += [_step(step) for step in cut]
    return "".join(f"{line}\n" for line in lines)


def _these(number: int) -> str:
    return "this import" if number == 1 else f"these {number} imports"


def _step(step: Step) -> str:
    importer, imported = visible(step.importer), visible(step.imported)
    if step.word == "parent":
        said = f"{importer} runs {imported}, a package on the way to what it imports"
    else:
        said = f"{importer} imports {imported}" + ("" if step.word == "runtime" else f" ({visible(step.word)})")
    return f"  {visible(step.site.place())}: {said}"


def render_why_json(importer: str, imported: str, chain: Sequence[Step], cut: Sequence[Step]) -> str:
    """Return the same answer for a program: `chain` is [] where there is none."""
    return dump(
        {
            "schema": 1,
            "importer": importer,
            "imported": imported,
            "chain": [_plain(step) for step in chain],
            "cut": [_plain(step) for step in cut],
        }
    )


def _plain(step: Step) -> dict[str, object]:
    site = step.site
    return {
        "importer": step.importer,
        "imported": step.imported,
        "word": step.word,
        "path": site.path,
        "line": site.line,
        "column": site.column,
    }


def render_fact(
    *,
    gate: GateText,
    rule: RuleText,
    what: str,
    fingerprint: str,
    identity: Mapping[str, str],
    found: int,
    sites: Sequence[Site] = (),
    granted: Sequence[tuple[str, int]] = (),
    details: Sequence[str] = (),
    remedy: str = "",
) -> str:
    """Return what is known of one fact, found by its fingerprint.

    `granted` holds a place or words for each grant, and its count: `("…/boundaries.toml:12 (owner …)", 1)`.
    """
    lines = [f"{rule.id} {rule.name} ({gate.name}): {sentence(what)}"]
    lines += [f"  {visible(name)}: {visible(value)}" for name, value in identity.items()]
    lines.append(f"  fingerprint: {fingerprint}")
    lines.append(f"The code has {found}; {sum(count for _where, count in granted)} granted.")
    lines += [f"  found at {visible(site.place())}" for site in sites]
    lines += [f"  granted {count} by {visible(where)}" for where, count in granted]
    lines += [f"  {line}" for detail in details for line in visible_lines(detail)]
    lines.append(f"What to do: {sentence(remedy or remedy_text(gate))}")
    return "".join(f"{line}\n" for line in lines)
