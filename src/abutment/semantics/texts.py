"""Which meaning has each file's text, whether the cache knows it or it has to be parsed?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from abutment.semantics.cache import Cache, Key, Packs
from abutment.semantics.program import Module, ModuleKind
from abutment.sources.universe import SourceFile

# A run that loads a whole program needs nothing of what follows.
if TYPE_CHECKING:
    from abutment.semantics.meanings import Meanings, Provenances
    from abutment.semantics.names import Names
    from abutment.semantics.relink import Edit
    from abutment.semantics.reuse import Change
    from abutment.semantics.work import Task

_KEY = 16
_MOST_SHARE = 4  # beyond a quarter of the files, linking all anew is no slower


Parse = Callable[[Sequence[int], bool], dict[int, bytes]]


def task_of(at: int, file: SourceFile, source: bytes, uses: bool) -> Task:
    """Return what a worker is asked about a file."""
    return (at, source, file.module, file.is_package, file.suffix, uses)


class Texts:
    """The texts of all files that could be read; a file is known by its number among them."""

    def __init__(
        self, files: Sequence[tuple[SourceFile, bytes]], keys: Sequence[Key], cache: Cache, parse: Parse
    ) -> None:
        """Take all files with their keys, and what parses some of them: with their uses or without."""
        self._parse = parse
        self.fresh: dict[int, bytes] = {}  # packed meanings that the cache did not know
        self._files, self._keys, self._cache = files, keys, cache

    @cached_property
    def _packs(self) -> Packs:
        return self._cache.meanings((*self._keys, *map(of_uses, self._keys)))

    def parse_unknown(self, uses: bool) -> None:
        """Parse the files of which the cache does not know the meaning, or, where they are wanted, the uses."""
        unknown = [at for at, key in enumerate(self._keys) if not self._knows(key, uses)]
        self.fresh.update(self._parse(unknown, uses))

    def _knows(self, key: Key, uses: bool) -> bool:
        if key not in self._packs or not uses or of_uses(key) in self._packs:
            return key in self._packs
        from abutment.semantics.work import READ

        return (self._packs.get(key) or READ)[:1] != READ  # what cannot be parsed has none

    def packed(self, at: int) -> bytes:
        """Return a file's packed meaning."""
        known = self._packs.get(self._keys[at]) if at not in self.fresh else None
        return known or self._parts(at)[0]

    def all_packed(self) -> list[bytes]:
        """Return every file's packed meaning."""
        known = self._packs.several([key for at, key in enumerate(self._keys) if at not in self.fresh])
        return [known.get(key) or self._parts(at)[0] for at, key in enumerate(self._keys)]

    def provenances(self, modules: Mapping[str, Module]) -> Provenances:
        """Return what those modules do that could be parsed; parses where nobody asked for it before."""
        from abutment.semantics.meanings import Provenances

        numbers = self._read(modules)
        lacking = [at for at in numbers.values() if not self._is_known_in_full(at)]
        if lacking:
            self.fresh.update(self._parse(lacking, True))
            self.keep()
        return Provenances(numbers, self.packed_uses)

    def _is_known_in_full(self, at: int) -> bool:
        return bool(self._parts(at)[1]) if at in self.fresh else of_uses(self._keys[at]) in self._packs

    def packed_uses(self, at: int) -> bytes:
        """Return what a file does, packed; parses it where the cache has lost that since it said that it knew it."""
        known = self._packs.get(of_uses(self._keys[at])) if at not in self.fresh else None
        if not known and not (at in self.fresh and self._parts(at)[1]):
            self.fresh.update(self._parse((at,), True))
        return known or self._parts(at)[1]

    def _read(self, modules: Mapping[str, Module]) -> dict[str, int]:
        """Return the numbers of those modules that could be parsed, which are all but the unread ones."""
        names = (file.module for file, _ in self._files)
        return {name: at for at, name in enumerate(names) if modules[name].kind is not ModuleKind.UNREAD}

    def _parts(self, at: int) -> tuple[bytes, bytes]:
        from abutment.semantics.work import parted

        return parted(self.fresh.get(at) or self._packs.get(self._keys[at]) or self._parsed(at))

    def _parsed(self, at: int) -> bytes:
        """Parse a file whose meaning the cache has lost since it said that it knew it."""
        self.fresh.update(self._parse((at,), False))
        return self.fresh[at]

    def keep(self) -> bool:
        """Hand the cache what it did not know, and say whether another run will find the same everywhere.

        Where the process's memory decided what became of a file, that is not kept.
        """
        if not self.fresh:
            return True
        lasting = [at for at, blob in self.fresh.items() if _is_lasting(blob)]
        fresh: dict[Key, bytes] = {}
        for at in lasting:
            meaning, does = self._parts(at)
            fresh[self._keys[at]] = meaning
            if does:
                fresh[of_uses(self._keys[at])] = does
        if fresh:
            wanted = (*self._keys, *map(of_uses, self._keys))
            self._cache.keep_meanings(self._packs, wanted, fresh)
            del self._packs  # what is kept next goes beside this
        return len(lasting) == len(self.fresh)

    def meanings(self, modules: Mapping[str, Module]) -> Meanings:
        """Return the meanings of those modules that could be parsed."""
        from abutment.semantics.meanings import Meanings

        return Meanings(self._read(modules), self.packed)

    def names(self, modules: Mapping[str, Module], footing: bytes | None) -> Names:
        """Return all names, from the footing of a program with these texts where there is one."""
        from abutment.semantics.footing import unpacked_footing
        from abutment.semantics.names import Names

        groundwork = unpacked_footing(footing).groundwork if footing is not None else None
        return Names(modules, self.meanings(modules), groundwork)

    def edits_since(self, before: bytes) -> dict[str, Edit] | None:
        """Return what became of the files that had other keys before; None where that is too much or not known."""
        changed = self._changed_since(before)
        return None if changed is None else self._edits(changed)

    def _edits(self, changed: Mapping[int, Key]) -> dict[str, Edit] | None:
        from abutment.semantics.meaning import Meaning
        from abutment.semantics.relink import Edit
        from abutment.semantics.work import unpacked_meaning

        edits: dict[str, Edit] = {}
        for at, key in changed.items():
            packed = self._packs.get(key)
            old, new = unpacked_meaning(packed) if packed else None, unpacked_meaning(self.packed(at))
            if not isinstance(old, Meaning) or not isinstance(new, Meaning):
                return None  # it could not be parsed, or cannot now; or the cache has lost it
            edits[self._files[at][0].module] = Edit(old, new)
        return edits

    def changes_since(self, before: bytes) -> dict[str, Change] | None:
        """Return the same together with what those files did, and do now."""
        from abutment.semantics.reuse import Change
        from abutment.semantics.work import unpacked_provenance

        changed = self._changed_since(before)
        edits = None if changed is None else self._edits(changed)
        if changed is None or edits is None:
            return None
        changes: dict[str, Change] = {}
        for at, key in changed.items():
            packed, (old, new) = self._packs.get(of_uses(key)), edits[self._files[at][0].module]
            if packed is None:
                return None
            does = unpacked_provenance(self.packed_uses(at))
            changes[new.module] = Change((old, unpacked_provenance(packed)), (new, does))
        return changes

    def _changed_since(self, before: bytes) -> dict[int, Key] | None:
        """Return the key that each file had which has another one now; None where that is too much or not known."""
        old_keys = [before[at : at + _KEY] for at in range(0, len(before), _KEY)]
        if len(old_keys) != len(self._keys):
            return None
        changed = {at: old_keys[at] for at, key in enumerate(self._keys) if key != old_keys[at]}
        return changed if len(changed) * _MOST_SHARE <= len(old_keys) else None


def of_uses(key: Key) -> Key:
    """Return the key of what a file does, beside that of what it means to those who import it."""
    return bytes((key[0] ^ 1,)) + key[1:]


def _is_lasting(packed: bytes) -> bool:
    from abutment.semantics.outline import Unparsed
    from abutment.semantics.work import READ, unpacked_meaning

    if packed.startswith(READ):
        return True
    found = unpacked_meaning(packed)
    return not isinstance(found, Unparsed) or found.lasting
