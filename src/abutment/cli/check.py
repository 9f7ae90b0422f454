"""`abutment check`: does the code have exactly what is granted?"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from pathlib import Path

import click

from abutment import __version__
from abutment.baselines.journal import JOURNAL
from abutment.cli.file_path import FilePath
from abutment.cli.inputs import input_options, words_of
from abutment.cli.opening import Opening, gate_names, names_day, opening_options, today_option
from abutment.cli.report_file import refuse_law
from abutment.cli.terminal import Streams, stdout_is_terminal, wants_colour, write_whole
from abutment.config import Config
from abutment.errors import NotJudged
from abutment.gates import TABLE, load_gates
from abutment.guard.rules import GUARD
from abutment.reports.rules import GateText
from abutment.run import Against, Reading, narrow, run
from abutment.verdicts.verdict import FileAccount, Run, Status

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "markdown", "agent")
_FORGES = frozenset({"sarif", "github", "gitlab"})  # read by a forge, which attaches what is found to its files


@click.command("check")
@click.argument("gates", nargs=-1, metavar="[GATE]...")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--output", type=FilePath(dir_okay=False, path_type=Path), help="Write the report to a file.")
@click.option(
    "--against", metavar="REF", help="Ask the guard, too: was the law loosened since the merge base with REF?"
)
@click.option(
    "--changed", metavar="REF", help="Show only violations that touch what changed since the merge base with REF."
)
@click.option("--staged", is_flag=True, help="Show only violations that touch what is staged.")
@click.option(
    "--stale",
    type=click.Choice(["fail", "warn"]),
    default="fail",
    show_default=True,
    help="Grants the code no longer needs.",
)
@click.option("--exit-zero", is_flag=True, help="End with 0 even where broken; never hides 2.")
@click.option("--quiet", is_flag=True, help="Only violations and faults.")
@click.option("--verbose", is_flag=True, help="Also what held, and what was looked at.")
@today_option
@opening_options
@input_options("gates")
def command(
    opening: Opening,
    gates: tuple[str, ...],
    form: str,
    output: Path | None,
    against: str | None,
    changed: str | None,
    staged: bool,
    stale: str,
    exit_zero: bool,
    quiet: bool,
    verbose: bool,
    today: date,
) -> int:
    """Judge the code against its law. Writes nothing but the cache.

    Without names: the gates in `gates = [...]`. The whole is always judged; --changed and --staged narrow
    only which violations are shown, and with them the status. `guard` is no gate of that list, as it judges the law
    and not the code: it is asked by its name (against the main branch), or with --against.
    """
    if changed is not None and staged:
        raise click.UsageError("--changed and --staged exclude each other")
    began = time.monotonic()
    streams = Streams()
    if output is not None:
        _refuse_law(output, opening)
    asked = _Asked(gates, against, changed, staged, stale, today, quiet, verbose, names_day())
    whole = _one_report([_judged(each, asked, streams) for each in opening.each()], form)
    colour = output is None and wants_colour(stdout_is_terminal())
    text = _rendered(whole, form, _again(opening, asked), colour=colour, quiet=quiet, verbose=verbose)
    _deliver(text, form, output, streams)
    _step_summary(whole, form)
    if not quiet and form != "agent":  # an agent reads both streams, and they are to be the same for the same run
        streams.complain([f"{time.monotonic() - began:.2f} s"])
    status = whole.status.exit_status
    return 0 if exit_zero and status == Status.BROKEN.exit_status else status


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the user asked of every configuration."""

    gates: tuple[str, ...]
    against: str | None
    changed: str | None
    staged: bool
    stale: str
    today: date
    quiet: bool
    verbose: bool
    is_dated: bool  # the user named the day

    @property
    def narrowing(self) -> str:
        """The option that narrows what is shown; "" for none."""
        return "--staged" if self.staged else f"--changed {self.changed}" if self.changed is not None else ""

    @property
    def asks_guard(self) -> bool:
        """Say whether the guard is asked."""
        return self.against is not None or GUARD.name in self.gates

    def gate_names(self) -> tuple[str, ...] | None:
        """Return the gates named, the guard left out; None for those that are switched on."""
        named = gate_names(self.gates)
        return None if named is None else tuple(name for name in named if name != GUARD.name)


def _refuse_law(output: Path, opening: Opening) -> None:
    for each in opening.each():
        try:
            config = each.one()
        except NotJudged:
            continue  # that it cannot be read is told when it is judged
        refuse_law(output, config)


def _deliver(text: str, form: str, output: Path | None, streams: Streams) -> None:
    """Write the report where it was asked for; where that fails, it is not lost."""
    try:
        if output is not None:
            write_whole(output, text)
    except NotJudged:
        streams.emit(text)
        raise
    # GitHub reads its annotations from the log, whatever else becomes of them.
    if output is None or form == "github":
        streams.emit(text)


