"""What does setting or taking away an attribute do: to a class of this file, or to somebody else's object?"""

from __future__ import annotations

from abutment.semantics.provenance import BY_CLASS, SHARED, Verb
from abutment.semantics.reading import ANY, Atom, Atoms, Reading


def set_attribute(r: Reading, base: Atoms, name: str, value: Atoms, place: int, by: str = "") -> None:
    """Set an attribute (`?` for any): a field of a class of this file, or something on somebody else's object."""
    r.poke(base, name)
    ours, others = _by_owner(r, base)
    for owner in ours:
        if name == "?":
            r.record.open_class(owner)
        else:
            r.record.fields.set(owner, name, value, _by(owner, base))
    if others and name != "?":
        r.record.set_elsewhere.add(name)
        r.use(Verb.SET, others, place, (), ((name, value),), by=by and f"{by}.{name}")


def erase_attribute(r: Reading, base: Atoms, name: str, place: int, by: str = "") -> None:
    """Take an attribute away (`?` for any) from what is nothing of a class of this file."""
    if others := _by_owner(r, base)[1]:
        r.use(Verb.ERASE, others, place, (), ((name, ANY),), by=by and f"{by}.{name}")


def _by(owner: str, base: Atoms) -> str:
    """Return on what an attribute of a class is set, in the words of `Fields.set`."""
    if base == {f"{owner}:&"}:
        return ""
    return BY_CLASS if base == {f"{owner}:&&"} else SHARED


def _by_owner(r: Reading, base: Atoms) -> tuple[list[str], Atoms]:
    """Return the classes of this file that are among the atoms, or whose instances are, and what is no definition.

    What a function of the file itself has nobody asks about; what it gives may be anything.
    """
    ours, others = [], set[Atom]()
    for atom in base:
        owner, _, step = atom.partition(":") if isinstance(atom, str) and atom[0] == "@" else ("", "", "?")
        if step in ("", "()", "&", "&&") and r.record.is_class(owner):
            ours.append(owner)
        elif step:
            others.add(atom)
    return ours, frozenset(others)
