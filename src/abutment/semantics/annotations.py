"""What does an annotation say, as an operand that stands for a type?

Annotations are read as a type checker reads them, also where they are texts (PEP 484, PEP 563): they name types, and
nothing in them is called or read at run time.
"""

from __future__ import annotations

import ast

from abutment.semantics.draft import Draft
from abutment.semantics.expressions import dotted, path
from abutment.semantics.outline import UNKNOWN, Op

_DEEPEST = 12  # brackets and texts inside each other
_LONGEST_TEXT = 1_000  # characters
_MOST_ARGUMENTS = 50


def lower_annotations(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Emit the types that a function's parameters and its result are declared to have."""
    if not low.whole:
        low.row(Op.BODY)
        return
    arguments = node.args
    several = (arguments.vararg, arguments.kwarg)
    for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *several):
        if one is not None and one.annotation is not None and (operand := type_operand(low, one.annotation)):
            low.row(Op.PARAMETER, low.string(one.arg), operand, int(one in several))
    if node.returns is not None and (operand := type_operand(low, node.returns)):
        low.row(Op.RETURNS, operand)
    low.row(Op.BODY)


def type_operand(low: Draft, node: ast.expr, depth: int = 0) -> int:
    """Return the operand of a type; UNKNOWN for what is no path, union, text or generic of these."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return _of_constant(low, node, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return low.row(Op.EITHER, type_operand(low, node.left, depth + 1), type_operand(low, node.right, depth + 1))
    if isinstance(node, ast.Subscript):
        return _of_generic(low, node, depth)
    name = dotted(node)
    return path(low, name) if name else UNKNOWN


def _of_constant(low: Draft, node: ast.Constant, depth: int) -> int:
    if node.value is None:
        return path(low, "None")
    if isinstance(node.value, str) and len(node.value) <= _LONGEST_TEXT:
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return UNKNOWN  # a text that is no expression names no type
        return type_operand(low, inner, depth + 1)
    return UNKNOWN


def _of_generic(low: Draft, node: ast.Subscript, depth: int) -> int:
    base = dotted(node.value)
    if not base or base.rpartition(".")[2] == "Literal":  # the texts in a `Literal` are values
        return UNKNOWN
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    arguments = [type_operand(low, one, depth + 1) for one in inner[:_MOST_ARGUMENTS]]
    return low.row(Op.TYPED, path(low, base), low.operands(arguments))
