"""Where do a project's own packaging files say that its modules are?

Read: `pyproject.toml` (setuptools, hatch, poetry, flit, pdm, maturin, uv, scikit-build) and `setup.cfg`.
Nothing is run, so what a `setup.py` computes is not known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from abutment.errors import NotJudged
from abutment.sources.tree import Tree

PACKAGING_FILES = ("pyproject.toml", "setup.cfg", "setup.py")


@dataclass(frozen=True, slots=True, order=True)
class Hint:
    """One place that a packaging file names."""

    path: str  # relative to the tree, "/"-separated; a folder or a file, which may not exist
    package: str  # the dotted name the place stands for; "" for a folder whose children are top-level modules
    source: str  # "pyproject.toml: tool.hatch.build.targets.wheel.packages"


@dataclass(frozen=True, slots=True)
class Hints:
    """What the packaging files of one project folder say."""

    places: tuple[Hint, ...] = ()
    name: str = ""  # the project's name, with `_` for `-`
    unread: tuple[str, ...] = ()  # files that could not be read, with the cause


_Place = tuple[str, str, str]  # path relative to the project folder, package, key


def read_hints(tree: Tree, folder: str) -> Hints:
    """Return what the packaging files in `folder` say; a file that cannot be read is named, not raised."""
    places: list[Hint] = []
    unread: list[str] = []
    name = ""
    for file, read in (("pyproject.toml", _pyproject), ("setup.cfg", _setup_cfg)):
        path = posixpath.join(folder, file)
        if not tree.exists(path):
            continue
        try:
            found_name, found = read(tree.read(path).decode("utf-8-sig"))
        except (NotJudged, ValueError) as error:
            unread.append(f"{path} could not be read for hints: {str(error).splitlines()[0]}")
            continue
        name = name or found_name.replace("-", "_")
        places += (Hint(_inside(folder, place), package, f"{path}: {key}") for place, package, key in found)
    usable = (hint for hint in places if hint.path and (not hint.package or is_dotted(hint.package)))
    return Hints(tuple(usable), name, tuple(unread))


def is_dotted(name: str) -> bool:
    """Say whether an import statement can spell the name."""
    return all(part.isidentifier() for part in name.split("."))


def _inside(folder: str, place: str) -> str:
    """Return the place relative to the tree; "" where it leaves the tree, is the folder itself or a pattern."""
    path = posixpath.normpath(posixpath.join(folder, place.replace("\\", "/")))
    if path.startswith(("/", "..")) or "*" in path or path in (".", folder):
        return ""
    return path


def _pyproject(text: str) -> tuple[str, list[_Place]]:
    import tomllib

    table = tomllib.loads(text)
    tool = _at(table, "tool")
    name = _text(_at(table, "project", "name")) or _text(_at(tool, "poetry", "name"))
    found = [
        *_setuptools(_at(tool, "setuptools")),
        *_packages(tool, "hatch", "build", "targets", "wheel", "packages"),
        *_packages(tool, "hatch", "build", "packages"),
        *_packages(tool, "scikit-build", "wheel", "packages"),
        *_poetry(_at(tool, "poetry", "packages")),
        *_folders(tool, "pdm", "build", "package-dir"),
        *_folders(tool, "maturin", "python-source"),
        *_folders(tool, "uv", "build-backend", "module-root"),
        *_module("", _texts(_at(tool, "flit", "module", "name")), "tool.flit.module.name"),
    ]
    return name, found


def _setuptools(table: object) -> Iterator[_Place]:
    key = "tool.setuptools"
    for place in _texts(_at(table, "packages", "find", "where")):
        yield place, "", f"{key}.packages.find.where"
    folders = _at(table, "package-dir")
    for package, place in folders.items() if isinstance(folders, Mapping) else ():
        yield _text(place), str(package), f"{key}.package-dir"
    base = _text(_at(table, "package-dir", ""))
    for package in _texts(_at(table, "packages")):
        if "." not in package:
            yield posixpath.join(base, package), package, f"{key}.packages"
    yield from _module(base, _texts(_at(table, "py-modules")), f"{key}.py-modules")


def _poetry(packages: object) -> Iterator[_Place]:
    for entry in packages if isinstance(packages, list) else ():
        include = _text(_at(entry, "include")).removesuffix("/**/*.py").strip("/")
        if include:
            package = include.removesuffix(".py").replace("/", ".")
            yield posixpath.join(_text(_at(entry, "from")), include), package, "tool.poetry.packages"


def _packages(tool: object, *keys: str) -> Iterator[_Place]:
    """Yield package folders that are shipped under their last name."""
    for place in _texts(_at(tool, *keys)):
        yield place, posixpath.basename(place.rstrip("/")), ".".join(("tool", *keys))


def _folders(tool: object, *keys: str) -> Iterator[_Place]:
    for place in _texts(_at(tool, *keys)):
        yield place, "", ".".join(("tool", *keys))


def _module(base: str, modules: Iterable[str], key: str) -> Iterator[_Place]:
    """Yield both shapes that a module's name can have on disk."""
    for module in modules:
        place = posixpath.join(base, module.replace(".", "/"))
        yield place, module, key
        yield f"{place}.py", module, key


def _setup_cfg(text: str) -> tuple[str, list[_Place]]:
    from configparser import ConfigParser
    from configparser import Error as Malformed

    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Malformed as error:
        raise ValueError(str(error)) from error
    where = _lines(parser.get("options.packages.find", "where", fallback=""))
    found: list[_Place] = [(place, "", "options.packages.find.where") for place in where]
    base = ""
    for line in _lines(parser.get("options", "package_dir", fallback="")):
        package, _, place = (part.strip() for part in line.partition("="))
        base = base or ("" if package else place)
        found.append((place, package, "options.package_dir"))
    found += _module(base, _lines(parser.get("options", "py_modules", fallback="")), "options.py_modules")
    return parser.get("metadata", "name", fallback=""), found


def _lines(text: str) -> list[str]:
    return [part.strip() for part in text.replace(",", "\n").splitlines() if part.strip()]


def _at(table: object, *keys: str) -> object:
    """Return what stands below the keys, or None."""
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    """Return a text or a list of texts as a list; anything else gives nothing."""
    if isinstance(value, str):
        return [value] if value else []
    return [part for part in value if isinstance(part, str) and part] if isinstance(value, list) else []
