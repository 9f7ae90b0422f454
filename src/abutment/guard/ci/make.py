"""What do the targets of a Makefile run, and what does the rest of the file make of it?"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.front import governs
from abutment.guard.ci.made import MAKING, asked_of_make, below
from abutment.guard.ci.parts import reached
from abutment.guard.ci.search_path import below_home
from abutment.guard.ci.shell import lines_of, without_comment
from abutment.guard.ci.values import Values

Read = Callable[[str], str | None]  # gives the text of a file; None where there is none
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # make takes the first that is there
_TARGET = re.compile(
    r"^(?P<names>[\w./%-][\w./%\- ]*?)\s*(?P<colons>::?)(?!=)\s*(?P<needs>[^#=;]*)"
    r"(?:;(?P<recipe>.*)|#.*)?$"
)
_ASSIGNED = re.compile(r"(?:^|:)\s*(?:(?:export|override|private)\s+)*(?P<name>[\w.]+)\s*[:+?!]*=\s*(?P<value>.*)$")
_CONDITIONAL = re.compile(r"(?P<opens>ifn?def|ifn?eq)\b|(?P<turns>else)\b|endif\b")
_INCLUDES = re.compile(r"[-s]?include\b|load\b")
_CHANGES_ALL = frozenset({".IGNORE", ".ONESHELL", ".POSIX", ".SECONDEXPANSION", ".DEFAULT"})
# What these name is run by others; what `.PHONY` names would not be run beside a file of that name.
_SPECIAL = _CHANGES_ALL | {".PRECIOUS", ".SECONDARY", ".INTERMEDIATE", ".DELETE_ON_ERROR", ".SILENT", ".NOTPARALLEL"}
_STEERING = frozenset({".SHELLFLAGS", ".RECIPEPREFIX", "MAKEFILES", "VPATH"})
_SHELL = re.compile(r"(?:/usr/bin/env )?(?:/(?:usr/)?bin/)?(?:ba)?sh|(?:(?:-[eux]+|-[eux]*o pipefail) )*-[eux]*c")


def make_calls(path: str, read: Read, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of each target, and of each that needs it: what `make check` runs counts as asked by `check`.

    So does what a recipe has make itself run: of this Makefile, or of the one in another folder.
    """
    yield from Makefiles(read, own).at(path).calls()


class Makefiles:
    """The Makefiles of a repository, each read once."""

    def __init__(self, read: Read, own: Sequence[str]) -> None:
        self._read, self._own = read, own
        self._known: dict[str, _Makefile] = {}

    def at(self, path: str) -> _Makefile:
        """Return the one at a path."""
        if path not in self._known:
            text = self._read(path) or ""
            file = self._known[path] = _Makefile(
                self._own, _values_in(text), partial(self._in, posixpath.dirname(path))
            )
            for number, line in lines_of(text):
                file.read(number + 1, line)
        return self._known[path]

    def expanded(self, calls: Iterable[Call]) -> Iterator[Call]:
        """Yield the calls of a script at the top of the repository, with what make runs in place of each call of it.

        One behind words that are not known is none of make's: a package that is installed may be called so, too.
        """
        for call in calls:
            if call.asks not in MAKING:
                yield call
            elif not any(one.startswith("behind ") for one in call.softened):
                yield from (replace(one, when=call.when) for one in self._made(call))

    def _made(self, call: Call) -> Iterator[Call]:
        file = self._in("", asked_of_make(call).folder)
        return file.made(call) if file is not None else iter(())

    def _in(self, above: str, folder: str) -> _Makefile | None:
        """Return the one in a folder as it is named in the folder `above`."""
        paths = (posixpath.normpath(posixpath.join(above, below_home(folder), name)) for name in MAKEFILES)
        return next((self.at(path) for path in paths if self._read(path) is not None), None)


def _values_in(text: str) -> Values:
    """Return the variables of a whole file: a recipe sees the last value, wherever it stands."""
    values = Values()
    for _number, line in lines_of(text):
        found = None if line.startswith("\t") else _ASSIGNED.search(without_comment(line))
        if found:
            values.set(found["name"], found["value"].strip())
    return values


