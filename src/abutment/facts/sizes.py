"""How many lines do functions, classes and files have?

A function and a class begin at their `def` or `class`; decorators are left out, comments, docstrings and blank lines
are not. Lines are those that Python counts: a form feed ends none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.scopes import MODULE, definitions_of

FUNCTION, CLASS, FILE = "function", "class", "file"
_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Size:
    """One function, class or file that is longer than its limit."""

    module: str
    qualname: str  # with `#2` for the second one of that name in the file; `<module>` for the file as a whole
    kind: str
    lines: int = field(compare=False)
    site: Site = field(compare=False)


def scan_sizes(modules: Mapping[str, str], source: Callable[[str], bytes], limits: Mapping[str, int]) -> Iterator[Size]:
    """Yield what is longer than the limit of its kind in these modules (by path); `source` gives a file's bytes.

    Raises NotJudged where a file cannot be read or parsed.
    """
    for path, module in sorted(modules.items()):
        yield from _of_file(module, path, source(path), limits)


def _of_file(module: str, path: str, data: bytes, limits: Mapping[str, int]) -> Iterator[Size]:
    lines = line_count(data)
    if lines > limits[FILE]:
        yield Size(module, MODULE, FILE, lines, Site(path, 1))
    if lines > min(limits[FUNCTION], limits[CLASS]):  # in a shorter file nothing is longer
        yield from _of_definitions(module, path, data, limits)


def _of_definitions(module: str, path: str, data: bytes, limits: Mapping[str, int]) -> Iterator[Size]:
    found = definitions_of(data, PurePosixPath(path).suffix)
    if found is None:
        raise NotJudged(Fault(path, 0, "cannot be parsed.", "Mend it: nobody can tell what it holds."))
    for one in found.found:
        kind, lines = FUNCTION if one.is_function else CLASS, one.end_line - one.line + 1
        if lines > limits[kind]:
            yield Size(module, one.qualname, kind, lines, Site(path, one.line, scope=one.qualname))


def line_count(data: bytes) -> int:
    """Return how many lines a file has; the end of the last one begins no further one."""
    ends = len(_END.findall(data))
    return ends + (bool(data) and not data.endswith((b"\n", b"\r")))
