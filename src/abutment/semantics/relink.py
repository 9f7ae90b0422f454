"""After an edit, which modules have to be linked again, and what is the program then?

What an import comes to depends on the module it stands in, on which modules there are, and on what other modules
say of the names that were asked about. While linking, each name that was looked at is noted (`Names.reads`). Where
the modules are the same and an edit changes only entries of a module's own table, its imports, or both, then exactly
the edited modules, and those that had looked at an entry that changed, can come out differently. Whatever else
changes (stars, `__all__`, literal tables, names set from outside, a module's openness) is true of all modules
together, and then all are linked again. Linking anew always gives the same program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from abutment.semantics.columns import spliced
from abutment.semantics.exports import Exports
from abutment.semantics.footing import Footing, numbered, outside, readers_of
from abutment.semantics.link import Linker, directives_of, in_order
from abutment.semantics.meaning import Meaning
from abutment.semantics.names import EVERY_NAME, Names, Read
from abutment.semantics.program import Blind, Directive, Program

_LINKED = frozenset({Blind.UNRESOLVED, Blind.PAST_TOP, Blind.MISSING_NAME, Blind.DYNAMIC})  # found by the linker
_MOST_SHARE = 3  # beyond a third of the modules, linking all is no slower
_ROOM = 1.25  # by how much tables may grow with what is not used any more …
_SLACK = 1_000  # … and by how many entries at least


class Edit(NamedTuple):
    """What one module meant, and what it means now."""

    old: Meaning
    new: Meaning


def relinked(
    program: Program,
    footing: Footing,
    edits: Mapping[str, Edit],
    meanings: Mapping[str, Meaning],
    top_names: frozenset[str],
) -> tuple[Program, Footing] | None:
    """Return the program after some modules were edited; None where all modules have to be linked again.

    `meanings` are those after the edit; which modules there are, and which of them can be read, is as it was.
    """
    affected = _affected(footing, edits)
    if affected is None or len(affected) * _MOST_SHARE > len(footing.reads):
        return None
    names = Names(program.modules, meanings, footing.groundwork)
    linker = Linker(names, top_names)
    rows = {module: linker.rows(meanings[module]) for module in sorted(affected)}
    kept = (spot for spot in program.blind if spot.kind not in _LINKED or spot.module not in affected)
    after = _after(footing, linker.reads)
    columns = spliced(program.columns, rows, lambda module: program.modules[module].path)
    if len(columns.names) > _most(footing.sizes[0]) or len(after.asked) > _most(footing.sizes[1]):
        return None
    return replace(
        program,
        columns=columns,
        blind=in_order((*kept, *linker.blind)),
        exports=Exports(lambda: names),
        directives=_directives(program, edits),
    ), after


def _directives(program: Program, edits: Mapping[str, Edit]) -> tuple[Directive, ...]:
    kept = (one for one in program.directives if one.module not in edits)
    fresh = directives_of((edit.new for edit in edits.values()), program.modules)
    return tuple(sorted((*kept, *fresh), key=lambda one: one.site))


def _most(size: int) -> int:
    return max(int(size * _ROOM), size + _SLACK)


def _affected(footing: Footing, edits: Mapping[str, Edit]) -> frozenset[str] | None:
    """Return the modules of which the imports can come out differently; None where that may be any."""
    if any(character(edit.old) != character(edit.new) for edit in edits.values()):
        return None
    changed = {(module, name) for module, edit in edits.items() for name in _changed(edit)}
    whole = {(module, EVERY_NAME) for module, _ in changed}
    if not footing.groundwork.reads.isdisjoint(changed | whole) or not whole.isdisjoint(footing.asked):
        return None
    return frozenset(edits) | readers_of(footing.asked, footing.reads, changed)


def character(meaning: Meaning) -> tuple[Any, ...]:
    """Return all that other modules' imports may depend on without asking for one name of the module's table."""
    return (
        meaning.module,
        meaning.is_package,
        meaning.suffix,
        meaning.exported,
        meaning.stars,
        meaning.covered,
        meaning.marks,
        meaning.pokes,
        meaning.lazy,
        "__getattr__" in meaning.names,
    )


def _changed(edit: Edit) -> Iterator[str]:
    old, new = edit.old.names, edit.new.names
    return (name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _after(footing: Footing, fresh: Mapping[str, Iterable[Read]]) -> Footing:
    numbers = {read: number for number, read in enumerate(footing.asked)}
    reads = {module: numbered(outside(module, found), numbers) for module, found in fresh.items()}
    return replace(footing, asked=tuple(numbers), reads={**footing.reads, **reads})
