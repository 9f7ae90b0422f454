"""`abutment graph`: how does the import graph look?"""

from __future__ import annotations

import click

from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.facts.chains import nodes_named
from abutment.facts.condensed import condensed
from abutment.facts.graph import Reading, import_graph
from abutment.reports.graph import render_dot, render_graph_json, render_mermaid
from abutment.semantics.program import Flag

RENDERERS = {"dot": render_dot, "mermaid": render_mermaid, "json": render_graph_json}


@click.command("graph")
@click.argument("package", required=False)
@click.option("--depth", type=click.IntRange(1), default=None, help="Fold modules below this many dotted parts.")
@click.option("--format", "form", type=click.Choice(list(RENDERERS)), default="dot", show_default=True)
@opening_options
def command(opening: Opening, package: str | None, depth: int | None, form: str) -> int:
    """Print the graph of written imports, as a whole or of one PACKAGE, for another tool to draw."""
    program = opening.project(opening.one()).program
    graph = import_graph(program, Reading(Flag.MODULE | Flag.DEFERRED | Flag.TYPE_ONLY))
    chosen = nodes_named(graph, package) if package else range(len(graph.names))
    nodes, edges = condensed(program, graph, frozenset(chosen), depth)
    streams = Streams()
    streams.emit(RENDERERS[form](nodes, edges))
    streams.complain([f"not read: {fault.line_text()}" for fault in program.unread])
    return 2 if program.unread else 0
