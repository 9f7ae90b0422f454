"""Which configuration is meant, and what does it say?

The nearest one upward from where the user stands: a `pyproject.toml` with `[tool.abutment]`, or an
`abutment.toml` with the same keys at its top level. An empty table counts as none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.reading import Locate
from abutment.sources.plain_file import content
from abutment.sources.toml_document import load_toml
from abutment.sources.tree import Tree

PYPROJECT = "pyproject.toml"
OWN_FILE = "abutment.toml"
_TABLE = ("tool", "abutment")

# What is set for one run and stands in no file: by gate, and by key of the gate's table.
Given = Mapping[str, Mapping[str, object]]

_CREATE = "Run `abutment init` to write one."
_NEVER_SEARCHED = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist"})


@dataclass(frozen=True, slots=True)
class RawSettings:
    """One configuration as written: nothing in it has been checked yet."""

    file: str  # "pyproject.toml" or "abutment.toml", relative to the root
    root: str  # the folder that holds it, absolute
    table: Mapping[str, object]  # the keys of [tool.abutment]
    locate: Locate  # from a path inside that table to its line


def find_configuration(start: Path) -> Path:
    """Return the nearest configuration file in `start` or above it.

    Raises NotJudged where a folder has two, where there is none upward but some below (it names them), or
    where there is none at all.
    """
    start = Path(os.path.abspath(start))  # noqa: PTH100  # a link in the path is the user's own way of naming the place
    for folder in (start, *start.parents):
        found = _in_folder(folder, start)
        if found is not None:
            return found
    below = sorted(_below(start))
    if below:
        asked = " ".join(f"--config {path}" for path in below)
        raise NotJudged(
            Fault("", 0, f"no configuration here or above, but below: {', '.join(below)}.", f"Say which: {asked}")
        )
    raise NotJudged(Fault("", 0, f"no configuration in {start} or above.", _CREATE))


def load_settings(path: Path) -> RawSettings:
    """Return what a configuration file (or the one in that folder) says; raises NotJudged where it says nothing."""
    path = Path(os.path.abspath(path))  # noqa: PTH100  # see find_configuration
    if path.is_dir():
        found = _in_folder(path, path)
        if found is None:
            raise NotJudged(Fault("", 0, f"no configuration in {path}.", _CREATE))
        path = found
    settings = settings_from(path.name, _read(path, path.name), str(path.parent))
    if not settings.table:
        what = "has no [tool.abutment]" if path.name == PYPROJECT else "is empty"
        raise NotJudged(Fault(path.name, 0, f"the file {what}.", _CREATE))
    return settings


def overlaid(table: Mapping[str, object], given: Given) -> Mapping[str, object]:
    """Return a configuration with what is set for this run alone; each key given takes the place of the written one.

    `gate.id` is the table of that id, where a gate has a list of them. Raises NotJudged where nothing of a name can be
    set.
    """
    changed = dict(table)
    for name, keys in given.items():
        gate, _dot, member = name.partition(".")
        written = changed.get(gate, {})
        if not isinstance(written, Mapping):
            raise NotJudged(Fault("", 0, f"nothing can be given to {name}: {gate} is no table."))
        changed[gate] = _with_keys(name, written, member, keys) if member else {**written, **keys}
    return changed


def _with_keys(name: str, gate: Mapping[str, object], member: str, keys: Mapping[str, object]) -> Mapping[str, object]:
    """Return a gate's table in which the one table of that id, in one of its lists, has these keys."""
    lists = {key: value for key, value in gate.items() if isinstance(value, list)}
    found = [one for value in lists.values() for one in value if isinstance(one, Mapping) and one.get("id") == member]
    if len(found) != 1:
        raise NotJudged(Fault("", 0, f"nothing can be given to {name}: there is no one table of that id."))
    return {
        **gate,
        **{key: [{**one, **keys} if one is found[0] else one for one in value] for key, value in lists.items()},
    }


def settings_in(tree: Tree, root: str) -> RawSettings | None:
    """Return the configuration at the top of a tree, None where it has none; `root` is what the tree's top is called.

    Raises NotJudged where there are two, or where one cannot be read.
    """
    found = [settings for name in (PYPROJECT, OWN_FILE) if (settings := _in_tree(tree, name, root)) is not None]
    if len(found) > 1:
        raise NotJudged(Fault(OWN_FILE, 0, f"{PYPROJECT} beside it has [tool.abutment] as well.", "Keep one."))
    return found[0] if found else None


def _in_tree(tree: Tree, name: str, root: str) -> RawSettings | None:
    data = tree.read(name) if tree.exists(name) else b""
    if not data or (name == PYPROJECT and b"abutment" not in data):
        return None
    settings = settings_from(name, data, root)
    return settings if settings.table else None


def settings_from(name: str, data: bytes, root: str) -> RawSettings:
    """Return the settings in a file's bytes, with an empty table where it has none (git's revisions are read so).

    Raises NotJudged where the file is no TOML or `tool.abutment` is no table.
    """
    document = load_toml(name, data)
    if name != PYPROJECT:
        return RawSettings(name, root, document.table, document.locate)
    table: Mapping[str, object] = document.table
    for depth, key in enumerate(_TABLE, 1):
        below = table.get(key, {})
        if not isinstance(below, Mapping):
            line = document.locate(_TABLE[:depth])
            raise NotJudged(Fault(name, line, f"{'.'.join(_TABLE[:depth])}: expected a table."))
        table = below
    return RawSettings(name, root, table, lambda path: document.locate((*_TABLE, *path)))


def _in_folder(folder: Path, start: Path) -> Path | None:
    found = [folder / name for name in (PYPROJECT, OWN_FILE) if _configures(folder / name, start)]
    if len(found) > 1:
        raise NotJudged(
            Fault(_shown(found[1], start), 0, f"{PYPROJECT} beside it has [tool.abutment] as well.", "Keep one.")
        )
    return found[0] if found else None


def _configures(path: Path, start: Path) -> bool:
    if not path.is_file():
        return False
    shown = _shown(path, start)
    data = _read(path, shown)
    # Somebody else's broken pyproject.toml is no reason to refuse, as long as it cannot be speaking of us.
    if path.name == PYPROJECT and b"abutment" not in data:
        return False
    try:
        return bool(settings_from(path.name, data, "").table)
    except NotJudged as refusal:
        raise NotJudged(Fault(shown, f.line, f.message, f.remedy) for f in refusal.faults) from refusal


def _read(path: Path, shown: str) -> bytes:
    try:
        return content(path)
    except OSError as error:
        raise NotJudged(Fault(shown, 0, f"the file cannot be read: {error.strerror}.")) from error


def _below(start: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(start):
        folders[:] = [] if "pyvenv.cfg" in files else [name for name in folders if _is_searched(name)]
        for name in (PYPROJECT, OWN_FILE):
            if name in files and _configures(Path(folder, name), start):
                yield _shown(Path(folder, name), start)


def _is_searched(name: str) -> bool:
    return not name.startswith(".") and name not in _NEVER_SEARCHED


def _shown(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()
