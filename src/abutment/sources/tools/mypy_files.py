"""How many files has mypy to check? Counted on the disk by its own rules, and held against what it says it did.

The rules are those of mypy's documentation ("Specifying code to be checked", `exclude`). Packages and modules that
are given by name are looked for in the environment, and cannot be counted from here.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tools.mypy_configuration import MypyConfiguration

_SUFFIXES = (".pyi", ".py")  # of a stub and a module of one name, the stub alone is checked
_NEVER = frozenset({"__pycache__", "site-packages", "node_modules"})
_UNCOUNTED_ARGS = re.compile(r"-[cmp]|--(?:command|module|package|exclude-gitignore)(?:=|$)")
_UNCOUNTED_OPTIONS = ("packages", "modules")
_EXCLUDE = "--exclude="


def files_to_check(
    folder: Path, targets: Sequence[str], args: Sequence[str], configuration: MypyConfiguration
) -> int | None:
    """Return how many files these targets are, or those that the configuration names; None where nobody can tell.

    Raises NotJudged where an `exclude` is no regular expression.
    """
    named = places_to_check(folder, targets, args, configuration)
    if named is None or configuration.says("exclude_gitignore"):
        return None
    excludes = (*configuration.excludes(), *(word[len(_EXCLUDE) :] for word in args if word.startswith(_EXCLUDE)))
    walk = _Walk(folder, _compiled(excludes))
    return sum(walk.count(target) for target in named) or None


def places_to_check(
    folder: Path, targets: Sequence[str], args: Sequence[str], configuration: MypyConfiguration
) -> tuple[str, ...] | None:
    """Return the files and folders that mypy is given; None where it is given others, by name."""
    if any(map(_UNCOUNTED_ARGS.match, args)):
        return None
    if not targets and any(configuration.texts(name) for name in _UNCOUNTED_OPTIONS):
        return None
    return tuple(targets or _globbed(folder, configuration.texts("files")))


def _globbed(folder: Path, files: Sequence[str]) -> Iterator[str]:
    """Yield what the option `files` means: paths with `~`, variables and wildcards."""
    for each in files:
        text = os.path.expandvars(os.path.expanduser(each))  # noqa: PTH111  # as mypy reads it
        yield from glob.glob(text, root_dir=folder, recursive=True) or (text,)  # noqa: PTH207  # so is this


def _compiled(excludes: Sequence[str]) -> list[re.Pattern[str]]:
    try:
        return [re.compile(each) for each in excludes]
    except re.error as error:
        raise NotJudged(
            Fault("", 0, f"mypy's `exclude` {error.pattern!r} is no regular expression: {error}.")
        ) from error


class _Walk:
    """Counts what mypy finds below folders."""

    def __init__(self, folder: Path, excludes: Sequence[re.Pattern[str]]) -> None:
        self._folder, self._excludes = folder, excludes

    def count(self, target: str) -> int:
        """Return how many files one target is; what is no folder is checked whatever it is called."""
        place = self._folder / path_named(target)
        return self._below(place) if place.is_dir() else 1

    def _below(self, place: Path) -> int:
        found = 0
        seen: set[str] = set()  # a package hides a module of its name
        for path in sorted(_listed(place), key=_order):
            if path.name in _NEVER or path.name.startswith(".") or self._is_left_out(path):
                continue
            if path.is_dir():
                below = self._below(path)
                found += below
                seen |= {path.name} if below else set()
            elif path.suffix in _SUFFIXES and path.stem not in seen:
                seen.add(path.stem)
                found += 1
        return found

    def _is_left_out(self, path: Path) -> bool:
        if not self._excludes:
            return False
        relative = text_of_path(os.path.relpath(path, self._folder)).replace(os.sep, "/")
        text = f"{relative}/" if path.is_dir() else relative
        return any(pattern.search(text) for pattern in self._excludes)


def _listed(place: Path) -> list[Path]:
    try:
        return list(place.iterdir())
    except OSError as error:
        raise NotJudged(
            Fault(text_of_path(place), 0, f"the folder cannot be read: {error.strerror or error}.")
        ) from error


def _order(path: Path) -> tuple[bool, int, str]:
    """Order as mypy does: `__init__` first, a folder before a stub before a module."""
    if path.suffix in _SUFFIXES:
        return path.stem != "__init__", _SUFFIXES.index(path.suffix), path.stem
    return path.name != "__init__", -1, path.name
