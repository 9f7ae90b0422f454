"""Does the interpreter carry out an import that we do not know of? It is the last word on what Python means.

    python -m benchmarks.evidence.interpreter_edges [--all] [CORPUS…]

One child process imports every module of the package with `__import__` wrapped, and fresh ones import what failed
there. Each edge recorded inside the package has to be among ours, where it stands and when it runs: a statement on
that line, not type-only, and not deferred where module code carried it out; or it is a call with a computed name, in
a module that we report as importing dynamically. The other way round, each of our import-time edges that stands below
no condition, in a module that was loaded to its end, has to have been recorded. Modules that could not be imported
are named with the cause: about their imports this says little. Status 1 where an edge is wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.catalogue import (
    CORPORA,
    HERE,
    Corpus,
    MissingError,
    chosen,
    clean_environment,
    module_names,
)
from benchmarks.evidence.certain import certain_imports
from benchmarks.evidence.edges import EVERYTHING, Edges, Fact, Place, edges_of, print_sorted, print_table
from benchmarks.evidence.project import initialized

RECORDER = HERE / "evidence" / "recorder.py"
TIMEOUT = 600.0

KNOWN = "among ours"
ITSELF = "a module that imports itself: no dependency for us"
ELSEWHERE = "a package of another distribution, run for what is below it"
COMPUTED = "computed at run time, in a module that we report as dynamic"
TYPE_ONLY = "WRONG: carried out, type-only for us"
DEFERRED = "WRONG: carried out by module code, deferred for us"
MISPLACED = "WRONG: carried out on a line where we have nothing"
MISSING = "WRONG: carried out, no edge of ours"
CANDIDATE = "not carried out: a name in another distribution's module, which might have been a module"
NOT_RUN = "WRONG: stands below no condition, was not carried out"
REASONS = (KNOWN, COMPUTED, ITSELF, ELSEWHERE, TYPE_ONLY, DEFERRED, MISPLACED, MISSING)
ABSENCES = (CANDIDATE, NOT_RUN)


@dataclass(frozen=True, slots=True, order=True)
class Recorded:
    """One edge that the interpreter carried out."""

    importer: str
    imported: str
    how: str  # "statement", "statement in executed text", "import_module", "__import__"
    when: str  # "module", "deferred"
    line: int
    via: str  # "written", "parent"

    def __str__(self) -> str:
        return f"{self.importer} -> {self.imported} (line {self.line}, {self.how}, {self.when}, {self.via})"


@dataclass(frozen=True, slots=True)
class Recording:
    """What the interpreter did, and the modules it could not import."""

    edges: frozenset[Recorded]
    failed: Mapping[str, str]  # module -> cause
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of each module that was imported


@dataclass(frozen=True, slots=True)
class Outcome:
    """Every recorded edge, and every edge of ours that should have been, below what is to be said of it."""

    modules: int
    failed: Mapping[str, str]
    certain: int  # edges of ours, with their line, that loading has to carry out
    found: Mapping[str, Sequence[str]]

    @property
    def recorded(self) -> int:
        return sum(len(self.found.get(reason, ())) for reason in REASONS)

    @property
    def wrong(self) -> int:
        return sum(len(lines) for reason, lines in self.found.items() if is_wrong(reason))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.interpreter_edges", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every line")
    parser.add_argument("corpus", nargs="*", help="by default all that can be imported")
    options = parser.parse_args(arguments)
    names = options.corpus or [corpus.name for corpus in CORPORA if corpus.setup is not None]
    outcomes = {corpus.requirement: examine(corpus) for corpus in chosen(names)}
    for requirement, outcome in outcomes.items():
        print_outcome(requirement, outcome, shown=EVERYTHING if options.all else 5)
    print_summary(outcomes)
    return 1 if any(outcome.wrong for outcome in outcomes.values()) else 0


def examine(corpus: Corpus) -> Outcome:
    """Record one corpus and hold the recording against our facts, and those against the recording."""
    with initialized(corpus) as tree:
        ours = edges_of(tree, corpus.package)
        modules = frozenset(module_names(tree, corpus.package))
        recording = record(corpus, sorted(modules))
        certain = certain_places(tree, ours, modules - recording.failed.keys())
    return Outcome(
        modules=len(modules),
        failed=recording.failed,
        certain=len(certain),
        found=hold(recording.edges, ours, modules) | not_carried_out(certain, recording.edges, modules),
    )


Certain = Sequence[tuple[Fact, Place]]


def certain_places(tree: Path, ours: Edges, loaded: frozenset[str]) -> Certain:
    """Return the places of ours that loading those modules carries out, whatever the conditions around them are."""
    facts = [fact for fact in at_import_time(ours) if fact.importer in loaded]
    paths = {place.path for fact in facts for place in fact.places}
    lines = {path: certain_imports((tree / path).read_bytes()) for path in paths}
    lazy = lazy_places(ours)
    return [
        (fact, place)
        for fact in facts
        for place in sorted(set(fact.places))
        if place.line in lines[place.path] and not (fact.via == "parent" and (fact.importer, place) in lazy)
    ]


def lazy_places(ours: Edges) -> set[tuple[str, Place]]:
    """Return where a name is taken from a literal `__getattr__` table, which may have been asked and stored before."""
    found = (fact for together in ours.facts.values() for fact in together if fact.via == "lazy")
    return {(fact.importer, place) for fact in found for place in fact.places}


def at_import_time(ours: Edges) -> Iterator[Fact]:
    """Yield our edges that module code carries out by a statement."""
    for together in ours.facts.values():
        for fact in together:
            if fact.when == "module" and not fact.dynamic and fact.via != "lazy":
                yield fact


def not_carried_out(certain: Certain, recorded: frozenset[Recorded], modules: frozenset[str]) -> dict[str, list[str]]:
    """Put every certain place that was not recorded below what is to be said of it."""
    seen = {(edge.importer, edge.imported, edge.line) for edge in recorded}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for fact, place in certain:
        if (*fact.edge, place.line) not in seen:
            base = fact.imported.rpartition(".")[0]
            elsewhere = fact.imported not in modules and (fact.importer, base, place.line) in seen
            reason = CANDIDATE if elsewhere else NOT_RUN
            found[reason].append(f"{fact.importer} -> {fact.imported} ({place}, {fact.via})")
    return dict(found)


def record(corpus: Corpus, modules: Sequence[str]) -> Recording:
    """Import all modules in one child, then each that failed there in a child of its own."""
    together = record_in_child(corpus, modules)
    if together is None:
        together = Recording(frozenset(), dict.fromkeys(modules, "the child that imported all of them died"))
    edges = set(together.edges)
    failed: dict[str, str] = {}
    for module, cause in together.failed.items():
        alone = record_in_child(corpus, [module]) or Recording(frozenset(), {module: f"its child died ({cause})"})
        edges |= alone.edges
        failed.update(alone.failed)
    return Recording(frozenset(edges), failed)


def record_in_child(corpus: Corpus, modules: Sequence[str]) -> Recording | None:
    """Return what one child recorded; None where it died or hung before it could answer."""
    if not corpus.importable_python.exists():
        raise MissingError(f"{corpus.importable_python} is missing; run `python -m benchmarks.install --importable`")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        request, answer = folder / "request.json", folder / "answer.json"
        request.write_text(
            json.dumps({"package": corpus.package, "modules": list(modules), "setup": corpus.setup or ""}),
            encoding="utf-8",
        )
        command = [str(corpus.importable_python), "-W", "ignore", str(RECORDER), str(request), str(answer)]
        return read_answer(answer) if ended(command, folder) else None


def ended(command: Sequence[str], folder: Path) -> bool:
    """Run the child, with nothing to read and nowhere to write; return whether it ended well in time."""
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def read_answer(path: Path) -> Recording | None:
    if not path.exists():
        return None
    said = json.loads(path.read_text(encoding="utf-8"))
    return Recording(frozenset(Recorded(*edge) for edge in said["edges"]), said["failed"], said["names"])


def hold(recorded: frozenset[Recorded], ours: Edges, modules: frozenset[str]) -> dict[str, list[str]]:
    """Put every recorded edge that one of the modules carried out below what is to be said of it."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for edge in sorted(recorded):
        if edge.importer in modules:
            found[judge(edge, ours, modules)].append(str(edge))
    return dict(found)


