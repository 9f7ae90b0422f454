"""`abutment draft GATE`: what would a person have to fill in to approve what is new?"""

from __future__ import annotations

from datetime import date

import click

from abutment.cli.inputs import input_options
from abutment.cli.law import bench
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.terminal import Streams
from abutment.guard.rules import GUARD
from abutment.model.identity import Key
from abutment.model.terms import Terms
from abutment.model.violation import Kind, Violation
from abutment.policies.amendments import draft_amendment
from abutment.policies.approvals import Missing, draft
from abutment.run import read_all_settings
from abutment.verdicts.judge import judge
from abutment.verdicts.notices import AMENDMENTS


@click.command("draft")
@click.argument("gate")
@click.option("--against", metavar="REF", help="With `guard`: instead of the main branch.")
@today_option
@opening_options
@input_options("gate")
def command(opening: Opening, gate: str, against: str | None, today: date) -> int:
    """Print approvals for everything GATE finds that is not granted, with empty owner and reason.

    `draft guard` prints an amendment for all that was loosened. Nothing is written: law is made by people. The draft
    is a faulty document until it is filled in. An empty document counts as none here, as a shell makes it before `>`
    or `>>` writes into it.
    """
    if gate == GUARD.name:
        return _amendment(opening, against, today)
    if against is not None:
        raise click.UsageError("--against goes with `draft guard`")
    measured = bench(opening, (gate,), blank_policies=True).gates[0]
    terms = measured.law.terms
    verdict = judge(terms, measured.measurement, measured.law.grants, today)
    excess = [violation for violation in verdict.violations if violation.kind.excess]
    never = [one for one in excess if measured.measurement.never(_key(one))]
    missing = [_missing(one) for one in excess if one not in never]
    streams = Streams()
    streams.complain([f"not judged: {fault.line_text()}" for fault in verdict.faults])
    streams.complain([f"{one.what}: nobody may approve this." for one in never])
    status = 2 if verdict.faults else 0  # there may be more than was found
    if not missing:
        rest = "there is nothing else" if never else "everything that was found is granted; there is nothing"
        streams.complain([f"{gate}: {rest} to approve."])
        return status
    streams.emit(draft(terms, missing, new=measured.law.policy is None))
    streams.complain([f"Fill in {fields_wanted(terms)}, and put it into {terms.policy}."])
    return status


def _amendment(opening: Opening, ref: str | None, today: date) -> int:
    from abutment.cli.points import points_of
    from abutment.guard.verdict import amended, loosened

    config = opening.one()
    settings = read_all_settings(config, ())[GUARD.name]
    points = points_of(opening, config, ref, opening.reading(config))(settings, None)
    documents = points.head.documents
    path = f"{documents.folder}/{AMENDMENTS}"
    streams = Streams()
    found = loosened(points, today)
    if not found:
        streams.complain([f"guard: nothing is looser than in {points.base_name}; there is nothing to amend."])
        return 0
    streams.emit(draft_amendment(map(amended, found), today, new=not documents.files.get(path, b"").strip()))
    streams.complain([f"A person fills in what, decided_by and reason, and puts it into {path}."])
    return 0


def fields_wanted(terms: Terms) -> str:
    """Return what a person has to fill in."""
    if terms.asks_exit:
        return "owner, reason, target_state (when it is no longer needed) and, for debt, tracking"
    if terms.asks_expiry:
        return "owner, reason, expires (the last day on which it holds) and, for debt, tracking"
    return f"owner, reason and, for debt, tracking{' and target_state' if terms.has_targets else ''}"


def _key(violation: Violation) -> Key:
    return tuple(value for _field, value in violation.identity)


def _missing(violation: Violation) -> Missing:
    number = violation.found - violation.granted
    return Missing(_key(violation), number, lifts=violation.kind is Kind.RETURNED, follows=violation.follows)
