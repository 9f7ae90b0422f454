"""`abutment tighten`: which recorded debt has been paid?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

import click

from abutment.baselines.code_names import live_names
from abutment.baselines.law import keeps_baseline
from abutment.baselines.plan import Plan, joined
from abutment.baselines.renames import likely_renames
from abutment.baselines.tighten import plan_tighten
from abutment.cli.inputs import input_options
from abutment.cli.law import Bench, bench, unique
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.terminal import Streams
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.model.terms import Direction
from abutment.run import Measured


@click.command("tighten")
@click.argument("gates", nargs=-1, metavar="[GATE]...")
@click.option("--dry-run", is_flag=True, help="Say what would be recorded, and write nothing.")
@today_option
@opening_options
@input_options("gates")
def command(opening: Opening, gates: tuple[str, ...], dry_run: bool, today: date) -> int:
    """Record debt that was paid, so that it may not return.

    Takes the lower count key by key and never a higher one. Refuses, and writes nothing, while anything is
    worse than recorded or could not be read.
    """
    found = bench(opening, gates, writing=not dry_run)
    return settle(found, _ratchets(found, named=bool(gates)), today, dry_run=dry_run)


def settle(found: Bench, ratchets: tuple[Measured, ...], today: date, *, dry_run: bool) -> int:
    """Tighten these gates in one write, or say what would be written; return the exit status."""
    plan = plan_ratchets(ratchets, today, found.project.program.modules)
    streams = Streams()
    if not dry_run:
        return found.commit(plan, streams)
    streams.emit("".join(f"{line}\n" for line in plan.lines))
    streams.emit("".join(f"would write {change.path}\n" for change in plan.changes) or "Nothing to write.\n")
    return 0


def plan_ratchets(ratchets: tuple[Measured, ...], today: date, modules: Collection[str]) -> Plan:
    """Return the plan that tightens these gates in one write; raises Refused with the causes of all of them.

    `modules` are the names that the code has: a refusal says which of them look like recorded ones renamed.
    """
    plans, refusals = [], list[Fault]()
    for measured in ratchets:
        try:
            plans.append(plan_tighten(measured.law, measured.measurement, today))
        except NotJudged as refusal:
            refusals.extend(refusal.faults)
            refusals.extend(_renamed(measured, modules))
    if refusals:
        raise Refused(unique(refusals))
    return joined(plans)


def _renamed(measured: Measured, modules: Collection[str]) -> Iterator[Fault]:
    counts, granted = measured.measurement.counts, {entry.key for entry in measured.law.grants.recorded}
    places = [at for at, name in enumerate(measured.gate.fields) if name in measured.gate.module_fields]
    found = likely_renames(granted - counts.keys(), counts.keys() - granted, places, live_names(modules))
    for old, new in sorted({(renaming.old, renaming.new) for renaming in found.values()}):
        yield Fault("", 0, f"it looks as if {old} were called {new} now.", f"Then: `abutment move {old} {new}`.")


def _ratchets(found: Bench, *, named: bool) -> tuple[Measured, ...]:
    """Return the gates to tighten: a snapshot only where it was named, and is then refused with the reason."""
    chosen = tuple(m for m in found.gates if named or _tightens(m))
    if not chosen:
        raise Refused(Fault(found.config.file, 0, "none of the gates that are switched on keeps a ratchet."))
    return chosen


def _tightens(measured: Measured) -> bool:
    terms = measured.law.terms
    return keeps_baseline(terms) and terms.direction is not Direction.SNAPSHOT
