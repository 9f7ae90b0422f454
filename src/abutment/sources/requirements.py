"""Which versions does a requirement file pin, and is each told by its hashes?

The form is pip's ("Requirements File Format" in its documentation): continued lines, comments, options, `-r`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTION = re.compile(r"\s--(?P<name>[a-z-]+)(?:[= ]\S+)?")
_NESTED = re.compile(r"(?:-r|--requirement)(?:\s*=\s*|\s+|(?<=-r))(?P<path>\S+)")
# What says where and how to look, and names nothing that is installed.
_SILENT = re.compile(
    r"(?:-i|-f|-c|--(?:index-url|extra-index-url|no-index|constraint|find-links|no-binary|only-binary|prefer-binary"
    r"|require-hashes|pre|trusted-host|use-feature))(?:[= ].*)?"
)
_DEEPEST = 20  # files that name each other


@dataclass(frozen=True, slots=True)
class Pin:
    """One requirement of a requirement file."""

    name: str  # as PEP 503 normalises it
    version: str  # "" where it names none: a range, an address
    is_exact: bool  # one version, or an address
    is_hashed: bool
    marker: str  # "" where it holds everywhere
    site: Site


def read_pins(read: Callable[[str], bytes], path: str, depth: int = 0) -> Iterator[Pin]:
    """Yield what a file requires, and the files that it names by `-r`; `read` gives a file's bytes.

    Raises NotJudged where a file cannot be read, or a line in it is not understood.
    """
    if depth > _DEEPEST:
        raise NotJudged(Fault(path, 0, "is named by a file that it names itself."))
    for number, line in _lines(path, _text(read, path)):
        nested = _NESTED.fullmatch(line)
        if nested:
            below = posixpath.normpath(posixpath.join(posixpath.dirname(path), nested["path"]))
            yield from read_pins(read, below, depth + 1)
        elif not _SILENT.fullmatch(line):
            yield _pin(line, Site(path, number))


def _text(read: Callable[[str], bytes], path: str) -> str:
    try:
        return read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotJudged(Fault(path, 0, f"is no UTF-8, at byte {error.start}.")) from error


def _lines(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield each logical line that says something, with the number of its first one."""
    begun, parts = 0, list[str]()
    for number, written in enumerate(text.splitlines(), 1):
        begun = begun or number
        line = _COMMENT.sub("", written)
        parts.append(line.removesuffix("\\"))
        if line.endswith("\\"):
            continue
        whole = " ".join(" ".join(parts).split())
        if whole:
            yield begun, whole
        begun, parts = 0, []
    if parts:
        raise NotJudged(Fault(path, begun, "the file breaks off within a line that is continued."))


def _pin(line: str, site: Site) -> Pin:
    option = _OPTION.search(line)
    text = line[: option.start()] if option else line
    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        remedy = "A requirement with a name belongs here: `name==1.0`."
        raise NotJudged(Fault(site.path, site.line, f"{text!r} is not understood.", remedy)) from error
    return Pin(
        name=canonicalize_name(requirement.name),
        version=_version(requirement),
        is_exact=bool(_version(requirement) or requirement.url),
        is_hashed=any(found["name"] == "hash" for found in _OPTION.finditer(line)),
        marker=str(requirement.marker or ""),
        site=site,
    )


def _version(requirement: Requirement) -> str:
    """Return the one version that a requirement allows; "" where it allows several."""
    specifiers = list(requirement.specifier)
    if len(specifiers) != 1 or specifiers[0].operator not in {"==", "==="} or specifiers[0].version.endswith(".*"):
        return ""
    return specifiers[0].version
