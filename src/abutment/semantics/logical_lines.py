"""Which lines of a file belong to one statement, and is there any statement at all? Asked for what others measured."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping
from tokenize import TokenInfo

_BLANK = frozenset({tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT})
_NOTHING = _BLANK | {tokenize.NEWLINE, tokenize.STRING, tokenize.ENDMARKER}


def is_barren(source: bytes) -> bool:
    """Say whether a file holds nothing but comments and texts that stand alone; not of one that is no Python."""
    try:
        return all(token.type in _NOTHING for token in _tokens(source))
    except (tokenize.TokenError, SyntaxError):
        return False


def first_lines(source: bytes) -> Mapping[int, int]:
    """Return for each line of code the line on which its logical line begins: itself where it stands alone.

    Blank lines and comments have none, and neither has what stands behind a place that is no Python.
    """
    found: dict[int, int] = {}
    first = 0
    try:
        for token in _tokens(source):
            if token.type == tokenize.NEWLINE:
                found.update(dict.fromkeys(range(first, token.end[0] + 1), first))
                first = 0
            elif token.type not in _BLANK:
                first = first or token.start[0]
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def definitions(source: bytes) -> Iterator[range]:
    """Yield the lines of each function and class of a module's own, its decorators included.

    None behind a `raise` that ends the module, and none of what is no Python.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return
    for statement in body:
        if isinstance(statement, ast.Raise):
            return
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min(one.lineno for one in (statement, *statement.decorator_list))
            yield range(first, (statement.end_lineno or first) + 1)


def _tokens(source: bytes) -> Iterator[TokenInfo]:
    return tokenize.tokenize(io.BytesIO(source).readline)
