"""Which lines of a file does loading it to its end carry out for certain?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def certain_imports(source: bytes) -> frozenset[int]:
    """Return the first line of each import statement that stands below no condition.

    That is in module code and class bodies, outside any `if`, `try`, loop, `with` or `match`. Raises SyntaxError.
    """
    return frozenset(statements(ast.parse(source).body))


def statements(body: Sequence[ast.stmt]) -> Iterator[int]:
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement.lineno
        elif isinstance(statement, ast.ClassDef):
            yield from statements(statement.body)
