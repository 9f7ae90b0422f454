"""`abutment record GATE`: what is the snapshot now?"""

from __future__ import annotations

import click

from abutment.baselines.record import plan_record
from abutment.cli.law import bench
from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams


@click.command("record")
@click.argument("gate")
@opening_options
def command(opening: Opening, gate: str) -> int:
    """Record a snapshot anew. Only for gates that show change and not rightness; a ratchet is refused."""
    found = bench(opening, (gate,), writing=True)
    measured = found.gates[0]
    return found.commit(plan_record(measured.law, measured.measurement), Streams())
