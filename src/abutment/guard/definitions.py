"""Which functions and classes does a module define? Asked only of modules between which a receipt declares a move."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache

from abutment.errors import NotJudged
from abutment.guard.codebase import Code
from abutment.guard.revision import Revision

_NESTED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions_in(revision: Revision, code: Code) -> Callable[[str], frozenset[str]]:
    """Return a function that gives the dotted names inside of a module; none of one that is not there or no Python."""

    @cache
    def defined(module: str) -> frozenset[str]:
        found = code()
        paths = [path for path, name in (*found.judged.items(), *found.tests.items()) if name == module]
        return frozenset(name for path in paths for name in _defined(revision, path))

    return defined


def _defined(revision: Revision, path: str) -> list[str]:
    try:
        return list(_names(ast.parse(revision.tree.read(path)), ""))
    except (NotJudged, SyntaxError, ValueError):
        return []  # nothing can have moved to where nothing can be read


def _names(node: ast.AST, above: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        name = above
        if isinstance(child, _NESTED):
            name = f"{above}.{child.name}".lstrip(".")
            yield name
        yield from _names(child, name)
