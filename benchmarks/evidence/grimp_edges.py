"""Do our edges agree with grimp's (import-linter's engine)? Every difference has to have a known reason.

    python -m benchmarks.evidence.grimp_edges [--all] [CORPUS…]

Status 1 where one difference has none. The reasons are differences of definition: we count more kinds of edge,
and we see directories without `__init__.py`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, PEERS_PYTHON, Corpus, chosen, lay_out, run_quietly
from benchmarks.evidence.edges import Edge, Fact, edges_of, print_sorted

GRIMP = """
import json, sys
sys.path.insert(0, sys.argv[1])
import grimp
graph = grimp.build_graph(sys.argv[2], cache_dir=None, exclude_type_checking_imports=False)
edges = [[m, t] for m in graph.modules for t in graph.find_modules_directly_imported_by(m)]
print(json.dumps({"modules": sorted(graph.modules), "edges": sorted(edges)}))
"""

UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Graph:
    """What grimp found: it has one edge a pair, and no kinds."""

    modules: frozenset[str]
    edges: frozenset[Edge]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where the two agree, and each difference below its reason."""

    agreed: int
    type_only: int  # of the agreed: edges we hold to be for the type checker alone
    ours_only: Mapping[str, tuple[Edge, ...]]
    grimp_only: Mapping[str, tuple[Edge, ...]]

    @property
    def unexplained(self) -> int:
        return len(self.ours_only.get(UNEXPLAINED, ())) + len(self.grimp_only.get(UNEXPLAINED, ()))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.grimp_edges", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every edge, not the first of each reason")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    unexplained = 0
    for corpus in chosen(options.corpus):
        comparison = compare_corpus(corpus)
        print_comparison(corpus, comparison, shown=10**9 if options.all else 5)
        unexplained += comparison.unexplained
    return 1 if unexplained else 0


def compare_corpus(corpus: Corpus) -> Comparison:
    with tempfile.TemporaryDirectory() as folder:
        tree = lay_out(corpus, Path(folder) / "tree")
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init"], cwd=tree, accept=(0, 2))
        ours = edges_of(tree, corpus.package).facts
        return compare(ours, ask_grimp(tree, corpus.package), SourceLines(tree))


def ask_grimp(tree: Path, package: str) -> Graph:
    said = json.loads(run_quietly([PEERS_PYTHON, "-c", GRIMP, tree, package], cwd=tree))
    return Graph(frozenset(said["modules"]), frozenset((importer, imported) for importer, imported in said["edges"]))


class SourceLines:
    """The lines of the judged files, each file read once."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.files: dict[str, list[str]] = {}

    def at(self, path: str, line: int) -> str:
        if path not in self.files:
            text = (self.tree / path).read_text(encoding="utf-8", errors="replace")
            self.files[path] = text.splitlines()
        return self.files[path][line - 1]


def compare(ours: Mapping[Edge, tuple[Fact, ...]], grimp: Graph, lines: SourceLines) -> Comparison:
    """Hold the two sets of edges against each other and give each difference its reason."""
    both = ours.keys() & grimp.edges
    siblings = targets_by_place(ours)
    return Comparison(
        agreed=len(both),
        type_only=sum(all(fact.when == "type_only" for fact in ours[edge]) for edge in both),
        ours_only=grouped((edge, why_ours(ours[edge], grimp, siblings, lines)) for edge in ours.keys() - both),
        grimp_only=grouped((edge, why_grimp(edge)) for edge in grimp.edges - both),
    )


def targets_by_place(ours: Mapping[Edge, tuple[Fact, ...]]) -> Mapping[object, frozenset[str]]:
    """Return, for every place, all first-party modules that are imported there as written."""
    found: defaultdict[object, set[str]] = defaultdict(set)
    for together in ours.values():
        for fact in together:
            if fact.via == "written":
                for place in fact.places:
                    found[place].add(fact.imported)
    return {place: frozenset(targets) for place, targets in found.items()}


def why_ours(
    together: tuple[Fact, ...], grimp: Graph, siblings: Mapping[object, frozenset[str]], lines: SourceLines
) -> str:
    """Return why we have an edge that grimp has not."""
    importer, imported = together[0].edge
    if importer == imported:
        return "a module that imports itself"
    missing = {importer, imported} - grimp.modules
    if missing:
        return "a directory without __init__.py, or what lies below one, or a file that is no .py"
    if all(fact.via == "parent" for fact in together):
        return "parent: a package that runs because something below it is imported"
    if any(fact.via == "lazy" for fact in together):
        return "lazy: through a literal __getattr__ table"
    if any(fact.dynamic for fact in together):
        return "dynamic: a constant import_module or __import__"
    written = [place for fact in together if fact.via == "written" for place in fact.places]
    if any("*" in lines.at(place.path, place.line) for place in written):
        return "star: a submodule named in a literal __all__"
    if all(any(t.startswith(imported + ".") for t in siblings[place]) for place in written):
        return "symbol: `from package import module` reads the package as well as the module"
    return UNEXPLAINED


def why_grimp(edge: Edge) -> str:
    """Return why grimp has an edge that we have not."""
    importer, imported = edge
    if importer == imported:
        return "a module that imports itself"
    return UNEXPLAINED


def grouped(reasons: Iterable[tuple[Edge, str]]) -> Mapping[str, tuple[Edge, ...]]:
    """Return the edges below their reasons, both sorted."""
    found: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge, reason in reasons:
        found[reason].append(edge)
    return {reason: tuple(sorted(found[reason])) for reason in sorted(found)}


def print_comparison(corpus: Corpus, comparison: Comparison, shown: int) -> None:
    print(f"{corpus.requirement}: {comparison.agreed} edges in both, {comparison.type_only} of them type-only")
    for who, differences in (("abutment", comparison.ours_only), ("grimp", comparison.grimp_only)):
        for reason, edges in differences.items():
            lines = [f"{importer} -> {imported}" for importer, imported in edges]
            title = f"{len(edges)} in {who} only, {reason}"
            print_sorted(title, lines, shown if reason != UNEXPLAINED else 10**9)


if __name__ == "__main__":
    raise SystemExit(main())
