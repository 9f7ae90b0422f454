"""Where is a tool run, which one is meant, and what do its paths mean?"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tree import Tree
from abutment.sources.work_tree import WorkTree


def folder_of(tree: Tree) -> Path:
    """Return the folder in which tools run; raises NotJudged where the tree is no folder on the disk."""
    if isinstance(tree, WorkTree):
        return tree.root
    raise NotJudged(Fault("", 0, "other tools run in a work tree; this is a revision that git keeps."))


def python_of(folder: Path) -> str:
    """Return the judged project's own interpreter: that of the active environment, else of `.venv`, else ours.

    The active environment is named by `VIRTUAL_ENV` (as the activation script of PEP 405's environments sets it).
    """
    active = os.environ.get("VIRTUAL_ENV", "")
    for environment in (Path(active) if active else None, folder / ".venv"):
        if environment is not None:
            for name in ("bin/python", "Scripts/python.exe"):
                if (environment / name).exists():
                    return text_of_path(environment / name)
    return text_of_path(sys.executable)


def program_of(name: str, folder: Path) -> str:
    """Return a program as the judged project has it: beside its own interpreter, else as `PATH` finds it."""
    beside = path_named(python_of(folder)).parent
    if "/" not in name and "\\" not in name:
        for file in (beside / name, beside / f"{name}.exe"):
            if file.is_file():
                return text_of_path(file)
    return name


@dataclass(frozen=True, slots=True)
class PathsBelow:
    """What a tool's paths mean: relative ones below the root, absolute ones below one of the roots it may have had."""

    folder: Path  # the root of the judged project
    elsewhere: str = ""  # the root that it had where the output was made

    def relative(self, written: str) -> str:
        """Return a path relative to the root and "/"-separated; one that lies outside stays as it is, "/"-separated."""
        path = _slashes(written)
        for root in (self.elsewhere, text_of_path(self.folder), text_of_path(os.path.realpath(self.folder))):
            start = _slashes(root).rstrip("/") + "/" if root else ""
            if start and path.startswith(start):
                path = path[len(start) :]
                break
        return PurePosixPath(path).as_posix()


def is_outside(path: str) -> bool:
    """Say whether a path that `PathsBelow` gave is still absolute: it was made below a root that nobody named."""
    return path.startswith("/") or bool(PureWindowsPath(path).drive)


def require_inside(what: str, paths: Iterable[str]) -> None:
    """Raise NotJudged where a path is still absolute."""
    for path in filter(is_outside, paths):
        remedy = "Say with `input_root` where it was made, or run it in the project."
        raise NotJudged(Fault("", 0, f"{what} names a file outside of the project: {path}.", remedy))


def _slashes(path: str) -> str:
    return PureWindowsPath(path).as_posix() if "\\" in path else path
