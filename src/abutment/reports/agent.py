"""How is a run handed to a coding agent? By rule: what is asked, where, what to do, and what is not the agent's to do.

The text is plain and bounded, and the same bytes for the same run. What was not judged comes first, as nothing that
follows is the whole before that is mended; the verdict comes last, as readers that are cut short keep the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abutment.model.violation import Kind, Violation
from abutment.reports.causes import Cause, causes
from abutment.reports.characters import sentence, visible, visible_lines
from abutment.reports.rules import GateText
from abutment.reports.wording import clause, counted, fault_text, place, shown_text, tally_text
from abutment.verdicts.verdict import Run, Status, followers, leading, tally

MOST_RULES, MOST_PLACES, MOST_DETAILS, MOST_CAUSES, MOST_REMEDIES = 12, 8, 4, 12, 4
LONGEST_LINE = 600  # characters
_Rules = Mapping[str, str]  # by id: its name and what it says
_ENDS = {
    Status.HELD: "Nothing is to be done.",
    Status.BROKEN: "The work is not done.",
    Status.NOT_JUDGED: "Nothing is proven, and the work is not done.",
}


def render_agent(run: Run, gates: Sequence[GateText] = (), again: str = "abutment check --format agent") -> str:
    """Return the run as instructions; `again` is the command that judges anew, `gates` tells the rules' texts."""
    summaries = {rule.id: f"{rule.name}: {sentence(rule.summary)}" for gate in gates for rule in gate.rules}
    lines = [*_head(run), *_causes(run), *_rules(run, summaries), *_law(run), *_end(run, again)]
    return "".join(f"{_short(line)}\n" for line in lines)


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 2]} …"


def _head(run: Run) -> Iterator[str]:
    found = tally_text(tally(*run.verdicts))
    yield f"# abutment: {run.status.value}{f', {found}' if found else ''}"
    if run.narrowed:
        yield f"Shown: {shown_text(run)}."


def _causes(run: Run) -> Iterator[str]:
    every = sorted(causes(run), key=lambda cause: not cause.stops)
    if not every:
        return
    yield ""
    yield "## Not judged: mend this first"
    for cause in every[:MOST_CAUSES]:
        yield f"- {_cause(cause)}"
    yield from _rest(len(every) - MOST_CAUSES, "more cause")


def _cause(cause: Cause) -> str:
    where = cause.fault.site.place()
    met = f" ({', '.join(cause.gates)})" if cause.gates else "" if cause.stops else " (stops no gate)"
    return f"{f'{visible(where)}: ' if where else ''}{fault_text(cause.fault)}{visible(met)}"


def _rules(run: Run, summaries: _Rules) -> Iterator[str]:
    led = {one: len(those) for verdict in run.verdicts for one, those in followers(verdict).items()}
    groups: dict[tuple[str, str], list[Violation]] = {}
    for verdict in run.verdicts:
        for violation in sorted(leading(verdict), key=Violation.sort_key):
            groups.setdefault((violation.gate, violation.rule), []).append(violation)
    for (gate, rule), those in list(groups.items())[:MOST_RULES]:
        yield ""
        yield f"## {visible(rule)} {visible(gate)}: {counted(len(those), 'violation')}"
        yield f"Cause: {summaries.get(rule, f'`abutment explain {visible(rule)}` tells.')}"
        yield from _group(those, led)
    rest = list(groups.values())[MOST_RULES:]
    if rest:
        number = counted(sum(map(len, rest)), "violation")
        yield ""
        yield f"And {counted(len(rest), 'more rule')} with {number}: mend these first, then run again."


def _group(those: Sequence[Violation], led: Mapping[Violation, int]) -> Iterator[str]:
    """Yield the places of one rule, by what is to be done about them."""
    remedies: dict[str, list[Violation]] = {}
    for violation in those:
        remedies.setdefault(violation.remedy, []).append(violation)
    for remedy, places in list(remedies.items())[:MOST_REMEDIES]:
        yield "Places:"
        for violation in places[:MOST_PLACES]:
            yield from _place(violation, led[violation])
        yield from _rest(len(places) - MOST_PLACES, "more place")
        if remedy:
            yield f"Do: {sentence(remedy)}"
    yield from _rest(sum(map(len, list(remedies.values())[MOST_REMEDIES:])), "more place")
    yield f"Do not: {_forbidden(those[0], all(one.kind.stale for one in those))}"


def _place(violation: Violation, following: int) -> Iterator[str]:
    yield f"- {visible(place(violation).place()) or 'no place'}: {clause(violation)}"
    told = [line for detail in violation.details for line in visible_lines(detail)]
    told += [f"also {visible(site.place())}" for site in violation.sites[1:]]
    told = [f"  {line}" for line in told]
    yield from told[:MOST_DETAILS]
    yield from (f"  {line}" for line in _rest(len(told) - MOST_DETAILS, "more line"))
    if following:
        yield f"  {counted(following, 'more violation')} will go with it."


def _forbidden(violation: Violation, is_stale: bool) -> str:
    if violation.kind is Kind.LOOSENED:
        return "amend it yourself: an entry in amendments.toml is a person's."
    if is_stale:
        return "bring the old code back to make the grant true again."
    gate, rule = visible(violation.gate), visible(violation.rule)
    return (
        f"grant it yourself: no entry in {gate}.toml, no line in {gate}.jsonl, no comment `# abutment: ignore[{rule}]`."
    )


def _rest(number: int, thing: str) -> Iterator[str]:
    if number > 0:
        yield f"- and {counted(number, thing)}"


def _law(run: Run) -> Iterator[str]:
    """Yield what is a person's to decide: told whenever there is something to get around."""
    if run.status is Status.HELD:
        return
    law = ", ".join(map(visible, run.law)) or "the configuration and the documents"
    yield ""
    yield "## Not yours to do"
    yield f"- Do not edit what holds the law: {law}. Configuration, policies (*.toml) and amendments are a person's."
    yield "  Where it says above that an approval is to be deleted, lowered or renewed, tell a person."
    yield "- Baselines (*.jsonl) and receipts are nobody's to edit: run `abutment tighten` for what you paid, and"
    yield "  `abutment move OLD NEW` for what you renamed; commit what they write."
    yield "- Do not write, renew or copy comments `# abutment: ignore[…]`: each is a person's decision."
    yield "  One that is `gone` may be deleted."
    yield "- Do not run `abutment init` again, and delete no document."
    yield "- Do not use `--exit-zero`, `--stale=warn` or `|| true`, and leave the steps of CI as they are."
    yield "- Where the code cannot do without: stop, and tell a person which violation is meant and why."
    yield "  `abutment draft GATE` prints the entry that the person fills in."


def _end(run: Run, again: str) -> Iterator[str]:
    yield ""
    if run.status is not Status.HELD:
        yield f"Run again: {visible(again)}"
    yield f"Verdict: {run.status.value}, exit status {run.status.exit_status}. {_ENDS[run.status]}"
