"""Do the words in front of a command run it as it stands, or may something else come of it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from abutment.guard.ci.search_path import searched_first, taken_from
from abutment.guard.spelling import one_line

OUR_NAMES = frozenset({"abutment", "abutment.exe"})
INSTALLING = frozenset({"install", "add", "sync", "download", "lock", "uninstall"})
TALKING = frozenset({"echo", "printf", "git", "#"})
_ASSIGNED = re.compile(r"(?P<name>\w+)\+?=")
# What says which program a name means, or what it does before it begins.
_GOVERNING = re.compile(
    r"PATH|(BASH_)?ENV|SHELL\w*|\w*MAKEFLAGS|PYTHON(PATH|HOME|STARTUP|USERBASE|SAFEPATH|PLATLIBDIR)|LD_\w+|DYLD_\w+|IFS"
)
# Each runs what follows it and ends with its status; the words are those that must follow the first.
_RUNNERS: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("poetry", "pdm", "hatch", "pipenv", "rye", "pixi", "pipx"), (("run",),)),
    "uv": (("tool", "run"), ("run",)),
    **dict.fromkeys(("uvx", "npx", "sudo", "nice", "time", "exec", "command", "env", "xvfb-run"), ((),)),
}
_PYTHON = re.compile(r"(?:.*/)?(?:python|pypy)[\d.]*(?:\.exe)?")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?")
_KILLING = re.compile(r"--foreground|-v|--verbose|--kill-after=\d+[smhd]?|-k\d+[smhd]?")  # not --preserve-status
_SHELL = re.compile(r"(?:.*/)?(?:ba|z|da|k)?sh")
_RUNS_TEXT = re.compile(r"-[elux]*c")
_HARMLESS = frozenset(
    {"--frozen", "--locked", "--no-sync", "--isolated", "--all-extras", "--all-groups", "--dev", "--no-dev"}
    | {"--quiet", "--yes", "-q", "-E", "-H", "-B", "-I", "-u", "-a", "--"}
)
_WITH_VALUE = frozenset({"--with", "--from", "--spec", "--extra", "--group", "--python", "-n"})
_BRINGING = frozenset({"--from", "--spec"})  # the package whose program is run
_OURS = re.compile(r"abutment(?:\[[\w,-]*\])?(?:[=<>!~@ ].*)?", re.IGNORECASE)
ASKING = frozenset({"if", "elif", "while", "until", "!", "not"})  # the status of what follows
OPENS = frozenset({"then", "else", "do", "{"})  # the line or the lines in front of it say what of
# How files that are read line by line introduce a command.
_KEYS = frozenset({"-", "run:", "script:", "bash:", "sh:", "command:", "commands", "="})


def in_front(words: Sequence[str]) -> Iterator[str]:
    """Yield a condition for the first of the words that is not known to run the command behind it as it stands."""
    left = list(words)
    while left:
        ahead = searched_first(left[0])
        yield from map(taken_from, ahead or ())
        taken = 1 if ahead is not None else _taken(left)
        if not taken:
            yield f"behind `{left[0]}`"
            return
        del left[:taken]


def without_keys(words: Sequence[str]) -> list[str]:
    """Return the words without those with which a file introduces a command."""
    at = next((at for at, word in enumerate(words) if word not in _KEYS), len(words))
    return list(words[at:])


def governs(word: str) -> bool:
    """Say whether a word sets a variable that decides what runs."""
    assigned = _ASSIGNED.match(word)
    return assigned is not None and _GOVERNING.fullmatch(assigned["name"]) is not None


def governing(said: str, variables: Mapping[str, object]) -> Iterator[str]:
    """Yield those of the variables that decide what a command means."""
    for name, value in variables.items():
        if governs(f"{name}="):
            yield f"{said}{name}={one_line(value)}"


def at_command(words: Sequence[str], names: frozenset[str]) -> int | None:
    """Return where the first word stands that is the command of one of these names, not an option's value."""
    for at, word in enumerate(words):
        if word.rpartition("/")[2] in names and (at == 0 or words[at - 1] not in _WITH_VALUE):
            return at
    return None


def _taken(words: list[str]) -> int:
    """Return how many of the first words are known to run what follows, options and all."""
    first = words[0]
    if first in _KEYS or first in ASKING or first in OPENS:
        return 1
    if _ASSIGNED.match(first):
        return 0 if governs(first) else 1
    if _PYTHON.fullmatch(first):
        options = _options(words, 1)
        return options + 1 if words[options : options + 1] == ["-m"] else 0
    if _SHELL.fullmatch(first):
        return _shell(words)
    if first == "timeout":
        return _timeout(words)
    for follow in _RUNNERS.get(first, ()):
        if tuple(words[1 : 1 + len(follow)]) == follow:
            return _options(words, 1 + len(follow))
    return 0


def _shell(words: list[str]) -> int:
    """Return how many words hand a text to a shell: `bash -c` does, `sh -n` does not. Jenkins writes `sh` alone."""
    if len(words) == 1:
        return 1
    at = 3 if len(words) > 3 and re.fullmatch(r"-[elux]*o", words[1]) and words[2] == "pipefail" else 1
    return at + 1 if len(words) == at + 1 and _RUNS_TEXT.fullmatch(words[at]) else 0


def _timeout(words: list[str]) -> int:
    """Return how many words limit the time of what follows: one that runs out of it has failed."""
    options = len(list(takewhile(_KILLING.fullmatch, words[1:])))
    return options + 2 if len(words) > options + 1 and _DURATION.fullmatch(words[options + 1]) else 0


def _is_harmless(option: str, value: str) -> bool:
    """Say whether the value of an option names nothing that would be run, or be found, in our place."""
    return "/" not in value and (option not in _BRINGING or _OURS.fullmatch(value) is not None)


def _options(words: list[str], at: int) -> int:
    while at < len(words):
        name, equals, value = words[at].partition("=")
        if words[at] in _HARMLESS:
            at += 1
        elif name in _WITH_VALUE and _is_harmless(name, value if equals else "".join(words[at + 1 : at + 2])):
            at += 1 if equals else 2
        else:
            break
    return at
