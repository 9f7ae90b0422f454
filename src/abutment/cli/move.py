"""`abutment move OLD NEW`: which recorded debt only has another name now?"""

from __future__ import annotations

from datetime import date

import click

from abutment.baselines.move import Moving, plan_move
from abutment.cli.law import bench
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.terminal import Streams


@click.command("move")
@click.argument("old")
@click.argument("new")
@today_option
@opening_options
def command(opening: Opening, old: str, new: str, today: date) -> int:
    """Carry the debt of the module or package OLD over to its new name NEW, after the code has moved.

    Key by key, and only what the code now has under the new name. What cannot be told for certain is refused.
    Edits that a policy needs are printed; a person makes them.
    """
    found = bench(opening, (), writing=True)
    moving = [Moving(m.law, m.measurement, m.gate.module_fields) for m in found.gates]
    plan = plan_move(old, new, moving, found.project.program.modules.keys(), today)
    return found.commit(plan, Streams())
