"""Which lines of a file that nobody parses call us: a Makefile, a script, another CI's configuration?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.front import governs
from abutment.guard.ci.make import make_calls
from abutment.guard.ci.shell import lines_of

_STRING = re.compile(r"\"([^\"\\]*)\"|'([^'\\]*)'")
_DEFINES = re.compile(r"\s*(?:async\s+)?def\s")
_RETURNS = re.compile(r"\breturn\b|\braise\b|\bskip\(|\bexit\(|\bchdir\(|\bcd\(|\benv\b|\benviron\b|\brun\s*=")
_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]")
_SETS = re.compile(r"\s*(?:ignore_outcome|platform|changedir|change_dir)\s*=")
_MIXED = (".yml", ".yaml", ".ini", ".toml", ".cfg", ".json")
_DASHED = ("justfile",)


def text_calls(path: str, text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls in a file, line by line."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(".py"):
        yield from _python_calls(text, own)
    elif name in ("makefile", "gnumakefile") or name.endswith(".mk"):
        yield from make_calls(text, own)
    elif name == "tox.ini":
        yield from _tox_calls(text, own)
    else:
        yield from calls_in(text, own, first_line=1, dashes=name in _DASHED, mixed=_is_mixed(name))


def _is_mixed(name: str) -> bool:
    """Say whether a file is more than one script of a shell."""
    return name.endswith(_MIXED) or name in ("justfile", "jenkinsfile")


def _python_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield what `session.run("abutment", "check")` calls; what stands around the texts is part of how."""
    ahead: list[str] = []  # the lines of the function in front of this one
    for number, line in lines_of(text):
        code = line.split("#", 1)[0].rstrip()
        words = " ".join(double or single for double, single in _STRING.findall(code))
        around = "".join(_STRING.sub("", code).replace(",", " ").split())
        for call in calls_in(words, own, first_line=number + 1):
            yield call.under(f"by {around}", *_python_ahead(ahead, code))
        ahead = [] if _DEFINES.match(code) else [*ahead, code] if code.strip() else ahead


def _python_ahead(ahead: Sequence[str], code: str) -> Iterator[str]:
    """Yield what the lines of a function in front of one make of it: they may return, or it is inside of them."""
    indent = _indent(code)
    for line in reversed(ahead):
        if _RETURNS.search(line):
            yield f"behind `{' '.join(line.split())}`"
        if _indent(line) < indent:
            indent = _indent(line)
            if line.endswith(":"):
                yield f"inside `{' '.join(line.split())}`"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _tox_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a tox.ini, each with what its environment, or that of all, makes of their status."""
    section, sections, said = "", list[str](), dict[str, list[str]]()
    for line in text.splitlines():
        head = _SECTION.match(line)
        section = head["name"].strip() if head else section
        sections.append(section)
        if _SETS.match(line) or governs("".join(line.split())):
            said.setdefault(section, []).append(" ".join(line.split()))
    for call in calls_in(text, own, first_line=1, dashes=True, mixed=True):
        yield call.under(*said.get("testenv", ()), *said.get(sections[call.line - 1], ()))
