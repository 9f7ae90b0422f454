"""Does what a package really does on the network, and while an event loop waits, stand in our facts?

    python -m benchmarks.evidence.instrumented [--all] [PACKAGE…]

A child process calls the public functions of a small package, with fakes in the place of the network
(`benchmarks/evidence/driven/`). Recorded is each line of the package's own code from which a fake was reached
(`egress`), or a function of C that may wait, on a thread on which an event loop runs (`blocking`), and what that line
calls. No list of ours has a part in that. Each recorded call has to be among the facts, on that line and by that name,
or the stack shows the rule of the family's page by which it is none. What the drive does not come to is only counted.
Status 1 where a call has no reason.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import DRIVEN, PROJECT, Corpus, MissingError, chosen, clean_environment
from benchmarks.evidence.driven.watcher import BLOCKING, CALLBACK, DEEPER, EGRESS, INDIRECT, Reached
from benchmarks.evidence.edges import EVERYTHING, print_sorted, print_table
from benchmarks.evidence.project import project_of
from benchmarks.evidence.sites import Row, sites_of

TIMEOUT = 300.0
FAMILIES = (EGRESS, BLOCKING)

KNOWN = "in our facts"
FURTHER = "more than one step from the `async def`: not looked into"
CALLED_BACK = "no `async def` of the package is under way"
IMPORTED = "a module is imported, which happens once"
MANAGER = "a context manager's code: not looked into"
OPEN_STREAM = "over a connection that is open already"
LIBRARY = "what a library does inside a function that is on no list"
UNEXPLAINED = "UNEXPLAINED"
IDLE = "in our facts, ran, and reached nothing"
NOT_RUN = "in our facts, and the drive did not come there"
REASONS = (KNOWN, FURTHER, CALLED_BACK, IMPORTED, MANAGER, OPEN_STREAM, LIBRARY, UNEXPLAINED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was recorded of one package in one family, by what is to be said of it."""

    found: Mapping[str, tuple[str, ...]]
    idle: tuple[str, ...]  # places of our facts that ran and reached nothing
    not_run: int  # places of our facts that the drive did not come to


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.instrumented", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every call, not the unexplained ones alone")
    parser.add_argument("package", nargs="*")
    options = parser.parse_args(arguments)
    corpora = chosen(options.package) if options.package else DRIVEN
    outcomes = {corpus.requirement: examine(corpus) for corpus in corpora}
    for requirement, by_family in outcomes.items():
        print_outcome(requirement, by_family, show_all=options.all)
    for family in FAMILIES:
        print_summary(family, {requirement: by_family[family] for requirement, by_family in outcomes.items()})
    unexplained = [one.found.get(UNEXPLAINED) for by_family in outcomes.values() for one in by_family.values()]
    return 1 if any(unexplained) else 0


def examine(corpus: Corpus) -> Mapping[str, Outcome]:
    with project_of(corpus) as tree:
        shutil.rmtree(tree / corpus.package / "tests", ignore_errors=True)  # its own tests are not driven
        reached, ran = drive(corpus, tree)
        return {
            family: compare(
                [one for one in reached if one.family == family], ran, sites_of(tree, corpus.package, family)
            )
            for family in FAMILIES
        }


def drive(corpus: Corpus, tree: Path) -> tuple[list[Reached], set[str]]:
    """Run the child and return what it recorded, and the places that ran; exits with what it said where it failed."""
    if not corpus.importable_python.exists():
        raise MissingError(f"{corpus.importable_python} is missing; run `python -m benchmarks.install --importable`")
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        module = "benchmarks.evidence.driven.child"
        command = [str(corpus.importable_python), "-m", module, corpus.package, str(tree), str(answer)]
        environment = {**clean_environment(), "PYTHONPATH": f"{tree}:{PROJECT}", "HOME": folder}
        done = subprocess.run(
            command, check=False, cwd=folder, env=environment, text=True, capture_output=True, timeout=TIMEOUT
        )
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            raise SystemExit(f"driving {corpus.requirement} ended with status {done.returncode}")
        said = json.loads(answer.read_text(encoding="utf-8"))
    if said["adrift"]:
        raise SystemExit(f"{said['adrift']} ways out of {corpus.requirement} come from no line of it")
    return [Reached(**one) for one in said["reached"]], {f"{path}:{line}" for path, line in said["ran"]}


def compare(reached: Sequence[Reached], ran: Set[str], ours: Sequence[Row]) -> Outcome:
    """Put every recorded call below what is to be said of it; one call that comes to several things is one."""
    rows = [row for row in ours if row.kind in FAMILIES]  # no import, no construction
    said: defaultdict[tuple[str, int, str], set[str]] = defaultdict(set)
    for one in reached:
        said[one.path, one.line, one.api].add(reason_of(one, rows))
    found: defaultdict[str, list[str]] = defaultdict(list)
    for (path, line, api), reasons in said.items():
        found[min(reasons, key=REASONS.index)].append(f"{path}:{line}: {api}")
    idle = {row.place for row in rows if not any(stands_at(row, one) for one in reached)}
    return Outcome(
        {reason: tuple(sorted(calls)) for reason, calls in found.items()}, tuple(sorted(idle & ran)), len(idle - ran)
    )


def reason_of(one: Reached, rows: Sequence[Row]) -> str:
    """Return whether a call is among our facts, or which rule says that it is none."""
    if any(is_same(row, one) for row in rows):
        return KNOWN
    reasons = (
        (one.how in (DEEPER, INDIRECT), FURTHER),
        (one.how == CALLBACK, CALLED_BACK),
        (one.imports, IMPORTED),
        (one.api.startswith("contextlib."), MANAGER),
        (one.api.startswith("asyncio.streams.StreamWriter."), OPEN_STREAM),
        (is_of_library(one), LIBRARY),
    )
    return next((reason for holds, reason in reasons if holds), UNEXPLAINED)


def is_same(row: Row, one: Reached) -> bool:
    """Say whether a fact tells of this call: it stands on the line, and what it names is called."""
    if not stands_at(row, one):
        return False
    if one.through or row.through:
        return one.through == row.through
    return row.what.endswith("*") or last_name(row.what) == last_name(one.api)


def stands_at(row: Row, one: Reached) -> bool:
    return row.path == one.path and one.line <= row.line <= one.last_line


def last_name(api: str) -> str:
    return api.rpartition(".")[2].lstrip("_")


def is_of_library(one: Reached) -> bool:
    """Say whether what is called is neither the package's own nor Python's."""
    top = one.api.partition(".")[0]
    return top != one.path.partition("/")[0] and top not in sys.stdlib_module_names


def print_outcome(requirement: str, by_family: Mapping[str, Outcome], *, show_all: bool) -> None:
    print(requirement)
    for family, outcome in by_family.items():
        for reason in REASONS if show_all else (UNEXPLAINED,):
            print_sorted(f"{family}: {reason}", outcome.found.get(reason, ()), EVERYTHING)
        print_sorted(f"{family}: {IDLE}", outcome.idle, EVERYTHING)


def print_summary(family: str, outcomes: Mapping[str, Outcome]) -> None:
    each = list(outcomes.values())
    counts = [[reason, *(len(one.found.get(reason, ())) for one in each)] for reason in REASONS]
    shown = [row for row in counts if any(row[1:]) or row[0] == UNEXPLAINED]
    idle = [[IDLE, *(len(one.idle) for one in each)], [NOT_RUN, *(one.not_run for one in each)]]
    print_table([family, *outcomes], [*shown, *idle])


if __name__ == "__main__":
    raise SystemExit(main())
