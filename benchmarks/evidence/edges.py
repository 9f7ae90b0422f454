"""What does abutment say about a package's imports? Its facts, read from the documented output alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, run_quietly

Edge = tuple[str, str]
EVERYTHING = 10**9


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where one import stands."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One import fact."""

    importer: str
    imported: str
    when: str
    optional: bool
    dynamic: bool
    via: str
    places: tuple[Place, ...]

    @property
    def edge(self) -> Edge:
        return (self.importer, self.imported)

    def stands_at(self, line: int) -> bool:
        return any(place.line == line for place in self.places)


@dataclass(frozen=True, slots=True)
class Edges:
    """All edges of one package, and the modules whose imports cannot all be known."""

    facts: Mapping[Edge, tuple[Fact, ...]]
    dynamic_modules: frozenset[str]


def edges_of(tree: Path, package: str) -> Edges:
    """Ask the installed abutment about the project at `tree`."""
    return Edges(
        facts=inside(package, read_facts(ask(tree, "imports"))),
        dynamic_modules=frozenset(
            str(blind["module"]) for blind in ask(tree, "blindspots") if blind["kind"] == "dynamic"
        ),
    )


def ask(tree: Path, family: str) -> list[dict[str, object]]:
    """Return the facts of one family as `abutment facts` prints them."""
    command = [str(ABUTMENT_PYTHON), "-m", "abutment", "facts", family, "--format", "json"]
    facts = json.loads(run_quietly(command, cwd=tree))["facts"]
    assert isinstance(facts, list)
    return facts


def read_facts(rows: Iterable[Mapping[str, object]]) -> list[Fact]:
    """Return import facts from rows of the JSON report; raises KeyError where one lacks a field."""
    return [
        Fact(
            importer=str(row["importer"]),
            imported=str(row["imported"]),
            when=str(row["when"]),
            optional=bool(row["optional"]),
            dynamic=bool(row["dynamic"]),
            via=str(row["via"]),
            places=read_places(row["sites"]),
        )
        for row in rows
    ]


def read_places(sites: object) -> tuple[Place, ...]:
    assert isinstance(sites, list)
    return tuple(Place(str(site["path"]), int(site["line"])) for site in sites)


def inside(package: str, facts: Iterable[Fact]) -> Mapping[Edge, tuple[Fact, ...]]:
    """Group the facts whose both ends lie in the package by their edge."""
    found: defaultdict[Edge, list[Fact]] = defaultdict(list)
    for fact in facts:
        if within(package, fact.importer) and within(package, fact.imported):
            found[fact.edge].append(fact)
    return {edge: tuple(together) for edge, together in found.items()}


def within(package: str, module: str) -> bool:
    """Return whether the module is the package or below it, at a dot."""
    return module == package or module.startswith(package + ".")


def print_sorted(title: str, lines: Sequence[str], most: int = 20) -> None:
    """Print the lines in order below a title; what was left off is counted."""
    if lines:
        print(f"  {title}:")
    for line in sorted(lines)[:most]:
        print(f"    {line}")
    if len(lines) > most:
        print(f"    … and {len(lines) - most} more (--all shows them)")


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table, as `docs/evidence.md` has it."""
    print()
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(map(str, row)) + " |")
    print()
