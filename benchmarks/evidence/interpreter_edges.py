"""Does the interpreter carry out an import that we do not know of? It is the last word on what Python means.

    python -m benchmarks.evidence.interpreter_edges [--all] [CORPUS…]

One child process imports every module of the package with `__import__` wrapped, and fresh ones import what failed
there. Each edge recorded inside the package has to be among ours, of any kind but type_only, or stand in a module
that we report as importing dynamically. Modules that could not be imported are named with the cause: about their
imports this says nothing. Status 1 where an edge is missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import (
    ABUTMENT_PYTHON,
    CORPORA,
    HERE,
    Corpus,
    MissingError,
    chosen,
    clean_environment,
    lay_out,
    module_names,
    run_quietly,
)
from benchmarks.evidence.edges import Edges, edges_of, print_sorted

RECORDER = HERE / "evidence" / "recorder.py"
TIMEOUT = 600.0

Recorded = frozenset[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Recording:
    """What the interpreter did, and the modules it could not import."""

    edges: Recorded
    failed: Mapping[str, str]  # module -> cause


@dataclass(frozen=True, slots=True)
class Outcome:
    """The recorded edges, each in one of four places."""

    known: int
    dynamic: tuple[str, ...]  # computed at run time, in modules that we report as dynamic
    type_only: tuple[str, ...]  # carried out, though we say that only the type checker reads them
    missing: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.interpreter_edges", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every line")
    parser.add_argument("corpus", nargs="*", help="by default all that can be imported")
    options = parser.parse_args(arguments)
    names = options.corpus or [corpus.name for corpus in CORPORA if corpus.setup is not None]
    wrong = 0
    for corpus in chosen(names):
        wrong += report(corpus, shown=10**9 if options.all else 10)
    return 1 if wrong else 0


def report(corpus: Corpus, shown: int) -> int:
    """Compare one corpus and print the outcome; return how many edges were wrong."""
    with tempfile.TemporaryDirectory() as folder:
        tree = lay_out(corpus, Path(folder) / "tree")
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init"], cwd=tree, accept=(0, 2))
        ours = edges_of(tree, corpus.package)
    modules = tuple(module_names(corpus.folder, corpus.package))
    recording = record(corpus, modules)
    outcome = hold(recording.edges, ours)
    print(f"{corpus.requirement}: {len(modules)} modules, {len(recording.failed)} could not be imported")
    print(f"  {len(recording.edges)} edges recorded, {outcome.known} among ours")
    print_sorted("reported dynamic", outcome.dynamic, shown)
    print_failures(recording.failed)
    print_sorted("WRONG: carried out, but type_only here", outcome.type_only, 10**9)
    print_sorted("WRONG: missing here", outcome.missing, 10**9)
    return len(outcome.type_only) + len(outcome.missing)


def print_failures(failed: Mapping[str, str]) -> None:
    """Name every module that could not be imported, below its cause."""
    causes: defaultdict[str, list[str]] = defaultdict(list)
    for module, cause in failed.items():
        causes[cause].append(module)
    for cause, modules in sorted(causes.items()):
        print(f"  {len(modules)} not imported, {cause}:")
        print(textwrap.fill(", ".join(sorted(modules)), 110, initial_indent="    ", subsequent_indent="    "))


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
    return Recording(frozenset((a, b, how) for a, b, how in said["edges"]), said["failed"])


def hold(recorded: Recorded, ours: Edges) -> Outcome:
    """Put every recorded edge where it belongs."""
    known = 0
    dynamic, type_only, missing = [], [], []
    for importer, imported, how in sorted(recorded):
        facts = ours.facts.get((importer, imported), ())
        line = f"{importer} -> {imported} ({how})"
        if any(fact.when != "type_only" for fact in facts):
            known += 1
        elif how != "statement" and importer in ours.dynamic_modules:
            dynamic.append(line)
        elif facts:
            type_only.append(line)
        else:
            missing.append(line)
    return Outcome(known, tuple(dynamic), tuple(type_only), tuple(missing))


if __name__ == "__main__":
    raise SystemExit(main())
