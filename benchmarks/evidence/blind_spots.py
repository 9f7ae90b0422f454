"""Are our blind spots true, and do we say of every place where we are blind that we are?

    python -m benchmarks.evidence.blind_spots [CORPUS…]

- Every call of something named `import_module` or `__import__` has to be a blind spot or a constant import.
- Every other blind spot (a missing module or name, a file that no import reaches …) is printed, to be looked at.
- Where the modules can be imported: a file that takes every name from every module, as the interpreter found them, is
  added to the package. None of them may be reported as missing. A second file takes a name that no module has; it
  should be reported for all modules but those whose names are open (`globals()`, `__getattr__`, `exec` …).

Status 1 where a call is nowhere, or an existing name is called missing.
"""

from __future__ import annotations

import argparse
import ast
import keyword
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import Corpus, chosen, module_names, python_files
from benchmarks.evidence.edges import EVERYTHING, Place, ask, print_sorted, print_table, read_facts, read_places
from benchmarks.evidence.interpreter_edges import record_in_child
from benchmarks.evidence.project import initialized

IMPORTERS = ("import_module", "__import__")
NO_SUCH_NAME = "no_module_has_this_name"
NAMES_FILE, GONE_FILE = "abutment_probe_names", "abutment_probe_gone"
SET_BY_WARNINGS = "__warningregistry__"  # appears in a module once it has warned

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Calls:
    """Where the calls named like an importer stand in our facts."""

    total: int
    blind: int
    constant: int
    nowhere: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Probed:
    """What we said of names that exist, and of one that does not."""

    names: int
    modules: int
    by_extension: tuple[str, ...]  # called missing, written by an extension module
    wrong: tuple[str, ...]  # called missing, though they exist
    gone: int  # modules of which the name that does not exist was called missing


@dataclass(frozen=True, slots=True)
class Outcome:
    """All of one corpus."""

    kinds: Mapping[str, int]
    others: tuple[str, ...]  # blind spots that are no dynamic imports
    calls: Calls
    probed: Probed | None

    @property
    def wrong(self) -> int:
        return len(self.calls.nowhere) + (len(self.probed.wrong) if self.probed else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.blind_spots", description=__doc__)
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    outcomes = {corpus.requirement: examine(corpus) for corpus in chosen(options.corpus)}
    for requirement, outcome in outcomes.items():
        print_outcome(requirement, outcome)
    print_summary(outcomes)
    return 1 if any(outcome.wrong for outcome in outcomes.values()) else 0


def examine(corpus: Corpus) -> Outcome:
    with initialized(corpus) as tree:
        rows = ask(tree, "blindspots")
        kinds: Counter[str] = Counter()
        for row in rows:
            kinds[str(row["kind"])] += len(read_places(row["sites"]))
        others = tuple(describe(row) for row in rows if row["kind"] != "dynamic")
        calls = compare_calls(importer_calls(tree), places(rows), constant_places(tree))
        probed = None if corpus.setup is None else probe(corpus, tree)
    return Outcome(kinds, others, calls, probed)


def describe(row: Mapping[str, object]) -> str:
    where = ", ".join(map(str, read_places(row["sites"])))
    return f"{row['kind']}: {row['module']}: {row['what']} ({where})"


def places(rows: Rows) -> frozenset[Place]:
    return frozenset(place for row in rows if row["kind"] == "dynamic" for place in read_places(row["sites"]))


def constant_places(tree: Path) -> frozenset[Place]:
    facts = read_facts(ask(tree, "imports"))
    return frozenset(place for fact in facts if fact.dynamic for place in fact.places)


def importer_calls(tree: Path) -> list[Place]:
    """Return where something named like an importer is called."""
    return [
        Place(path.relative_to(tree).as_posix(), node.lineno)
        for path in python_files(tree)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call) and called(node.func) in IMPORTERS
    ]


