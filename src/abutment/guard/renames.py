"""What has become of the modules, functions and classes of a revision? Told by the code of both revisions alone.

What a name stood for is gone, the other one has come, and reads like it. Each has become one other at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from functools import cache, cached_property

from abutment.guard.codebase import Code, Codebase, around
from abutment.guard.definitions import LOCALS, definitions_in, plain
from abutment.guard.likeness import Aside, Lines, bytes_of, likeness
from abutment.guard.pairing import one_to_one
from abutment.guard.revision import Revision
from abutment.sources.tree import Tree

Scope = tuple[str, str]  # a module, and the qualname of what stands inside of it


class Renames:
    """Whether one name of the code can have become another, or has, between two revisions."""

    def __init__(self, before: Revision, old: Code, after: Revision, new: Code) -> None:
        self._old, self._new = old, new
        self._revisions = (before, after)
        self._defined, self._defines = definitions_in(before, old), definitions_in(after, new)
        self._symbols = cache(self._paired_symbols)
        self._reads_as_it_did = cache(self._is_written_as_it_was)

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """Every module or package that has another name now, and that name."""
        was, now = self._old().names, self._new().names
        one, other = self.texts
        return one_to_one(was - now, now - was, lambda old, new: likeness(one.of_module(old), other.of_module(new)))

    @cached_property
    def texts(self) -> tuple[Texts, Texts]:
        """How the code reads in both revisions, with the names of modules put aside that only one of them has."""
        before, after = self._revisions
        return Texts(before.tree, self._old(), self._aside), Texts(after.tree, self._new(), self._aside)

    @cached_property
    def _aside(self) -> Aside:
        return Aside(self._old().names ^ self._new().names)

    def now_called(self, name: str) -> str:
        """Return what a dotted name of whatever is in the code has become; the name itself where nothing is shown."""
        module = _longest(name, self._old().names)
        inside = name.removeprefix(module).lstrip(".")
        home = self.modules.get(module, module)
        return f"{home}.{self.now_within(module, inside)}" if module and inside else home or name

    def now_within(self, module: str, qualname: str) -> str:
        """Return what the qualname of a function or class, or of what is in it, has become in its module."""
        if self._reads_as_it_did(module):
            return qualname
        home = self.modules.get(module, module)
        around = _longest_defined(qualname, self._defined(module))
        became = self._symbols(module, home).get(plain(around))
        return qualname if became is None else self._defines(home)[became].qualname + qualname[len(around) :]

    def tells(self, old: str, new: str) -> bool:
        """Say whether one module can have become the other: it is gone, and that one has come."""
        gone = old in self._old().names and old not in self._new().names
        return old == new or (gone and self._is_new(new))

    def bears_out(self, old: str, new: str) -> bool:
        """Say whether what a receipt declares of two modules can be; a file may have become a package of its name."""
        is_inside = new.startswith(f"{old}.") and old in self._old().names
        return self.tells(old, new) or (is_inside and self._is_new(new))

    def bears_out_scope(self, old: Scope, new: Scope) -> bool:
        """Say the same of two functions or classes, each in its module."""
        if old[1] == new[1] and self.bears_out(old[0], new[0]):
            return True
        was, now = plain(old[1]), plain(new[1])
        is_gone = was in self._defined(old[0]) and was not in self._defines(old[0])
        return is_gone and now in self._defines(new[0]) and now not in self._defined(new[0])

    def bears_out_name(self, old: str, new: str) -> bool:
        """Say the same of two dotted names of whatever is in the code."""
        return self.bears_out_scope(*self._scopes(old, new))

    def _scopes(self, old: str, new: str) -> tuple[Scope, Scope]:
        module, home = _longest(old, self._old().names), _longest(new, self._new().names)
        return (module, old.removeprefix(module).lstrip(".")), (home, new.removeprefix(home).lstrip("."))

    def _is_new(self, module: str) -> bool:
        return module in self._new().names and module not in self._old().names

    def _is_written_as_it_was(self, module: str) -> bool:
        """Say whether a module's text is the same but for the names of modules: then nothing in it was renamed.

        So nobody has to look for functions and classes in it.
        """
        before, after = self._revisions
        paths = (self._old().files.get(module, ()), self._new().files.get(self.modules.get(module, module), ()))
        if [len(each) for each in paths] != [1, 1]:
            return False
        (was,), (now,) = paths
        old, new = bytes_of(before.tree, was), bytes_of(after.tree, now)
        return old == new or self._aside.written(old) == self._aside.written(new)

    def _paired_symbols(self, module: str, home: str) -> Mapping[str, str]:
        """Return every function and class of a module that has another name now."""
        was, now = self._defined(module), self._defines(home)
        gone, come = was.keys() - now.keys(), now.keys() - was.keys()
        aside = Aside({*gone, *come, *self._old().names ^ self._new().names})

        def alike(old: str, new: str) -> float:
            one, other = was[old], now[new]
            return likeness(aside.lines(one.text), aside.lines(other.text)) if one.is_class == other.is_class else 0

        return one_to_one(gone, come, alike)


class Texts:
    """The lines of one revision's code."""

    def __init__(self, tree: Tree, code: Codebase, aside: Aside) -> None:
        self._tree, self._code, self._aside = tree, code, aside
        self._inside: dict[str, list[str]] = defaultdict(list)  # the paths of all that a module or package holds
        for module, paths in code.files.items():
            for name in around(module):
                self._inside[name] += paths
        self._of_file = cache(self._read)
        self.of_module = cache(self._all_in_module)
        self.of_path = cache(self._all_in_path)

    def _all_in_module(self, name: str) -> Lines:
        """Return the lines of a module, or of all that is in a package."""
        return self._together(self._inside.get(name, ()))

    def _all_in_path(self, path: str) -> Lines | None:
        """Return the lines of a file, or of all code in a folder, judged or not; None where there is none."""
        every = sorted({*self._code.judged, *self._code.tests, *self._code.beside})
        found = [one for one in every if f"{one}/".startswith(f"{path}/")]
        return self._together(found) if found else None

    def _together(self, paths: Iterable[str]) -> Lines:
        lines = Lines()
        for path in paths:
            lines.update(self._of_file(path))
        return lines

    def _read(self, path: str) -> Lines:
        return self._aside.lines(bytes_of(self._tree, path))


def _longest_defined(qualname: str, known: Container[str]) -> str:
    """Return the longest beginning of a qualname that is a function or class, "" where there is none."""
    while qualname and (plain(qualname) not in known or qualname.endswith(LOCALS)):
        qualname = qualname.rpartition(".")[0]
    return qualname


def _longest(name: str, known: Container[str]) -> str:
    """Return the longest beginning of a dotted name that is known, "" where there is none."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name
