"""Does `egress` find the ways out that a person found by reading, and no others?

    python -m benchmarks.evidence.ways_out [CORPUS…]

`ways_out.toml` was written by hand: the places at which the code of a corpus calls a transport (`requests`, `httpx`,
`aiohttp`, `urllib`, `smtplib`, sockets …), found by searching for their words and reading. Clients of services and
databases are not in it. For homeassistant it tells of the files named there alone, which were drawn at random.
A place in one only is printed, and the status is 1.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.catalogue import Corpus, chosen
from benchmarks.evidence.edges import EVERYTHING, print_sorted, print_table
from benchmarks.evidence.project import project_of
from benchmarks.evidence.sites import Row, lines_with_source, sites_of

LIST = Path(__file__).with_suffix(".toml")
TRANSPORTS = ("requests", "httpx", "aiohttp", "urllib", "http.client", "smtplib", "socket", "ssl", "asyncio", "xmlrpc")


@dataclass(frozen=True, slots=True)
class Outcome:
    """All of one corpus."""

    both: tuple[str, ...]
    missed: tuple[str, ...]  # in the list only
    more: tuple[str, ...]  # ours only


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.ways_out", description=__doc__)
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    lists = tomllib.loads(LIST.read_text(encoding="utf-8"))
    outcomes = {
        corpus.requirement: examine(corpus, lists[corpus.name]) for corpus in chosen(options.corpus or [*lists])
    }
    rows: list[list[object]] = [
        ["places in both", *(len(one.both) for one in outcomes.values())],
        ["MISSED: in the list only", *(len(one.missed) for one in outcomes.values())],
        ["MORE: ours only", *(len(one.more) for one in outcomes.values())],
    ]
    print_table(["", *outcomes], rows)
    return 1 if any(one.missed or one.more for one in outcomes.values()) else 0


def examine(corpus: Corpus, listed: Mapping[str, Any]) -> Outcome:
    with project_of(corpus) as tree:
        outcome = compare(sites_of(tree, corpus.package, "egress"), listed)
        print(f"{corpus.requirement}: {len(outcome.both)} places in both")
        print_sorted("MISSED", lines_with_source(tree, outcome.missed), EVERYTHING)
        print_sorted("MORE", lines_with_source(tree, outcome.more), EVERYTHING)
    return outcome


def compare(ours: Sequence[Row], listed: Mapping[str, Any]) -> Outcome:
    """Compare our calls of transports with the list, in the files that it tells of."""
    wanted, files = set(listed["places"]), set(listed.get("files", ()))
    found = {
        row.place
        for row in ours
        if row.kind == "egress" and row.target.startswith(TRANSPORTS) and (not files or row.path in files)
    }
    return Outcome(*(tuple(sorted(one)) for one in (found & wanted, wanted - found, found - wanted)))


if __name__ == "__main__":
    raise SystemExit(main())
