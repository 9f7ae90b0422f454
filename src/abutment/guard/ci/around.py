"""What do the commands of a script make of those behind them?"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abutment.guard.ci.front import (
    INSTALLING,
    OPENS,
    OUR_NAMES,
    TALKING,
    at_command,
    governs,
    without_keys,
)
from abutment.guard.ci.installing import installed_from
from abutment.guard.ci.script import script_lines
from abutment.guard.ci.search_path import below_home, handed_on, searched_first, taken_from
from abutment.guard.ci.shell import Command, commands_of
from abutment.guard.ci.values import DECLARING

IN_FOLDER = "in the folder "  # begins the condition of a call that runs in another one
_BLOCKS = frozenset({"if", "while", "until", "for", "select", "case", "(", "{"})
_ENDS = frozenset({"fi", "done", "esac", "}", ")"})
_LEAVING = frozenset({"exit", "return", "logout", "break", "continue"})
_FAILING = re.compile(r"[1-9]\d?|1\d\d|2[0-4]\d|25[0-5]")  # 256 is 0
# What decides what a later command means, or whether it is run, in ways that nobody reads here.
_STEERING = frozenset({"trap", "alias", "eval", "shopt", "enable", "hash", "kill", "chroot", "unset", "builtin"})
_SAYING = TALKING - {"git"}
_HOME = re.compile(r"\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR)\}?|\$\(git rev-parse --show-toplevel\)")
_WRITES = re.compile(r">\s*[\"']?\S*abutment")
# What GitHub hands on to the steps that follow.
_HANDS_ON = re.compile(r"GITHUB_PATH|\b(?:PATH|BASH_ENV|PYTHONPATH|PYTHONHOME|\w*MAKEFLAGS)=.*GITHUB_ENV", re.DOTALL)
# What puts other files in the place of those that are judged.
_MOVING_GIT = frozenset(
    {"checkout", "switch", "reset", "restore", "stash", "apply", "am", "rm", "mv", "merge", "rebase", "revert"}
    | {"cherry-pick", "pull", "read-tree", "checkout-index", "sparse-checkout"}
)
_READING_GIT = frozenset({"commit", "fetch", "diff", "log", "show", "status", "add", "clone"})


@dataclass(frozen=True, slots=True)
class _Block:
    said: str
    is_function: bool
    first: int  # the number of calls found in front of it


class Around:
    """What holds for the next command of a script."""

    def __init__(self) -> None:
        self._careless, self._folders = False, ["", ""]
        self._marks: list[str] = []
        self._blocks: list[_Block] = []
        self.defined: set[str] = set()

    def conditions(self, command: Command) -> Iterator[str]:
        """Yield what holds for a command."""
        if self._careless:
            yield "set +e"
        if self._folders[-1]:
            yield f"{IN_FOLDER}{self._folders[-1]}"
        yield from self._marks
        yield from (f"inside `{block.said}`" for block in self._blocks)
        yield from (f"`{word}` is defined by the script" for word in sorted(self.defined & set(command.words)))

    def pass_by(self, command: Command, line: str, calls: int) -> int | None:
        """Take a command into account. Where it ends a block, return how many calls were found in front of that."""
        words = self._inside(without_keys(command.words), line, calls)
        if words and words[0] in _ENDS:
            return self._blocks.pop().first if self._blocks else None
        if words and not any(block.is_function for block in self._blocks):
            self._steer(words, line, alone=command.before not in ("&&", "||"))
        return None

    def _inside(self, words: list[str], line: str, calls: int) -> list[str]:
        """Return the words without those that begin a block, or a function, which are noted."""
        while words:
            name = _function(words)
            if name:
                self.defined.add(name)
                words = words[words.index("{") + 1 :] if "{" in words else []
                self._blocks.append(_Block(" ".join(line.split()), True, calls))
            elif words[0] == "{" and self._blocks and self._blocks[-1].said.endswith(")"):
                words = words[1:]  # of the function whose head is the line in front
            elif words[0] in _BLOCKS:
                bare = " ".join(line.split())
                said = bare if bare.split()[-1] in OPENS else " ".join(words)
                self._blocks.append(_Block(said, False, calls))
                words = [] if words[0] in ("for", "select", "case") and not _LEAVING & set(words) else words[1:]
            elif words[0] in ("then", "do", "else", "elif", "!"):
                words = words[1:]
            else:
                break
        return words

    def _steer(self, words: list[str], line: str, *, alone: bool) -> None:
        first = words[0]
        said = " ".join(words) if alone else " ".join(line.split())
        if first == "set":
            self._set(words[1:])
        elif first in ("cd", "pushd"):
            self._folders.append(_folder(self._folders, words[1] if len(words) > 1 else "~"))
        elif first == "popd":
            self._folders.append(self._folders[-2])
        elif first in ("source", ".") and len(words) == 2 and _steers(words):
            self._mark(f"{first} {posixpath.join(self._folders[-1], below_home(words[1]))}")
        elif (ahead := _searched_first(words)) is not None:
            self._marks += map(taken_from, ahead)
        elif places := list(installed_from(words)):
            self._marks += places
        elif _WRITES.search(line) or _steers(words) or first in self.defined:
            self._mark(said)

    def _mark(self, said: str) -> None:
        self._marks.append(f"behind `{said}`")

    def _set(self, options: Sequence[str]) -> None:
        for at, option in enumerate(options):
            sign, letters = option[:1], option[1:]
            name = options[at + 1] if letters.endswith("o") and at + 1 < len(options) else ""
            if sign in ("+", "-") and ("e" in letters or name == "errexit"):
                self._careless = sign == "+"
            if sign == "-" and ("n" in letters or name == "noexec"):
                self._mark("set -n")


def left_by_script(script: str) -> Iterator[str]:
    """Yield what holds for the commands behind a script that is read into the shell that runs them."""
    around = Around()
    for _number, line in script_lines(script):
        for command in commands_of(line):
            around.pass_by(command, line, 0)
    yield from around.conditions(Command(tuple(around.defined), "", ""))


def reach_on(script: str) -> Iterator[str]:
    """Yield what a script does to those that follow it on the same machine."""
    for _number, line in script_lines(script):
        yield from (place for command in commands_of(line) for place in installed_from(command.words))
        touches = (_touches_us(list(command.words)) for command in commands_of(line))
        ahead = handed_on(line)
        if ahead is not None:
            yield from map(taken_from, ahead)
        elif _HANDS_ON.search(line) or _WRITES.search(line) or any(touches):
            yield f"behind a step with `{' '.join(line.split())}`"


def _function(words: Sequence[str]) -> str:
    """Return the name of the function that these words begin."""
    if words[0] == "function" and len(words) > 1:
        return words[1].removesuffix("()")
    if words[0].endswith("()") and len(words[0]) > len("()"):
        return words[0].removesuffix("()")
    return words[0] if words[1:2] == ["()"] else ""


def _folder(folders: Sequence[str], to: str) -> str:
    if to == "-":
        return folders[-2]
    if _HOME.fullmatch(to):
        return ""
    found = posixpath.normpath(posixpath.join(folders[-1], to))
    return "" if found == "." else found


def _steers(words: Sequence[str]) -> bool:
    """Say whether a command may decide what becomes of those behind it."""
    first = words[0]
    if first in _SAYING:
        return False
    if first in _STEERING or (first == "exec" and len(words) > 1) or _leaves(words) or _touches_us(words):
        return True
    if first in ("source", "."):
        return not words[-1].endswith("/activate")
    return governs(first) or (first in DECLARING and any(map(governs, words[1:])))


def _searched_first(words: Sequence[str]) -> list[str] | None:
    """Return the folders that a command puts before all others in PATH; None where it does anything else to us."""
    said = [word for word in (words[1:] if words[0] in DECLARING else words) if governs(word)]
    if len(said) != len(words) - (words[0] in DECLARING):
        return None
    found = [searched_first(word) for word in said]
    return [folder for ahead in found for folder in ahead or ()] if found and None not in found else None


def _leaves(words: Sequence[str]) -> bool:
    """Say whether a command may end the script without failing."""
    at = next((at for at, word in enumerate(words) if word in _LEAVING), None)
    return at is not None and (at + 1 == len(words) or not _FAILING.fullmatch(words[at + 1]))


def _touches_us(words: Sequence[str]) -> bool:
    """Say whether a command has to do with us without asking for a check: it may write what checks."""
    if words[0] == "git" and _MOVING_GIT & set(words if words[1:2] in (["-C"], ["-c"]) else words[1:2]):
        return True
    if INSTALLING & set(words) or words[0] in _SAYING or (words[0] == "git" and _READING_GIT & set(words)):
        return False
    texts = [word for word in words[1:] if any(sign.isspace() for sign in word)]  # `bash -c "abutment check"`
    if any(_touches_us(list(inner.words)) for text in texts for inner in commands_of(text)):
        return True
    at = at_command(words, OUR_NAMES)
    checks = at is not None and words[at + 1 : at + 2] == ["check"]
    return not checks and any("abutment" in word for word in words if word not in texts)
