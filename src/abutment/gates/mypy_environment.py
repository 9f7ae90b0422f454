"""Does mypy see as much of what lies outside of the code as it did when its errors were recorded?

Where a package is not installed, or says nothing of its types, whatever comes from it is `Any` to mypy, and no error.
With `ignore_missing_imports` nobody is told. So which of the modules that the checked code imports and the roots do not
hold are found is a condition of the record. One that the code has begun or ceased to import changes nothing of what
was recorded; one that is found no more does, and one that is found by now can only add to what is seen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from abutment.facts.statements import STAR
from abutment.model.measurement import Conditions, members_of, some_of, written_members
from abutment.semantics.program import Blind, BlindSpot, Import, ModuleKind, Program

_SHOWN = 5  # names in a note
FOUND, UNSEEN = "environment", "unseen"  # the conditions: what mypy finds with types, and what it does not


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the checked code imports and the roots do not hold."""

    modules: frozenset[str]  # these are modules
    candidates: frozenset[str] = frozenset()  # `m.n` of `from m import n`: modules, or names in one

    @property
    def names(self) -> frozenset[str]:
        """Everything that may be a module."""
        return self.modules | self.candidates


@dataclass(frozen=True, slots=True)
class Environment:
    """What of it mypy finds."""

    imported: Elsewhere
    found: frozenset[str]

    @property
    def conditions(self) -> Conditions:
        """Return it as conditions of a record; what is no module to anybody's knowledge is none."""
        return {FOUND: written_members(self.found), UNSEEN: written_members(self.imported.modules - self.found)}

    def bearing(self, before: Conditions) -> Conditions:
        """Return the conditions in so far as they bear on those of a record: of what it names, what differs now."""
        if FOUND not in before or UNSEEN not in before:
            return self.conditions
        found, unseen = (members_of(before[name]) for name in (FOUND, UNSEEN))
        lost = found & (self.imported.names - self.found)
        return {FOUND: written_members(found - lost), UNSEEN: written_members(unseen - self.found)}

    def notes(self) -> Iterator[str]:
        """Yield what mypy does not see."""
        unseen = self.imported.modules - self.found
        if unseen:
            yield f"mypy finds no types of {some_of(unseen, _SHOWN)}: what comes from there is Any to it."


def as_recorded(before: Conditions) -> Conditions:
    """Return what a record says of the environment, for an answer of which nobody knows in which one it was made."""
    return {name: before[name] for name in (FOUND, UNSEEN) if name in before}


def imported_elsewhere(program: Program, targets: Sequence[str] | None) -> Elsewhere:
    """Return what the modules below the targets import, and those that these import; None stands for all modules."""
    written = [one for one in program.imports() if one.via == "written" and not one.dynamic]
    checked = _reached(program, written, targets)
    outside = [one for one in written if one.importer in checked and not _is_scanned(program, one.imported)]
    lost = (_named(program, one) for one in program.blind if one.kind is Blind.UNRESOLVED and one.module in checked)
    taken = (f"{one.imported}.{one.symbol}" for one in outside if one.symbol not in ("", STAR))
    return Elsewhere(
        frozenset(filter(_may_lack, (*(one.imported for one in outside), *lost))), frozenset(filter(_may_lack, taken))
    )


def bases_of(program: Program) -> frozenset[str]:
    """Return the folders from which the modules of the roots are imported."""
    tops = (one for name, one in program.modules.items() if "." not in name)
    places = (PurePosixPath(one.path) for one in tops)
    return frozenset(str(place.parent.parent if place.stem == "__init__" else place.parent) for place in places)


def _reached(program: Program, written: Sequence[Import], targets: Sequence[str] | None) -> frozenset[str]:
    """Return the modules that mypy reads: those below its targets, and what they import."""
    if targets is None:
        return frozenset(program.modules)
    follows: dict[str, set[str]] = {}
    for one in written:
        follows.setdefault(one.importer, set()).add(one.imported)
    waiting = [name for name, one in program.modules.items() if _is_below(one.path, targets)]
    seen = set(waiting)
    while waiting:
        new = follows.get(waiting.pop(), set()) & program.modules.keys() - seen
        seen |= new
        waiting += new
    return frozenset(seen)


def _is_below(path: str, targets: Sequence[str]) -> bool:
    return any(PurePosixPath(path).is_relative_to(target) for target in targets)


def _is_scanned(program: Program, name: str) -> bool:
    return name in program.modules and program.modules[name].kind is not ModuleKind.GENERATED


def _named(program: Program, spot: BlindSpot) -> str:
    """Return the whole name of a module that is not there, of which a statement says `.name`."""
    name = spot.what.lstrip(".")
    level = len(spot.what) - len(name)
    if not level:
        return name
    parts = spot.module.split(".")
    above = parts[: len(parts) - level + program.modules[spot.module].is_package]
    return ".".join((*above, *filter(None, (name,))))


def _may_lack(name: str) -> bool:
    """Say whether it depends on the environment if a module is there; the standard library goes with the Python."""
    return name.partition(".")[0] not in sys.stdlib_module_names and all(map(str.isidentifier, name.split(".")))
