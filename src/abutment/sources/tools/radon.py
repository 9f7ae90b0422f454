"""How does radon rate the same functions? A second opinion, which is shown and never judged.

The form is that of `radon cc --json` (radon's documentation, "The cc command").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abutment.sources.tools.json_text import table_of
from abutment.sources.tools.output import BY_HAND, Output, run_tool
from abutment.sources.tools.place import PathsBelow, program_of
from abutment.sources.tools.ruff_figures import batches

Place = tuple[str, int]  # path, and the line of the `def`


@dataclass(frozen=True, slots=True)
class Rated:
    """One function, as radon names and rates it."""

    name: str
    figure: int


@dataclass(frozen=True, slots=True)
class Radon:
    """The radon of the judged project."""

    program: str
    version: str
    folder: Path
    seconds: int

    @classmethod
    def of(cls, folder: Path, seconds: int) -> Radon:
        """Return the project's own; raises NotJudged where it has none."""
        program = program_of("radon", folder)
        said = run_tool("radon", (program, "--version"), folder, seconds=seconds)
        said.require_status(0)
        found = re.match(r"\d+\.\S+", said.text())
        if found is None:
            raise said.fault("does not say its version.")
        return cls(program, found[0], folder, seconds)

    def rated(self, paths: Sequence[str]) -> Mapping[Place, Rated]:
        """Return every function of these files; raises NotJudged where the answer is not understood."""
        command = (self.program, "cc", "--json", "--show-closures")
        below = PathsBelow(self.folder)
        found: dict[Place, Rated] = {}
        for some in batches(paths):
            output = run_tool("radon", (*command, *some), self.folder, seconds=self.seconds)
            output.require_status(0)
            found.update(_rated(output, below))
        return found


def _rated(output: Output, below: PathsBelow) -> Iterator[tuple[Place, Rated]]:
    try:
        by_path = table_of(output.document())
        for path, blocks in by_path.items():
            for block in blocks if isinstance(blocks, list) else ():  # a table tells why a file could not be read
                yield from _of_block(below.relative(path), block)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise output.fault("printed what is not understood.", BY_HAND) from error


def _of_block(path: str, block: Mapping[str, object]) -> Iterator[tuple[Place, Rated]]:
    line, figure = block["lineno"], block["complexity"]
    if block["type"] != "class" and isinstance(line, int) and isinstance(figure, int):
        owner = block.get("classname")
        yield (path, line), Rated(f"{owner}.{block['name']}" if owner else str(block["name"]), figure)
