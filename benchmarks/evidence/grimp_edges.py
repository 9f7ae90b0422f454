"""Do our edges agree with grimp's (import-linter's engine)? Every difference has to have a known reason.

    python -m benchmarks.evidence.grimp_edges [--all] [CORPUS…]

Compared are edges *with the line they stand on*, once for all edges and once for those that exist at run time
(grimp's `exclude_type_checking_imports`, our `type_only`). A reason is never taken from our own word alone: that a
package is only the parent of something imported is told from its name, that a target has no `.py` is told from the
disk, that a star or `import_module` stands there is told from the line. Status 1 where a difference has no reason.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import PEERS_PYTHON, Corpus, chosen, run_quietly
from benchmarks.evidence.edges import EVERYTHING, Edge, Fact, Place, edges_of, print_sorted, print_table
from benchmarks.evidence.project import initialized

GRIMP = """
import json, sys
sys.path.insert(0, sys.argv[1])
import grimp

def places(exclude):
    graph = grimp.build_graph(sys.argv[2], cache_dir=None, exclude_type_checking_imports=exclude)
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            for detail in graph.get_import_details(importer=importer, imported=imported):
                yield importer, imported, detail["line_number"]

graph = grimp.build_graph(sys.argv[2], cache_dir=None)
said = {"modules": sorted(graph.modules), "all": sorted(set(places(False))), "run": sorted(set(places(True)))}
print(json.dumps(said))
"""

UNEXPLAINED = "unexplained"
RUNS = "unexplained: runs for the one, type-only for the other"
NO_PARENT = "unexplained: the parent of one of grimp's edges is none of ours"
ITSELF = "a module that imports itself: no dependency for us"
PARENT = "parent: a package that runs because something below it is imported"
ELSEWHERE = "elsewhere: below a namespace package, in another distribution"
NO_INIT = "no __init__: the target lies in or below a directory without __init__.py"
BINARY = "binary: the target is an extension module"
STUB = "stub: the target is a lone .pyi"
IN_NO_INIT = "no __init__: the importer lies below a directory without __init__.py"
IN_STUB = "stub: the importer is a lone .pyi, whose imports are type-only"
LAZY = "lazy: through a literal __getattr__ table"
DYNAMIC = "dynamic: a constant import_module or __import__"
STAR = "star: a submodule named in a literal __all__"
SYMBOL = "symbol: the package of `from package import module` may be read for a name of its own"

AnyPlace = tuple[str, str, int]  # importer, imported, line
Siblings = Mapping[tuple[str, int], Set[str]]  # importer and line -> modules


@dataclass(frozen=True, slots=True)
class Graph:
    """What grimp found: it has no kinds of edge."""

    modules: frozenset[str]
    all: frozenset[AnyPlace]
    run: frozenset[AnyPlace]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where the two agree, and each difference below its reason."""

    edges: int
    places: int
    type_only: int  # of the agreed places
    ours_only: Mapping[str, tuple[AnyPlace, ...]]
    grimp_only: Mapping[str, tuple[AnyPlace, ...]]

    @property
    def unexplained(self) -> int:
        return sum(len(places) for _, reason, places in differences(self) if is_unexplained(reason))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.grimp_edges", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every place, not the first of each reason")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    found = {corpus.requirement: compare_corpus(corpus) for corpus in chosen(options.corpus)}
    for requirement, comparison in found.items():
        print_comparison(requirement, comparison, shown=EVERYTHING if options.all else 2)
    print_summary(found)
    return 1 if any(comparison.unexplained for comparison in found.values()) else 0


def compare_corpus(corpus: Corpus) -> Comparison:
    with initialized(corpus) as tree:
        ours = edges_of(tree, corpus.package).facts
        return compare(ours, ask_grimp(tree, corpus.package), Disk(tree))


def ask_grimp(tree: Path, package: str) -> Graph:
    said = json.loads(run_quietly([PEERS_PYTHON, "-c", GRIMP, tree, package], cwd=tree))
    return Graph(
        modules=frozenset(said["modules"]),
        all=frozenset((importer, imported, line) for importer, imported, line in said["all"]),
        run=frozenset((importer, imported, line) for importer, imported, line in said["run"]),
    )


