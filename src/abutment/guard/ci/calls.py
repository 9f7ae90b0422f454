"""Which commands of a script call us, what do they ask, and what makes their answer count for less?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from abutment.guard.ci.front import at_command, in_front
from abutment.guard.ci.shell import Command, commands_of, lines_of

ANY = "a check"  # whatever it asks: what it asks of which configuration depends on that one
EVERY = "every gate that is switched on"
GUARD = "guard"
_NAMES = frozenset({"abutment", "abutment.exe"})
_BIN = re.compile(r"(?:^|/)(?:bin|Scripts)$|^\$")  # the last is a variable
_INSTALLING = frozenset({"install", "add", "sync", "download", "lock", "uninstall"})
_TALKING = frozenset({"echo", "printf", "git", "#"})
_TESTING = frozenset({"if", "elif", "while", "until", "!", "not"})
_OPENING = frozenset({"if", "while", "until", "for", "case", "("})
_CLOSING = frozenset({"fi", "done", "esac", "}", ")"})
_FAILS = re.compile(r"\|\| exit [1-9]\d*")
_SILENT = frozenset({"--quiet", "--verbose", "--no-cache", "--traceback"})
_SILENT_WITH_VALUE = frozenset({"--format", "--output", "--jobs", "--cache-dir"})
_SOFT = frozenset({"--exit-zero", "--staged"})
_SOFT_WITH_VALUE = frozenset({"--changed", "--today"})
_IGNORES_ERRORS = "-"


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that CI asks of us, and how it takes the answer."""

    asks: str  # a gate's name, EVERY, or the whole command where it is another verb or one of the user's
    softened: frozenset[str] = frozenset()  # everything for which less comes of the answer than of a plain step
    when: frozenset[str] = frozenset()  # on what it runs; nothing where that is not said here
    line: int = 0  # of the file

    def under(self, *conditions: str) -> Call:
        """Return the call where these conditions stand around it, too."""
        return replace(self, softened=self.softened | {condition for condition in conditions if condition})


def calls_in(script: str, own: Sequence[str], *, first_line: int = 0, dashes: bool = False) -> Iterator[Call]:
    """Yield the calls in a script. `own` are the commands that the user says call us.

    `first_line` is the number of its first line. With `dashes`, a dash in front of a command ignores its status, as in
    make.
    """
    around = _Around()
    for number, line in lines_of(script):
        for call in _in_line(line, own, dashes=dashes):
            yield replace(call, line=first_line + number).under(*around.conditions())
        around.pass_by(line)


class _Around:
    """What the lines of a script in front of a command make of it."""

    def __init__(self) -> None:
        self._careless, self._folder, self._ended = False, "", ""
        self._blocks: list[str] = []

    def conditions(self) -> tuple[str, ...]:
        """Return what holds for the commands of the next line."""
        careless = "set +e" if self._careless else ""
        return (careless, self._folder, self._ended, *(f"inside `{block}`" for block in self._blocks))

    def pass_by(self, line: str) -> None:
        """Take a line into account."""
        bare = " ".join(line.split())
        first = bare.partition(" ")[0].rstrip(";")
        self._careless = (self._careless or "set +e" in bare) and "set -e" not in bare
        if first == "cd":
            self._folder = f"in the folder {bare[3:]}"
        elif first == "exit" and not self._blocks:
            self._ended = f"behind `{bare}`"
        if (first in _OPENING or bare.endswith("() {")) and not _CLOSING & set(re.findall(r"\w+|}", bare)[1:]):
            self._blocks.append(bare)
        elif first in _CLOSING and self._blocks:
            self._blocks.pop()


def _in_line(line: str, own: Sequence[str], *, dashes: bool) -> Iterator[Call]:
    bare = line.strip().lstrip("@")
    ignored = dashes and bare.startswith(_IGNORES_ERRORS)
    for command in commands_of(bare.removeprefix(_IGNORES_ERRORS).lstrip("@ ") if ignored else line):
        for call in _of_command(command, own):
            yield call.under(_IGNORES_ERRORS if ignored else "", *_beside(command))


