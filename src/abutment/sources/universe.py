"""Which files are there, which modules do they make, and what became of every one of them?

These are the values; `discovery.py` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from abutment.model.fault import Fault


class Role(StrEnum):
    """What a root is for."""

    SOURCE = "source"
    TESTS = "tests"  # its own root, off for contracts


@dataclass(frozen=True, slots=True, order=True)
class Root:
    """One place where module names begin.

    `path` is a folder whose children are top-level modules (`src`, `.`); or a package folder (one with an
    `__init__`), which is then itself the top-level package; or a single `.py` file. `package` names the
    dotted package that the folder stands for, where that cannot be seen (`google.cloud` for `lib/cloud`).
    """

    path: str  # relative to the configuration, "/"-separated, "." for the folder itself
    role: Role = Role.SOURCE
    package: str = ""


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """One file to be scanned."""

    path: str
    module: str  # dotted; a name that no import statement can reach keeps its path's own spelling (see discovery)
    is_package: bool
    suffix: str  # ".py" or ".pyi"
    role: Role


@dataclass(frozen=True, slots=True, order=True)
class KnownModule:
    """A first-party module without facts: an import of it resolves, nothing is read."""

    module: str
    path: str
    kind: str  # a value of semantics.program.ModuleKind: stub, extension, namespace, excluded, generated
    is_package: bool
    role: Role


@dataclass(frozen=True, slots=True, order=True)
class Shadow:
    """A file that can never be imported under its name, as another one is."""

    module: str
    path: str
    by: str  # path of the file that wins


@dataclass(frozen=True, slots=True, order=True)
class CasePair:
    """Two entries of one folder whose names differ by case only."""

    module: str
    path: str
    other: str


@dataclass(frozen=True, slots=True)
class Universe:
    """Every `.py`, `.pyi` and `.ipynb` below the project, each accounted for."""

    roots: tuple[Root, ...]
    files: tuple[SourceFile, ...]  # sorted by path
    known: tuple[KnownModule, ...]
    shadows: tuple[Shadow, ...]
    case_pairs: tuple[CasePair, ...]
    left_out: tuple[tuple[str, str], ...]  # (path, rule), sorted; a pruned directory is one entry
    not_judged: tuple[Fault, ...]  # files or folders that could not be read
    top_names: frozenset[str]  # first segments of every first-party module: what "internal" means
