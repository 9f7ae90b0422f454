"""Which code does the law reach? Roots, and what is excluded from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abutment.guard.spelling import members, spelled
from abutment.guard.weight import NOT_THERE, Change, Permitted, Text, Weight


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots by path; each says which role its code has, and by which package it is called."""

    roots: Mapping[str, tuple[str, str]]

    @property
    def says(self) -> str:
        """The roots with what is said of each."""
        return ", ".join(f"{path} ({_told(*about)})" for path, about in sorted(self.roots.items()))

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield each root that went, is judged less, is called otherwise, or takes modules out of another one."""
        if not isinstance(after, Roots):
            yield Change("", self.says, after.says, f"went from {self.says} to {after.says}")
            return
        for path, about in sorted(self.roots.items()):
            yield from _changed(path, about, after.roots.get(path))
        for path, about in sorted(after.roots.items()):
            around = next((other for other in sorted(self.roots) if _overlap(path, other)), None)
            if path not in self.roots and around is not None:
                words = f"{path!r} was added, which gives modules of the root {around!r} another name or role"
                yield Change(path, NOT_THERE, _told(*about), words)


def _changed(path: str, before: tuple[str, str], after: tuple[str, str] | None) -> Iterator[Change]:
    if after is None:
        yield Change(path, _told(*before), NOT_THERE, f"{path!r} was taken out")
    elif after != before and after != ("source", before[1]):
        yield Change(path, _told(*before), _told(*after), f"{path!r} went from {_told(*before)} to {_told(*after)}")


def _told(role: str, package: str) -> str:
    return f"role {role}, package {package}" if package else f"role {role}"


def _overlap(path: str, other: str) -> bool:
    return "." in (path, other) or f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/")


def roots_weight(value: object) -> Weight:
    """Return what `roots` says."""
    if not isinstance(value, list):
        return Text(spelled(value))
    found: dict[str, tuple[str, str]] = {}
    for entry in value:
        table = entry if isinstance(entry, Mapping) else {"path": entry}
        path = spelled(table.get("path")).removeprefix("./").rstrip("/") or "."
        found[path] = (spelled(table.get("role", "source")), spelled(table.get("package", "")))
    return Roots(found)


def exclude_weight(value: object) -> Weight:
    """Return what `exclude` says. With a pattern that takes something in again, the order of all matters."""
    patterns = members(value)
    if any(pattern.startswith("!") for pattern in patterns):
        return Text(spelled(value))
    return Permitted(frozenset(patterns), separator="/")
