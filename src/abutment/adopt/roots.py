"""Where do the module names of a codebase begin that nobody has described yet?

Asked in this order, and each answer carries its evidence: what the packaging files say; a `src` folder; packages
beside it; folders without `__init__` that the code itself imports by name; the same one and more folders further
down; and at last single modules. A folder of tests is a root of its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abutment.adopt.hints import PACKAGING_FILES, Hint, is_dotted, read_hints
from abutment.adopt.survey import Ignoring, Survey, lies_around, names_tests
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.ignore import IgnoreFile
from abutment.sources.tree import Tree
from abutment.sources.universe import Role, Root

_FURTHER_DOWN = 4  # folders below the project that may still begin a project of their own
_REMEDY = "Name the folder yourself: `abutment init --root PATH` (it may be repeated)."


@dataclass(frozen=True, slots=True)
class FoundRoots:
    """The proposed roots, why each is one, and what was seen and not taken."""

    roots: tuple[Root, ...]
    evidence: tuple[str, ...]  # one line a root: "src: a folder of packages (app, lib)"
    not_taken: tuple[str, ...] = ()  # one line each, with the cause
    unchecked: tuple[str, ...] = ()  # folders of projects that need a configuration of their own


def find_roots(
    tree: Tree,
    given: Sequence[str] = (),
    folder_name: str = "",
    *,
    tracked: frozenset[str] | None = None,
    outer: Sequence[IgnoreFile] = (),
) -> FoundRoots:
    """Return the roots of the codebase in `tree`.

    `given` paths win over everything; `folder_name` is what the tree's own folder is called, for a tree that is
    itself a package. What git ignores (`tracked` and `outer` as in `discover`) is never found, but may be given.
    Raises NotJudged where a given path does not exist, or where nothing was found.
    """
    if given:
        return _given(Survey(tree, Ignoring(tree, heeded=False)), given)
    return _Search(Survey(tree, Ignoring(tree, tracked, outer)), folder_name).run()


def _given(survey: Survey, given: Sequence[str]) -> FoundRoots:
    roots: dict[str, Root] = {}
    faults: list[Fault] = []
    for path in given:
        clean = posixpath.normpath(path.replace("\\", "/"))
        if clean.startswith(("/", "..")):
            faults.append(Fault("", 0, f"--root {path} lies outside the project.", "Name a path below it."))
        elif clean == "." or survey.is_folder(clean) or (survey.is_file(clean) and clean.endswith(".py")):
            roots[clean] = _tests_root(survey, clean) if names_tests(posixpath.basename(clean)) else Root(clean)
        else:
            faults.append(Fault("", 0, f"--root {path} is no folder and no Python file.", "Check the spelling."))
    if faults:
        raise NotJudged(faults)
    return FoundRoots(tuple(roots.values()), tuple(f"{_shown(root)}: given by --root" for root in roots.values()))


def _tests_root(survey: Survey, path: str) -> Root:
    package = "" if survey.is_package(path) else _identifier(posixpath.basename(path))
    return Root(path, Role.TESTS, package)


class _Search:
    """One search; it gathers roots by path, in the order in which they are found."""

    def __init__(self, survey: Survey, folder_name: str) -> None:
        self._survey, self._folder_name = survey, folder_name
        self._found: dict[str, tuple[Root, str]] = {}
        self._not_taken: list[str] = []
        self._names: dict[str, str] = {}  # top-level name -> root that defines it
        self._projects: list[str] = []
        self._clashes: dict[str, str] = {}  # root that was refused -> root that has its name
        self._apart: dict[str, None] = {}  # projects that are left out as a whole, in the order found

    def run(self) -> FoundRoots:
        if self._is_one_package():
            self._take(Root(".", package=self._folder_name), "the folder is itself a package (it has an __init__.py)")
            return self._result()
        self._projects = list(self._find_projects())
        for project in self._projects:
            self._look_into(project)
        if not self._has_folders():
            self._look_further_down()
        for project in self._projects:
            self._take_modules(project)
        if not self._has_sources():
            self._take_bare_folders()
        if not self._has_sources() and self._survey.is_package("") and self._folder_name.isidentifier():
            self._take(Root(".", package=self._folder_name), "the folder is itself a package (it has an __init__.py)")
        self._leave_projects_apart()
        for project in self._projects:
            if project not in self._apart:
                self._take_tests(project)
        return self._result()

    def _is_one_package(self) -> bool:
        """Say whether the tree's own folder is the package; a packaging file beside `__init__` speaks against it."""
        survey = self._survey
        if not survey.is_package("") or not self._folder_name.isidentifier():
            return False
        if any(survey.is_file(name) for name in PACKAGING_FILES):
            return survey.spells("", self._folder_name) > 0 and not survey.is_folder(self._folder_name)
        return True

    def _result(self) -> FoundRoots:
        if not self._has_sources():
            raise NotJudged(Fault("", 0, self._nothing_found(), _REMEDY))
        order = sorted(self._found.values(), key=lambda item: (item[0].role is Role.TESTS, item[0].path))
        return FoundRoots(
            roots=tuple(root for root, _ in order),
            evidence=tuple(f"{_shown(root)}: {why}" for root, why in order),
            not_taken=(*self._not_taken, *self._survey.unread),
            unchecked=tuple(self._apart),
        )

    def _nothing_found(self) -> str:
        looked = ", ".join(f"{name}/" for name in self._survey.folders("")[:20]) or "no folders"
        return (
            "No Python code was found to take as a root: no src folder, no package, no module outside of tests and "
            f"tools. Looked at: {looked}."
        )

    # --- projects

    def _find_projects(self) -> Iterator[str]:
        """Yield the tree itself and every folder below it that has a packaging file of its own."""
        yield ""
        survey = self._survey
        level = self._open_folders("")
        for _ in range(_FURTHER_DOWN):
            for folder in level:
                if any(survey.is_file(posixpath.join(folder, name)) for name in PACKAGING_FILES):
                    yield folder
            level = [below for folder in level for below in self._open_folders(folder)]

    def _open_folders(self, folder: str) -> list[str]:
        """Return the folders in it that are neither packages nor about the project only."""
        return [
            path
            for name in self._survey.folders(folder)
            for path in [posixpath.join(folder, name)]
            if not lies_around(name) and not names_tests(name) and not self._survey.is_package(path)
        ]

    def _look_into(self, project: str) -> None:
        hints = read_hints(self._survey.tree, project)
        self._not_taken += hints.unread
        for hint in hints.places:
            self._take_hint(hint)
        self._take_src(project)
        self._take_packages(project)
        if not self._has_sources(project):
            self._take_spelled(project, hints.name)

    def _take_hint(self, hint: Hint) -> None:
        survey, path, why = self._survey, hint.path, hint.source
        if path.endswith(".py"):
            if survey.is_file(path):
                self._take(Root(path), why)
        elif not survey.is_folder(path) or not survey.holds_python(path):
            return
        elif hint.package:
            seen = hint.package == posixpath.basename(path) and survey.is_package(path)
            self._take(Root(path, package="" if seen else hint.package), why)
        elif survey.is_package(path):
            for name in survey.packages(path):
                self._take(Root(posixpath.join(path, name)), why)
        else:
            self._take(Root(path), f"{why} ({self._inventory(path)})")

    def _take_src(self, project: str) -> None:
        path = posixpath.join(project, "src")
        survey = self._survey
        if not survey.is_folder(path) or survey.is_package(path):
            return
        if survey.packages(path) or survey.modules(path) or any(map(self._is_namespace, self._open_folders(path))):
            self._take(Root(path), f"a folder of modules ({self._inventory(path)})")

    def _is_namespace(self, folder: str) -> bool:
        survey = self._survey
        own_project = any(survey.is_file(posixpath.join(folder, name)) for name in PACKAGING_FILES)
        return not own_project and survey.holds_packages(folder)

    def _take_packages(self, project: str) -> None:
        for name in self._survey.packages(project):
            if not names_tests(name):
                self._take(Root(posixpath.join(project, name)), "a package")

    def _take_spelled(self, project: str, name: str) -> None:
        """Take folders without `__init__` that the code imports by their name."""
        survey = self._survey
        top = tuple(posixpath.join(project, module) for module in survey.modules(project))
        for path in self._open_folders(project):
            folder = posixpath.basename(path)
            if not folder.isidentifier() or not survey.holds_python(path):
                continue
            files = survey.spells(path, folder, top)
            if files:
                self._take(Root(path, package=folder), f"no __init__.py, but imported by this name in {_files(files)}")
            elif name.lower().startswith(f"{folder.lower()}_") and survey.holds_packages(path):
                self._take(Root(path, package=folder), f"a namespace folder of the project {name}")

    def _look_further_down(self) -> None:
        """Look for code one level at a time, and stop at the first level that has some."""
        level = self._open_folders("")
        for _ in range(_FURTHER_DOWN):
            for folder in level:
                self._take_src(folder)
                self._take_packages_or_folder(folder)
                if not self._has_sources(folder):
                    self._take_spelled(folder, "")
            if self._has_folders():
                self._projects += (folder for folder in level if folder not in self._projects)
                return
            level = [below for folder in level for below in self._open_folders(folder)]

    def _take_packages_or_folder(self, folder: str) -> None:
        if self._survey.packages(folder) and self._survey.modules(folder):
            self._take(Root(folder), f"a folder of modules ({self._inventory(folder)})")
        else:
            self._take_packages(folder)

    def _take_modules(self, project: str) -> None:
        """Take single modules beside each other, where the project has no folder of code."""
        if self._has_sources(project, files=False) and (project or not self._only_spelled()):
            return
        for name in self._survey.modules(project):
            self._take(Root(posixpath.join(project, name)), "a single module")

    def _only_spelled(self) -> bool:
        """Say whether all there is are folders without `__init__` beside these modules."""
        return all(root.package == root.path for root in self._sources())

    def _take_bare_folders(self) -> None:
        for path in self._open_folders(""):
            if self._survey.holds_python(path):
                self._take(Root(path), f"a folder of modules without __init__.py ({self._inventory(path)})")

    # --- tests

    def _take_tests(self, project: str) -> None:
        survey = self._survey
        for name in survey.folders(project):
            path = posixpath.join(project, name)
            if names_tests(name) and (name in ("test", "tests") or survey.holds_tests(path)):
                self._take_test_folder(path, _identifier(name))
        for root in self._sources():
            if root.path == project or posixpath.dirname(root.path) == project:
                self._take_inner_tests(root)

    def _take_inner_tests(self, root: Root) -> None:
        """Take `tests` folders inside a source root: `src/tests`, `src/app/tests`, `app/tests`."""
        survey = self._survey
        if root.path.endswith(".py"):
            return
        own = root.package or (posixpath.basename(root.path) if survey.is_package(root.path) else "")
        inner = [(root.path, own)]
        if not own:
            inner += ((posixpath.join(root.path, name), name) for name in survey.packages(root.path))
        for folder, package in inner:
            path = posixpath.normpath(posixpath.join(folder, "tests"))
            name = f"{package}.tests".lstrip(".")
            if survey.is_folder(path) and survey.holds_tests(path) and is_dotted(name):
                self._take_test_folder(path, name)

    def _take_test_folder(self, path: str, package: str) -> None:
        survey = self._survey
        if path in self._found or not survey.holds_python(path):
            return
        if package in self._names:
            package = ".".join(_identifier(part) for part in path.split("/"))
        self._names.setdefault(package, path)
        seen = survey.is_package(path) and package == posixpath.basename(path)
        why = "a folder of tests (its own root, off for contracts)"
        self._found[path] = (Root(path, Role.TESTS, "" if seen else package), why)

    # --- what was taken

    def _take(self, root: Root, why: str) -> None:
        """Take a root, unless it lies in one that was taken, or another one already has its names."""
        if any(root.path == path or root.path.startswith(f"{path}/") for path in self._found):
            return
        inner = [path for path in self._found if path.startswith(f"{root.path}/")]
        if inner and (root.package or self._survey.is_package(root.path)):
            return  # a packaging file knows better what begins inside it
        for path in inner:
            self._forget(path)
        names = self._top_names(root)
        clash = next((name for name in names if name in self._names), None)
        if clash is not None:
            self._clashes[root.path] = self._names[clash]
            self._not_taken.append(
                f"{root.path}: {self._names[clash]} has a module `{clash}` as well, and one configuration judges one "
                "program. It needs a configuration of its own."
            )
            return
        self._names.update((name, root.path) for name in names)
        self._found[root.path] = (root, why)

    def _leave_projects_apart(self) -> None:
        """Leave out the whole project of a root whose name another project has.

        What else lies in it imports that name and means its own: it would be resolved to the other project's code.
        """
        for refused, owner in self._clashes.items():
            project = self._project_of(refused)
            if project and project != self._project_of(owner):
                self._apart[project] = None
        for path in [path for path in self._found if self._project_of(path) in self._apart]:
            del self._found[path]
            self._not_taken.append(f"{path}: belongs to {self._project_of(path)}, which is left out as a whole")

    def _project_of(self, path: str) -> str:
        """Return the nearest project that holds the path; "" for the tree itself."""
        return max((p for p in self._projects if path.startswith(f"{p}/")), key=len, default="")

    def _forget(self, path: str) -> None:
        """Drop a root whose names a folder around it gives it anyway."""
        if not self._found[path][0].package:
            del self._found[path]
            self._names = {name: owner for name, owner in self._names.items() if owner != path}

    def _top_names(self, root: Root) -> tuple[str, ...]:
        """Return the top-level names that a second root may not have as well; a namespace may be shared."""
        survey = self._survey
        if root.path.endswith(".py"):
            return (posixpath.basename(root.path)[:-3],)
        if root.package or survey.is_package(root.path):
            return (root.package or posixpath.basename(root.path),)
        return (*survey.packages(root.path), *(name[:-3] for name in survey.modules(root.path)))

    def _sources(self) -> list[Root]:
        return [root for root, _ in self._found.values() if root.role is Role.SOURCE]

    def _has_sources(self, project: str = "", *, files: bool = True) -> bool:
        """Say whether a source root lies in the project."""
        prefix = f"{project}/" if project else ""
        return any(
            root.path.startswith(prefix) and (files or not root.path.endswith(".py")) for root in self._sources()
        )

    def _has_folders(self) -> bool:
        return self._has_sources(files=False)

    def _inventory(self, folder: str) -> str:
        names = [*self._survey.packages(folder), *self._survey.modules(folder)]
        if not names:
            names = list(self._survey.folders(folder))
        return _some(names)


def _shown(root: Root) -> str:
    """Return the root as evidence lines name it."""
    seen = f" as {root.package}" if root.package and root.package != root.path.replace("/", ".") else ""
    return f"{root.path}{seen}"


def _identifier(name: str) -> str:
    """Return a folder's name as a name that a package can have."""
    clean = re.sub(r"\W", "_", name)
    return clean if clean.isidentifier() else f"_{clean}"


def _files(count: int) -> str:
    return "1 Python file" if count == 1 else f"{count} Python files"


def _some(names: Sequence[str], most: int = 6) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
