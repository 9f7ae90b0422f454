"""`abutment facts FAMILY`: what does the code have, before anybody judges it?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import click

from abutment.cli.inputs import input_options
from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.facts.limits import limits
from abutment.facts.listing import Family, Listed, facts_document, family_named, site_rows
from abutment.gates import TABLE, load_gates
from abutment.gates.gate import Facts, Gate
from abutment.run import read_all_settings
from abutment.semantics.program import Program
from abutment.sources.tree import Tree


@click.command("facts")
@click.argument("family")
@click.option("--sites", is_flag=True, help="One row a place instead of one a fact.")
@click.option("--format", "form", type=click.Choice(["table", "json", "jsonl"]), default="table", show_default=True)
@opening_options
@input_options("family")
def command(opening: Opening, family: str, sites: bool, form: str) -> int:
    """Show a family of facts: imports, blindspots, or a gate's own (`egress`). Sorted, the same bytes on every run."""
    config = opening.one()
    asked = family_named(family, _families_of_gates(config, opening.tree(config)))
    program = opening.project(config).program
    if sites:
        rows = site_rows(asked, program)
        document: Listed = {"schema": 1, "family": family, "sites": rows}
    else:
        document = facts_document(asked, program)
        facts = document["facts"]
        assert isinstance(facts, list)
        rows = facts
    streams = Streams()
    streams.emit(_rendered(document, rows, form))
    faults = [*program.unread, *(fault for _, fault in limits(program))]
    streams.complain([fault.line_text() for fault in faults])
    return 2 if faults else 0


def _families_of_gates(config: Config, tree: Tree) -> dict[str, Family]:
    """Return the families that depend on what the configuration says a gate watches."""
    settings = read_all_settings(config, ())
    found: dict[str, Family] = {}
    for gate in load_gates(dict.fromkeys((*TABLE, *config.gates))):
        if gate.facts is not None:
            scan = _bound(gate, gate.facts, settings[gate.name], tree)
            found[gate.name] = Family(
                gate.name, scan, gate.facts.fields, gate.facts.word, gate.facts.what, gate.facts.figure
            )
    return found


def _bound(gate: Gate, facts: Facts, settings: Any, tree: Tree) -> Callable[[Program], Iterator[Any]]:
    def scan(program: Program) -> Iterator[Any]:
        return facts.scan(program, settings if gate.prepare is None else gate.prepare(settings, tree))

    return scan


def _rendered(document: Listed, rows: list[Listed], form: str) -> str:
    if form == "json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    from abutment.reports.tables import render_facts_table

    return render_facts_table(rows)
