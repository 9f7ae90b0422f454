"""Which paths do people's ignore patterns mean?

The patterns are git's own (`.gitignore`, `.git/info/exclude`, and our `exclude`), translated by `pathspec`.
Paths are asked about from the top down, as git does: once a directory is ignored, nothing below it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

# How pathspec writes a pattern's parts.
_BRACKET = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_BRACKETS = re.compile(rf"\\.|(?!\[\^/\])({_BRACKET})")
_ONE = rf"\\.|(?:\(\?!/\))?{_BRACKET}(?![*+])|[^\\\[\](){{}}/.*+?^$|]"  # what stands for one character
_STARS = re.compile(r"(?:\[\^/\]\*){2,}")
_STAR_TO_STAR = re.compile(rf"\[\^/\]\*((?:{_ONE})+)(?=\[\^/\]\*)")
_FOLDERS_TO_FOLDERS = re.compile(r"\(\?:/\.\+\)\?((?:(?!\(\?:/\.\+\)\?).)+)(?=\(\?:/\.\+\)\?)")


class BadPattern(ValueError):
    """A line that is no pattern; git passes over such lines, a setting of ours must not."""


class _Reach(Enum):
    """How far pathspec's expression has to go, as it matches everything below a path as well."""

    ITSELF = "itself"  # to the end of the path
    BELOW = "below"  # `a/**`: its expression ends behind "a/", and something has to follow
    EVERYTHING = "everything"  # `**`: its expression matches anywhere


class _Pattern(NamedTuple):
    number: int  # of its line
    ignores: bool  # False for a negated one
    regex: re.Pattern[str]
    reach: _Reach
    wants_directory: bool

    def means(self, path: str) -> bool:
        if self.wants_directory and not path.endswith("/"):
            return False
        if self.reach is _Reach.BELOW:
            return self.regex.search(path, 0, len(path) - 1) is not None
        match = self.regex.search(path)
        return match is not None and (self.reach is _Reach.EVERYTHING or match.end() == len(path))


class IgnoreFile:
    """The patterns of one file, which count from the folder that holds it.

    `base` is that folder, relative to the root of the tree. Where the file lies *above* the root, `above` is
    the way from its folder down to the root.
    """

    def __init__(self, lines: Iterable[str], base: str = "", above: str = "") -> None:
        self._cut = len(base) + 1 if base else 0
        self._above = above + "/" if above else ""
        self._by_name: list[_Pattern] = []
        self._by_path: list[_Pattern] = []
        self._names: dict[str, tuple[int, bool]] = {}
        for number, line in enumerate(lines, 1):
            pattern = _compiled(number, line)
            if pattern is not None:
                (self._by_path if _names_a_place(line) else self._by_name).append(pattern)

    def decide(self, path: str, *, directory: bool) -> bool | None:
        """Say whether the path is ignored; None where no pattern speaks of it. The last one that does wins."""
        end = "/" if directory else ""
        name = path[path.rfind("/") + 1 :] + end
        # Most patterns look at the name alone, and most names (`__init__.py`) are asked about again and again.
        answer = self._names.get(name)
        if answer is None:
            answer = self._names[name] = _last(self._by_name, name)
        if self._by_path:
            answer = max(answer, _last(self._by_path, self._above + path[self._cut :] + end))
        return answer[1] if answer[0] else None


def check_pattern(line: str) -> None:
    """Raise BadPattern where the line is no pattern, or where it could never match anything."""
    if not line.strip() or line.startswith("#"):
        raise BadPattern("it is blank or a comment")
    if _compiled(1, line) is None:
        raise BadPattern("it can never match")


def decoded_lines(data: bytes) -> list[str]:
    """Return a pattern file's lines as git reads them: a byte order mark is dropped, any bytes are accepted."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").split("\n")


def is_ignored(files: Sequence[IgnoreFile], path: str, *, directory: bool) -> bool:
    """Say whether the path is ignored: the file nearest to it (the last) that speaks of it decides."""
    for file in reversed(files):
        answer = file.decide(path, directory=directory)
        if answer is not None:
            return answer
    return False


def _last(patterns: Sequence[_Pattern], path: str) -> tuple[int, bool]:
    """Return the number of the last pattern that means the path, and whether it ignores; 0 where none does."""
    return next(((p.number, p.ignores) for p in reversed(patterns) if p.means(path)), (0, False))


def _names_a_place(line: str) -> bool:
    """Say whether the pattern holds a slash other than at its end: then it looks at the path, else at the name."""
    return "/" in line.rstrip().removeprefix("!").rstrip("/")


def _compiled(number: int, line: str) -> _Pattern | None:
    """Return the pattern, or None for a blank line, a comment, and what git would never match."""
    from pathspec import GitIgnoreSpec, RegexPattern

    line = line.rstrip("\r")
    try:
        patterns = GitIgnoreSpec.from_lines([line]).patterns
    except (ValueError, re.error):  # a lone "!" or backslash, a reversed range: git matches nothing by it
        return None
    for pattern in patterns:
        assert isinstance(pattern, RegexPattern), "pathspec translates git's patterns to regular expressions"
        if pattern.include is not None and pattern.regex is not None:
            regex = without_retries(pattern.regex)
            return _Pattern(number, pattern.include, regex, _reach(line, regex), _is_for_folders(line))
    return None


def without_retries(regex: re.Pattern[str]) -> re.Pattern[str]:
    """Return an expression that means the same to git and is quick on every path.

    What stands between two wildcards has a fixed length (in characters, or in folders), so that its first place is as
    good as any later one. Tried one after the other, as pathspec's expression does, twenty `*` never end. A bracket
    must not match a slash (gitignore(5): what is no `**` stays within a name), but pathspec's may.
    """
    text = _BRACKETS.sub(lambda found: f"(?!/){found[1]}" if found[1] else found[0], regex.pattern)
    text = _STARS.sub("[^/]*", text)
    text = _STAR_TO_STAR.sub(r"(?>[^/]*?\1)", text)
    text = _FOLDERS_TO_FOLDERS.sub(r"(?>(?:/.+?)??\1(?=/))", text)
    return regex if text == regex.pattern else re.compile(text, regex.flags)


def _reach(line: str, regex: re.Pattern[str]) -> _Reach:
    if not regex.pattern.startswith("^"):
        return _Reach.EVERYTHING
    return _Reach.BELOW if line.rstrip().rstrip("/").endswith("/**") else _Reach.ITSELF


def _is_for_folders(line: str) -> bool:
    return line.rstrip().endswith("/")