def _beside(command: Command) -> Iterator[str]:
    """Yield what stands on a command's line that takes its status away, or keeps it from running here."""
    rest = " ".join(command.rest.split())
    if rest and not _FAILS.fullmatch(rest):
        yield rest
    if command.before == "||":
        yield f"only if `{' '.join(command.ahead[-1])}` fails"
    yield from (f"in the folder {' '.join(words[1:])}" for words in command.ahead if words[0] == "cd")
    yield from (f"`{word}` asks for its status" for word in command.words[:1] if word in _TESTING)


def _of_command(command: Command, own: Sequence[str]) -> Iterator[Call]:
    words = [word.lstrip("@") for word in command.words]
    if words[0] in _TALKING:
        return
    yield from _of_own(words, own)
    at = at_command(words, _NAMES)
    if at is not None and not _INSTALLING & set(words[:at]):
        for call in _asked(words[at + 1 :]):
            yield call.under(*in_front(words[:at]), *_elsewhere(words[at]))
    for place, word in enumerate(words):
        if place and any(sign.isspace() for sign in word):  # `bash -c "abutment check"`
            for call in calls_in(word, own):
                yield call.under(*in_front(words[:place]))


def _of_own(words: Sequence[str], own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of the commands that the user says call us."""
    for named in own:
        asked = named.split()
        for at in range(len(words) - len(asked) + 1):
            if list(words[at : at + len(asked)]) == asked:
                rest = " ".join(words[at + len(asked) :])
                yield Call(named).under(*in_front(words[:at]), f"with `{rest}`" if rest else "")
                break


def _elsewhere(word: str) -> Iterator[str]:
    """Yield a condition where a program of our name is taken from a folder that is no environment's."""
    folder = word.rpartition("/")[0]
    if folder and not _BIN.search(folder):
        yield f"as `{word}`"


def _asked(arguments: Sequence[str]) -> Iterator[Call]:
    """Yield a call for each thing that our own command line asks."""
    words = [word for word in arguments if word != "--traceback"]
    if not words or words[0] != "check":
        if words:
            yield Call(f"abutment {' '.join(words)}")
        return
    gates, configs, against, soft, unknown = _Arguments(words[1:]).sorted()
    asked = [gate for gate in gates if gate != GUARD] or ([] if gates else [EVERY])
    asked += [GUARD] if GUARD in gates and not against else []
    asked += [f"{GUARD} against {ref}" for ref in against]
    for config in configs or [""]:
        yield Call(f"{ANY} of {config}" if config else ANY, frozenset(soft))
        for gate in asked:
            asks = " ".join((gate, *(("of", config) if config else ()), *unknown))
            yield Call(asks, frozenset(soft))


class _Arguments:
    """What stands behind `abutment check`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [part for word in words for part in _split(word)]

    def sorted(self) -> tuple[list[str], list[str], list[str], set[str], list[str]]:
        """Return gates, configurations, what the guard compares with, what softens, and what is not known."""
        gates, configs, against, soft, unknown = list[str](), list[str](), list[str](), set[str](), list[str]()
        words = iter(self._words)
        for word in words:
            if word in _SILENT or word in _SILENT_WITH_VALUE:
                _ = next(words, "") if word in _SILENT_WITH_VALUE else ""
            elif word == "--config":
                configs.append(next(words, ""))
            elif word == "--against":
                against.append(next(words, ""))
            elif word == "--stale":
                value = next(words, "")
                soft |= {f"--stale={value}"} if value != "fail" else set()
            elif word in _SOFT:
                soft.add(word)
            elif word in _SOFT_WITH_VALUE:
                soft.add(f"{word}={next(words, '')}")
            else:
                (unknown if word.startswith("-") else gates).append(word)
        return gates, configs, against, soft, unknown


def _split(word: str) -> list[str]:
    name, equals, value = word.partition("=")
    return [name, value] if equals and word.startswith("--") else [word]
