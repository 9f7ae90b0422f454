"""Which simple commands does a line of shell run, and what stands around each?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<redirect>\d*&?[<>]{1,3}(?:&\d+|&-)?)       # 2>&1, >>, <
    |(?P<operator>&&|\|\||;;|[;|&])
    |(?P<word>(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|\$\([^()]*\)|`[^`]*`|[^\s;|&<>'"\\])+)
    """,
    re.VERBOSE,
)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command, and what its line does with the status it ends with."""

    words: tuple[str, ...]  # without quotes and redirections
    before: str  # the operator in front of it; "" at the beginning of a line
    rest: str  # what follows on its line and may take its status away, the operator first: `&&` does not


def lines_of(script: str) -> Iterator[tuple[int, str]]:
    """Yield each line of a script, those with a backslash at the end joined, with the number of its first one."""
    begun, number = "", 0
    for index, line in enumerate(script.splitlines()):
        number = number if begun else index
        begun += line
        if begun.endswith("\\") and not begun.endswith("\\\\"):
            begun = f"{begun[:-1]} "
            continue
        yield number, begun
        begun = ""
    if begun:
        yield number, begun


def without_comment(line: str) -> str:
    """Return a line of shell without its comment."""
    found = _COMMENT.search(line)
    # A quote in front of the sign may hold it: then nothing is cut off.
    return (
        line if found is None or any(line[: found.start()].count(sign) % 2 for sign in "\"'") else line[: found.start()]
    )


def commands_of(line: str) -> Iterator[Command]:
    """Yield the simple commands of one line, comments left out."""
    words: list[str] = []
    operator, follows_redirect = "", False
    bare = without_comment(line)
    taking = [token.start() for token in _TOKEN.finditer(bare) if token["operator"] not in (None, "&&")]
    for token in _TOKEN.finditer(bare):
        if token["operator"]:
            if words:
                rest = next((bare[at:].strip() for at in taking if at >= token.start()), "")
                yield Command(tuple(words), operator, rest)
            operator, words = token["operator"], []
        elif token["word"] and not follows_redirect:
            words.append(_unquoted(token["word"]))
        follows_redirect = bool(token["redirect"]) and "&" not in token["redirect"]
    if words:
        yield Command(tuple(words), operator, "")


def _unquoted(word: str) -> str:
    return re.sub(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'", lambda quoted: quoted[1] or quoted[2] or "", word)
