"""Which of the patterns in `exclude` name nothing at all?

They are told and stop nothing: such a pattern hides no code, and what one machine generates is not there on another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abutment.sources.ignore import IgnoreFile
from abutment.sources.universe import Universe


def idle_patterns(patterns: Sequence[str], universe: Universe) -> tuple[int, ...]:
    """Return the places in `patterns` of those that name no file or folder of the universe."""
    if not patterns:
        return ()
    paths = sorted(_met(universe))
    return tuple(at for at, pattern in enumerate(patterns) if not _names_any(IgnoreFile([pattern]), paths))


def _names_any(pattern: IgnoreFile, paths: Iterable[str]) -> bool:
    return any(pattern.decide(path.rstrip("/"), directory=path.endswith("/")) is not None for path in paths)


def _met(universe: Universe) -> set[str]:
    """Return every path that is accounted for and every folder above one, folders with a "/" at the end."""
    found: set[str] = set()
    for path in _accounted(universe):
        found.add(path)
        above = path.rstrip("/").rpartition("/")[0]
        while above and f"{above}/" not in found:
            found.add(f"{above}/")
            above = above.rpartition("/")[0]
    return found


def _accounted(universe: Universe) -> Iterator[str]:
    yield from (file.path for file in universe.files)
    yield from (known.path for known in universe.known)
    yield from (path for path, _rule in universe.left_out)
    yield from (fault.path for fault in universe.not_judged)
