"""`abutment check`: does the code have exactly what is granted?"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path

import click

from abutment import __version__
from abutment.cli.opening import Opening, gate_names, opening_options, today_option
from abutment.cli.terminal import Streams, wants_colour, write_whole
from abutment.config import Config
from abutment.errors import NotJudged
from abutment.gates import own_gates
from abutment.run import narrow, run
from abutment.verdicts.verdict import FileAccount, Run, Status

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "markdown")


@click.command("check")
@click.argument("gates", nargs=-1, metavar="[GATE]...")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to a file.")
@click.option("--changed", metavar="REF", help="Show only violations in files changed since the merge base with REF.")
@click.option("--staged", is_flag=True, help="Show only violations in staged files.")
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
def command(
    opening: Opening,
    gates: tuple[str, ...],
    form: str,
    output: Path | None,
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
    only which violations are shown, and with them the status.
    """
    if changed is not None and staged:
        raise click.UsageError("--changed and --staged exclude each other")
    began = time.monotonic()
    judged = [_judged(opening, config, gates, changed, staged, stale, today) for config in _configs(opening)]
    whole = _one_report(judged)
    streams = Streams()
    colour = output is None and wants_colour(sys.stdout.isatty())
    text = _rendered(whole, form, colour=colour, quiet=quiet, verbose=verbose)
    if output is not None:
        write_whole(output, text)
    if output is None or form == "github":
        streams.emit(text)
    _step_summary(whole, form)
    if not quiet:
        streams.complain([f"{time.monotonic() - began:.2f} s"])
    status = whole.status.exit_status
    return 0 if exit_zero and status == Status.BROKEN.exit_status else status


def _one_report(judged: list[Run]) -> Run:
    """Return the run, or several as one: verdicts apart, paths as seen from the folder above all roots."""
    if len(judged) == 1:
        return judged[0]
    from abutment.reports.merged import merged

    above = Path(os.path.commonpath([run.root for run in judged if run.root] or ["."]))
    return merged([(Path(run.root).relative_to(above).as_posix() if run.root else ".", run) for run in judged])


def _configs(opening: Opening) -> list[Config | NotJudged]:
    """Return each configuration, or why it cannot be read: the others are judged all the same."""
    if not opening.configs:
        return [_config(opening)]
    return [_config(Opening((path,), opening.cache_dir, opening.no_cache, opening.jobs)) for path in opening.configs]


def _config(opening: Opening) -> Config | NotJudged:
    try:
        return opening.one()
    except NotJudged as refusal:
        return refusal


def _judged(
    opening: Opening,
    config: Config | NotJudged,
    gates: tuple[str, ...],
    changed: str | None,
    staged: bool,
    stale: str,
    today: date,
) -> Run:
    if isinstance(config, NotJudged):
        return _unjudged(config, "")
    try:
        paths = _paths(Path(config.root), changed, staged)
        whole = run(
            config,
            opening.tree(config),
            today,
            gates=gate_names(gates),
            reading=opening.reading(config),
            stale=stale,
        )
    except NotJudged as refusal:
        return _unjudged(refusal, config.root)
    return whole if paths is None else narrow(whole, paths, "--staged" if staged else f"--changed {changed}")


def _paths(root: Path, changed: str | None, staged: bool) -> frozenset[str] | None:
    from abutment.sources.git import changed_files, staged_files

    if staged:
        return staged_files(root)
    return None if changed is None else changed_files(root, changed)


def _unjudged(refusal: NotJudged, root: str) -> Run:
    return Run(__version__, root, (), FileAccount(0, (), (), ""), faults=refusal.faults)


def _rendered(whole: Run, form: str, *, colour: bool, quiet: bool, verbose: bool) -> str:
    if form == "text":
        from abutment.reports.text import render_text

        return render_text(whole, colour=colour, quiet=quiet, verbose=verbose)
    if form == "sarif":
        from abutment.reports.sarif import render_sarif

        return render_sarif(whole, own_gates())
    return _renderer(form)(whole)


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
