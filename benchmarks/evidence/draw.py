"""Which facts of a family does a person read, to judge how many are right?

    python -m benchmarks.evidence.draw FAMILY [--count N] [--seed N] [--through] [CORPUS…]

Draws places of facts that a gate counts, of all corpora together (where none is named, of `CORPORA_OF` or `DEFAULT`),
and prints each with the lines around it. What a family watches that has no list of its own stands in `drawn/`. The same
seed draws the same places of the same facts. `--through` draws from those one step into a function alone. The judgement
is a person's; `docs/evidence.md` has the last one.
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
CORPORA_OF = {
    "configuration": ("django",),
    "events": ("homeassistant",),
    "locators": ("homeassistant",),
    "tasks": ("homeassistant",),
    "transactions": ("django", "airflow"),
}
SETTINGS = Path(__file__).with_name("drawn")
# What is listed and no gate counts by itself.
UNCOUNTED = (
    *("construction", "environment_read", "structured_wait"),
    *("owned", "unproven", "refused", "unapplied"),
)
AROUND = 4

Drawn = tuple[Row, str]  # with the lines around it


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.draw", description=__doc__)
    parser.add_argument("family")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--through", action="store_true")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_intermixed_args(arguments)  # the corpora may stand behind the options
    corpora = chosen(options.corpus or CORPORA_OF.get(options.family, DEFAULT))
    found = [one for corpus in corpora for one in places_of(corpus, options.family)]
    counted = [one for one in found if is_counted(one[0], through=options.through)]
    print(f"{len(counted)} places, of which {min(options.count, len(counted))} are drawn with seed {options.seed}")
    for row, around in draw(counted, options.count, options.seed):
        print(f"\n{row.place}: {row.kind}: {row.what} {row.through}\n{around}")


def places_of(corpus: Corpus, family: str) -> list[Drawn]:
    with project_of(corpus) as tree:
        rows = sites_of(tree, corpus.package, family, settings_of(family))
        return [(row, lines_around(tree / row.path, row.line)) for row in rows]


def settings_of(family: str) -> str:
    """Return what the family is told to watch; "" for one that has a list of its own."""
    file = SETTINGS / f"{family}.toml"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def lines_around(file: Path, line: int) -> str:
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(f"    {text}" for text in lines[max(0, line - 1 - AROUND) : line + AROUND])


def is_counted(row: Row, *, through: bool) -> bool:
    """Say whether a gate counts such a fact; that a transport is imported needs no reading."""
    return row.kind not in UNCOUNTED and row.operation != "import" and (bool(row.through) or not through)


def draw(places: Sequence[Drawn], count: int, seed: int) -> list[Drawn]:
    """Return as many places, in order."""
    return sorted(random.Random(seed).sample(sorted(places), min(count, len(places))))


if __name__ == "__main__":
    main()
