"""Which files that matter lie below the project, and which were left out by which rule?

One walk, without recursion. Directories are asked about before their files, and each pattern once a name, so
that ten thousand files cost a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.ignore import IgnoreFile, decoded_lines, is_ignored
from abutment.sources.tree import Entry, EntryKind, Tree
from abutment.sources.universe import Root

OUTSIDE_ROOTS = "outside the roots"
NOTEBOOK = "notebook"
EXCLUDE = "exclude"
IGNORED = "ignored by .gitignore"
HIDDEN = "hidden"
VIRTUAL_ENVIRONMENT = "virtual environment"
LINK_OUT = "link out of the tree"
LINK_NOWHERE = "link that leads nowhere"
LINK_LOOP = "link loop"
NOT_REGULAR = "not a regular file"

_NAMED_RULES = frozenset({"site-packages", "node_modules", "build", "dist"})
_MARKS_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")
_INITS = ("__init__.py", "__init__.pyi")
_SOURCES = frozenset({"py", "pyi"})
_EXTENSIONS = frozenset({"so", "pyd"})
_ACCOUNTED = _SOURCES | {"ipynb"}
_WATCHED = _ACCOUNTED | _EXTENSIONS
_UNFOLLOWED = {EntryKind.OUTSIDE: LINK_OUT, EntryKind.DANGLING: LINK_NOWHERE}
_LEADS_OUT = "the link leads out of the project, where nothing is read."
_BRING_IN = "Put the file in its place, have the project's configuration further up, or leave it out with `exclude`."
_MOST_ALIASES = 16  # so that links to folders full of links cannot multiply without end


class Standing(IntEnum):
    """What a file inside a root is good for; the least is the best."""

    KEPT = 0
    EXCLUDED = 1
    GENERATED = 2


class Found(NamedTuple):
    """One Python source, stub or extension module inside a root."""

    path: str
    stem: str  # the name that an import would use
    suffix: str  # ".py", ".pyi", or ".so" for any extension module
    standing: Standing
    root: int


@dataclass(slots=True)
class Folder:
    """One directory inside a root."""

    path: str
    root: int
    files: list[Found] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # paths; those that are roots themselves are not among them
    best: Standing | None = None  # of everything in it, however deep; None where it holds no module

    @property
    def name(self) -> str:
        """Its own name."""
        return self.path[self.path.rfind("/") + 1 :]


@dataclass(slots=True)
class Walked:
    """Everything that one walk found."""

    folders: dict[str, Folder] = field(default_factory=dict)
    lone: list[Found] = field(default_factory=list)  # files that are roots themselves
    packages: set[str] = field(default_factory=set)  # folders with an `__init__`, also outside the roots
    left_out: list[tuple[str, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """One directory that is still to be looked into, and what holds for everything in it."""

    path: str
    root: int  # -1 outside of every root
    standing: Standing
    ignores: tuple[IgnoreFile, ...]
    ignored: bool = False  # by a pattern that names this very directory
    only_tracked: str = ""  # the rule by which all but git's own files are left out
    tracked: bool = False  # a link that git tracks: so is what it leads to


@dataclass(frozen=True, slots=True)
class Rules:
    """By what the walk decides."""

    roots: tuple[Root, ...]
    exclude: tuple[str, ...]  # gitignore-style patterns from the configuration
    tracked: frozenset[str] | None  # git's own files; None where git cannot be asked
    outer: tuple[IgnoreFile, ...]  # ignore patterns from above the tree's root


def walk(tree: Tree, rules: Rules) -> Walked:
    """Return what lies below the tree's root; what cannot be read becomes a fault, never an exception."""
    walker = _Walker(tree, rules)
    walker.run(rules.outer)
    return walker.walked


