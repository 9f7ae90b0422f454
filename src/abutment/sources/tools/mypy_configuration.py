"""What configures mypy in a folder, so that it is asked under that and nothing else?

Looked for as mypy does ("The mypy configuration file" of its documentation), but for the files below a user's home:
what is held must not depend on who asks. The file is then named to mypy, whatever version of it looks where.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tools.configuration import canonical, read_ini, read_toml

_OWN, _SHARED = ("mypy.ini", ".mypy.ini"), ("pyproject.toml", "setup.cfg")
_REPOSITORIES = (".git", ".hg")  # mypy looks no higher than the folder that holds one
_PATHS = ("mypy_path", "files", "custom_typeshed_dir", "python_executable", "plugins")
_YES = frozenset({"1", "yes", "true", "on"})  # as configparser reads them

Options = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class MypyConfiguration:
    """One configuration file as mypy reads it."""

    path: Path | None = None  # None where there is none
    options: Options = field(default_factory=dict)
    sections: tuple[tuple[str, Options], ...] = ()  # pattern of modules, what is set for them; in the order written

    def argument(self, folder: Path) -> str:
        """Return how it is named to mypy in a folder; an empty name keeps it from looking for one."""
        return f"--config-file={text_of_path(os.path.relpath(self.path, folder.resolve())) if self.path else ''}"

    def texts(self, name: str, separator: str = ",") -> tuple[str, ...]:
        """Return a list among the options, which may be written as one text."""
        return texts_of(self.options.get(name), separator)

    def excludes(self) -> tuple[str, ...]:
        """Return the patterns of what mypy leaves out; a text is one pattern, commas and all."""
        return tuple(text.strip() for text in texts_of(self.options.get("exclude"), "") if text.strip())

    def says(self, name: str) -> bool:
        """Say whether a switch among the options is on."""
        return is_true(self.options.get(name))

    def parts(self, folder: Path) -> Mapping[str, bytes]:
        """Return what configures mypy, by name: the file's options, and the plugins that are files of the project."""
        found = {"options": canonical(self.options), "sections": canonical(self.sections)}
        for plugin in self.plugin_files():
            found[f"plugin {plugin}"] = _content(folder / path_named(plugin))
        return found

    def paths(self) -> Iterator[str]:
        """Yield the texts among the options in which mypy puts variables of the environment."""
        yield from (text for name in _PATHS for text in texts_of(self.options.get(name), ""))

    def plugin_files(self) -> Iterator[str]:
        """Yield the plugins that are files: `tools/plugin.py`, or `tools/plugin.py:start`."""
        yield from (plugin for each in self.texts("plugins") if (plugin := _file_of(each)))

    def plugin_packages(self) -> tuple[str, ...]:
        """Return the packages of the plugins that are installed."""
        return tuple(dict.fromkeys(each.partition(".")[0] for each in self.texts("plugins") if not _file_of(each)))


def find_configuration(folder: Path, named: str | None = None) -> MypyConfiguration:
    """Return the file that is named, or the first one that says something of mypy, up to the repository's root.

    Raises NotJudged where it is not there, or one on the way cannot be read.
    """
    if named is not None:
        return _named(folder, named)
    root = folder.resolve()  # a link has no folders above it
    for place in (root, *root.parents):
        for name in (*_OWN, *_SHARED):
            found = _read(place / name)
            if found is not None:
                return found
        if any((place / name).exists() for name in _REPOSITORIES):
            break
    return MypyConfiguration()


def _named(folder: Path, named: str) -> MypyConfiguration:
    if not named:
        return MypyConfiguration()
    found = _read(folder / path_named(named))
    if found is None:
        remedy = "Correct `--config-file` in `args`."
        raise NotJudged(Fault(named, 0, "mypy's configuration is not there, or says nothing of mypy.", remedy))
    return found


def _read(path: Path) -> MypyConfiguration | None:
    if not path.is_file():
        return None
    return _of_toml(path) if path.suffix.lower() == ".toml" else _of_ini(path)


def _of_toml(path: Path) -> MypyConfiguration | None:
    table = read_toml(path, "tool", "mypy")
    if not isinstance(table, Mapping):
        return None
    overrides = table.get("overrides", [])
    sections = [
        (pattern, {key: value for key, value in one.items() if key != "module"})
        for one in (overrides if isinstance(overrides, list) else [])
        if isinstance(one, Mapping)
        for pattern in texts_of(one.get("module"), "")
    ]
    options = {key: value for key, value in table.items() if key != "overrides"}
    return MypyConfiguration(path, options, tuple(sections))


def _of_ini(path: Path) -> MypyConfiguration | None:
    found = read_ini(path, "mypy")
    if "mypy" not in found and path.name in _SHARED:
        return None
    sections = [
        (pattern.strip(), options)
        for name, options in found.items()
        if name != "mypy"
        for pattern in name.removeprefix("mypy-").split(",")
    ]
    return MypyConfiguration(path, found.get("mypy", {}), tuple(sections))


def is_true(value: object) -> bool:
    """Say whether a value switches something on: TOML's `true`, or a word for it."""
    return value is True or (isinstance(value, str) and value.strip().lower() in _YES)


def texts_of(value: object, separator: str) -> tuple[str, ...]:
    """Return a list of texts; a text is taken apart at the separator, or is one where there is none."""
    if isinstance(value, str):
        parts: Sequence[object] = value.split(separator) if separator else (value,)
    else:
        parts = value if isinstance(value, list) else ()
    return tuple(part.strip() for part in parts if isinstance(part, str) and part.strip())


def matches(pattern: str, module: str) -> bool:
    """Say whether a section is for a module: `a.b`, `a.b.*` with `a.b` itself, a `*` anywhere for any parts or none."""
    first, *rest = pattern.split(".")
    text = ".*" if first == "*" else re.escape(first)
    text += "".join(r"(\..*)?" if part == "*" else re.escape(f".{part}") for part in rest)
    return re.fullmatch(text, module) is not None


def _file_of(plugin: str) -> str:
    """Return the file that a plugin is; "" where it is a module. A file may be followed by `:function`."""
    path = re.sub(r":\w+$", "", plugin)
    return path if path.endswith(".py") or "/" in path or os.sep in path else ""


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotJudged(
            Fault(text_of_path(path), 0, f"the plugin cannot be read: {error.strerror or error}.")
        ) from error
