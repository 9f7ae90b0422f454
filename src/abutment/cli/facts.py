"""`abutment facts FAMILY`: what does the code have, before anybody judges it?"""

from __future__ import annotations

import json

import click

from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.facts.listing import Listed, facts_document, family_named, site_rows


@click.command("facts")
@click.argument("family")
@click.option("--sites", is_flag=True, help="One row a place instead of one a fact.")
@click.option("--format", "form", type=click.Choice(["table", "json", "jsonl"]), default="table", show_default=True)
@opening_options
def command(opening: Opening, family: str, sites: bool, form: str) -> int:
    """Show a family of facts: imports, blindspots. Sorted, the same bytes on every run."""
    asked = family_named(family)
    program = opening.project(opening.one()).program
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
    streams.complain([fault.line_text() for fault in program.unread])
    return 2 if program.unread else 0


def _rendered(document: Listed, rows: list[Listed], form: str) -> str:
    if form == "json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    from abutment.reports.tables import render_facts_table

    return render_facts_table(rows)
