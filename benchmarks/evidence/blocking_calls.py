"""Does `blocking` find what ruff finds, and why does each find what the other does not?

    python -m benchmarks.evidence.blocking_calls [CORPUS…]

Compared are places (path and line) of ruff's rules that name blocking calls in an `async def` with our direct calls.
Each difference is put below its reason; one of ruff's without a reason is *unexplained*, and the status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import CORPORA, SERVICES, Corpus, chosen, run_quietly
from benchmarks.evidence.edges import EVERYTHING, print_sorted, print_table
from benchmarks.evidence.project import project_of
from benchmarks.evidence.sites import Row, lines_with_source, sites_of, source_line

RULES = "ASYNC210,ASYNC212,ASYNC220,ASYNC221,ASYNC222,ASYNC230,ASYNC240,ASYNC250,ASYNC251"
DEFAULT = ("django", "homeassistant", "airflow")
# Of `os.path`, which ruff names as a whole, what asks the system for nothing but the working directory.
PURE = re.compile(r"os\.path\.(abspath|basename|commonpath|dirname|expandvars|isabs|join|normcase|normpath|split)\b")
# What ruff names, too, where it can tell what a name stands for.
KNOWN_TO_RUFF = re.compile(
    r"(requests|httpx|urllib3|urllib\.request|subprocess|pathlib|time\.sleep|open$|input$|io\.open|os\.(path|popen|system"
    r"|wait|spawn|posix_spawn|fdopen))"
)
NO_SYSTEM = "ruff only: asks nothing of the file system"
UNEXPLAINED = "ruff only: UNEXPLAINED"
NOT_FOLLOWED = "ours only: of ruff's functions, by a name that ruff does not follow"
NOT_WATCHED = "ours only: a function that ruff does not name"
THROUGH = "ours only: one step into a function of the package"
REASONS = (NO_SYSTEM, UNEXPLAINED, NOT_FOLLOWED, NOT_WATCHED, THROUGH)


@dataclass(frozen=True, slots=True)
class Outcome:
    """All of one corpus: how many places both have, and the others by reason."""

    both: int
    apart: Mapping[str, tuple[str, ...]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.blocking_calls", description=__doc__)
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    corpora = chosen(options.corpus) if options.corpus else default_corpora()
    outcomes = {corpus.requirement: examine(corpus) for corpus in corpora}
    rows: list[list[object]] = [["places in both", *(one.both for one in outcomes.values())]]
    rows += [[reason, *(len(one.apart[reason]) for one in outcomes.values())] for reason in REASONS]
    print_table(["", *outcomes], rows)
    return 1 if any(one.apart[UNEXPLAINED] for one in outcomes.values()) else 0


def default_corpora() -> tuple[Corpus, ...]:
    return (*(corpus for corpus in CORPORA if corpus.name in DEFAULT), *SERVICES)


def examine(corpus: Corpus) -> Outcome:
    with project_of(corpus) as tree:
        ours, theirs = sites_of(tree, corpus.package, "blocking"), ruff_places(tree)
        outcome = compare(ours, {place: source_line(tree, place) for place in theirs})
        print(f"{corpus.requirement}: {outcome.both} places in both")
        for reason in REASONS:
            print_sorted(reason, lines_with_source(tree, outcome.apart[reason]), EVERYTHING)
    return outcome


def ruff_places(tree: Path) -> set[str]:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--preview", "--select", RULES]
    told = json.loads(run_quietly([*command, "--output-format", "json", "."], cwd=tree, accept=(0, 1)))
    return {f"{Path(one['filename']).relative_to(tree.resolve()).as_posix()}:{one['location']['row']}" for one in told}


def compare(ours: Sequence[Row], theirs: Mapping[str, str]) -> Outcome:
    """Put every place that only one has below its reason; `theirs` are ruff's places with what stands there."""
    direct = {row.place: row for row in ours if not row.through}
    apart: dict[str, set[str]] = {reason: set() for reason in REASONS}
    for place in theirs.keys() - direct.keys():
        apart[NO_SYSTEM if PURE.search(theirs[place]) else UNEXPLAINED].add(place)
    for place in direct.keys() - theirs.keys():
        apart[NOT_FOLLOWED if KNOWN_TO_RUFF.match(direct[place].what) else NOT_WATCHED].add(place)
    apart[THROUGH] = {row.place for row in ours if row.through} - theirs.keys()
    return Outcome(
        len(direct.keys() & theirs.keys()), {reason: tuple(sorted(found)) for reason, found in apart.items()}
    )


if __name__ == "__main__":
    raise SystemExit(main())
