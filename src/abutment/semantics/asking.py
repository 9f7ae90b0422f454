"""How is a question about uses answered: anew for each module, or as an earlier run answered it?"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from abutment.semantics.cache import LOOKED
from abutment.semantics.names import Names
from abutment.semantics.origins import Origins
from abutment.semantics.outline import ScopeKind
from abutment.semantics.reader import Reader
from abutment.semantics.reuse import NOTHING, Looked, Past, affected, after, packed_looked, take_up, unpacked_looked
from abutment.semantics.running import Importing
from abutment.semantics.uses import ByModule, Known, Use, canonical, packed_running, packed_use
from abutment.semantics.watching import Watched

_NAMED = (ScopeKind.FUNCTION, ScopeKind.ASYNC, ScopeKind.CLASS)


@dataclass(frozen=True, slots=True)
class _Start:
    """What an answer can start from."""

    looked: Looked | None  # on what earlier answers depend; None where that is not known
    answer: Callable[[bytes], bytes | None]  # about what the code was before
    stale: frozenset[str]  # the modules of which they may be wrong now


_ANEW = _Start(NOTHING, lambda _: None, frozenset())


class Asking:
    """Answers questions as plain rows, by module."""

    def __init__(self, known: Known | None, past: Past | None) -> None:
        """Take what answers are told from, and what an earlier run answered."""
        known = known or Known(Names({}, {}), {})
        self._names, self._provenances = known.names, known.provenances
        self._modules = sorted(known.provenances, key=lambda module: known.names.modules[module].path)
        self._readers: dict[str, Reader] = {}
        self._visits: dict[str, set[str]] = {}
        self._origins = Origins(known.names, known.provenances)
        self._start = self._started(past)

    @property
    def limited(self) -> frozenset[str]:
        """The modules in which something led too far to be answered in full."""
        return frozenset(self._origins.limited)

    def reaching(self, key: bytes, names: frozenset[str], *, through: bool, handed: bool) -> ByModule:
        """Return the rows of uses that reach something watched; with `through`, or come by it (`Uses.of`)."""
        watched = Watched(names)

        def of_one(module: str) -> list[Any]:
            return [packed_use(*pair) for pair in self._reader(module).of(watched, through=through, handed=handed)]

        return self._by_module(key, of_one, self._start.stale)

    def running(self, key: bytes, names: frozenset[str], *, not_through: frozenset[str]) -> ByModule:
        """Return the rows of uses that an import of each module brings about, but for what those functions do."""
        importing = Importing(self._reader, self._origins, Watched(names), not_through)

        def of_one(module: str) -> list[Any]:
            rows = [packed_running(one) for one in importing.of(module)]
            self._visits.setdefault(module, set()).update(importing.visited(module))
            return rows

        return self._by_module(key, of_one, self._stale_importers())

    def below(self, key: bytes, names: frozenset[str]) -> ByModule:
        """Return the classes of each module that are below others, with the nearest one."""
        return self._by_module(key, lambda module: list(self._below(module, names)), self._start.stale)

    def names_in(self, path: str) -> ByModule:
        """Return what a class has; nothing where the path leads to none. It is never kept over an edit."""
        found = self._origins.names_in(path)
        return {"": []} if found is None else {"": [sorted(found.data), sorted(found.definitions), found.is_open]}

    def parameters_of(self, path: str) -> ByModule:
        """Return what a function may be given by name; nothing where nobody knows. It is never kept over an edit."""
        found = self._origins.parameters_of(path)
        return {"": [] if found is None else [sorted(found.names), found.takes_others]}

    def writers_of(self, module: str) -> ByModule:
        """Return the modules by which names of a module are written; that is never kept over an edit either."""
        is_certain = module not in self._provenances or self._names.is_settled(module)
        return {"": [] if is_certain else sorted(self._names.writers_of(module))}

    def origins_of(self, path: str) -> ByModule:
        """Return what a dotted path may stand for; that is never kept over an edit either."""
        return {"": sorted(self._origins.origins_of(path))}

    def definitions(self, module: str) -> ByModule:
        """Return the functions and classes of a module; they are never kept over an edit either."""
        scopes = self._provenances[module].scopes if module in self._provenances else ()
        return {"": sorted({one.qualname for one in scopes if one.kind in _NAMED})}

    def every(self, module: str) -> Iterator[Use]:
        """Yield all uses of one module, in order."""
        if module in self._provenances:
            yield from self._reader(module).every()

    def looked(self) -> dict[bytes, bytes]:
        """Return what all answers depend on; nothing where the next run had better not start from them."""
        start = self._start
        if start.looked is None:
            return {}
        found = after(start.looked, self._origins, self._visits, start.stale)
        return {LOOKED: packed_looked(found)} if found is not None else {}

    # ---- from an earlier run

    def _started(self, past: Past | None) -> _Start:
        """Return what can be taken over: all where nothing was edited, nothing where everything may be otherwise."""
        changes = past.changes() if past is not None else None
        if past is None or changes is None:
            return _ANEW
        data = past.part(LOOKED)
        looked = unpacked_looked(data) if data is not None else None
        if not changes:  # its answers are those about this code; only other questions are asked of us
            if looked is not None:
                take_up(looked.told, frozenset(), (), self._origins)
            return _Start(looked, lambda _: None, frozenset())
        stale = affected(looked, changes, self._origins) if looked is not None else None
        if looked is None or stale is None:
            self._origins = Origins(self._names, self._provenances)
            return _ANEW
        return _Start(looked, past.part, stale)

    def _stale_importers(self) -> frozenset[str]:
        """Return the modules of which an import may run something else than it did."""
        stale, looked = self._start.stale, self._start.looked
        visits = looked.visits.items() if looked is not None else ()
        return stale.union(module for module, visited in visits if not stale.isdisjoint(visited))

    def _by_module(self, key: bytes, of_one: Callable[[str], list[Any]], stale: frozenset[str]) -> ByModule:
        data = self._start.answer(key)
        before: ByModule = marshal.loads(data)[1] if data is not None else {}
        found: ByModule = {}
        for module in self._modules:
            keep = data is not None and module not in stale
            if rows := before.get(module, []) if keep else of_one(module):
                found[module] = rows
        return found

    # ---- of one module

    def _reader(self, module: str) -> Reader:
        known = self._readers.get(module)
        if known is None:
            row = self._provenances[module]
            if row.is_limited:
                self._origins.limited.add(module)
            known = self._readers[module] = Reader(row, self._names, self._origins)
        return known

    def _below(self, module: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
        for atom in self._reader(module).row.classes:
            above = self._origins.hierarchy.ancestry((module, atom)).classes[1:]
            paths = (canonical(f"{one}:{path[1:].partition('#')[0]}" if one else path) for one, path in above)
            nearest = next((path for path in paths if path in names), None)
            if nearest is not None:
                yield canonical(f"{module}:{atom[1:].partition('#')[0]}"), nearest
