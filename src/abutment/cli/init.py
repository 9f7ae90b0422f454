"""`abutment init`: the first law of a codebase that has never been judged."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from abutment.adopt.configuration import Carry, Place, root_of
from abutment.adopt.init import Asked, Judging, initialise
from abutment.cli.inputs import input_options
from abutment.cli.opening import Opening, opening_options
from abutment.cli.terminal import Streams
from abutment.config import Config, read_config
from abutment.errors import NotJudged, Refused
from abutment.gates.gate import Gate
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.run import Project, measure, read_all_settings
from abutment.semantics.program import Program
from abutment.sources.git import outer_ignores, tracked_files
from abutment.sources.settings import find_configuration, load_settings
from abutment.sources.tree import Tree
from abutment.sources.universe import Universe
from abutment.sources.work_tree import WorkTree


@click.command("init")
@click.argument("gates", nargs=-1, metavar="[GATE]...")
@click.option("--root", "roots", multiple=True, metavar="PATH", help="A root, instead of looking for them.")
@click.option(
    "--from", "other", type=click.Choice(["importlinter", "tach"]), help="Carry over that tool's configuration."
)
@click.option("--again", is_flag=True, help="Record new parts of a gate's law: contracts never recorded before.")
@click.option("--reason", default="", metavar="TEXT", help="Why it is recorded again.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@opening_options
@input_options("gates")
def command(
    opening: Opening,
    gates: tuple[str, ...],
    roots: tuple[str, ...],
    other: str | None,
    again: bool,
    reason: str,
    dry_run: bool,
) -> int:
    """Find roots, propose law, write the configuration, and record today's debt. Never asks, never overwrites.

    With a configuration: record the gates that have no baseline yet (or those named).
    """
    if reason and not again:
        raise click.UsageError("--reason is why something is recorded again; it goes with --again")
    root = _root(opening, later=bool(gates) or again)
    tree = WorkTree(root)
    place = Place(root, tree, tracked_files(root), outer_ignores(root), opening.cache(), opening.jobs)
    asked = Asked(gates, roots, dry_run, again, reason, _carry(other), opening.given)
    outcome = initialise(asked, place, Judging(_settings, _measuring(tree)))
    streams = Streams()
    streams.emit("".join(f"{line}\n" for line in outcome.lines))
    streams.complain([f"not judged: {fault.line_text()}" for fault in outcome.faults])
    return outcome.exit_status


def _root(opening: Opening, *, later: bool) -> Path:
    """Return the folder to adopt: that of a given configuration, else the current one.

    Naming a gate speaks of a configuration that is there: then it is the nearest upward, as for every verb.
    """
    if len(opening.configs) > 1:
        raise click.UsageError("init takes one --config")
    if opening.configs:
        given = opening.configs[0].absolute()  # where it stands, even if it is a link to a file elsewhere
        return given if given.is_dir() else given.parent
    here = Path.cwd()
    above = _nearest(here)
    if above is None or above.parent == here:
        return here
    if later:
        return above.parent
    _refuse_judged(here, above)
    return here


def _nearest(here: Path) -> Path | None:
    """Return the configuration in the folder or above it; None where there is none, or where it is not told which."""
    with contextlib.suppress(NotJudged):
        return find_configuration(here)
    return None


def _refuse_judged(here: Path, above: Path) -> None:
    """Raise Refused where a configuration further up judges this folder: a second one would hide it from view."""
    folder = here.relative_to(above.parent).as_posix()
    holding = root_of(folder, read_config(load_settings(above)).roots)
    if holding is not None:
        raise Refused(
            Fault(
                above.name,
                0,
                f"in {above.parent} judges this folder already: it lies in the root {holding.path!r}.",
                f"Run `abutment init` there, or take {folder!r} out of its `roots`.",
            )
        )


def _settings(config: Config, asked: Iterable[Gate]) -> Mapping[str, Any]:
    return read_all_settings(config, asked)


def _measuring(tree: Tree) -> Any:
    def measured(
        config: Config, universe: Universe, program: Program, gate: Gate, settings: Any, grants: Grants
    ) -> Measurement:
        return measure(Project(config, tree, universe, program), gate, settings, grants)

    return measured


def _carry(other: str | None) -> Carry | None:
    """Return what reads the other tool's configuration, importing that reader alone."""
    if other is None:
        return None
    if other == "tach":
        from abutment.adopt import tach

        return tach.carry_over
    from abutment.adopt import importlinter

    return importlinter.carry_over
