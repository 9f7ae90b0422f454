"""What lies in a folder that nobody has described yet? Small questions about a tree, each asked once."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from abutment.errors import NotJudged
from abutment.sources.ignore import IgnoreFile, decoded_lines, is_ignored
from abutment.sources.tree import EntryKind, Tree

# Folders that hold code about the project, rather than the project. They become roots only where a packaging file,
# an `__init__.py` or an import says so.
_AROUND = re.compile(
    r"benchmarks?|bin|build|ci|data|demos?|dist|docs?|documentation|examples?|fixtures|htmlcov|notebooks|samples?"
    r"|scripts?|site|static|templates?|testdata|third_?party|tools?|vendor(?:ed)?"
)
# Modules that run a project, rather than being it.
_RUNS_THE_PROJECT = re.compile(
    r"__init__|conf|conftest|dodo|fabfile|hatch_build|noxfile|setup|tasks|test|tests|toxfile|versioneer|wscript"
)
_NEVER = frozenset({"__pycache__", "node_modules", "site-packages"})
_PACKED = (".dist-info", ".egg-info", ".data")
_TESTS = re.compile(r"tests?|.*[_-]tests?|tests?[_-].*")
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|tests\.py|conftest\.py")
_DEEP = 4  # folders below one folder that are looked into, for questions about it
_MANY = 400  # files that are read, for a question about spelling


class Ignoring:
    """What git leaves out of a tree, asked for folder by folder. A tracked file is never left out."""

    def __init__(
        self,
        tree: Tree,
        tracked: frozenset[str] | None = None,
        outer: Sequence[IgnoreFile] = (),
        *,
        heeded: bool = True,
    ) -> None:
        self._tree, self._heeded = tree, heeded
        self._tracked = {above for path in tracked or () for above in _with_folders(path)}
        self._files: dict[str, tuple[IgnoreFile, ...]] = {"": (*outer, *self._own(""))} if heeded else {}

    def leaves_out(self, folder: str, name: str, *, directory: bool) -> bool:
        """Say whether git ignores what is called so in the folder."""
        path = posixpath.join(folder, name)
        if not self._heeded or path in self._tracked:
            return False
        return is_ignored(self._patterns(folder), path, directory=directory)

    def _patterns(self, folder: str) -> tuple[IgnoreFile, ...]:
        if folder not in self._files:
            self._files[folder] = (*self._patterns(posixpath.dirname(folder)), *self._own(folder))
        return self._files[folder]

    def _own(self, folder: str) -> Iterator[IgnoreFile]:
        path = posixpath.join(folder, ".gitignore")
        if self._tree.exists(path):
            # One that cannot be read is named by discovery, which asks for it as well.
            with suppress(NotJudged):
                yield IgnoreFile(decoded_lines(self._tree.read(path)), folder)


def _with_folders(path: str) -> Iterator[str]:
    while path:
        yield path
        path = posixpath.dirname(path)


class Survey:
    """A tree and what has been asked about it. Links are not followed, so that nothing is found twice."""

    def __init__(self, tree: Tree, ignoring: Ignoring) -> None:
        self.tree = tree
        self.unread: list[str] = []
        self._ignoring = ignoring
        self._listed: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def files(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files in the folder, sorted."""
        return self._list(folder)[0]

    def folders(self, folder: str) -> tuple[str, ...]:
        """Return the names of the folders in it that may hold code, sorted."""
        return self._list(folder)[1]

    def is_folder(self, path: str) -> bool:
        """Say whether there is such a folder."""
        parent, name = posixpath.split(path)
        return path == "" or name in self.folders(parent)

    def is_file(self, path: str) -> bool:
        """Say whether there is such a file."""
        parent, name = posixpath.split(path)
        return name in self.files(parent)

    def is_package(self, folder: str) -> bool:
        """Say whether the folder has an `__init__.py`."""
        return "__init__.py" in self.files(folder) or "__init__.pyi" in self.files(folder)

    def packages(self, folder: str) -> tuple[str, ...]:
        """Return the names of the packages directly in the folder."""
        return tuple(name for name in self.folders(folder) if self.is_package(posixpath.join(folder, name)))

    def modules(self, folder: str) -> tuple[str, ...]:
        """Return the file names of the modules directly in the folder, without what only runs the project."""
        return tuple(
            name
            for name in self.files(folder)
            if name.endswith(".py") and not _RUNS_THE_PROJECT.fullmatch(name[:-3]) and not _TEST_FILE.fullmatch(name)
        )

    def python_files(self, folder: str, depth: int = _DEEP) -> Iterator[str]:
        """Yield the paths of the Python files in the folder and below it, nearest first."""
        level = [folder]
        for _ in range(depth + 1):
            for at in level:
                yield from (posixpath.join(at, name) for name in self.files(at) if name.endswith((".py", ".pyi")))
            level = [posixpath.join(at, name) for at in level for name in self.folders(at)]

    def holds_python(self, folder: str) -> bool:
        """Say whether there is a Python file in the folder or near below it."""
        return next(self.python_files(folder), None) is not None

    def holds_packages(self, folder: str) -> bool:
        """Say whether there is a package in the folder or near below it."""
        return any(posixpath.basename(path).startswith("__init__.") for path in self.python_files(folder))

    def holds_tests(self, folder: str) -> bool:
        """Say whether there are test files in the folder or directly below it."""
        return any(_TEST_FILE.fullmatch(posixpath.basename(path)) for path in self.python_files(folder, 1))

    def spells(self, folder: str, name: str, also: tuple[str, ...] = ()) -> int:
        """Return how many files below the folder (and of `also`) import something by `name` or `name.…`."""
        spelled = re.compile(rb"^[ \t]*(?:from|import)[ \t]+" + re.escape(name.encode()) + rb"(?![\w])", re.MULTILINE)
        found = 0
        for count, path in enumerate((*also, *self.python_files(folder))):
            if count >= _MANY:
                break
            found += spelled.search(self._read(path)) is not None
        return found

    def _read(self, path: str) -> bytes:
        try:
            return self.tree.read(path)
        except NotJudged:
            return b""  # discovery names every file that cannot be read; here it only holds no evidence

    def _list(self, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if folder not in self._listed:
            self._listed[folder] = self._look(folder)
        return self._listed[folder]

    def _look(self, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        try:
            entries = self.tree.list(folder)
        except NotJudged as error:
            self.unread += (fault.line_text() for fault in error.faults)
            return (), ()
        if any(entry.name == "pyvenv.cfg" for entry in entries):
            return (), ()
        left_out = self._ignoring.leaves_out
        files = tuple(
            entry.name
            for entry in entries
            if entry.kind is EntryKind.FILE and not left_out(folder, entry.name, directory=False)
        )
        folders = tuple(
            entry.name
            for entry in entries
            if entry.kind is EntryKind.DIRECTORY
            and not entry.linked
            and _may_hold_code(entry.name)
            and not left_out(folder, entry.name, directory=True)
        )
        return files, folders


def lies_around(name: str) -> bool:
    """Say whether a folder of that name usually holds code about the project only."""
    return _AROUND.fullmatch(name) is not None


def names_tests(name: str) -> bool:
    """Say whether a folder of that name is usually one of tests."""
    return _TESTS.fullmatch(name) is not None


def _may_hold_code(name: str) -> bool:
    return not name.startswith(".") and name not in _NEVER and not name.endswith(_PACKED)
