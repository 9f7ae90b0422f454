"""Which conditions of a call does the repository itself show to take nothing from it, as it holds what they name?"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from abutment.guard.ci.around import IN_FOLDER, left_by_script
from abutment.guard.ci.calls import Call
from abutment.guard.ci.search_path import FOUND_BESIDE, TAKEN_FROM, below_home

_SOURCED = re.compile(r"behind `(?:source|\.) (?P<path>[^\s`]+)`")
_DEEPEST = 5  # scripts that read scripts
# As they are imported: ourselves, and what we depend on.
OUR_PARTS = ("abutment", "click", "networkx", "packaging", "pathspec", "rich", "tomlkit", "yaml")


@dataclass(frozen=True, slots=True)
class Repository:
    """What git keeps of a revision, by paths from the top."""

    files: frozenset[str]
    read: Callable[[str], bytes]

    def proven(self, call: Call, here: str) -> Call:
        """Return a call without what is shown to be harmless; `here` is the folder that it begins in."""
        folders = [one.removeprefix(IN_FOLDER) for one in call.softened if one.startswith(IN_FOLDER)]
        stands = posixpath.join(here, *folders)
        left = (one for said in sorted(call.softened) for one in self._left(said, {here, stands}, _DEEPEST))
        return replace(call, softened=frozenset(left))

    def _left(self, said: str, beside: Collection[str], deep: int) -> Iterator[str]:
        """Yield what is left of a condition: all of it, nothing, or what is in the script that it names."""
        sourced = _SOURCED.fullmatch(said)
        paths = {_joined(base, sourced["path"]) for base in beside} & self.files if sourced and deep else set()
        if len(paths) == 1:
            (path,) = paths
            for inner in left_by_script(self.read(path).decode("utf-8", "replace")):
                yield from (f"{one}, in {path}" for one in self._left(inner, beside, deep - 1))
        elif said == FOUND_BESIDE:
            yield from (f"{FOUND_BESIDE}: {path}" for path in self._in_our_place(beside))
        elif not said.startswith(TAKEN_FROM) or self._has_programs(said.removeprefix(TAKEN_FROM).strip("`"), beside):
            yield said

    def _in_our_place(self, beside: Collection[str]) -> Iterator[str]:
        """Yield the modules of the repository that Python would take for us, or for what we are made of."""
        names = [f"{name}{end}" for name in OUR_PARTS for end in (".py", "/__init__.py")]
        paths = {posixpath.normpath(posixpath.join(base, name)) for base in beside for name in names}
        yield from sorted(paths & self.files)

    def _has_programs(self, folder: str, beside: Collection[str]) -> bool:
        """Say whether the repository has files of its own where a program is looked for."""
        paths = {f"{_joined(base, folder)}/" for base in beside}
        return any(file.startswith(tuple(paths)) for file in self.files)


def _joined(base: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(base, below_home(path)))
