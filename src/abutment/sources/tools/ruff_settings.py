"""Under which settings does ruff judge a project? Its own resolved ones, without what differs between machines.

Ruff takes for each file the nearest configuration above it (its documentation, "Configuring Ruff"), so that a folder
with a `ruff.toml` is judged under settings of its own; each of them is asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from abutment.sources.file_names import path_named
from abutment.sources.tools.configuration import digest_of
from abutment.sources.tools.output import Output

ROOT = "."  # the configuration of the root, or of a folder above it
_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")
_SETTING = re.compile(r"^(?P<name>[a-z_]\w*\.[\w.]+) = ", re.MULTILINE)  # without a dot it is part of a pattern
_PROJECT = re.compile(r'^linter\.project_root = "(?P<root>.*)"$', re.MULTILINE)
_ENABLED = "linter.rules.enabled"
_RULE = re.compile(r"\((?P<code>[A-Z]+\d+)\)")
_JUDGES = ("linter.", "file_resolver.")  # what formats, mends, prints and keeps caches finds nothing
_FINDS_NOTHING = ("linter.rules.should_fix", "linter.safety_table", "linter.unsafe_fixes")
_GLOB = re.compile(r"(?=^\s*absolute_matcher = )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RuffSettings:
    """What one configuration comes to."""

    rules: tuple[str, ...]  # codes of what is switched on, sorted
    rest: bytes  # everything else that decides what is found, in one form on every machine


def governed(files: Iterable[str], folder: Path) -> Mapping[str, str]:
    """Return one file for each configuration that governs any of these files, by the configuration's folder."""
    found: dict[str, str] = {}
    configured = _Configured(folder)
    for path in sorted(files):
        found.setdefault(configured.above(path), path)
    return found


class _Configured:
    """Which folders below the root configure ruff."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, bool] = {}

    def above(self, path: str) -> str:
        """Return the nearest folder above a file that configures ruff; the root where none below it does."""
        parents = (parent.as_posix() for parent in PurePosixPath(path).parents)
        return next((one for one in parents if one != ROOT and self._configures(one)), ROOT)

    def _configures(self, folder: str) -> bool:
        if folder not in self._known:
            self._known[folder] = any(_speaks_of_ruff(self._folder / path_named(folder) / name) for name in _FILES)
        return self._known[folder]


def _speaks_of_ruff(path: Path) -> bool:
    if path.name != "pyproject.toml":
        return path.is_file()
    try:
        return "ruff" in tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, ValueError):
        return False  # ruff says itself what it cannot read


def conditions_of(found: Mapping[str, RuffSettings]) -> dict[str, str]:
    """Return the conditions that configurations make, by their folder."""
    rules = {_named("rules", folder): ", ".join(one.rules) for folder, one in found.items()}
    return rules | {"settings": digest_of({folder: one.rest for folder, one in found.items()})}


def _named(what: str, folder: str) -> str:
    return what if folder == ROOT else f"{what} in {folder}"


def switched_on(conditions: Mapping[str, str]) -> frozenset[str]:
    """Return the codes of all rules that are on somewhere."""
    lists = (value for name, value in conditions.items() if name.split()[0] == "rules")
    return frozenset(code for value in lists for code in _members(value))


def explained(before: Mapping[str, str], now: Mapping[str, str]) -> Callable[[str, str], bool]:
    """Return which diagnostics (path, code) may differ because of the conditions.

    Where rules alone were switched on or off, these are what they say, and what is said of comments that speak to them.
    Where anything else is another, nobody can tell.
    """
    names = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    if any(name.split()[0] != "rules" for name in names) or set(before) != set(now):
        return lambda _path, _code: True
    changed = {name: _members(before[name]) ^ _members(now[name]) for name in names}
    folders = sorted((name.removeprefix("rules in ") for name in now if name.startswith("rules in ")), key=len)

    def is_explained(path: str, code: str) -> bool:
        above = [folder for folder in folders if path.startswith(f"{folder}/")]
        codes = changed.get(_named("rules", above[-1] if above else ROOT), frozenset())
        return code in codes or (code == "RUF100" and bool(codes))

    return is_explained


def _members(rules: str) -> frozenset[str]:
    return frozenset(rules.split(", "))


def read_settings(output: Output) -> RuffSettings:
    """Return what `--show-settings` says; raises NotJudged where it is not understood."""
    text = output.text()
    project, blocks = _PROJECT.search(text), dict(_blocks(text))
    if project is None or _ENABLED not in blocks:
        raise output.fault("does not say its settings in a form that is understood.", "It takes ruff 0.4 or newer.")
    rules = tuple(sorted({found["code"] for found in _RULE.finditer(blocks[_ENABLED])}))
    judging = (_in_order(blocks[name]) for name in sorted(blocks) if _judges(name))
    # What lies in the project is the same wherever that lies. Behind the root stands "/" or the closing quote.
    rest = re.sub(rf'"{re.escape(project["root"])}(?=["/\\])', '"', "".join(judging))
    return RuffSettings(rules, rest.encode())


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield each setting's name and text; comments and blank lines between them are no part of it."""
    plain = "".join(f"{line}\n" for line in text.split("\n") if line and not line.startswith("#"))
    starts = list(_SETTING.finditer(plain))
    ends = [*(one.start() for one in starts[1:]), len(plain)]
    for one, end in zip(starts, ends, strict=bool(starts)):
        yield one["name"], plain[one.start() : end]


def _judges(name: str) -> bool:
    return name.startswith(_JUDGES) and name != _ENABLED and not name.startswith(_FINDS_NOTHING)


def _in_order(block: str) -> str:
    """Return a setting with its patterns sorted: their order goes by hashes of absolute paths."""
    first, *patterns = _GLOB.split(block)
    return first + "".join(sorted(pattern.removesuffix("}\n") for pattern in patterns))
