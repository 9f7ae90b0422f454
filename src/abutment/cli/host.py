"""`baseline.py`: the host's graph gates in one call, under the words that the first users type.

`--check-host` judges blindspots, cycles, boundaries, and the snapshot where it is switched on. `--write-host`
records the snapshot and tightens the others; it never writes a policy, and prints the names of what it wrote.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from abutment.baselines.plan import Plan, joined
from abutment.baselines.record import plan_record
from abutment.cli.file_path import FilePath
from abutment.cli.law import Bench, bench
from abutment.cli.main import main as run_and_exit
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.report_file import refuse_law
from abutment.cli.terminal import Streams, write_whole
from abutment.cli.tighten import plan_ratchets
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.terms import Direction
from abutment.reports.json import render_json
from abutment.reports.text import render_text
from abutment.run import run

GRAPH_GATES = ("blindspots", "cycles", "boundaries", "snapshot")


@click.command("baseline.py", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check-host", is_flag=True, help="Judge; writes nothing.")
@click.option("--write-host", is_flag=True, help="Record the snapshot and tighten the ratchets; never a policy.")
@click.option("--diagnostics", is_flag=True, help="With --check-host: print every place of every fact as JSON.")
@click.option("--report", type=FilePath(dir_okay=False, path_type=Path), help="With --check-host: JSON report file.")
@today_option
@opening_options
def command(
    opening: Opening, check_host: bool, write_host: bool, diagnostics: bool, report: Path | None, today: date
) -> int:
    """Check or record what the import graph is held to."""
    if check_host == write_host:
        raise click.UsageError("say exactly one of --check-host and --write-host")
    if write_host and (diagnostics or report is not None):
        raise click.UsageError("--diagnostics and --report go with --check-host")
    return _write(opening, today) if write_host else _check(opening, diagnostics, report, today)


def _check(opening: Opening, diagnostics: bool, report: Path | None, today: date) -> int:
    config = opening.one()
    names = [name for name in GRAPH_GATES if name in config.gates]
    judged = run(config, opening.tree(config), today, gates=names, reading=opening.reading(config))
    if report is not None:
        refuse_law(report, config)
        write_whole(report, render_json(judged))
    streams = Streams()
    if diagnostics:
        streams.emit(_places(opening))
        streams.complain(render_text(judged).splitlines())
    else:
        streams.emit(render_text(judged))
    return judged.status.exit_status


def _places(opening: Opening) -> str:
    """Return every place of every fact of every family, as one JSON document."""
    import json

    from abutment.facts.listing import FAMILIES, site_rows

    program = opening.project(opening.one()).program
    rows = {name: site_rows(family, program) for name, family in FAMILIES.items()}
    return json.dumps({"schema": 1, "sites": rows}, ensure_ascii=False, indent=2) + "\n"


def _write(opening: Opening, today: date) -> int:
    found = _graph_bench(opening)
    snapshots = [m for m in found.gates if m.law.terms.direction is Direction.SNAPSHOT]
    ratchets = tuple(m for m in found.gates if m.law.terms.direction is not Direction.SNAPSHOT)
    plans: list[Plan] = [plan_ratchets(ratchets, today, found.project.program.modules)] if ratchets else []
    plans += [plan_record(m.law, m.measurement) for m in snapshots]
    return found.commit(joined(plans, "write-host"), Streams())


def _graph_bench(opening: Opening) -> Bench:
    config = opening.one()
    names = [name for name in GRAPH_GATES if name in config.gates]
    if not names:
        raise NotJudged(Fault(config.file, 0, f"none of {', '.join(GRAPH_GATES)} is switched on."))
    return bench(opening, names, writing=True)


def main() -> None:
    """Run `baseline.py` with the arguments of this process."""
    run_and_exit(command=command)
