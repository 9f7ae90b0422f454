"""What does abutment say about a package's uses? One row a place, read from the documented output alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, run_quietly


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One place of one fact."""

    path: str
    line: int
    kind: str
    what: str
    through: str = ""
    target: str = ""
    operation: str = ""
    end_line: int = 0

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


def sites_of(tree: Path, package: str, family: str, settings: str = "") -> list[Row]:
    """Ask the installed abutment about the package at `tree`; `settings` says what the family watches there."""
    law = f'roots = ["{package}"]\ngates = ["{family}"]\n{settings}'
    (tree / "abutment.toml").write_text(law, encoding="utf-8")
    command = [str(ABUTMENT_PYTHON), "-m", "abutment", "facts", family, "--sites", "--format", "json", "--no-cache"]
    return [row_of(one) for one in json.loads(run_quietly(command, cwd=tree))["sites"]]


def row_of(one: dict[str, object]) -> Row:
    """Return a row of the report; raises KeyError where it lacks a field that every family has."""
    line, end_line = one["line"], one.get("end_line", 0)
    assert isinstance(line, int) and isinstance(end_line, int)
    names = ("path", "kind", "what")
    path, kind, what = (str(one[name]) for name in names)
    through, target, operation = (str(one.get(name, "")) for name in ("through", "target", "operation"))
    return Row(path, line, kind, what, through, target, operation, end_line)


def source_line(tree: Path, place: str) -> str:
    """Return what stands at `path:line`."""
    path, _, line = place.rpartition(":")
    return (tree / path).read_text(encoding="utf-8").splitlines()[int(line) - 1].strip()


def lines_with_source(tree: Path, places: Sequence[str]) -> list[str]:
    return [f"{place}: {source_line(tree, place)}" for place in places]
