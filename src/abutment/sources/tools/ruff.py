"""How is ruff asked for everything that it finds under the project's own settings, and nothing written on the way?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abutment.sources.tools.output import Output, lines_of, run_tool
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.ruff_output import require_harmless
from abutment.sources.tools.ruff_settings import RuffSettings, conditions_of, governed, read_settings

# Nothing is mended, whatever the configuration asks, and no cache is left in the judged tree. What ruff cannot read it
# says in the list where E902 is on.
OPTIONS = ("--output-format", "json", "--no-fix", "--no-fix-only", "--no-cache", "--extend-select", "E902")
_VERSION = re.compile(r"ruff (?P<version>(?P<major>\d+)\.(?P<minor>\d+)\S*)")
_OLDEST = (0, 4)  # the first whose settings name no pattern by the letters of its absolute path


@dataclass(frozen=True, slots=True)
class Ruff:
    """A ruff, and how it is asked."""

    command: tuple[str, ...]  # how it is called
    folder: Path  # in which it runs
    seconds: float  # how long each of its processes may take: one that judges, and one that only tells its settings

    def said(self, *words: str) -> Output:
        """Return what it prints; raises NotJudged where it does not end in time."""
        return run_tool("ruff", (*self.command, *words), self.folder, seconds=self.seconds)


def version_of(ruff: Ruff) -> str:
    """Return ruff's version; raises NotJudged where it does not say one, or one that is too old."""
    said = ruff.said("--version")
    said.require_status(0)
    found = _VERSION.match(said.text())
    if found is None:
        raise said.fault("does not say its version.", "Install it, or name its `command`.")
    if (int(found["major"]), int(found["minor"])) < _OLDEST:
        raise said.fault(
            f"is {found['version']}, which does not tell its settings well enough.", "It takes 0.4 or newer."
        )
    return found["version"]


def files_of(ruff: Ruff, targets: Sequence[str]) -> frozenset[str]:
    """Return the files that ruff judges, relative to the root; raises NotJudged where there is none."""
    said = _asked(ruff, "--show-files", *targets)
    paths = PathsBelow(ruff.folder)
    found = frozenset(paths.relative(line) for _number, line in lines_of(said.text()))
    if not found:
        raise said.fault("finds no file to judge.", "See what its `include` and `exclude` select.")
    return found


def settings_of(ruff: Ruff, files: Iterable[str]) -> Mapping[str, RuffSettings]:
    """Return the settings under which these files are judged, by the folder that configures them."""
    asked = governed(files, ruff.folder)
    return {name: read_settings(_asked(ruff, "--show-settings", path)) for name, path in asked.items()}


def ruff_conditions(ruff: Ruff, files: Iterable[str]) -> dict[str, str]:
    """Return under which conditions this ruff judges these files: its version, what is switched on, and the rest."""
    return {"ruff": version_of(ruff)} | conditions_of(settings_of(ruff, files))


def name_today(ruff: Ruff, code: str, path: str) -> str:
    """Return what ruff calls a rule that it once called `code`; "" where it knows none. `path` is any file of it."""
    said = ruff.said("check", "--isolated", "--preview", "--select", code, "--show-settings", path)
    found = re.search(
        rf"`{re.escape(code)}` has been remapped to `(?P<code>\w+)`", said.stderr.decode("utf-8", "replace")
    )
    return found["code"] if found else ""


def _asked(ruff: Ruff, *what: str) -> Output:
    said = ruff.said("check", *what)
    said.require_status(0)
    require_harmless(said)
    return said