def called(function: ast.expr) -> str:
    """Return the last name of what is called."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def compare_calls(calls: Sequence[Place], blind: frozenset[Place], constant: frozenset[Place]) -> Calls:
    return Calls(
        total=len(calls),
        blind=sum(place in blind for place in calls),
        constant=sum(place in constant and place not in blind for place in calls),
        nowhere=tuple(place for place in calls if place not in blind | constant),
    )


def probe(corpus: Corpus, tree: Path) -> Probed:
    """Add the two files to the project and read what we say of them."""
    recording = record_in_child(corpus, sorted(module_names(tree, corpus.package)))
    if recording is None:
        raise SystemExit(f"the child that imported {corpus.requirement} died")
    held = {module: names for module, names in recording.names.items() if can_be_written(module)}
    taken = [(module, name) for module, names in held.items() for name in names if name != SET_BY_WARNINGS]
    write_probe(tree / corpus.package / f"{NAMES_FILE}.py", taken)
    write_probe(tree / corpus.package / f"{GONE_FILE}.py", [(module, NO_SUCH_NAME) for module in held])
    missing = sorted(missing_in(ask(tree, "blindspots"), f"{corpus.package}.{NAMES_FILE}"))
    gone = missing_in(ask(tree, "blindspots"), f"{corpus.package}.{GONE_FILE}")
    binaries = [path.read_bytes() for path in sorted(tree.rglob("*.so"))]
    by_extension = [name for name in missing if any(name.rpartition(".")[2].encode() in text for text in binaries)]
    return Probed(
        names=len(taken),
        modules=len(held),
        by_extension=tuple(by_extension),
        wrong=tuple(name for name in missing if name not in by_extension),
        gone=len(gone),
    )


def can_be_written(module: str) -> bool:
    """Return whether an import statement can spell the module; `django.conf.locale.is` it cannot."""
    return not any(map(keyword.iskeyword, module.split(".")))


def write_probe(file: Path, taken: Iterable[tuple[str, str]]) -> None:
    file.write_text("".join(f"from {module} import {name}\n" for module, name in taken), encoding="utf-8")


def missing_in(rows: Rows, module: str) -> set[str]:
    return {str(row["what"]) for row in rows if row["module"] == module}


def print_outcome(requirement: str, outcome: Outcome) -> None:
    print(f"{requirement}: {sum(outcome.kinds.values())} blind spots, {outcome.calls.total} calls of an importer")
    print_sorted("blind spots that are no dynamic import", outcome.others, EVERYTHING)
    print_sorted("WRONG: calls that are nowhere", list(map(str, outcome.calls.nowhere)), EVERYTHING)
    if outcome.probed:
        print_sorted("called missing, written by an extension module", outcome.probed.by_extension, EVERYTHING)
        print_sorted("WRONG: called missing, and is there", outcome.probed.wrong, EVERYTHING)


def print_summary(outcomes: Mapping[str, Outcome]) -> None:
    each = list(outcomes.values())
    rows: list[list[object]] = [
        ["blind spots of kind dynamic, by place", *(outcome.kinds.get("dynamic", 0) for outcome in each)],
        ["blind spots of any other kind", *(len(outcome.others) for outcome in each)],
        ["calls named `import_module` or `__import__`", *(outcome.calls.total for outcome in each)],
        ["of them blind spots", *(outcome.calls.blind for outcome in each)],
        ["of them constant imports", *(outcome.calls.constant for outcome in each)],
        ["WRONG: nowhere", *(len(outcome.calls.nowhere) for outcome in each)],
        *(list(row) for row in probe_rows([outcome.probed for outcome in each])),
    ]
    print_table(["", *outcomes], rows)


def probe_rows(probed: Sequence[Probed | None]) -> Iterator[Sequence[object]]:
    yield ["names that exist, each imported", *(one.names if one else "" for one in probed)]
    yield ["called missing: written by an extension module", *(len(one.by_extension) if one else "" for one in probed)]
    yield ["WRONG: called missing", *(len(one.wrong) if one else "" for one in probed)]
    yield ["modules asked for a name that does not exist", *(one.modules if one else "" for one in probed)]
    yield ["reported as missing (the others' names are open)", *(one.gone if one else "" for one in probed)]


if __name__ == "__main__":
    raise SystemExit(main())
