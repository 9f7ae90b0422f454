"""`abutment why A B`: how does one part of the code reach another?"""

from __future__ import annotations

import click

from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.facts.chains import explain_reach
from abutment.facts.graph import Parents, Reading, import_graph
from abutment.reports.explain import Step, render_why, render_why_json
from abutment.semantics.program import Flag, Import


@click.command("why")
@click.argument("importer")
@click.argument("imported")
@click.option("--import-time", is_flag=True, help="Only imports that happen while the importer is imported.")
@click.option("--type-only", is_flag=True, help="Follow imports for the type checker, too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@opening_options
def command(opening: Opening, importer: str, imported: str, import_time: bool, type_only: bool, form: str) -> int:
    """Show the shortest chain of imports from IMPORTER to IMPORTED, and the fewest imports that make it.

    A name means a module and everything below it; =name means the module alone. IMPORTED may lie outside the
    code (`why app requests`). Packages that Python runs on the way count, unless they are the importer's own.
    """
    program = opening.project(opening.one()).program
    when = Flag.MODULE if import_time else Flag.MODULE | Flag.DEFERRED
    reading = Reading(when | Flag.TYPE_ONLY if type_only else when, Parents.OWN)
    graph = import_graph(program, reading, externals=True)
    reach = explain_reach(program, graph, importer, imported)
    chain, cut = [_step(one) for one in reach.chain], [_step(one) for one in reach.cut]
    streams = Streams()
    if form == "json":
        streams.emit(render_why_json(importer, imported, chain, cut))
    else:
        streams.emit(render_why(importer, imported, chain, cut, len(program.unread)))
    streams.complain([f"not read: {fault.line_text()}" for fault in program.unread])
    return 2 if program.unread and not chain else 0


def _step(one: Import) -> Step:
    imported = one.imported
    if one.symbol and one.symbol != "*":
        imported = f"{one.imported} ({one.symbol})"
    return Step(one.importer, imported, one.word, one.site)
