"""Does a plain search of the text find a call that is no fact? Every such line has a reason.

    python -m benchmarks.evidence.plain_search [CORPUS…]

`plain_search.toml` has the expressions, each with a corpus and a family, and the reason for each line that is found
and is no fact of the family. Status 1 where a line has none, or a reason is told of a line that needs none.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.catalogue import Corpus, chosen, python_files
from benchmarks.evidence.draw import settings_of
from benchmarks.evidence.edges import EVERYTHING, print_sorted, print_table
from benchmarks.evidence.project import project_of
from benchmarks.evidence.sites import Row, lines_with_source, sites_of

LIST = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that one expression finds."""

    facts: tuple[str, ...]  # of them facts
    explained: tuple[str, ...]
    unexplained: tuple[str, ...]
    needless: tuple[str, ...]  # reasons for what is a fact, or is not found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.plain_search", description=__doc__)
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    told = tomllib.loads(LIST.read_text(encoding="utf-8"))
    found: dict[tuple[str, ...], Outcome] = {}
    for corpus in chosen(options.corpus or [*told]):
        for (family, expression), outcome in examine(corpus, told[corpus.name]):
            found[corpus.requirement, family, f"`{expression.replace('|', chr(92) + '|')}`"] = outcome
    rows = [
        [*key, len(one.facts), len(one.explained), len(one.unexplained), len(one.needless)]
        for key, one in found.items()
    ]
    head = ["package", "family", "search", "lines that are facts", "explained", "UNEXPLAINED", "NEEDLESS reasons"]
    print_table(head, rows)
    return 1 if any(one.unexplained or one.needless for one in found.values()) else 0


def examine(corpus: Corpus, told: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Outcome]]:
    """Yield what each expression finds in one corpus, by family and expression."""
    with project_of(corpus) as tree:
        for family, searches in told.items():
            rows = sites_of(tree, corpus.package, family, settings_of(family))
            for one in searches:
                outcome = compare(rows, lines_of(tree, one["search"]), one.get("reasons", {}))
                print(f"{corpus.requirement}: {family}: {one['search']}: {len(outcome.facts)} lines are facts")
                print_sorted("UNEXPLAINED", lines_with_source(tree, outcome.unexplained), EVERYTHING)
                print_sorted("NEEDLESS", outcome.needless, EVERYTHING)
                yield (family, one["search"]), outcome


def lines_of(tree: Path, expression: str) -> list[str]:
    """Return each line, as `path:line`, that an expression finds outside of a comment that stands alone."""
    wanted = re.compile(expression)
    return [
        f"{path.relative_to(tree).as_posix()}:{number}"
        for path in python_files(tree)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if wanted.search(line) and not line.lstrip().startswith("#")
    ]


def compare(rows: Sequence[Row], lines: Sequence[str], reasons: Mapping[str, str]) -> Outcome:
    """Hold what was found against the facts, imports left out; a call may begin above the line."""
    covered = {
        f"{row.path}:{line}"
        for row in rows
        if row.operation != "import"
        for line in range(row.line, max(row.line, row.end_line) + 1)
    }
    missed = [line for line in lines if line not in covered]
    return Outcome(
        tuple(line for line in lines if line in covered),
        tuple(line for line in missed if line in reasons),
        tuple(line for line in missed if line not in reasons),
        tuple(sorted(reasons.keys() - set(missed))),
    )


if __name__ == "__main__":
    raise SystemExit(main())
