"""Which lines of a file that nobody parses call us: a Makefile, a script, another CI's configuration?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.front import governs
from abutment.guard.ci.make import Read, make_calls
from abutment.guard.ci.python_file import python_calls

_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]")
_ENVIRONMENTS = re.compile(r"^\[tox\][^\[]*?^env_?list\s*=(?P<names>[^\n]*(?:\n[ \t]+[^\n]*)*)", re.MULTILINE)
_SETS = re.compile(r"\s*(?:ignore_outcome|platform|changedir|change_dir)\s*=")
_MIXED = (".yml", ".yaml", ".ini", ".toml", ".cfg", ".json")
_DASHED = ("justfile",)


def text_calls(path: str, read: Read, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls in a file, line by line."""
    name, text = path.rpartition("/")[2].lower(), read(path) or ""
    if name.endswith(".py"):
        yield from python_calls(text, own)
    elif name in ("makefile", "gnumakefile") or name.endswith(".mk"):
        yield from make_calls(path, read, own)
    elif name == "tox.ini":
        yield from _tox_calls(text, own)
    else:
        yield from calls_in(text, own, first_line=1, dashes=name in _DASHED, mixed=_is_mixed(name))


def _is_mixed(name: str) -> bool:
    """Say whether a file is more than one script of a shell."""
    return name.endswith(_MIXED) or name in ("justfile", "jenkinsfile")


def _tox_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a tox.ini, each with what its environment, or that of all, makes of their status."""
    section, sections, said = "", list[str](), dict[str, list[str]]()
    for line in text.splitlines():
        head = _SECTION.match(line)
        section = head["name"].strip() if head else section
        sections.append(section)
        if _SETS.match(line) or governs("".join(line.split())):
            said.setdefault(section, []).append(" ".join(line.split()))
    usual = _ENVIRONMENTS.search(text)
    for call in calls_in(text, own, first_line=1, dashes=True, mixed=True):
        here = sections[call.line - 1]
        yield call.under(*said.get("testenv", ()), *said.get(here, ()), *_left_out(here, usual))


def _left_out(section: str, usual: re.Match[str] | None) -> Iterator[str]:
    """Yield a condition for an environment that tox does not run by itself, as another list of these is written."""
    _env, _colon, name = section.partition(":")
    if usual is not None and name and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", usual["names"]):
        yield f"{name} is none of the environments that are run by themselves"
