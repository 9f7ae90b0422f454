"""What are the attributes of a file's classes given, and by whom?

What a method gives its own `self` depends on the class of that instance alone. What it leaves with its own class
(`cls`), a class above who reads it may have been asked for. What it leaves with a class that it names, with another
instance or in a container is shared: who left it there may be of any class below.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.semantics.provenance import BY_CLASS, SHARED

_Atoms = frozenset[str | int]
_NOTHING: _Atoms = frozenset()
_ANY: _Atoms = frozenset(("?",))


class Fields:
    """What is set on instances and classes of one file, while it is read."""

    def __init__(self) -> None:
        self._all: dict[str, dict[str, _Atoms]] = {}  # by the class's atom
        self._left: dict[str, dict[str, _Atoms]] = {}  # by the variable, what depends on the class of who left it there

    def set(self, owner: str, name: str, atoms: _Atoms, by: str) -> None:
        """Note that an attribute is set: on `self` (`by` is ""), on its class (`BY_CLASS`), or elsewhere (`SHARED`)."""
        if any(isinstance(atom, int) for atom in atoms):  # a display that anybody may change
            atoms |= _ANY
        _add(self._all, owner, name, atoms)
        if by and (left := frozenset(filter(_is_of_an_instance, atoms))):
            _add(self._left, f"{owner}{by}", name, left)

    def put_in(self, owner: str, name: str, held: _Atoms) -> None:
        """Note that something is put into a container that an attribute holds, which siblings may share."""
        self.set(owner, name, held, SHARED)

    def known(self, owner: str, name: str) -> _Atoms:
        """Return what an attribute is known to be given."""
        return self._all.get(owner, {}).get(name, _NOTHING)

    def every_value(self) -> Iterator[_Atoms]:
        """Yield what each attribute is given."""
        for fields in self._all.values():
            yield from fields.values()

    def of(self, owner: str) -> Iterator[tuple[str, _Atoms]]:
        """Yield the attributes of a class with what they hold; what others left there, by the name of its variable."""
        for name, atoms in self._all.get(owner, {}).items():
            left = {by: found for by in (BY_CLASS, SHARED) if (found := self._left.get(f"{owner}{by}", {}).get(name))}
            yield name, atoms.difference(*left.values()) | {f"{owner}{by}{name}" for by in left}

    def left(self) -> Iterator[tuple[str, _Atoms]]:
        """Yield the variables of what others left, with what they hold."""
        for where, fields in self._left.items():
            for name, atoms in fields.items():
                yield f"{where}{name}", atoms


def _add(found: dict[str, dict[str, _Atoms]], owner: str, name: str, atoms: _Atoms) -> None:
    fields = found.setdefault(owner, {})
    fields[name] = fields.get(name, _NOTHING) | atoms


def _is_of_an_instance(atom: str | int) -> bool:
    """Say whether an atom may depend on the class of some `self` or `cls`: also a display, by what it holds."""
    return isinstance(atom, int) or ":&" in atom
