"""Which functions and classes does a module define? Asked only of modules between which a receipt declares a move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import PurePosixPath

from abutment.guard.codebase import Code
from abutment.guard.likeness import bytes_of
from abutment.guard.revision import Revision
from abutment.semantics.lower import outline
from abutment.semantics.outline import ScopeKind, Unparsed

_DEFINED = (ScopeKind.FUNCTION, ScopeKind.ASYNC, ScopeKind.CLASS)


def definitions_in(revision: Revision, code: Code) -> Callable[[str], frozenset[str]]:
    """Return a function that gives the dotted names inside of a module; none of one that is not there or no Python."""

    @cache
    def defined(module: str) -> frozenset[str]:
        found = code()
        paths = [path for path, name in (*found.judged.items(), *found.tests.items()) if name == module]
        return frozenset(name for path in paths for name in _defined(revision, path))

    return defined


def _defined(revision: Revision, path: str) -> list[str]:
    found = outline(bytes_of(revision.tree, path), "", False, PurePosixPath(path).suffix)
    if isinstance(found, Unparsed):
        return []  # nothing can have moved to where nothing can be read
    names = (found.strings[scope.qualname] for scope in found.scopes if scope.kind in _DEFINED)
    return [name.replace(".<locals>", "") for name in names]
