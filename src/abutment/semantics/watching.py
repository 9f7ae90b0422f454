"""Which values reach something that is watched?

What the values of a module stand for is put in order once (`Paths`), by dotted path; each question then looks only at
the paths that begin as something watched does, and at each of them once, however many values it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class Paths:
    """Values by the dotted paths that they stand for, and these by their first name."""

    def __init__(self, pairs: Iterable[tuple[str, int]]) -> None:
        self._by_top: dict[str, dict[str, list[int]]] = {}
        for path, value in pairs:
            self._by_top.setdefault(path.partition(".")[0], {}).setdefault(path, []).append(value)

    def below(self, tops: frozenset[str]) -> Iterable[tuple[str, Sequence[int]]]:
        """Return the paths that begin with one of some names, with the values."""
        return (found for top in tops & self._by_top.keys() for found in self._by_top[top].items())


class Watched:
    """Names that are watched. What a path reaches is found out once, as most of them stand in many modules."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.tops = frozenset(name.partition(".")[0] for name in names)
        self._known: dict[str, str] = {}

    def among(self, paths: Iterable[str]) -> set[str]:
        """Return the watched names that something of these paths reaches."""
        return {name for name in map(self._reached, paths) if name}

    def reached(self, paths: Paths) -> Mapping[int, set[str]]:
        """Return the values that reach something watched, each with that."""
        found: dict[int, set[str]] = {}
        for path, values in paths.below(self.tops):
            if name := self._reached(path):
                for value in values:
                    found.setdefault(value, set()).add(name)
        return found

    def come_by(self, ways: Iterable[tuple[int, frozenset[str]]]) -> Mapping[int, set[str]]:
        """Return the values that come by something watched, each with that.

        Ways are many, and few questions ask about them: they are not put in order.
        """
        found = ((value, self._among_ways(every)) for value, every in ways)
        return {value: names for value, names in found if names}

    def come_to(self, way: str, given: str) -> set[str]:
        """Return the watched names that a way comes by, without those that are in the part of it that was `given`."""
        return self._among_ways(frozenset((way,))) - self._among_ways(frozenset((given,)))

    def _among_ways(self, every: frozenset[str]) -> set[str]:
        return self.among(filter(is_plain, every)) | (every & self.names)

    def _reached(self, path: str) -> str:
        """Return the watched name that a path reaches; nothing where it reaches none."""
        known = self._known.get(path)
        if known is None:
            known = self._above(path) or (self._of_instance(path) if "()." in path else "")
            self._known[path] = known
        return known

    def _above(self, path: str) -> str:
        while path and path not in self.names:
            path = path.rpartition(".")[0]
        return path

    def _of_instance(self, path: str) -> str:
        """Return the watched name that leads through a call: what is watched there is a class, though not spelt so.

        `datetime.datetime().now` is `datetime.datetime.now`; `requests.get().json` is not below `requests.get`.
        """
        made, _, rest = path.replace(":", ".").rpartition("().")
        made = made.replace("()", "")
        found = self._above(f"{made}.{rest}")
        return found if len(found) > len(made) else ""


def is_plain(way: str) -> bool:
    """Say whether a way is one by names alone: what a call gave, or a collection held, is no longer the variable."""
    return "(" not in way and "[" not in way
