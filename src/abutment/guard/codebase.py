"""Which modules are there in a revision, and which of them does the law reach? Nothing is parsed for that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from abutment.config import read_config
from abutment.guard.revision import Revision
from abutment.sources.discovery import discover
from abutment.sources.universe import Role, Universe


@dataclass(frozen=True, slots=True)
class Codebase:
    """The code of one revision, by path."""

    judged: dict[str, str]  # the modules of source roots, by the paths of their files
    tests: dict[str, str]  # and those of roots for tests
    beside: frozenset[str]  # files with code of which less is asked: tests, what is excluded or in no root
    names: frozenset[str]  # of all modules, and of the packages around them
    files: Mapping[str, Sequence[str]]  # the paths of each module


_CODE = "code"
Code = Callable[[], Codebase]  # looked through when somebody asks, as most branches ask nothing of it


def codebase_of(revision: Revision, universe: Universe | None = None) -> Code:
    """Return a function that gives the code of a revision; a configuration that cannot be read reaches none.

    Who asks first gives the revision's `universe`, where that is known already; all others get the same answer.
    """
    known: Code = revision.memory.setdefault(_CODE, cache(partial(_looked_through, revision, universe)))
    return known


def _looked_through(revision: Revision, universe: Universe | None) -> Codebase:
    if revision.settings is None:
        return Codebase({}, {}, frozenset(), frozenset(), {})
    if universe is None:
        config = read_config(revision.settings, revision.tree)
        universe = discover(revision.tree, config.roots, config.exclude, revision.tracked)
    judged = {file.path: file.module for file in universe.files if Role(file.role) is Role.SOURCE}
    tests = {file.path: file.module for file in universe.files if file.path not in judged}
    left_out = {path for path, _rule in universe.left_out if path.endswith(".py")}
    files: dict[str, list[str]] = defaultdict(list)
    for path, module in (*judged.items(), *tests.items()):
        files[module].append(path)
    names = frozenset(name for module in files for name in around(module))
    return Codebase(judged, tests, frozenset(tests.keys() | left_out), names, dict(files))


def around(name: str) -> list[str]:
    """Return a dotted name and those of all that is around it."""
    return [name[:at] for at, sign in enumerate(name) if sign == "."] + [name]
