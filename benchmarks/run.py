"""Is abutment as fast as we say? Interleaved whole-process runs beside its peers and beside the floor.

    python -m benchmarks.run [--rounds 7] [--json FILE] [CORPUS…]     (django and homeassistant by default)

Every round runs every command once, in an order that rotates; ratios are taken within a round, and the median of
the ratios is what is printed. Nothing is compared across runs. A missed target is printed as MISS and makes the
status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.catalogue import (
    ABUTMENT_PYTHON,
    HERE,
    PEERS_PYTHON,
    Corpus,
    chosen,
    clean_environment,
    lay_out,
    python_files,
    run_quietly,
)
from benchmarks.install import install_abutment
from benchmarks.process import MIB, Command, Memory, peak_memory, seconds

Times = dict[str, list[float]]

GRIMP = """
import sys, grimp
graph = grimp.build_graph(sys.argv[1], cache_dir=sys.argv[2])
print(len(graph.modules), graph.count_imports())
"""
CONTRACT = """
[importlinter]
root_package = {package}

[importlinter:contract:cheapest]
name = One lookup, so that what is measured is the graph
type = forbidden
source_modules = {package}.{source}
forbidden_modules = {package}.{target}
allow_indirect_imports = True
"""


@dataclass(frozen=True, slots=True)
class Measure:
    """One command to time, and what has to be done to the tree before each run."""

    name: str
    command: Command
    prepare: Callable[[int], None]
    restore: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Target:
    """One promise: the median of `name` over `beside`, round by round, is at most `limit`."""

    name: str
    beside: str
    limit: float
    corpora: tuple[str, ...] = ("django", "homeassistant")

    def ratio(self, times: Times) -> float:
        return statistics.median(a / b for a, b in zip(times[self.name], times[self.beside], strict=True))


TARGETS = (
    Target("abutment cold", "floor", 2.0),
    Target("abutment unchanged", "import-linter warm", 1.0),
    Target("abutment fresh checkout", "import-linter warm", 1.0),
    Target("abutment unchanged", "grimp warm", 1.0, ("homeassistant",)),
    Target("abutment fresh checkout", "grimp warm", 1.0, ("homeassistant",)),
    Target("abutment one file changed", "import-linter one file changed", 1.0),
    Target("abutment --version", "bare interpreter", 6.0),
    Target("families cold", "floor", 3.0),
    Target("families unchanged", "abutment unchanged", 1.25),
    Target("families one file changed", "abutment one file changed", 2.0),
)
IMPORT_GATES = ("blindspots", "cycles", "boundaries")
FAMILIES = (
    *("egress", "blocking", "bans", "concurrency", "tasks"),
    *("effects", "transactions", "configuration", "locators", "events"),
)
MEMORY_LIMIT = 400 * MIB
AFTER_ALL_ROUNDS = 1_000_000


class Bench:
    """One corpus laid out in a folder of its own, with the caches of all who are measured beside it."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self.corpus = corpus
        self.tree = folder / "tree"
        self.caches = folder / "caches"
        self.environment = clean_environment() | {"XDG_CACHE_HOME": str(self.caches / "abutment")}
        self.tree.mkdir(parents=True)
        lay_out(corpus, self.tree)
        self.package = self.tree / corpus.package
        self.edited = max(python_files(self.package), key=lambda path: len(path.parts))
        self.original = self.edited.read_bytes()
        (self.tree / ".importlinter").write_text(cheapest_contract(self.package), encoding="utf-8")
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init"], cwd=self.tree)
        self.has_families = self._add_families()

    def _add_families(self) -> bool:
        """Switch all families on and record what they find, where `families/` says what they watch in this corpus."""
        watched = HERE / "families" / f"{self.corpus.name}.toml"
        if not watched.exists():
            return False
        settings = self.tree / "abutment.toml"
        text = settings.read_text(encoding="utf-8")
        gates = re.compile(r"^gates = \[.*\]$", re.MULTILINE)
        if not gates.search(text):
            raise SystemExit("benchmarks: what `abutment init` wrote names no gates on a line of their own")
        text = gates.sub(f"gates = {json.dumps([*IMPORT_GATES, *FAMILIES])}", text)
        settings.write_text(text + watched.read_text(encoding="utf-8"), encoding="utf-8")
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init", *FAMILIES], cwd=self.tree)
        return True

    def measures(self) -> tuple[Measure, ...]:
        abutment = str(ABUTMENT_PYTHON.with_name("abutment"))
        check = self.command(abutment, "check", *IMPORT_GATES)
        linter = self.command(
            str(PEERS_PYTHON.with_name("lint-imports")), "--no-logo", "--cache-dir", str(self.caches / "import-linter")
        )
        grimp = self.command(
            str(PEERS_PYTHON), "-c", GRIMP, self.corpus.package, str(self.caches / "grimp"), unsafe_path=True
        )
        floor = (str(ABUTMENT_PYTHON), str(HERE / "floor.py"), str(self.package))
        return (
            Measure("bare interpreter", self.command(str(ABUTMENT_PYTHON), "-c", "pass"), self.nothing),
            Measure("abutment --version", self.command(*check.arguments[:1], "--version"), self.nothing),
            Measure("floor", self.command(*floor), self.nothing),
            Measure("floor, no gc", self.command(*floor, "--no-gc"), self.nothing),
            Measure("abutment cold", check, self.forget("abutment")),
            Measure("abutment unchanged", check, self.warm(check)),
            Measure("abutment fresh checkout", check, self.checked_out_again(check)),
            Measure("abutment one file changed", check, self.edit(check), self.undo),
            Measure("import-linter cold", linter, self.forget("import-linter")),
            Measure("import-linter warm", linter, self.warm(linter)),
            Measure("import-linter one file changed", linter, self.edit(linter), self.undo),
            Measure("grimp warm", grimp, self.warm(grimp)),
            *(self._of_families(abutment) if self.has_families else ()),
        )

    def _of_families(self, abutment: str) -> tuple[Measure, ...]:
        """Return the same runs with all families on; in a cache of their own, as answers for imports help them."""
        check = self.command(abutment, "check", "--cache-dir", str(self.caches / "families"))
        check = replace(check, accept=(0, 1))  # consumers of events are only ever granted by people
        return (
            Measure("families cold", check, self.forget("families")),
            Measure("families unchanged", check, self.warm(check)),
            Measure("families one file changed", check, self.edit(check), self.undo),
        )

    def command(self, *arguments: str, unsafe_path: bool = False) -> Command:
        environment = self.environment | ({"PYTHONPATH": str(self.tree)} if unsafe_path else {})
        return Command(arguments, self.tree, environment)

    @staticmethod
    def nothing(_round: int) -> None:
        """Leave everything as it is."""

    def forget(self, who: str) -> Callable[[int], None]:
        return lambda _round: shutil.rmtree(self.caches / who, ignore_errors=True)

    def warm(self, command: Command) -> Callable[[int], None]:
        def prepare(_round: int) -> None:
            seconds(command)

        return prepare

    def checked_out_again(self, command: Command) -> Callable[[int], None]:
        def prepare(_round: int) -> None:
            seconds(command)
            shutil.rmtree(self.package)
            lay_out(self.corpus, self.tree)

        return prepare

    def edit(self, command: Command) -> Callable[[int], None]:
        def prepare(round_number: int) -> None:
            seconds(command)
            # New text in every round: the former round's is in a cache that goes by content.
            new = f"\n\ndef added_in_round_{round_number}():\n    import module_{round_number}\n"
            self.edited.write_bytes(self.original + new.encode())

        return prepare

    def undo(self) -> None:
        self.edited.write_bytes(self.original)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, help="also write every single time there")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    corpora = chosen(options.corpus or ["django", "homeassistant"])
    install_abutment()
    print(machine())
    results: dict[str, Times] = {}
    missed = 0
    for corpus in corpora:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(corpus, Path(folder))
            print_same_work(bench)
            results[corpus.name] = times = measure(bench.measures(), options.rounds)
            print_times(times)
            missed += print_targets(corpus, times)
            missed += print_memory(corpus, bench)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 1 if missed else 0


