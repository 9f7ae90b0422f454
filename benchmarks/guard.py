"""What does the guard add to a check, on a thousand modules with history? Interleaved, as `benchmarks.run` does it.

    python -m benchmarks.guard [--rounds 7]

Two branches are judged: an ordinary one, that changes some modules and approves one thing, and one that renames a
package of which the configuration speaks, with all its debt: there the guard has to look through both codebases.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, clean_environment
from benchmarks.generated import Repository, Shape
from benchmarks.install import install_abutment
from benchmarks.process import Command, seconds
from benchmarks.run import Measure, Target, Times, machine, measure, print_ratios, print_times

LIMIT = 1.5
BRANCHES: dict[str, Callable[[Repository], None]] = {
    "ordinary": lambda repository: repository.edit(20),
    "renaming": lambda repository: repository.rename("big.p2", "big.q2"),
}
TARGETS = tuple(
    Target(f"{name} guarded {state}", f"{name} check {state}", LIMIT) for name in BRANCHES for state in ("cold", "warm")
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args(arguments)
    install_abutment()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        measures = [one for name in BRANCHES for one in measures_of(name, Path(folder), Shape())]
        times = measure(measures, options.rounds)
    print_times(times)
    return 1 if print_missed(times) else 0


def measures_of(name: str, folder: Path, shape: Shape) -> list[Measure]:
    """Return the runs on a branch of a fresh repository: a check alone, and one that asks the guard as well."""
    root, cache = folder / name, folder / f"{name} cache"
    root.mkdir()
    repository = Repository(root, shape)
    repository.git("checkout", "--quiet", "-b", "feature")
    BRANCHES[name](repository)
    repository.commit(name)

    def run(*words: str) -> Command:
        arguments = (str(ABUTMENT_PYTHON), "-m", "abutment", "check", *words, "--cache-dir", str(cache))
        return Command(arguments, root, clean_environment(), accept=(0, 1))

    def cold(_round: int) -> None:
        shutil.rmtree(cache, ignore_errors=True)

    def warm(_round: int) -> None:
        seconds(run())

    kinds = {"check": run(), "guarded": run("--against", "main"), "guard alone": run("guard")}
    states = {"cold": cold, "warm": warm}
    return [
        Measure(f"{name} {kind} {state}", command, prepare)
        for kind, command in kinds.items()
        for state, prepare in states.items()
    ]


def print_missed(times: Times) -> int:
    """Print each ratio beside what was promised; return how many were missed."""
    return print_ratios(TARGETS, times, lambda _target: True)


if __name__ == "__main__":
    raise SystemExit(main())
