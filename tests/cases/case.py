"""One case of `fixtures/cases`, copied into a folder and put to the whole tool."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.tool import Answer, Tool

CASES = Path(__file__).parents[2] / "fixtures" / "cases"

Row = dict[str, Any]
Edge = tuple[str, str, str, str]  # importer, imported, the case's word for its kind, place


@dataclass(frozen=True)
class Case:
    """What stands in one `case.toml`, and where its files are."""

    folder: Path
    document: Mapping[str, Any]

    @property
    def input(self) -> Path:
        return self.folder / "input"

    @property
    def expected(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.document["expected"]
        return found

    def edges(self) -> set[Edge]:
        """Every edge that the case expects."""
        return {(one["from"], one["to"], one["kind"], one["at"]) for one in self.expected.get("edges", [])}

    def places(self, key: str, *kinds: str) -> list[tuple[str, str]]:
        """Return (place, what) of the case's `facts`, `absent_facts` or `problems` of these kinds."""
        return [(one.get("at", ""), one.get("what", "")) for one in self.expected[key] if one["kind"] in kinds]


def case(number: str) -> Case:
    """Return the case of that number."""
    (folder,) = CASES.glob(f"{number}-*")
    return Case(folder, tomllib.loads((folder / "case.toml").read_text(encoding="utf-8")))


def word_of(row: Row) -> str:
    """Return what the cases call an import's kind; how it is spelt (dynamic, lazy) is no kind to them."""
    if row["when"] == "type_only":
        return "type_only"
    if row["via"] == "parent":
        return "implied_parent"
    if row["when"] == "deferred":
        return "deferred"
    return "runtime_optional" if row["optional"] else "runtime"


def place_of(row: Row) -> str:
    """Return where a row stands, as the cases write it."""
    return f"{row['path']}:{row['line']}"


@dataclass(frozen=True)
class Judged:
    """One `check`, as its JSON report tells it."""

    status: int
    report: Mapping[str, Any]

    def gate(self, name: str) -> Mapping[str, Any]:
        """Return one gate's verdict."""
        (found,) = [gate for gate in self.report["gates"] if gate["gate"] == name]
        return dict(found)

    def violations(self, name: str) -> list[Row]:
        """Return one gate's violations."""
        return list(self.gate(name)["violations"])

    def told(self, name: str) -> list[tuple[str, str, str]]:
        """Return (kind, "importer -> imported", first place or "") of each of a gate's violations."""
        return [
            (
                one["kind"],
                f"{one['identity']['importer']} -> {one['identity']['imported']}",
                place_of(one["sites"][0]) if one["sites"] else "",
            )
            for one in self.violations(name)
        ]

    def faults(self) -> list[tuple[str, int, str]]:
        """Return (path, line, message) of all that kept anything from being judged."""
        return [(one["path"], one["line"], one["message"]) for one in self.report["faults"]]


@dataclass(frozen=True)
class Project:
    """A folder with sources and a configuration, and the whole tool to be asked about it."""

    tool: Tool

    @property
    def root(self) -> Path:
        return self.tool.root

    def configure(self, text: str) -> None:
        self.tool.write({"abutment.toml": text})

    def copy(self, source: Path) -> None:
        """Add a tree's files to the project, over those that are there."""
        shutil.copytree(source, self.root, dirs_exist_ok=True)

    def replace(self, source: Path) -> None:
        """Put a tree in the place of all sources; configuration and documents stay."""
        for folder in {path.name for path in source.iterdir()}:
            shutil.rmtree(self.root / folder, ignore_errors=True)
        self.copy(source)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files from bytes."""
        for path, data in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def record(self, *words: str) -> Answer:
        """Run `init`, which has to succeed."""
        answer = self.tool("init", *words)
        assert answer.status == 0, answer.out + answer.err
        return answer

    def record_bare(self) -> None:
        """Record the law as it was when every file was empty; the files are then as they were."""
        sources = {path: path.read_bytes() for path in self.root.rglob("*.py")}
        for path in sources:
            path.write_bytes(b"")
        self.record()
        for path, data in sources.items():
            path.write_bytes(data)

    def imports(self) -> list[Row]:
        """Return one row for every place of every import."""
        return self._rows("imports")

    def blindspots(self) -> list[Row]:
        """Return one row for every place of every blind spot."""
        return self._rows("blindspots")

    def _rows(self, family: str) -> list[Row]:
        answer = self.tool("facts", family, "--sites", "--format", "json")
        assert answer.status in {0, 2}, answer.err
        rows: list[Row] = json.loads(answer.out)["sites"]
        return rows

    def modules(self) -> list[str]:
        """Return what stands behind each module name, as `pkg.a (source): pkg/a.py`."""
        return self.tool("list", "modules").out.splitlines()

    def files(self) -> list[str]:
        """Return what became of every file, as `pkg/a.py: module pkg.a`."""
        lines: list[str] = json.loads(self.tool("config", "--files", "--format", "json").out)["files"]
        return lines

    def check(self, *words: str) -> Judged:
        answer = self.tool("check", *words, "--format", "json")
        report = json.loads(answer.out)
        assert report["exit_status"] == answer.status
        return Judged(answer.status, report)


def edges_of(rows: Iterable[Row], among: Callable[[Row], bool]) -> set[Edge]:
    """Return the edges of those rows that are meant, in the cases' words."""
    return {(row["importer"], row["imported"], word_of(row), place_of(row)) for row in rows if among(row)}
