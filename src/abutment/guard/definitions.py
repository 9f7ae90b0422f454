"""Which functions and classes does a module define, and how do they read? Asked only of modules that something left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from abutment.guard.codebase import Code
from abutment.guard.likeness import bytes_of
from abutment.guard.revision import Revision
from abutment.semantics.lower import outline
from abutment.semantics.outline import ScopeKind, Unparsed

_DEFINED = (ScopeKind.FUNCTION, ScopeKind.ASYNC, ScopeKind.CLASS)
LOCALS = ".<locals>"


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or a class as it is written, decorators left out."""

    qualname: str  # as Python calls it, with what is local to a function marked as such
    is_class: bool
    text: bytes


Definitions = Mapping[str, Definition]  # by their dotted names inside of the module


def definitions_in(revision: Revision, code: Code) -> Callable[[str], Definitions]:
    """Return a function that gives what a module defines.

    There is nothing in one that is not there, or is no Python.
    """

    @cache
    def defined(module: str) -> Definitions:
        found: dict[str, Definition] = {}
        for path in code().files.get(module, ()):
            found.update(_defined(revision, path))
        return found

    return defined


def plain(qualname: str) -> str:
    """Return a qualname as the dotted name of a definition."""
    return qualname.replace(LOCALS, "")


def _defined(revision: Revision, path: str) -> Definitions:
    source = bytes_of(revision.tree, path)
    found = outline(source, "", False, PurePosixPath(path).suffix)
    if isinstance(found, Unparsed):
        return {}  # nothing can have moved to where nothing can be read
    lines = source.splitlines()
    defined: dict[str, Definition] = {}
    for scope in found.scopes:
        if scope.kind in _DEFINED:
            first, _column, last, _end = found.places[scope.place]
            text = b"\n".join(lines[first - 1 : last])
            qualname = found.strings[scope.qualname]
            defined[plain(qualname)] = Definition(qualname, scope.kind == ScopeKind.CLASS, text)
    return defined
