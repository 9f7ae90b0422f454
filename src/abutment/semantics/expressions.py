"""What does an expression say, as rows and an operand?

`value` gives the operand that stands for an expression's value. `scan` only looks for what matters inside one whose
value nobody reads. Neither recurses with the depth of an expression beyond `_VALUE_DEPTH`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from abutment.semantics.draft import Draft
from abutment.semantics.outline import PATH, ROW, TEXT, UNKNOWN, Op, ScopeKind

_VALUE_DEPTH = 24  # expressions nested deeper are searched, not evaluated
_LONGEST_SUM = 1_000
_LONGEST_DISPLAY = 20_000
_NONE_HIDDEN: frozenset[str] = frozenset()


def value(low: Draft, node: ast.expr) -> int:
    """Return the operand that stands for an expression's value; calls inside become rows."""
    lower = _VALUES.get(type(node))
    if lower is None or low.depth >= _VALUE_DEPTH:
        scan(low, node)
        return UNKNOWN
    low.depth += 1
    operand = lower(low, node)
    low.depth -= 1
    return operand


def keep(low: Draft, operand: int, node: Any) -> None:
    """Say that a value is put where it is not followed, in the files where this can matter."""
    if low.every_body and operand & 3 in (PATH, ROW):
        low.row(Op.KEEP, operand, place=low.place(node))


def defaults(low: Draft, arguments: ast.arguments) -> None:
    """Look into the defaults of parameters, which run where the function is defined."""
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            keep(low, value(low, default), default)


def scan(low: Draft, node: ast.AST) -> None:
    """Look for calls, walruses and lambdas inside an expression whose value nobody reads."""
    if low.quiet(node):
        return
    stack: list[tuple[ast.AST, frozenset[str], bool]] = [(node, _NONE_HIDDEN, low.uncertain > 0)]
    while stack:
        node, hidden, uncertain = stack.pop()
        if isinstance(node, ast.Lambda):
            _defer_lambda(low, node, hidden)
            stack.append((node.args, hidden, uncertain))
            continue
        if isinstance(node, ast.Call):
            _flat_call(low, node, hidden)
        elif isinstance(node, ast.NamedExpr):
            _bind_walrus(low, node, _leaf(low, node.value, hidden), uncertain)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            hidden, uncertain = hidden.union(*(_names(part.target) for part in node.generators)), True
        elif isinstance(node, ast.IfExp | ast.BoolOp | ast.Compare):
            uncertain = True
        stack.extend((child, hidden, uncertain) for child in reversed([*ast.iter_child_nodes(node)]))


