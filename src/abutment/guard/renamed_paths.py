"""What would the patterns of an earlier configuration say if they had known where files stand today?

A folder or file that was renamed takes its name out of the patterns that leave code out. Believed is only what the two
codebases show: nothing is left of the old one, nothing was in place of the new one, and the one reads like the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from abutment.guard.likeness import Lines, likeness

Text = Callable[[str], Lines | None]  # of a file, or of all code in a folder; None where there is none

_HEAD = re.compile(r"/?(?P<path>(?:[^*?\[\]!\\/]+/)*(?:[^*?\[\]!\\/]+$)?)")


def with_paths(before: Sequence[str], after: Sequence[str], was: Text, now: Text) -> list[str]:
    """Return the earlier patterns, each that the code shows to be one of the later ones by now in its place."""
    come = [pattern for pattern in after if pattern not in before]
    found: list[str] = []
    for pattern in before:
        renamed = (other for other in come if pattern not in after and other not in found)
        found.append(next((other for other in renamed if _is_now(pattern, other, was, now)), pattern))
    return found


def _is_now(pattern: str, other: str, was: Text, now: Text) -> bool:
    """Say whether only the name of what was renamed differs, and what is behind that is the same."""
    return any(
        _is_renamed(old, new, was, now)
        for old in _heads(pattern)
        for new in _heads(other)
        if _rest(pattern, old) == _rest(other, new)
    )


def _heads(pattern: str) -> Iterator[str]:
    """Yield the path that a pattern begins with, and each that is around it; none where it means any depth."""
    found = _HEAD.match(pattern)
    path = found["path"].rstrip("/") if found and "/" in pattern.rstrip("/") else ""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _rest(pattern: str, head: str) -> str:
    return pattern.lstrip("/").removeprefix(head)


def _is_renamed(old: str, new: str, was: Text, now: Text) -> bool:
    one, other = was(old), now(new)
    return one is not None and other is not None and now(old) is was(new) is None and likeness(one, other) > 0
