"""`abutment move OLD NEW`: which recorded debt only has another name now?"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from abutment.baselines.code_names import CodeNames
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.plan import partial_faults
from abutment.baselines.proposals import propose_moves
from abutment.cli.law import Bench, bench, unique
from abutment.cli.opening import Opening, opening_options, today_option
from abutment.cli.terminal import Streams
from abutment.sources.discovery import discover
from abutment.sources.git import commit, find_repository, merge_base, renamed_files
from abutment.sources.git_tree import GitTree


@click.command("move")
@click.argument("names", nargs=-1, metavar="[OLD NEW]")
@click.option("--propose", is_flag=True, help="Print the moves that a person might declare, and write nothing.")
@click.option("--against", metavar="REF", help="With --propose: since the merge base with REF. Default: since HEAD.")
@today_option
@opening_options
def command(opening: Opening, names: tuple[str, ...], propose: bool, against: str | None, today: date) -> int:
    """Carry the debt of OLD over to its new name NEW, after the code has moved.

    These are the dotted names of a module or package (`app.old`), or of a function, class or method (`app.m.C.old`).
    Key by key, and only what the code now has under the new name. What cannot be told for certain is refused.
    Edits that a policy needs are printed; a person makes them.

    With --propose, what git takes for renamed files and what recorded debt looks like is tried out: each command that
    is printed would be carried out. Which of them are true is for a person to say.
    """
    if len(names) != (0 if propose else 2) or (against and not propose):
        raise click.UsageError("give OLD and NEW, or --propose, with --against or without")
    if propose:
        return _propose(bench(opening, ()), against, today)
    found = bench(opening, (), writing=True)
    old, new = names
    plan = plan_move(old, new, _moving(found), _code(found), today)
    return found.commit(plan, Streams())


def _moving(found: Bench) -> list[Moving]:
    return [Moving.of(m.law, m.measurement, m.gate.module_fields, m.gate.name_fields) for m in found.gates]


def _code(found: Bench) -> CodeNames:
    program = found.project.program
    return CodeNames(program.modules.keys(), program.uses.definitions)


def _propose(found: Bench, against: str | None, today: date) -> int:
    proposals = propose_moves(_renamed_modules(found, against), _moving(found), _code(found), today)
    unjudged = unique(fault for m in found.gates for fault in partial_faults(m.law, m.measurement, "move"))
    lines = [f"abutment move {one.renaming.old} {one.renaming.new}    # {' '.join(one.lines)}" for one in proposals]
    if not lines and not unjudged:
        lines = ["Nothing recorded looks as if it had moved."]
    streams = Streams()
    streams.emit("".join(f"{line}\n" for line in lines))
    streams.complain(f"not judged: {fault.line_text()}" for fault in unjudged)
    return 2 if unjudged else 0


def _renamed_modules(found: Bench, against: str | None) -> list[tuple[str, str]]:
    """Return the modules of files that git calls renamed: their names before and now; none without a repository."""
    config, root = found.config, Path(found.config.root)
    if against is None and find_repository(root) is None:
        return []
    base = merge_base(root, commit(root, against or "HEAD"), against or "HEAD")
    renamed = renamed_files(root, base)
    if not renamed:
        return []
    tree = GitTree(root, base)
    before = {file.path: file.module for file in discover(tree, config.roots, config.exclude, tree.files).files}
    now = {file.path: file.module for file in found.project.universe.files}
    return [(before[old], now[new]) for old, new in renamed if old in before and new in now]