def dotted(node: ast.expr) -> str:
    """Return a path as it is written; "" for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(parts))) if parts else node.id


def path(low: Draft, name: str) -> int:
    """Return the operand of a dotted path."""
    return low.string(name) * 4 + PATH


def text(low: Draft, content: str) -> int:
    """Return the operand of a text."""
    return low.string(content) * 4 + TEXT


# ---- reading without going in


def _flat_call(low: Draft, node: ast.Call, hidden: frozenset[str]) -> None:
    """Emit a call whose operands are read without going into them."""
    callee = _leaf(low, node.func, hidden)
    if callee:
        arguments = [_leaf(low, one, hidden) for one in node.args]
        named = [(low.string(one.arg or ""), _leaf(low, one.value, hidden)) for one in node.keywords]
        _emit_call(low, node, callee, arguments, named)


def _leaf(low: Draft, node: ast.expr, hidden: frozenset[str]) -> int:
    """Return the operand of a text, a path or the known beginning of a text; UNKNOWN for anything else."""
    if isinstance(node, ast.Constant):
        return _constant(low, node)
    if isinstance(node, ast.Name | ast.Attribute):
        name = dotted(node)
        return path(low, name) if name and name.partition(".")[0] not in hidden else UNKNOWN
    if isinstance(node, ast.JoinedStr):
        return _beginning(low, node, lambda part: _leaf(low, part, hidden))
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant | ast.Name):
        left = _leaf(low, node.left, hidden)
        right = _leaf(low, node.right, hidden) if isinstance(node.right, ast.Constant | ast.Name) else UNKNOWN
        return _operator(low, node, left, right)
    if isinstance(node, ast.List | ast.Tuple) and all(isinstance(one, ast.Constant) for one in node.elts):
        return low.row(Op.SEQUENCE, low.operands([_leaf(low, one, hidden) for one in node.elts]))
    return UNKNOWN


def _names(target: ast.AST) -> Iterable[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


# ---- one function a kind of expression


def _constant(low: Draft, node: ast.Constant) -> int:
    if isinstance(node.value, str):
        return text(low, node.value)
    if node.value is None or isinstance(node.value, bool):
        return path(low, str(node.value))
    if isinstance(node.value, int) and 0 <= node.value < 10:  # the level of an `__import__`
        return path(low, str(node.value))
    return UNKNOWN


def _name(low: Draft, node: ast.Name) -> int:
    operand = low.string(node.id) * 4 + PATH
    return _read_now(low, node, operand) if low.walruses else operand


def _read_now(low: Draft, node: ast.expr, operand: int) -> int:
    """Return an operand that a walrus further on in the expression cannot change: a path is read where it is used."""
    return operand if low.quiet_of_walruses(node) else low.row(Op.EITHER, operand, operand)


def _attribute(low: Draft, node: ast.Attribute) -> int:
    name = dotted(node)
    if name:
        return _read_now(low, node, path(low, name))
    base = value(low, node.value)
    return low.row(Op.ATTRIBUTE, base, low.string(node.attr)) if base else UNKNOWN


def _call(low: Draft, node: ast.Call) -> int:
    name = dotted(node.func)
    callee = path(low, name) if name else value(low, node.func)
    arguments = [value(low, one) for one in node.args]
    named = [(low.string(one.arg or ""), value(low, one.value)) for one in node.keywords]
    return _emit_call(low, node, callee, arguments, named)


def _emit_call(low: Draft, node: ast.Call, callee: int, arguments: list[int], named: list[tuple[int, int]]) -> int:
    pairs = low.operands([part for pair in named for part in pair])
    return low.row(Op.CALL, callee, low.operands(arguments), pairs, low.place(node))


def _sequence(low: Draft, node: ast.List | ast.Tuple | ast.Set) -> int:
    if len(node.elts) > _LONGEST_DISPLAY:
        scan(low, node)
        return UNKNOWN
    operands = [value(low, one) for one in node.elts]
    for operand, one in zip(operands, node.elts, strict=True):
        keep(low, operand, one)
    return low.row(Op.SEQUENCE, low.operands(operands))


def _starred(low: Draft, node: ast.Starred) -> int:
    return low.row(Op.SPLAT, value(low, node.value))


def _table(low: Draft, node: ast.Dict) -> int:
    if len(node.keys) > _LONGEST_DISPLAY:
        scan(low, node)
        return UNKNOWN
    pairs = []
    for key, held in zip(node.keys, node.values, strict=True):
        pairs += [value(low, key) if key is not None else UNKNOWN, value(low, held)]
        keep(low, pairs[-1], held)
    return low.row(Op.TABLE, low.operands(pairs))


def _subscript(low: Draft, node: ast.Subscript) -> int:
    base = value(low, node.value)
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) and base:
        return low.row(Op.PART, base, node.slice.value) if 0 <= node.slice.value < 1_000 else UNKNOWN
    key = value(low, node.slice)
    return low.row(Op.ITEM, base, key) if base and key else UNKNOWN


def _binary(low: Draft, node: ast.BinOp) -> int:
    spine = [node]
    while isinstance(spine[-1].left, ast.BinOp):
        spine.append(spine[-1].left)
    if len(spine) > _LONGEST_SUM:
        scan(low, node)
        return UNKNOWN
    operand = value(low, spine[-1].left)
    for step in reversed(spine):
        operand = _operator(low, step, operand, value(low, step.right))
    return operand


def _operator(low: Draft, node: ast.BinOp, left: int, right: int) -> int:
    if isinstance(node.op, ast.Add) and (left or right):
        return low.row(Op.JOINED, left, right)
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return low.row(Op.JOINED, text(low, node.left.value.partition("%")[0]), UNKNOWN)
    return UNKNOWN


def _joined_text(low: Draft, node: ast.JoinedStr) -> int:
    scan(low, node)
    if len(node.values) > _LONGEST_SUM:
        return UNKNOWN
    return _beginning(low, node, lambda part: value(low, part))


def _beginning(low: Draft, node: ast.JoinedStr, read: Callable[[ast.expr], int]) -> int:
    """Return the operand of an f-string, as far as `read` knows its parts."""
    operand = text(low, "")
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        plain = not isinstance(part, ast.FormattedValue) or (part.conversion == -1 and part.format_spec is None)
        known = read(inner) if plain and isinstance(inner, ast.Constant | ast.Name | ast.Subscript) else UNKNOWN
        operand = low.row(Op.JOINED, operand, known)
    return operand


def _choice(low: Draft, node: ast.IfExp) -> int:
    scan(low, node.test)
    low.uncertain += 1
    operand = low.row(Op.EITHER, value(low, node.body), value(low, node.orelse))
    low.uncertain -= 1
    return operand


def _boolean(low: Draft, node: ast.BoolOp) -> int:
    operands = [value(low, node.values[0])]
    low.uncertain += 1
    operands += [value(low, one) for one in node.values[1:]]
    low.uncertain -= 1
    return low.row(Op.AND if isinstance(node.op, ast.And) else Op.OR, low.operands(operands))


def _compare(low: Draft, node: ast.Compare) -> int:
    if not low.quiet(node):
        value(low, node.left)
        value(low, node.comparators[0])
        low.uncertain += 1
        for one in node.comparators[1:]:
            value(low, one)
        low.uncertain -= 1
    return UNKNOWN


def _waited(low: Draft, node: ast.Await | ast.Yield | ast.YieldFrom) -> int:
    if node.value is not None and not low.quiet(node):
        operand = value(low, node.value)
        if isinstance(node, ast.Yield):
            keep(low, operand, node.value)
    return UNKNOWN


def _unary(low: Draft, node: ast.UnaryOp) -> int:
    operand = value(low, node.operand)
    return low.row(Op.NOT, operand) if isinstance(node.op, ast.Not) and operand else UNKNOWN


def _walrus(low: Draft, node: ast.NamedExpr) -> int:
    operand = value(low, node.value)
    _bind_walrus(low, node, operand, low.uncertain > 0)
    return operand


def _bind_walrus(low: Draft, node: ast.NamedExpr, operand: int, uncertain: bool) -> None:
    if uncertain:
        low.maybe_bind(node.target.id, operand)
    else:
        low.bind(node.target.id, operand)


def _lambda(low: Draft, node: ast.Lambda) -> int:
    defaults(low, node.args)
    _defer_lambda(low, node, _NONE_HIDDEN)
    return UNKNOWN


def _defer_lambda(low: Draft, node: ast.Lambda, hidden: frozenset[str]) -> None:
    if low.worth(node):
        low.defer(low.open_scope(ScopeKind.LAMBDA, "<lambda>", node, hidden), "<lambda>", node.body)


_VALUES: dict[type[ast.expr], Callable[[Draft, Any], int]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Starred: _starred,
    ast.Dict: _table,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.JoinedStr: _joined_text,
    ast.IfExp: _choice,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.Await: _waited,
    ast.Yield: _waited,
    ast.YieldFrom: _waited,
    ast.UnaryOp: _unary,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
}
