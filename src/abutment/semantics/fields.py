"""What are the attributes of a file's classes given, and by whom?

What a method gives its own `self` depends on the class of that instance alone. What it leaves with a class, with
another instance or in a container is shared: who reads it may be of another class than who left it there.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.semantics.provenance import SHARED

_Atoms = frozenset[str | int]
_NOTHING: _Atoms = frozenset()
_ANY: _Atoms = frozenset(("?",))


class Fields:
    """What is set on instances and classes of one file, while it is read."""

    def __init__(self) -> None:
        self._all: dict[str, dict[str, _Atoms]] = {}  # by the class's atom
        self._shared: dict[str, dict[str, _Atoms]] = {}  # what of it depends on the class of who left it there

    def set(self, owner: str, name: str, atoms: _Atoms, *, is_shared: bool) -> None:
        """Note that an attribute of a class, or of its instances, is set."""
        if any(isinstance(atom, int) for atom in atoms):  # a display that anybody may change
            atoms |= _ANY
        _add(self._all, owner, name, atoms)
        if is_shared and (left := frozenset(filter(_is_of_an_instance, atoms))):
            _add(self._shared, owner, name, left)

    def known(self, owner: str, name: str) -> _Atoms:
        """Return what an attribute is known to be given."""
        return self._all.get(owner, {}).get(name, _NOTHING)

    def every_value(self) -> Iterator[_Atoms]:
        """Yield what each attribute is given."""
        for fields in self._all.values():
            yield from fields.values()

    def of(self, owner: str) -> Iterator[tuple[str, _Atoms]]:
        """Yield the attributes of a class with what they hold; what is shared, by the name of its variable."""
        shared = self._shared.get(owner, {})
        for name, atoms in self._all.get(owner, {}).items():
            yield name, atoms - shared[name] | {f"{owner}{SHARED}{name}"} if name in shared else atoms

    def shared(self) -> Iterator[tuple[str, _Atoms]]:
        """Yield the variables of what is shared, with what they hold."""
        for owner, fields in self._shared.items():
            for name, atoms in fields.items():
                yield f"{owner}{SHARED}{name}", atoms


def _add(found: dict[str, dict[str, _Atoms]], owner: str, name: str, atoms: _Atoms) -> None:
    fields = found.setdefault(owner, {})
    fields[name] = fields.get(name, _NOTHING) | atoms


def _is_of_an_instance(atom: str | int) -> bool:
    """Say whether an atom may depend on the class of some `self` or `cls`: also a display, by what it holds."""
    return isinstance(atom, int) or ":&" in atom
