"""What do the variables hold that a script or a Makefile sets itself? Read as they are written, and nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from abutment.guard.ci.front import governs
from abutment.guard.ci.shell import Command

DECLARING = frozenset({"export", "declare", "readonly", "typeset", "local"})
_ASSIGNS = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
_USED = re.compile(
    r"\$\{\{\s*env\.(?P<env>\w+)\s*\}\}"  # as GitHub puts it in
    r"|(?<![\w.])env\.(?P<named>\w+)"  # and in an expression
    r"|\$(?:(?P<bare>[A-Za-z_]\w*)|\{(?P<braced>\w+)\}|\((?P<make>\w+)\))"
)
_DEEPEST = 10  # variables that hold variables


class Values:
    """The variables whose values are written, and those that have more than one, of which nobody knows which it is."""

    def __init__(self, given: Mapping[str, str] | None = None, several: Iterable[str] = ()) -> None:
        self._known = {name: value for name, value in (given or {}).items() if not governs(f"{name}=")}
        self._several = set(several)

    def read(self, command: Command) -> Command:
        """Return a command with values in place of variables; what it sets holds for those that follow."""
        words = tuple(part for word in command.words for part in self._parts(word))
        self._learn(words)
        return replace(command, words=words or command.words)

    def unsure(self, command: Command) -> Iterator[str]:
        """Yield a condition for each variable of a command that has several values."""
        used = {_name(found) for word in command.words for found in _USED.finditer(word)}
        yield from (f"`{name}` has several values" for name in sorted(used & self._several))

    def copy(self) -> Values:
        """Return what holds for a shell of its own, whose settings nobody else sees."""
        return Values(self._known, self._several)

    def put_in(self, text: str) -> str:
        """Return a text with values in place of variables."""
        for _ in range(_DEEPEST):
            before, text = text, _USED.sub(lambda found: self._known.get(_name(found), found[0]), text)
            if text == before:
                break
        return text

    def set(self, name: str, value: str) -> None:
        """Take note of a value; a second one leaves none that could be relied on."""
        if governs(f"{name}="):
            return  # what is said of these is no value to put in
        if name in self._several or self._known.get(name, value) != value:
            self._several.add(name)
            self._known.pop(name, None)
        else:
            self._known[name] = value

    def _parts(self, word: str) -> Sequence[str]:
        """Return the words that a word comes to: a shell takes a value apart at its blanks."""
        whole = self.put_in(word)
        return [word] if whole == word else [whole] if _ASSIGNS.match(word) else whole.split()

    def _learn(self, words: Sequence[str]) -> None:
        declared = words[1:] if words and words[0] in DECLARING else words
        assigned = list(takewhile(bool, map(_ASSIGNS.fullmatch, declared)))
        if len(assigned) == len(declared):  # else they hold for one command alone
            for found in assigned:
                if found is not None:
                    self.set(found["name"], found["value"])


def _name(found: re.Match[str]) -> str:
    return next(name for name in found.groups() if name)
