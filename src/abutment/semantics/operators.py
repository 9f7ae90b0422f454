"""What does an operator, a comparison or a test of truth say, as rows, once its sides are known?"""

from __future__ import annotations

import ast

from abutment.semantics.draft import Draft
from abutment.semantics.outline import PATH, ROW, TEXT, UNKNOWN, Op

# How the method that an operator calls is named, without its underscores (Language Reference, 3.3.8).
METHODS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.BitOr: "or",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}
# The method of the left side, and that of the right one.
_COMPARISONS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("lt", "gt"),
    ast.LtE: ("le", "ge"),
    ast.Gt: ("gt", "lt"),
    ast.GtE: ("ge", "le"),
    ast.Eq: ("eq", "eq"),
    ast.NotEq: ("ne", "ne"),
}


def operate(
    low: Draft, node: ast.expr | ast.stmt, method: str, left: int, right: int = UNKNOWN, known: int = UNKNOWN
) -> int:
    """Emit what an operator calls, where one of its sides may be an object; return the operand of what it gives."""
    is_text = left & 3 == TEXT and method == "mod"  # a text takes whatever it is given
    if not low.whole or is_text or not (left & 3 in (PATH, ROW) or right & 3 in (PATH, ROW)):
        return known
    return low.row(Op.OPERATE, low.operands((left, right, known)), low.string(method), place=low.place(node))


def augment(low: Draft, node: ast.AugAssign, left: int, right: int) -> int:
    """Emit what `left += right` calls, and return the operand of what it gives."""
    return operate(low, node, f"i{METHODS[type(node.op)]}", left, right)


def ask(low: Draft, node: ast.expr | ast.stmt, method: str, operand: int, *, perhaps: bool = False) -> None:
    """Emit what is asked of an object, where an operand may be one."""
    if low.whole and operand & 3 in (PATH, ROW):
        low.row(Op.ASK, operand, low.string(method), int(perhaps), low.place(node))


def compared(low: Draft, node: ast.Compare, op: ast.cmpop, left: int, right: int) -> None:
    """Emit what one comparison asks of its sides."""
    if isinstance(op, ast.In | ast.NotIn):
        ask(low, node, "contains", right)
    elif not isinstance(op, ast.Is | ast.IsNot):
        method, reflected = _COMPARISONS[type(op)]
        ask(low, node, method, left)
        ask(low, node, reflected, right, perhaps=True)


def known_result(low: Draft, node: ast.BinOp, left: int, right: int) -> int:
    """Return the operand of what an operator gives without any method of the codebase."""
    if isinstance(node.op, ast.Add) and (left or right):
        return low.row(Op.JOINED, left, right)
    if isinstance(node.op, ast.BitOr) and (left or right):  # of two types, their union (PEP 604)
        return low.row(Op.EITHER, left, right)
    if isinstance(node.op, ast.Div) and left:  # of numbers nobody asks; a path divided is a path
        return left
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return low.row(Op.JOINED, low.string(node.left.value.partition("%")[0]) * 4 + TEXT, UNKNOWN)
    return UNKNOWN


def asks_for_main(node: ast.Compare) -> bool:
    """Say whether this is `__name__ == "__main__"`, either way round, or with `!=`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    sides = {_spelling(node.left), _spelling(node.comparators[0])}
    return sides == {"name:__name__", "text:__main__"}


def _spelling(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return f"name:{node.id}"
    return f"text:{node.value}" if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