class _Walker:
    def __init__(self, tree: Tree, rules: Rules) -> None:
        self.walked = Walked()
        self._tree, self._exclude = tree, IgnoreFile(rules.exclude)
        self._knows_tracked = rules.tracked is not None
        self._tracked = rules.tracked if rules.tracked is not None else frozenset()
        self._tracked_folders = _ancestors(self._tracked)
        self._roots = {"" if root.path == "." else root.path: index for index, root in enumerate(rules.roots)}
        self._above_roots = _ancestors(self._roots)
        self._identities: dict[str, object] = {}
        self._aliases: dict[object, int] = {}

    def run(self, outer: tuple[IgnoreFile, ...]) -> None:
        waiting = [_Place("", self._roots.get("", -1), Standing.KEPT, outer)]
        order: list[Folder] = []
        while waiting:
            waiting.extend(self._look_into(waiting.pop(), order))
        for folder in reversed(order):  # children come after their parents in the order, so before them here
            _settle_best(folder, self.walked.folders)

    def _ignore_file(self, path: str, base: str) -> list[IgnoreFile]:
        try:
            return [IgnoreFile(decoded_lines(self._tree.read(path)), base)]
        except NotJudged as refusal:
            self.walked.faults.extend(refusal.faults)
            return []

    def _look_into(self, place: _Place, order: list[Folder]) -> list[_Place]:
        """Account for one directory's entries and return the directories below it that are to be looked into."""
        rule = self._rule_by_name(place)
        if rule and place.root < 0 and not self._holds_tracked(place):
            self._leave_out(place.path + "/", rule)
            return []
        try:
            entries = self._tree.list(place.path)
        except NotJudged as refusal:
            self._unreadable(place, rule, refusal)
            return []
        names = {entry.name for entry in entries}
        is_package = not names.isdisjoint(_INITS)
        if is_package:
            self.walked.packages.add(place.path)
        entered = self._enter(place, rule or _environment(names), is_package)
        if entered is None:
            return []
        if ".gitignore" in names:
            entered = self._with_ignores(entered, entries)
        folder = Folder(place.path, place.root)
        if place.root >= 0:
            self.walked.folders[place.path] = folder
            order.append(folder)
        return self._take_entries(entered, folder, entries)

    def _rule_by_name(self, place: _Place) -> str:
        if place.path in self._roots or place.path in self._above_roots or place.only_tracked or place.tracked:
            return ""
        name = place.path[place.path.rfind("/") + 1 :]
        if name.startswith("."):
            return HIDDEN
        return name if name in _NAMED_RULES else ""

    def _enter(self, place: _Place, rule: str, is_package: bool) -> _Place | None:
        """Return the place as it is to be looked into, or None where it is left out as a whole."""
        in_root_as_package = is_package and place.root >= 0
        if rule and not in_root_as_package and place.path not in self._roots and place.path not in self._above_roots:
            if not self._holds_tracked(place):
                self._leave_out(place.path + "/", rule)
                return None
            return replace(place, only_tracked=rule)
        # Without git nobody can say whether an ignored package was committed all the same. Taking it for generated
        # could hide code, so it counts as code.
        if place.ignored and (self._knows_tracked or not in_root_as_package):
            return replace(place, standing=place.standing or Standing.GENERATED)
        return place

    def _unreadable(self, place: _Place, rule: str, refusal: NotJudged) -> None:
        rule = self._rule_unseen(place, rule)
        if rule:
            self._leave_out(place.path + "/", rule)
            return
        remedy = "Make it readable, or leave it out with `exclude`."
        self.walked.faults.extend(replace(fault, remedy=fault.remedy or remedy) for fault in refusal.faults)

    def _rule_unseen(self, place: _Place, rule: str) -> str:
        """Return by which rule a folder that cannot be read is left out all the same; "" where it may hold code."""
        if place.standing is Standing.EXCLUDED:
            return EXCLUDE
        if place.path in self._roots or place.path in self._above_roots or self._holds_tracked(place):
            return ""
        if place.root < 0:
            return rule or OUTSIDE_ROOTS
        if place.ignored and self._knows_tracked:
            return IGNORED
        return rule if rule == HIDDEN else ""  # of another name it could be a package, which no rule leaves out

    def _with_ignores(self, place: _Place, entries: Iterable[Entry]) -> _Place:
        # git does not follow a link here either.
        if not any(e.name == ".gitignore" and e.kind is EntryKind.FILE and not e.linked for e in entries):
            return place
        added = self._ignore_file(_join(place.path, ".gitignore"), place.path)
        return replace(place, ignores=(*place.ignores, *added))

    def _take_entries(self, place: _Place, folder: Folder, entries: Iterable[Entry]) -> list[_Place]:
        below: list[_Place] = []
        before = place.path + "/" if place.path else ""
        for entry in entries:
            name, kind = entry.name, entry.kind
            if kind is EntryKind.DIRECTORY:
                child = self._child(place, before + name, entry.linked)
                if child is not None:
                    below.append(child)
                    if child.root == place.root and child.path not in self._roots:
                        folder.folders.append(child.path)
                continue
            suffix = name[name.rfind(".") + 1 :]
            if suffix in _WATCHED or (kind in _UNFOLLOWED and suffix == name):
                self._take_file(place, folder, before + name, suffix, kind)
        return below

    def _child(self, place: _Place, path: str, linked: bool) -> _Place | None:
        """Return a directory below the place, or None where it is left out without a look."""
        if linked and not self._follows(place, path):
            return None
        is_tracked_link = place.tracked or (linked and path in self._tracked)
        standing = Standing.EXCLUDED if place.standing is Standing.KEPT and self._excludes(path) else place.standing
        ignored = not is_tracked_link and is_ignored(place.ignores, path, directory=True)
        if path in self._roots:
            # Whoever names an ignored folder as a root wants it read: the patterns above it say nothing more.
            restarts = ignored or standing is Standing.GENERATED
            kept = Standing.KEPT if standing is Standing.GENERATED else standing
            return _Place(path, self._roots[path], kept, () if restarts else place.ignores, tracked=is_tracked_link)
        if path not in self._above_roots:
            if place.only_tracked and not is_tracked_link and path not in self._tracked_folders:
                self._leave_out(path + "/", place.only_tracked)
                return None
            if ignored and place.root < 0:
                self._leave_out(path + "/", IGNORED)
                return None
        return _Place(path, place.root, standing, place.ignores, ignored, place.only_tracked, is_tracked_link)

    def _follows(self, place: _Place, path: str) -> bool:
        try:
            identity = self._identity(path)
            is_loop = any(self._identity(above) == identity for above in _above(path))
        except NotJudged as refusal:  # it was there a moment ago
            self.walked.faults.extend(refusal.faults if place.root >= 0 else ())
            return False
        if is_loop:
            self._leave_out(path + "/", LINK_LOOP if place.root >= 0 else OUTSIDE_ROOTS)
            return False
        self._aliases[identity] = self._aliases.get(identity, 0) + 1
        if self._aliases[identity] <= _MOST_ALIASES:
            return True
        if place.root >= 0:
            message = f"links lead to this folder in more than {_MOST_ALIASES} ways."
            self.walked.faults.append(Fault(path, 0, message, "Leave the links out with `exclude`."))
        return False

    def _identity(self, path: str) -> object:
        if path not in self._identities:
            self._identities[path] = self._tree.identity(path)
        return self._identities[path]

    def _excludes(self, path: str) -> bool:
        return self._exclude.decide(path, directory=True) is True

    def _take_file(self, place: _Place, folder: Folder, path: str, suffix: str, kind: EntryKind) -> None:
        root = self._roots.get(path, place.root)
        rule = self._rule_of_file(place, path, suffix, kind, root)
        if rule:
            if suffix not in _EXTENSIONS:
                self._leave_out(path, rule)
            return
        if not path.isascii() and not _is_unicode(path):
            shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            message = "the name is no UTF-8, so that it cannot be written down."
            self.walked.faults.append(Fault(shown, 0, message, "Rename it, or leave it out with `exclude`."))
            return
        standing = self._standing_of_file(place, path)
        if kind is EntryKind.OUTSIDE and standing is Standing.KEPT:
            self.walked.faults.append(Fault(path, 0, _LEADS_OUT, _BRING_IN))
            return
        if standing is not Standing.KEPT and suffix in _SOURCES:
            self._leave_out(path, EXCLUDE if standing is Standing.EXCLUDED else IGNORED)
        found = _found(path, suffix, standing, root)
        if path in self._roots:
            self.walked.lone.append(found)
        else:
            folder.files.append(found)

    def _rule_of_file(self, place: _Place, path: str, suffix: str, kind: EntryKind, root: int) -> str:
        if root < 0:
            return OUTSIDE_ROOTS
        # Python would run what such a link leads to as a module of the root: leaving it out unsaid would hide code.
        may_be_source = kind is EntryKind.FILE or (kind is EntryKind.OUTSIDE and suffix in _SOURCES)
        if not may_be_source:
            return self._rule_unfollowed(place, path, kind)
        is_named = path in self._tracked or place.tracked or path in self._roots
        if place.only_tracked and not is_named:
            return place.only_tracked
        if suffix == "ipynb":
            return NOTEBOOK
        return HIDDEN if path[path.rfind("/") + 1] == "." and not is_named else ""

    def _rule_unfollowed(self, place: _Place, path: str, kind: EntryKind) -> str:
        standing = self._standing_of_file(place, path)
        if standing is Standing.EXCLUDED or self._excludes(path):  # a link may lead to a folder, which `x/` names
            return EXCLUDE
        return IGNORED if standing is Standing.GENERATED else _UNFOLLOWED.get(kind, NOT_REGULAR)

    def _standing_of_file(self, place: _Place, path: str) -> Standing:
        if place.standing is Standing.EXCLUDED or self._exclude.decide(path, directory=False) is True:
            return Standing.EXCLUDED
        if path in self._tracked or place.tracked or path in self._roots:
            return Standing.KEPT
        if place.standing is Standing.GENERATED or is_ignored(place.ignores, path, directory=False):
            return Standing.GENERATED
        return Standing.KEPT

    def _holds_tracked(self, place: _Place) -> bool:
        return place.tracked or place.path in self._tracked_folders

    def _leave_out(self, path: str, rule: str) -> None:
        self.walked.left_out.append((path, rule))