class Disk:
    """The judged files, each read once."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.files: dict[str, list[str]] = {}

    def line(self, place: Place) -> str:
        if place.path not in self.files:
            text = (self.tree / place.path).read_text(encoding="utf-8", errors="replace")
            self.files[place.path] = text.splitlines()
        return self.files[place.path][place.line - 1]

    def what_is(self, module: str) -> str:
        """Return why grimp does not know the module, from what lies where its file would be."""
        stem = self.tree.joinpath(*module.split("."))
        siblings = {path.name for path in stem.parent.glob(f"{stem.name}.*")} if stem.parent.is_dir() else set()
        if self.lacks_init(stem):
            return NO_INIT
        if any(name.endswith((".so", ".pyd")) for name in siblings):
            return BINARY
        if f"{stem.name}.pyi" in siblings:
            return STUB
        return UNEXPLAINED if stem.is_dir() or siblings else ELSEWHERE

    def lacks_init(self, stem: Path) -> bool:
        """Return whether a directory on the way to the module, or the module itself, has no __init__.py."""
        folders = [path for path in (stem, *stem.parents) if path.is_relative_to(self.tree) and path != self.tree]
        return any(path.is_dir() and not (path / "__init__.py").exists() for path in folders)


def compare(ours: Mapping[Edge, tuple[Fact, ...]], grimp: Graph, disk: Disk) -> Comparison:
    """Hold the two sets of places against each other and give each difference its reason."""
    facts = by_place(ours)
    running = {place for place, found in facts.items() if any(fact.when != "type_only" for fact in found)}
    siblings = targets_by_statement(ours, grimp)
    both = facts.keys() & grimp.all
    ours_only = [(place, why_ours(place, facts[place], grimp, siblings, disk)) for place in facts.keys() - both]
    ours_only += [(place, RUNS) for place in (both & running) - grimp.run]
    grimp_only = [(place, ITSELF if place[0] == place[1] else UNEXPLAINED) for place in grimp.all - both]
    grimp_only += [(place, RUNS) for place in (both & grimp.run) - running]
    grimp_only += [(place, NO_PARENT) for place in set(parents(grimp)) - facts.keys()]
    return Comparison(
        edges=len(edges(both)),
        places=len(both),
        type_only=len(both - running),
        ours_only=grouped(ours_only),
        grimp_only=grouped(grimp_only),
    )


def by_place(ours: Mapping[Edge, tuple[Fact, ...]]) -> Mapping[AnyPlace, tuple[Fact, ...]]:
    """Return the facts of every importer, imported and line."""
    found: defaultdict[AnyPlace, list[Fact]] = defaultdict(list)
    for edge, together in ours.items():
        for fact in together:
            for place in fact.places:
                found[*edge, place.line].append(fact)
    return {place: tuple(facts) for place, facts in found.items()}


def targets_by_statement(ours: Mapping[Edge, tuple[Fact, ...]], grimp: Graph) -> Siblings:
    """Return, for every importer and line, what one of the two says is imported there, but for our parents."""
    found: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for importer, imported, line in grimp.all:
        found[importer, line].add(imported)
    for (importer, imported, line), facts in by_place(ours).items():
        if any(fact.via != "parent" for fact in facts):
            found[importer, line].add(imported)
    return found


def parents(grimp: Graph) -> Iterator[AnyPlace]:
    """Yield every package that has to run for one of grimp's edges, but for the importer itself."""
    for importer, imported, line in grimp.all:
        package = imported.rpartition(".")[0]
        while package:
            if package != importer:
                yield importer, package, line
            package = package.rpartition(".")[0]


def why_ours(place: AnyPlace, facts: Sequence[Fact], grimp: Graph, siblings: Siblings, disk: Disk) -> str:
    """Return why we have a place that grimp has not."""
    importer, imported, line = place
    path = facts[0].places[0].path
    if importer not in grimp.modules:
        return why_importer(path, facts, disk)
    if imported not in grimp.modules:
        return disk.what_is(imported)
    if is_parent(imported, siblings[importer, line]):
        return PARENT if all(fact.via == "parent" for fact in facts) else SYMBOL
    return why_target(facts, disk.line(Place(path, line)))


def why_importer(path: str, facts: Sequence[Fact], disk: Disk) -> str:
    if path.endswith(".pyi"):
        return IN_STUB if all(fact.when == "type_only" for fact in facts) else UNEXPLAINED
    return IN_NO_INIT if disk.lacks_init(disk.tree / path) else UNEXPLAINED


def why_target(facts: Sequence[Fact], text: str) -> str:
    """Return how a module that grimp knows is imported without grimp seeing it."""
    if any(fact.via == "lazy" for fact in facts):
        return LAZY
    if all(fact.dynamic for fact in facts) and ("import_module" in text or "__import__" in text):
        return DYNAMIC
    return STAR if "import *" in text else UNEXPLAINED


def is_parent(package: str, beside: Set[str]) -> bool:
    """Return whether something below the package is imported by the same statement."""
    return any(module.startswith(package + ".") for module in beside)


def edges(places: Iterable[AnyPlace]) -> frozenset[Edge]:
    return frozenset((importer, imported) for importer, imported, _ in places)


def grouped(reasons: Iterable[tuple[AnyPlace, str]]) -> Mapping[str, tuple[AnyPlace, ...]]:
    """Return the places below their reasons, both sorted."""
    found: defaultdict[str, list[AnyPlace]] = defaultdict(list)
    for place, reason in reasons:
        found[reason].append(place)
    return {reason: tuple(sorted(found[reason])) for reason in sorted(found)}


def print_comparison(requirement: str, comparison: Comparison, shown: int) -> None:
    print(f"{requirement}: {comparison.edges} edges in both, at {comparison.places} places")
    for who, reason, places in differences(comparison):
        lines = [f"{importer} -> {imported} (line {line})" for importer, imported, line in places]
        title = f"{len(places)} places ({len(edges(places))} edges) in {who} only, {reason}"
        print_sorted(title, lines, EVERYTHING if is_unexplained(reason) else shown)


def is_unexplained(reason: str) -> bool:
    return reason.startswith(UNEXPLAINED)


def differences(comparison: Comparison) -> Iterator[tuple[str, str, tuple[AnyPlace, ...]]]:
    for who, reasons in (("abutment", comparison.ours_only), ("grimp", comparison.grimp_only)):
        for reason, places in reasons.items():
            yield who, reason, places


def print_summary(found: Mapping[str, Comparison]) -> None:
    print_table(
        ["", "edges in both", "places in both", "of them type-only", "places in one only", "unexplained"],
        [
            [name, c.edges, c.places, c.type_only, sum(len(p) for _, _, p in differences(c)), c.unexplained]
            for name, c in found.items()
        ],
    )
    reasons = sorted({(who, reason) for c in found.values() for who, reason, _ in differences(c)})
    print_table(
        ["only in", "reason", *found],
        [[who, reason, *(len(dict_of(c, who).get(reason, ())) for c in found.values())] for who, reason in reasons],
    )


def dict_of(comparison: Comparison, who: str) -> Mapping[str, tuple[AnyPlace, ...]]:
    return comparison.ours_only if who == "abutment" else comparison.grimp_only


if __name__ == "__main__":
    raise SystemExit(main())
