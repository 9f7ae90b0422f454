"""Who answers for a file? What CODEOWNERS says, as GitHub and GitLab read it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from abutment.sources.git import find_repository
from abutment.sources.tree import Tree
from abutment.sources.work_tree import WorkTree

_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s+\S+)*)\s*")
_WORD = re.compile(r"(?:\\.|\S)+")
# From one `**` to the next, in an expression of ours. Of such folders, too, the first place is as good as any other.
_FOLDERS_TO_FOLDERS = re.compile(r"\(\?:\.\*/\)\?((?:(?!\(\?:\.\*/\)\?).)+)(?=\(\?:\.\*/\)\?)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Entry:
    section: str
    pattern: re.Pattern[str]
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Owners:
    """The entries of one CODEOWNERS file, in its order."""

    entries: tuple[_Entry, ...] = ()
    way: str = ""  # from the folder whose paths the entries mean down to the one whose paths are asked about
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def of(self, path: str) -> tuple[str, ...]:
        """Return the file's owners: those of the last entry that matches it, in each section; () for none."""
        if path not in self._known:
            place = f"{self.way}/{path}" if self.way else path
            self._known[path] = tuple(dict.fromkeys(self._find(place)))
        return self._known[path]

    def _find(self, path: str) -> Iterator[str]:
        decided: dict[str, tuple[str, ...]] = {}
        for entry in reversed(self.entries):
            if entry.section not in decided and entry.pattern.fullmatch(path):
                decided[entry.section] = entry.owners
        for section in dict.fromkeys(entry.section for entry in self.entries):
            yield from decided.get(section, ())


def repository_owners(root: Path) -> Owners:
    """Return the owners of the files below `root`: a forge reads CODEOWNERS at the top of the repository.

    Without a repository `root` is the top. Raises NotJudged where the file is there and cannot be read.
    """
    top = find_repository(root) or root
    way = Path(os.path.relpath(os.path.abspath(root), top)).as_posix()  # noqa: PTH100  # see find_repository
    return replace(load_codeowners(WorkTree(top)), way="" if way == "." else way)


def load_codeowners(tree: Tree) -> Owners:
    """Return the owners that the first CODEOWNERS file of the tree names; none where there is no such file.

    Raises NotJudged where the file is there and cannot be read.
    """
    place = next((place for place in _PLACES if tree.exists(place)), None)
    return Owners() if place is None else parse_codeowners(tree.read(place).decode("utf-8", "replace"))


def parse_codeowners(text: str) -> Owners:
    """Return the owners that the text names. A line that neither service accepts says nothing, as it does there."""
    entries: list[_Entry] = []
    section, default = "", ()
    for line in text.lstrip("\ufeff").splitlines():
        words = list(_words(line))
        if not words:
            continue
        opened = _SECTION.fullmatch(" ".join(words))
        if opened is not None:  # GitLab's; to GitHub a pattern with brackets means nothing
            section, default = opened["name"].casefold(), tuple(opened["owners"].split())
            continue
        pattern = _translated(words[0])
        if pattern is not None and all(map(_is_owner, words[1:])):
            entries.append(_Entry(section, pattern, tuple(words[1:]) or default))
    return Owners(tuple(entries))


def _is_owner(word: str) -> bool:
    """Say whether it is a user, a team or a mail address; GitHub skips a line with any other word."""
    name, at, rest = word.partition("@")
    return bool(at and rest and (not name or "@" not in rest))


def _words(line: str) -> Iterator[str]:
    for match in _WORD.finditer(line):
        if match[0].startswith("#"):
            return
        yield match[0]


def _translated(pattern: str) -> re.Pattern[str] | None:
    """Return the pattern for whole paths; None for what has no meaning here (negation, character ranges)."""
    if pattern.startswith("!") or "[" in pattern:
        return None
    is_anchored = "/" in pattern.rstrip("/")
    parts = pattern.strip("/").split("/")
    body = "" if is_anchored else "(?:.*/)?"
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if part == "**":
            body += ".*" if is_last else "(?:.*/)?"
        else:
            body += _segment(part) + ("" if is_last else "/")
    body = _FOLDERS_TO_FOLDERS.sub(r"(?>(?:.*?/)??\1)", body)
    return re.compile(body + _below(pattern, parts[-1], is_anchored=is_anchored), re.DOTALL)


def _below(pattern: str, last: str, *, is_anchored: bool) -> str:
    """Return what may follow: a name means everything below it, but `docs/*` only what lies directly there."""
    if last == "**" or (last == "*" and is_anchored and not pattern.endswith("/")):
        return ""
    return "/.*" if pattern.endswith("/") else "(?:/.*)?"


def _segment(part: str) -> str:
    """Return the expression for one name.

    Of what stands between two `*` the first place is as good as any later one: not looking for another keeps a heap
    of them quick.
    """
    between = [""]
    at = 0
    while at < len(part):
        char = part[at]
        if char == "*":
            between.append("")
        elif char == "\\" and at + 1 < len(part):
            at += 1
            between[-1] += re.escape(part[at])
        else:
            between[-1] += "[^/]" if char == "?" else re.escape(char)
        at += 1
    first, *middle = between
    if not middle:
        return first
    last = middle.pop()
    return first + "".join(f"(?>[^/]*?{text})" for text in middle if text) + f"[^/]*{last}"
