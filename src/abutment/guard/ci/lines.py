"""Which lines of a file that nobody parses call us: a Makefile, a script, another CI's configuration?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.shell import lines_of

_STRING = re.compile(r"\"([^\"\\]*)\"|'([^'\\]*)'")
_TARGET = re.compile(r"^(?P<names>[\w./%-][\w./%\- ]*?)\s*::?(?!=)\s*(?P<needs>[^#=]*)(?:#.*)?$")
_MIXED = (".yml", ".yaml", ".ini", ".toml", ".cfg", ".json")
_DASHED = ("makefile", "gnumakefile", "tox.ini", "justfile")


def text_calls(path: str, text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls in a file, line by line."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(".py"):
        yield from _python_calls(text, own)
    elif name in ("makefile", "gnumakefile") or name.endswith(".mk"):
        yield from _make_calls(text, own)
    else:
        yield from calls_in(text, own, first_line=1, dashes=name in _DASHED, mixed=_is_mixed(name))


def _is_mixed(name: str) -> bool:
    """Say whether a file is more than one script of a shell."""
    return name.endswith(_MIXED) or name in ("justfile", "jenkinsfile")


def _python_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield what `session.run("abutment", "check")` calls; what stands around the texts is part of how."""
    for number, line in lines_of(text):
        code = line.split("#", 1)[0]
        words = " ".join(double or single for double, single in _STRING.findall(code))
        around = "".join(_STRING.sub("", code).replace(",", " ").split())
        for call in calls_in(words, own, first_line=number + 1):
            yield call.under(f"by {around}")


def _make_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of each target, and of each that needs it: what `make check` runs counts as asked by `check`."""
    needs: dict[str, set[str]] = {}
    calls: dict[str, list[Call]] = {}
    targets: list[str] = []
    for number, line in lines_of(text):
        if line.startswith("\t"):
            for call in calls_in(line, own, first_line=number + 1, dashes=True):
                for target in targets:
                    calls.setdefault(target, []).append(call)
        elif found := _TARGET.match(line):
            targets = found["names"].split()
            for target in targets:
                needs.setdefault(target, set()).update(found["needs"].split())
        elif line.strip() and not line.lstrip().startswith("#"):
            targets = []
    for target in sorted(needs):
        for needed in sorted(_reached(target, needs)):
            yield from (replace(call, asks=f"{call.asks}, by make {target}") for call in calls.get(needed, ()))


def _reached(target: str, needs: dict[str, set[str]]) -> set[str]:
    reached, open_ = {target}, [target]
    while open_:
        for needed in needs.get(open_.pop(), ()):
            if needed not in reached:
                reached.add(needed)
                open_.append(needed)
    return reached
