"""`scripts/startup/performance.py`: the gate `startup` under the words that its first users type.

`--print`, which is what happens without a word, shows what is found; `--check` judges it; `--write` is
`abutment tighten startup` and records only what was paid.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import click

from abutment.cli.file_path import FilePath
from abutment.cli.law import bench
from abutment.cli.main import main as run_and_exit
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.terminal import Streams, write_whole
from abutment.cli.tighten import settle
from abutment.config import Config, read_config
from abutment.gates.startup import FIELDS, GATE, conditions, prepare
from abutment.gates.startup_asking import Heard, hear
from abutment.model.identity import named
from abutment.reports.json import render_json
from abutment.reports.text import render_text
from abutment.run import read_all_settings, run


@click.command("performance.py", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--print", "shows", is_flag=True, help="Show what is found; writes nothing. The default.")
@click.option("--check", "checks", is_flag=True, help="Judge; writes nothing.")
@click.option("--write", "writes", is_flag=True, help="Record what was paid; never more than was recorded.")
@click.option("--repeat", type=click.IntRange(1), help="Take each time so often, and tell it.")
@click.option("--output", type=FilePath(dir_okay=False, path_type=Path), help="Write it to a file, as JSON.")
@today_option
@opening_options
def command(
    opening: Opening, shows: bool, checks: bool, writes: bool, repeat: int | None, output: Path | None, today: date
) -> int:
    """Say what starting loads and leaves alive, or hold it against what was recorded."""
    if shows + checks + writes > 1:
        raise click.UsageError("say one of --print, --check and --write")
    if writes:
        if repeat is not None or output is not None:
            raise click.UsageError("--repeat and --output go with --check and --print")
        found = bench(opening, [GATE.name], writing=True)
        return settle(found, found.gates, today, dry_run=False)
    config = repeated(opening.one(), repeat)
    return _check(opening, config, repeat, output, today) if checks else _print(opening, config, output)


def repeated(config: Config, repeat: int | None) -> Config:
    """Return the configuration with another number of samples."""
    if repeat is None:
        return config
    own = config.raw.table.get(GATE.name, {})
    table = {**own, "repeat": repeat} if isinstance(own, dict) else own
    return read_config(replace(config.raw, table={**config.raw.table, GATE.name: table}))


def _check(opening: Opening, config: Config, repeat: int | None, output: Path | None, today: date) -> int:
    judged = run(config, opening.tree(config), today, gates=[GATE.name], reading=opening.reading(config))
    if output is not None:
        write_whole(output, render_json(judged))
    Streams().emit(render_text(judged, verbose=repeat is not None))
    return judged.status.exit_status


def _print(opening: Opening, config: Config, output: Path | None) -> int:
    settings = read_all_settings(config, [GATE])[GATE.name]
    tree, program = opening.tree(config), opening.project(config).program
    asked = prepare(settings, tree)
    heard = hear(asked.settings, asked.place(program))
    text = json.dumps(_document(settings, heard), ensure_ascii=False, indent=2) + "\n"
    streams = Streams()
    if output is None:
        streams.emit(text)
    else:
        write_whole(output, text)
    streams.complain([f"not judged: {fault.line_text()}" for fault in heard.faults])
    return 2 if heard.faults else 0


def _document(settings: Any, heard: Heard) -> dict[str, object]:
    facts = sorted((one.target, one.kind, one.name) for one in heard.facts)
    return {
        "schema": 1,
        "conditions": conditions(settings, heard.python),
        "facts": [named(FIELDS, key) for key in facts],
        "notes": heard.notes,
    }


def main() -> None:
    """Run `performance.py` with the arguments of this process."""
    run_and_exit(command=command)
