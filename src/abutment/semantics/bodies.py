"""Which functions' bodies can hold something that those who import a module, or whom it imports, could see?

Where nobody asks for uses, the others need not be lowered: an import, a declaration that reaches out of the function,
or something that is set on a module cannot stand in them. That the answers are the same is held by tests.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from typing import Any

# A body is worth lowering where one of these words stands in its lines.
_WORDS = ("import", "global", "nonlocal", "__getattr__", "__all__")
# An attribute that is set on something else than the two usual receivers: perhaps on a module.
_POKE = re.compile(r"\.(?<!self\.)(?<!cls\.)\w+ *=(?!=)")
_SETATTR = re.compile(r"setattr\(\s*(\w+)")


class Bodies:
    """The lines of one text in which such things stand."""

    __slots__ = ("_every", "_lines", "_poke_lines", "_pokes")

    def __init__(self, text: str, every: bool) -> None:
        """Take the text, with identifiers in NFKC; `every` where all bodies are wanted."""
        self._every = every
        self._lines = [] if every else lines_with(text, _WORDS)
        self._pokes = [] if every else _pokes_in(text)
        self._poke_lines = [line for line, _ in self._pokes]

    def wants(self, node: Any, imported: frozenset[str]) -> bool:
        """Say whether a function's body is to be lowered; `imported` are the names that imports bound so far."""
        if self._every or spans(node, self._lines):
            return True
        first = bisect.bisect_left(self._poke_lines, node.lineno)
        last = bisect.bisect_right(self._poke_lines, node.end_lineno)
        return any(name in imported for _, name in self._pokes[first:last])


def lines_with(text: str, words: Iterable[str]) -> list[int]:
    """Return the sorted lines in which one of the words stands."""
    lines: set[int] = set()
    for word in words:
        line, seen = 1, 0
        at = text.find(word)
        while at >= 0:
            line += text.count("\n", seen, at)
            lines.add(line)
            seen, at = at, text.find(word, at + 1)
    return sorted(lines)


def spans(node: Any, lines: list[int]) -> bool:
    """Say whether one of the lines is among the node's; a node without a place may hold anything."""
    first = getattr(node, "lineno", 0)
    if not first:
        return bool(lines)
    at = bisect.bisect_left(lines, first)
    return at < len(lines) and lines[at] <= node.end_lineno


def _pokes_in(text: str) -> list[tuple[int, str]]:
    """Return (line, first name) of what looks like `name.attribute = value` or `setattr(name, …)`, in order."""
    spots: list[tuple[int, str]] = []
    for match in _POKE.finditer(text):
        at = match.start()
        spots.append((at, text[text.rfind("\n", 0, at) + 1 : at].lstrip().partition(".")[0]))
    if "setattr(" in text:
        spots += [(match.start(), match[1]) for match in _SETATTR.finditer(text)]
        spots.sort()
    found: list[tuple[int, str]] = []
    line, seen = 1, 0
    for at, name in spots:
        if name.isidentifier():
            line += text.count("\n", seen, at)
            seen = at
            found.append((line, name))
    return found
