"""Which commands of a script call us, what do they ask, and what makes their answer count for less?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from abutment.guard.ci.around import Around
from abutment.guard.ci.front import ASKING, INSTALLING, OUR_NAMES, TALKING, at_command, in_front
from abutment.guard.ci.script import script_lines
from abutment.guard.ci.search_path import FOUND_BESIDE, taken_from
from abutment.guard.ci.shell import Command, commands_of, lines_of
from abutment.guard.ci.values import Values

ANY = "a check"  # whatever it asks: what it asks of which configuration depends on that one
EVERY = "every gate that is switched on"
GUARD = "guard"
_BIN = re.compile(r"(?:^|/)(?:bin|Scripts)$|^\$")  # the last is a variable
_FAILS = re.compile(r"\|\| exit (?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])")  # 256 is 0
# What may stand in front of a `&&`: where it fails, more fails than we.
_PLAIN = frozenset({"cd", "pushd", "popd", "echo", "printf", "export", "set", "source", ".", "mkdir", "true", ":"})
_FETCHING = frozenset({"fetch", "checkout", "pull", "config", "clone"})
_SILENT = frozenset({"--quiet", "--verbose", "--no-cache", "--traceback"})
_SILENT_WITH_VALUE = frozenset({"--format", "--output", "--jobs", "--cache-dir"})
_SOFT = frozenset({"--exit-zero", "--staged"})
_SOFT_WITH_VALUE = frozenset({"--changed", "--today"})
_IGNORES_ERRORS = "-"
# Where another part of a file begins, which another shell runs.
_PART = re.compile(r"\s*(?:- )?(?!script:|before_\w+:)[\w.-]+:\s*(?:[|>][+-]?\s*)?$")


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that CI asks of us, and how it takes the answer."""

    asks: str  # a gate's name, EVERY, or the whole command where it is another verb or one of the user's
    softened: frozenset[str] = frozenset()  # everything for which less comes of the answer than of a plain step
    when: frozenset[str] = frozenset()  # on what it runs; nothing where that is not said here
    line: int = 0  # of the file
    config: str = ""  # of which configuration, as the command names it

    def under(self, *conditions: str) -> Call:
        """Return the call where these conditions stand around it, too."""
        return replace(self, softened=self.softened | {condition for condition in conditions if condition})


def calls_in(
    script: str,
    own: Sequence[str],
    *,
    first_line: int = 0,
    dashes: bool = False,
    mixed: bool = False,
    values: Values | None = None,
) -> list[Call]:
    """Return the calls in a script. `own` are the commands that the user says call us.

    `first_line` is the number of its first line. With `dashes`, a dash in front of a command ignores its status, as in
    make. A `mixed` text is that of a file which is more than one script: then no quote spans its lines. `values` are of
    the variables that are set around it.
    """
    found: list[Call] = []
    around, values = Around(), values or Values()
    lines = list(lines_of(script)) if mixed else script_lines(script)
    for number, line in lines:
        around = Around() if mixed and _PART.match(line) else around
        bare = line.strip().lstrip("@")
        ignored = dashes and bare.startswith(_IGNORES_ERRORS)
        written = commands_of(bare.removeprefix(_IGNORES_ERRORS).lstrip("@ ") if ignored else line)
        commands = [values.read(command) for command in written]
        goes_on = not mixed and number != lines[-1][0]
        for at, command in enumerate(commands):
            beside = [*_beside(command), *_listed(commands, at, goes_on=goes_on), *around.conditions(command)]
            beside += [*values.unsure(command), *([_IGNORES_ERRORS] if ignored else [])]
            calls = [call.under(*beside) for call in _of_command(command, own)]
            found += [replace(call, line=first_line + number) for call in calls]
            closed = around.pass_by(command, line, len(found))
            if closed is not None:
                found[closed:] = [call.under(*_rest(command)) for call in found[closed:]]
    return found


def _listed(commands: Sequence[Command], at: int, *, goes_on: bool) -> Iterator[str]:
    """Yield what the commands that `&&` or `||` joins to one make of it."""
    if commands[at].before == "||":
        yield f"only if `{' '.join(commands[at - 1].words) if at else '...'}` fails"
    for place in range(at, 0, -1):
        if commands[place].before != "&&":
            break
        ahead = commands[place - 1].words
        if not _is_plain(ahead):
            yield f"only if `{' '.join(ahead)}` succeeds"
    following = commands[at + 1 : at + 2]
    if goes_on and following and following[0].before == "&&" and not commands[at].rest:
        # `set -e` does not end a script for what is not the last of its list.
        yield f"&& {' '.join(following[0].words)}, with more lines behind"


def _is_plain(words: Sequence[str]) -> bool:
    at = at_command(words, OUR_NAMES)
    asks = at is not None and words[at + 1 : at + 2] == ("check",)
    fetches = words[0] == "git" and bool(_FETCHING & set(words[1:2]))
    return asks or fetches or words[0] in _PLAIN or bool(INSTALLING & set(words))


def _rest(command: Command) -> Iterator[str]:
    rest = " ".join(command.rest.split())
    if rest and not _FAILS.fullmatch(rest):
        yield rest


def _beside(command: Command) -> Iterator[str]:
    """Yield what stands on a command's line that takes its status away, or keeps it from running here."""
    yield from _rest(command)
    yield from (f"`{word}` asks for its status" for word in command.words[:1] if word in ASKING)


def _of_command(command: Command, own: Sequence[str]) -> Iterator[Call]:
    words = [word.lstrip("@") for word in command.words]
    if words[0] in TALKING or words[0] == "function":
        return
    yield from _of_own(words, own)
    at = at_command(words, OUR_NAMES)
    if at is not None and not INSTALLING & set(words[:at]):
        for call in _asked(words[at + 1 :]):
            yield call.under(*in_front(words[:at]), *_elsewhere(words[at]), *_beside_it(words[:at]))
    for place, word in enumerate(words):
        is_text = any(sign.isspace() for sign in word) and not INSTALLING & set(words[:place])
        if place and is_text:  # `bash -c "abutment check"`
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
    """Yield a condition where a program of our name is taken from a folder that is no environment's, or may be."""
    folder = word.rpartition("/")[0]
    if folder:
        yield taken_from(folder) if _BIN.search(folder) else f"as `{word}`"


def _beside_it(ahead: Sequence[str]) -> Iterator[str]:
    """Yield a condition where Python looks for us first in the folder that it is called in."""
    if list(ahead[-1:]) == ["-m"] and not {"-I", "-P"} & set(ahead):
        yield FOUND_BESIDE


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
        for asks in (ANY, *(" ".join((gate, *unknown)) for gate in asked)):
            yield Call(asks, frozenset(soft), config=config)


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