def _found(path: str, suffix: str, standing: Standing, root: int) -> Found:
    name = path[path.rfind("/") + 1 :]
    if suffix in _EXTENSIONS:  # `_x.cpython-311-x86_64-linux-gnu.so` is the module `_x`
        return Found(path, name.partition(".")[0], ".so", standing, root)
    return Found(path, name[: -len(suffix) - 1], "." + suffix, standing, root)


def _settle_best(folder: Folder, folders: dict[str, Folder]) -> None:
    standings = [found.standing for found in folder.files]
    for path in folder.folders:
        below = folders.get(path)
        if below is not None and below.best is not None:
            standings.append(below.best)
    folder.best = min(standings, default=None)
    folder.folders = [path for path in folder.folders if path in folders and folders[path].best is not None]


def _environment(names: set[str]) -> str:
    return VIRTUAL_ENVIRONMENT if any(mark in names for mark in _MARKS_ENVIRONMENT) else ""


def _ancestors(paths: Iterable[str]) -> frozenset[str]:
    """Return every directory that holds one of the paths, however deep."""
    found: set[str] = set()
    for path in paths:
        for folder in _above(path):
            if folder in found:
                break
            found.add(folder)
    return frozenset(found)


def _above(path: str) -> Iterator[str]:
    """Yield the directories above a path, the nearest first."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
