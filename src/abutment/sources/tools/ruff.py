"""How is ruff asked for everything that it finds under the project's own settings, and nothing written on the way?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
_QUICK = 120  # seconds for what judges nothing


def version_of(ruff: Sequence[str], folder: Path) -> str:
    """Return ruff's version; raises NotJudged where it does not say one, or one that is too old."""
    said = run_tool("ruff", (*ruff, "--version"), folder, seconds=_QUICK)
    said.require_status(0)
    found = _VERSION.match(said.text())
    if found is None:
        raise said.fault("does not say its version.", "Install it, or name its `command`.")
    if (int(found["major"]), int(found["minor"])) < _OLDEST:
        raise said.fault(
            f"is {found['version']}, which does not tell its settings well enough.", "It takes 0.4 or newer."
        )
    return found["version"]


def files_of(ruff: Sequence[str], targets: Sequence[str], folder: Path) -> frozenset[str]:
    """Return the files that ruff judges, relative to the root; raises NotJudged where there is none."""
    said = _asked(ruff, ("--show-files", *targets), folder)
    paths = PathsBelow(folder)
    found = frozenset(paths.relative(line) for _number, line in lines_of(said.text()))
    if not found:
        raise said.fault("finds no file to judge.", "See what its `include` and `exclude` select.")
    return found


def settings_of(ruff: Sequence[str], files: Iterable[str], folder: Path) -> Mapping[str, RuffSettings]:
    """Return the settings under which these files are judged, by the folder that configures them."""
    asked = governed(files, folder)
    return {name: read_settings(_asked(ruff, ("--show-settings", path), folder)) for name, path in asked.items()}


def ruff_conditions(ruff: Sequence[str], files: Iterable[str], folder: Path) -> dict[str, str]:
    """Return under which conditions this ruff judges these files: its version, what is switched on, and the rest."""
    return {"ruff": version_of(ruff, folder)} | conditions_of(settings_of(ruff, files, folder))


def name_today(ruff: Sequence[str], code: str, path: str, folder: Path) -> str:
    """Return what ruff calls a rule that it once called `code`; "" where it knows none. `path` is any file of it."""
    asked = ("check", "--isolated", "--preview", "--select", code, "--show-settings", path)
    said = run_tool("ruff", (*ruff, *asked), folder, seconds=_QUICK)
    found = re.search(
        rf"`{re.escape(code)}` has been remapped to `(?P<code>\w+)`", said.stderr.decode("utf-8", "replace")
    )
    return found["code"] if found else ""


def _asked(ruff: Sequence[str], what: Sequence[str], folder: Path) -> Output:
    said = run_tool("ruff", (*ruff, "check", *what), folder, seconds=_QUICK)
    said.require_status(0)
    require_harmless(said)
    return said
