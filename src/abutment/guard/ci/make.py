"""What do the targets of a Makefile run, and what does the rest of the file make of it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.front import governs
from abutment.guard.ci.parts import reached
from abutment.guard.ci.shell import lines_of, without_comment
from abutment.guard.ci.values import Values

_TARGET = re.compile(r"^(?P<names>[\w./%-][\w./%\- ]*?)\s*(?P<colons>::?)(?!=)\s*(?P<needs>[^#=]*)(?:#.*)?$")
_ASSIGNED = re.compile(r"(?:^|:)\s*(?:(?:export|override|private)\s+)*(?P<name>[\w.]+)\s*[:+?!]*=\s*(?P<value>.*)$")
_CONDITIONAL = re.compile(r"(?P<opens>ifn?def|ifn?eq)\b|(?P<turns>else)\b|endif\b")
_INCLUDES = re.compile(r"[-s]?include\b|load\b")
_CHANGES_ALL = frozenset({".IGNORE", ".ONESHELL", ".POSIX", ".SECONDEXPANSION", ".DEFAULT"})
_STEERING = frozenset({".SHELLFLAGS", ".RECIPEPREFIX", "MAKEFILES", "VPATH"})
_SHELL = re.compile(r"(?:/usr/bin/env )?(?:/(?:usr/)?bin/)?(?:ba)?sh|(?:(?:-[eux]+|-[eux]*o pipefail) )*-[eux]*c")


def make_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of each target, and of each that needs it: what `make check` runs counts as asked by `check`."""
    file = _Makefile(own, _values_in(text))
    for number, line in lines_of(text):
        file.read(number + 1, line)
    yield from file.calls()


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

    def __init__(self, own: Sequence[str], values: Values) -> None:
        self._own, self._values = own, values
        self._needs: dict[str, set[str]] = {}
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
        elif bare and not bare.startswith("#"):
            self._targets = []
            self._setting(bare)

    def calls(self) -> Iterator[Call]:
        """Yield what was found."""
        for target in sorted(self._needs):
            for needed in sorted(reached([target], lambda name: self._needs.get(name, ()))):
                for call in self._calls.get(needed, ()):
                    yield replace(call.under(*self._around), asks=f"{call.asks}, by make {target}")

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
