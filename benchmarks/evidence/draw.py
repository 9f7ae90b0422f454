"""Which facts of a family does a person read, to judge how many are right?

    python -m benchmarks.evidence.draw FAMILY [--count N] [--seed N] [--through] [CORPUS…]

Draws places of facts that a gate counts, of all corpora together (django, homeassistant and airflow, if none is named),
and prints each with the lines around it. The same seed draws the same places of the same facts. `--through` draws from
those one step into a function alone. The judgement is a person's; `docs/evidence.md` has the last one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.catalogue import Corpus, chosen
from benchmarks.evidence.project import project_of
from benchmarks.evidence.sites import Row, sites_of

DEFAULT = ("django", "homeassistant", "airflow")
# What is listed and no gate counts by itself.
UNCOUNTED = ("construction", "environment_read", "structured_wait")
AROUND = 4

Drawn = tuple[Row, str]  # with the lines around it


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.draw", description=__doc__)
    parser.add_argument("family")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--through", action="store_true")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    found = [one for corpus in chosen(options.corpus or DEFAULT) for one in places_of(corpus, options.family)]
    counted = [one for one in found if is_counted(one[0], through=options.through)]
    print(f"{len(counted)} places, of which {min(options.count, len(counted))} are drawn with seed {options.seed}")
    for row, around in draw(counted, options.count, options.seed):
        print(f"\n{row.place}: {row.kind}: {row.what} {row.through}\n{around}")


def places_of(corpus: Corpus, family: str) -> list[Drawn]:
    with project_of(corpus) as tree:
        return [(row, lines_around(tree / row.path, row.line)) for row in sites_of(tree, corpus.package, family)]


def lines_around(file: Path, line: int) -> str:
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(f"    {text}" for text in lines[max(0, line - 1 - AROUND) : line + AROUND])


def is_counted(row: Row, *, through: bool) -> bool:
    """Say whether a gate counts such a fact; an import needs no reading."""
    return row.kind not in (*UNCOUNTED, "import") and (bool(row.through) or not through)


def draw(places: Sequence[Drawn], count: int, seed: int) -> list[Drawn]:
    """Return as many places, in order."""
    return sorted(random.Random(seed).sample(sorted(places), min(count, len(places))))


if __name__ == "__main__":
    main()