def measure(measures: Sequence[Measure], rounds: int) -> Times:
    """Run everything once unmeasured, then `rounds` times; each round starts with another command."""
    times: Times = {one.name: [] for one in measures}
    for number in range(rounds + 1):
        turn = number % len(measures)
        for one in (*measures[turn:], *measures[:turn]):
            one.prepare(number)
            elapsed = seconds(one.command)
            one.restore()
            if number:
                times[one.name].append(elapsed)
    return times


def print_same_work(bench: Bench) -> None:
    """Print how many modules and edges each of the two graphs has, as times mean nothing without."""
    grimp = next(one.command for one in bench.measures() if one.name == "grimp warm")
    counted = run_quietly(
        ["env", f"PYTHONPATH={bench.tree}", *grimp.arguments[:-1], bench.caches / "grimp"], cwd=bench.tree
    )
    modules, edges = counted.split()
    facts = json.loads(
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "facts", "imports", "--format", "json"], cwd=bench.tree)
    )["facts"]
    prefix = bench.corpus.package + "."
    ours = {(f["importer"], f["imported"]) for f in facts if (f["imported"] + ".").startswith(prefix)}
    written = {(f["importer"], f["imported"]) for f in facts if f["via"] != "parent"} & ours
    print(f"\n## {bench.corpus.requirement}: {len(python_files(bench.package))} files")
    print(f"grimp: {modules} modules, {edges} edges; abutment: {len(written)} edges, {len(ours)} with parents")


