"""Which comments of a file speak to us, and in which scope does each of them stand?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from abutment.semantics.program import SPEAKS
from abutment.semantics.python_source import comments

_SPELLINGS = ("abutment", "Abutment", "ABUTMENT")
_DIRECTIVE = re.compile(rf"(?:^|(?<=\s)){SPEAKS}.*", re.IGNORECASE)  # it may follow another tool's comment


def directives(text: str, tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """Yield the text, from its `#` on, the line and the scope's qualname of every comment that speaks to us."""
    if not any(word in text for word in _SPELLINGS):
        return
    found = [(line, match) for line, comment in comments(text) if (match := _DIRECTIVE.search(comment))]
    if not found:
        return
    scopes = list(_scopes(tree))
    for line, match in found:
        yield match[0].rstrip(), line, _innermost(scopes, line)


_Scope = tuple[int, int, str]  # the first and the last line of its body, qualname


def _scopes(tree: ast.Module) -> Iterator[_Scope]:
    """Yield every function and class, outer ones first."""
    todo: list[tuple[ast.AST, str]] = [(tree, "")]
    while todo:
        node, prefix = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = prefix + node.name
            yield node.body[0].lineno, node.end_lineno or node.lineno, name
            prefix = f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>."
        todo += [(child, prefix) for child in ast.iter_child_nodes(node)]


def _innermost(scopes: list[_Scope], line: int) -> str:
    """Return the last scope whose body holds the line: an inner one comes after what it stands in."""
    return next((name for first, last, name in reversed(scopes) if first <= line <= last), "<module>")