def judge(edge: Recorded, ours: Edges, modules: frozenset[str]) -> str:
    if edge.importer == edge.imported:
        return ITSELF
    if edge.via == "parent" and edge.imported not in modules:
        return ELSEWHERE
    facts = ours.facts.get((edge.importer, edge.imported), ())
    if edge.how == "statement":
        return judge_statement(edge, facts)
    if any(fact.when != "type_only" for fact in facts):
        return KNOWN
    return COMPUTED if edge.importer in ours.dynamic_modules else MISSING


def judge_statement(edge: Recorded, facts: Sequence[Fact]) -> str:
    """Return whether one of the facts says what the interpreter did: there, and then."""
    here = [fact for fact in facts if fact.stands_at(edge.line)]
    if not here:
        return MISPLACED if facts else MISSING
    running = [fact for fact in here if fact.when != "type_only"]
    if not running:
        return TYPE_ONLY
    return KNOWN if edge.when == "deferred" or any(fact.when == "module" for fact in running) else DEFERRED


def is_wrong(reason: str) -> bool:
    return reason.startswith("WRONG")


def print_outcome(requirement: str, outcome: Outcome, shown: int) -> None:
    print(f"{requirement}: {outcome.modules} modules, {len(outcome.failed)} could not be imported")
    print_failures(outcome.failed)
    for reason, lines in outcome.found.items():
        if reason != KNOWN:
            print_sorted(f"{len(lines)} {reason}", lines, EVERYTHING if is_wrong(reason) else shown)


def print_failures(failed: Mapping[str, str]) -> None:
    """Name every module that could not be imported, below its cause."""
    causes: defaultdict[str, list[str]] = defaultdict(list)
    for module, cause in failed.items():
        causes[cause].append(module)
    for cause, modules in sorted(causes.items()):
        print(f"  {len(modules)} not imported, {cause}:")
        print(textwrap.fill(", ".join(sorted(modules)), 110, initial_indent="    ", subsequent_indent="    "))


def print_summary(outcomes: Mapping[str, Outcome]) -> None:
    rows: list[list[object]] = [
        ["modules", *(outcome.modules for outcome in outcomes.values())],
        ["could not be imported", *(len(outcome.failed) for outcome in outcomes.values())],
        ["recorded edges, by line", *(outcome.recorded for outcome in outcomes.values())],
        *([reason, *(len(o.found.get(reason, ())) for o in outcomes.values())] for reason in REASONS),
        ["our edges that loading has to carry out, by line", *(outcome.certain for outcome in outcomes.values())],
        *([reason, *(len(o.found.get(reason, ())) for o in outcomes.values())] for reason in ABSENCES),
    ]
    print_table(["", *outcomes], rows)


if __name__ == "__main__":
    raise SystemExit(main())