def _one_report(judged: list[Run], form: str) -> Run:
    """Return the run, or several as one: verdicts apart, paths as seen from where it is run.

    Where that is not above all roots, they are seen from the folder that is. A forge looks for a path from the top of
    the repository.
    """
    from abutment.reports.merged import merged, rebased
    from abutment.sources.git import find_repository

    roots = [run.root for run in judged if run.root]
    above, here = Path(os.path.commonpath(roots or ["."])), Path.cwd()
    if len(judged) > 1 and above.is_relative_to(here):
        above = here
    if form in _FORGES:
        above = find_repository(above) or above
    seen = [(Path(run.root).relative_to(above).as_posix() if run.root else ".", run) for run in judged]
    return rebased(seen[0][1], seen[0][0]) if len(seen) == 1 else merged(seen)


def _judged(opening: Opening, asked: _Asked, streams: Streams) -> Run:
    root = ""
    try:
        config = opening.one()
        root = config.root
        paths = _changed_paths(config, asked) if asked.narrowing else None
        reading = opening.reading(config)
        tree = opening.tree(config)
        whole = run(
            config,
            tree,
            asked.today,
            gates=asked.gate_names(),
            reading=reading,
            stale=asked.stale,
            against=_against(opening, config, asked, reading),
        )
        is_pending = tree.exists(f"{config.documents}/{JOURNAL}")
    except NotJudged as refusal:
        # Other configurations are judged all the same.
        return Run(__version__, root, (), FileAccount(0, (), (), ""), faults=refusal.faults)
    if asked.verbose:
        streams.complain(opening.cache_notes(reading.cache))
    if is_pending and not asked.quiet:
        streams.complain([_PENDING])
    return narrow(whole, paths, asked.narrowing) if asked.narrowing else whole


def _against(opening: Opening, config: Config, asked: _Asked, reading: Reading) -> Against | None:
    if not asked.asks_guard:
        return None
    from abutment.cli.points import points_of  # see run.py

    return points_of(opening, config, asked.against, reading)


_PENDING = "A write that was interrupted was read as if it were done; the next verb that writes carries it out."


def _changed_paths(config: Config, asked: _Asked) -> frozenset[str] | None:
    """Return the paths to which the report is narrowed; None where the law is among them.

    What a new law makes of files that have not changed is part of the change.
    """
    from abutment.sources.git import changed_files, staged_files
    from abutment.sources.hidden_files import hidden_files

    root = Path(config.root)
    paths = staged_files(root) if asked.staged else changed_files(root, asked.changed or "") | hidden_files(root)
    law = any(path == config.file or path.startswith(f"{config.documents}/") for path in paths)
    return None if law else paths


def _rendered(whole: Run, form: str, again: str, *, colour: bool, quiet: bool, verbose: bool) -> str:
    if form == "text":
        from abutment.reports.text import render_text

        return render_text(whole, colour=colour, quiet=quiet, verbose=verbose)
    if form == "sarif":
        from abutment.reports.sarif import render_sarif

        return render_sarif(whole, _gates_of(whole))
    if form == "agent":
        from abutment.reports.agent import render_agent

        return render_agent(whole, _gates_of(whole), again)
    return _renderer(form)(whole)


def _again(opening: Opening, asked: _Asked) -> str:
    """Return the command that asks the same once more."""
    words = ["abutment", "check", *asked.gates, "--format", "agent"]
    words += [word for path in opening.configs for word in ("--config", str(path))]
    words += words_of(opening.given)
    words += ["--against", asked.against] if asked.against is not None else []
    words += ["--today", asked.today.isoformat()] if asked.is_dated else []
    words += ["--staged"] if asked.staged else ["--changed", asked.changed] if asked.changed is not None else []
    return shlex.join(words)


def _gates_of(whole: Run) -> tuple[GateText, ...]:
    names = dict.fromkeys((*TABLE, *(found.gate for found in whole.violations if found.gate != GUARD.name)))
    return (*load_gates(names), GUARD)


def _renderer(form: str) -> Callable[[Run], str]:
    """Return a format's renderer, importing that format alone."""
    renderer: Callable[[Run], str] = getattr(import_module(f"abutment.reports.{form}"), f"render_{form}")
    return renderer


def _step_summary(whole: Run, form: str) -> None:
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if form != "github" or not target:
        return
    from abutment.reports.github import render_step_summary

    try:
        with Path(target).open("a", encoding="utf-8") as handle:
            handle.write(render_step_summary(whole))
    except OSError as error:
        Streams().complain([f"the step summary {target} cannot be written: {error.strerror or error}"])
