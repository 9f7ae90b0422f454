"""How complex are functions, and how deep do their blocks go? As ruff rates them, with nothing that could hide one.

Neither its configuration nor `# noqa` nor an ignore file of the judged tree is heard: ruff runs isolated, is given each
file by name, and told both limits.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abutment.sources.file_names import text_of_path
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.output import BY_HAND, Output
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.ruff import Ruff
from abutment.sources.tools.ruff_output import parse_ruff

BRANCHES, NESTING = "C901", "PLR1702"  # complex-structure, too-many-nested-blocks (a rule of ruff's preview)
_SHAPES = {
    BRANCHES: re.compile(r"`(?P<name>.+)` is too complex \((?P<figure>\d+) > (?P<limit>\d+)\)"),
    NESTING: re.compile(r"Too many nested blocks \((?P<figure>\d+) > (?P<limit>\d+)\)"),
}
_ISOLATED = ("--isolated", "--preview", "--no-cache", "--no-fix", "--ignore-noqa", "--no-respect-gitignore")
_SELECTED = ("--select", f"{BRANCHES},{NESTING}", "--extend-select", "E902", "--output-format", "json")
_LETTERS = 24_000  # of file names in one command: Windows takes 32,767 in all


@dataclass(frozen=True, slots=True, order=True)
class Figure:
    """One place that ruff rates above a limit."""

    path: str
    line: int
    rule: str
    figure: int
    name: str = ""  # of the function; the rule on nesting names none


@dataclass(frozen=True, slots=True)
class Rating:
    """A ruff, and what it is asked."""

    ruff: Ruff
    newest: str  # the newest Python that it knows ("py314"): any syntax may stand in a file
    limits: tuple[tuple[str, int], ...]  # by rule; what is above is rated

    def of_files(self, paths: Sequence[str]) -> list[Figure]:
        """Return what is above a limit in these files; raises NotJudged unless every one of them was rated."""
        return sorted(one for some in batches(paths) for one in self._asked(some, PathsBelow(self.ruff.folder)))

    def of_text(self, text: str) -> list[Figure]:
        """Return what is above a limit in a text; it is kept for as long as that takes, outside of the judged tree."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rated.py").write_text(text, encoding="utf-8", newline="")
            return sorted(self._asked((text_of_path(Path(folder) / "rated.py"),), PathsBelow(Path(folder))))

    def _asked(self, paths: Sequence[str], below: PathsBelow) -> Iterator[Figure]:
        limits = dict(self.limits)
        set_to = (
            f"lint.mccabe.max-complexity={limits[BRANCHES]}",
            f"lint.pylint.max-nested-blocks={limits[NESTING]}",
        )
        told = (word for setting in set_to for word in ("--config", setting))
        asked = ("check", *_ISOLATED, "--target-version", self.newest, *_SELECTED, *told, "--", *paths)
        yield from parse_figures(self.ruff.said(*asked), below, limits)


def parse_figures(output: Output, paths: PathsBelow, limits: dict[str, int]) -> Iterator[Figure]:
    """Yield what ruff says of figures.

    Raises NotJudged unless it ended as it does when it has done its work, said nothing on stderr, and every diagnostic
    is one of the two rules, with a figure above the limit that was asked for.
    """
    output.require_silence()
    for one in parse_ruff(output, paths):
        yield _figure(output, one, limits)


def _figure(output: Output, one: Diagnostic, limits: dict[str, int]) -> Figure:
    shape = _SHAPES.get(one.code)
    found = shape.fullmatch(one.message) if shape else None
    if found is None:
        raise output.fault(f"says what is no figure: {one.path}:{one.line}: {one.code}: {one.message}.", BY_HAND)
    figure, limit = int(found["figure"]), int(found["limit"])
    if limit != limits[one.code] or figure <= limit:
        asked = f"{one.code} above {limits[one.code]}"
        raise output.fault(f"was asked for {asked}, and says of {one.path}:{one.line}: {one.message}.", BY_HAND)
    return Figure(one.path, one.line, one.code, figure, found.groupdict().get("name", ""))


def newest_python(ruff: Ruff) -> str:
    """Return the newest Python that this ruff knows, as it is called on its command line; raises NotJudged without."""
    said = ruff.said("check", "--help")
    said.require_status(0)
    known = re.findall(r"\bpy3(\d+)\b", said.text())
    if not known:
        raise said.fault("does not say which versions of Python it knows.", "It takes 0.4 or newer.")
    return f"py3{max(map(int, known))}"


def batches(paths: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the paths in order, as many at a time as fit on a command line."""
    batch: list[str] = []
    letters = 0
    for path in paths:
        if batch and letters + len(path) > _LETTERS:
            yield tuple(batch)
            batch, letters = [], 0
        batch.append(path)
        letters += len(path) + 1
    if batch:
        yield tuple(batch)
