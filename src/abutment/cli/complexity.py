"""`complexity.py`: how functions branch and nest, under the words that the first users type.

`--check` judges, `--write` records what was paid. With `--report` the places that are furthest above a limit are
written to a file first, the lengths of functions, classes and files among them, whatever the verdict then is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click

from abutment.cli.file_path import FilePath
from abutment.cli.law import bench
from abutment.cli.main import main as run_and_exit
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.report_file import refuse_law
from abutment.cli.terminal import Streams, write_whole
from abutment.cli.tighten import settle
from abutment.config import Config
from abutment.gates import complexity, sizes
from abutment.reports.hot_spots import HotSpot, render_hot_spots
from abutment.reports.text import render_text
from abutment.run import read_all_settings, run
from abutment.semantics.program import Program
from abutment.sources.tools.ruff_figures import BRANCHES, NESTING
from abutment.sources.tree import Tree

GATE = complexity.GATE.name
_WORDS = {BRANCHES: "complexity", NESTING: "nesting"}


@click.command("complexity.py", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Judge; writes no document. This is what is done without any option.")
@click.option("--write", is_flag=True, help="Record what was paid; never what was added.")
@click.option("--report", type=FilePath(dir_okay=False, path_type=Path), help="A JSON file of the hot spots.")
@today_option
@opening_options
def command(opening: Opening, check: bool, write: bool, report: Path | None, today: date) -> int:
    """Hold functions to their limits of complexity and nesting."""
    if check and write:
        raise click.UsageError("--check and --write exclude each other")
    if report is not None:
        config = opening.one()
        refuse_law(report, config)
        spots = hot_spots(config, opening.project(config).program, opening.tree(config))
        write_whole(report, render_hot_spots(spots))
    return _write(opening, today) if write else _check(opening, today)


def hot_spots(config: Config, program: Program, tree: Tree) -> Iterator[HotSpot]:
    """Yield every place above a limit, judged or advisory; raises NotJudged where they cannot all be told."""
    settings = read_all_settings(config, ())
    rated, long = settings[GATE], settings[sizes.GATE.name]
    for one in complexity.scan(program, complexity.Prepared(rated, tree)):
        yield HotSpot(one.site.path, one.site.line, one.qualname, _WORDS[one.rule], one.figure, rated.limits[one.rule])
    for size in sizes.scan(program, sizes.Prepared(long, tree)):
        what = f"lines of a {size.kind}"
        yield HotSpot(size.site.path, size.site.line, size.qualname, what, size.lines, long.limits[size.kind])


def _check(opening: Opening, today: date) -> int:
    config = opening.one()
    judged = run(config, opening.tree(config), today, gates=[GATE], reading=opening.reading(config))
    Streams().emit(render_text(judged))
    return judged.status.exit_status


def _write(opening: Opening, today: date) -> int:
    found = bench(opening, (GATE,), writing=True)
    return settle(found, found.gates, today, dry_run=False)


def main() -> None:
    """Run `complexity.py` with the arguments of this process."""
    run_and_exit(command=command)