class _Makefile:
    """What was read of a Makefile."""

    def __init__(self, own: Sequence[str], values: Values, beside: Callable[[str], _Makefile | None]) -> None:
        self._own, self._values, self._beside = (*own, *MAKING), values, beside
        self._needs: dict[str, set[str]] = {}
        self._found: dict[str, list[Call]] = {}
        self._calls: dict[str, list[Call]] = {}
        self._around: list[str] = []  # what holds for every recipe
        self._inside: list[str] = []
        self._targets: list[str] = []
        self._fresh = False  # no line of the recipe was read yet

    def read(self, number: int, line: str) -> None:
        """Take a line into account."""
        bare = " ".join(line.split())
        if line.startswith("\t"):
            self._recipe(number, line)
        elif found := _CONDITIONAL.match(bare):
            self._turn(found, bare)
        elif found := _TARGET.match(line):
            self._begin(found)
            if found["recipe"] is not None:  # an empty one takes the place of an earlier one as well
                self._recipe(number, found["recipe"])
        elif bare and not bare.startswith("#"):
            self._targets = []
            self._setting(bare)

    def calls(self) -> Iterator[Call]:
        """Yield what was found."""
        for target in sorted(self._needs.keys() - _SPECIAL):
            for call in self.run_by(target):
                yield replace(call, asks=f"{call.asks}, by make {target}")

    def run_by(self, target: str) -> list[Call]:
        """Return what a target runs, with all that it needs; the first one of the file where none is named."""
        target = target or next(iter(self._needs), "")
        if target not in self._found:
            self._found[target] = []  # one that has itself made once more runs nothing else by that
            self._found[target] = list(dict.fromkeys(self._run_by(target)))
        return self._found[target]

    def _run_by(self, target: str) -> Iterator[Call]:
        for needed in sorted(reached([target], lambda name: self._needs.get(name, ()))):
            for call in self._calls.get(needed, ()):
                made = self._made(call) if call.asks in MAKING else [call]
                yield from (one.under(*self._around) for one in made)

    def _made(self, call: Call) -> Iterator[Call]:
        """Yield what make runs that a recipe calls."""
        folder = asked_of_make(call).folder
        file = self._beside(folder) if folder else self
        yield from file.made(call) if file is not None else ()

    def made(self, call: Call) -> Iterator[Call]:
        """Yield what of this file a call of make runs."""
        asked = asked_of_make(call)
        runs = [inner for target in asked.targets for inner in self.run_by(target)]
        for inner in runs:
            yield replace(below(asked.folder, inner).under(*asked.conditions), line=call.line)

    def _recipe(self, number: int, line: str) -> None:
        if self._fresh:  # a later recipe takes the place of an earlier one
            self._calls.update((target, []) for target in self._targets)
        self._fresh = False
        written = self._values.put_in(line)
        for call in calls_in(written, self._own, first_line=number, dashes=True, values=self._values.copy()):
            for target in self._targets:
                self._calls.setdefault(target, []).append(call.under(*self._inside))

    def _turn(self, found: re.Match[str], bare: str) -> None:
        if found["opens"]:
            self._inside.append(f"inside `{bare}`")
        elif self._inside:
            last = self._inside.pop()
            self._inside += [f"{last}, {bare}"] if found["turns"] else []

    def _begin(self, found: re.Match[str]) -> None:
        self._targets = found["names"].split()
        self._fresh = found["colons"] == ":"
        for target in self._targets:
            self._needs.setdefault(target, set()).update(found["needs"].split())
        self._around += [f"{target}: {found['needs']}".strip() for target in self._targets if target in _CHANGES_ALL]

    def _setting(self, bare: str) -> None:
        found = _ASSIGNED.search(bare)
        if found and (governs(f"{found['name']}=") or found["name"] in _STEERING):
            self._around += [] if _SHELL.fullmatch(found["value"]) else [bare]
        elif _INCLUDES.match(bare):
            self._around.append(bare)