def print_times(times: Times) -> None:
    print(f"\n{'seconds':34}{'median':>9}{'least':>9}{'most':>9}")
    for name, values in times.items():
        print(f"{name:34}{statistics.median(values):9.3f}{min(values):9.3f}{max(values):9.3f}")


def print_targets(corpus: Corpus, times: Times) -> int:
    """Print each ratio beside what was promised for a corpus; return how many were missed."""
    return print_ratios(TARGETS, times, lambda target: corpus.name in target.corpora)


def print_ratios(targets: Sequence[Target], times: Times, is_promised: Callable[[Target], bool]) -> int:
    """Print each ratio beside its limit, where that is promised; return how many were missed."""
    print(f"\n{'median of paired ratios':66}{'is':>7}{'at most':>9}")
    missed = 0
    for target in targets:
        if target.name not in times:
            continue
        ratio = target.ratio(times)
        promised = is_promised(target)
        miss = promised and ratio > target.limit
        missed += miss
        limit = f"{target.limit:9.2f}" if promised else " " * 9
        print(f"{target.name + ' / ' + target.beside:66}{ratio:7.2f}{limit}{'  MISS' if miss else ''}")
    return missed


def print_memory(corpus: Corpus, bench: Bench) -> int:
    """Print the worst moment of each command's process tree; return how many of ours were above the limit."""
    print(f"\n{'MiB over the process tree':34}{'resident':>9}{'shared once':>13}")
    missed = 0
    for one in bench.measures():
        if one.name in {"bare interpreter", "abutment --version", "floor, no gc"}:
            continue
        one.prepare(AFTER_ALL_ROUNDS)
        memory = peak_memory(one.command)
        one.restore()
        miss = one.name.startswith("abutment") and memory.resident > MEMORY_LIMIT
        missed += miss
        print(memory_line(one.name, memory) + ("  MISS" if miss else ""))
    return missed


def memory_line(name: str, memory: Memory) -> str:
    return f"{name:34}{memory.resident / MIB:9.0f}{memory.proportional / MIB:13.0f}"


def cheapest_contract(package: Path) -> str:
    """Return an import-linter configuration with one contract that costs next to nothing beside the graph.

    Its two modules are two files of the package that never name each other.
    """
    names = sorted(path.stem for path in package.glob("*.py") if path.stem.isidentifier() and path.stem[0] != "_")
    names += sorted(path.parent.name for path in package.glob("*/__init__.py"))
    source, target = next((a, b) for a in names for b in reversed(names) if a != b and b not in text_of(package, a))
    return CONTRACT.format(package=package.name, source=source, target=target)


def text_of(package: Path, name: str) -> str:
    file = package / f"{name}.py"
    files = [file] if file.exists() else python_files(package / name)
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def machine() -> str:
    load = ", ".join(f"{figure:.2f}" for figure in os.getloadavg())
    return f"{platform.platform()}, {os.cpu_count()} cores, CPython {platform.python_version()}, load {load}"


if __name__ == "__main__":
    raise SystemExit(main())
