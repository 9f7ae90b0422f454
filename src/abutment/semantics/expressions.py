"""What does an expression say, as rows and an operand?

`value` gives the operand that stands for an expression's value. Beyond `_VALUE_DEPTH` levels `scan` looks, without
recursion, for the calls and reads inside, and the value is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from abutment.semantics.draft import Draft
from abutment.semantics.operators import METHODS, ask, asks_for_main, compared, known_result, operate
from abutment.semantics.outline import PATH, ROW, TEXT, UNKNOWN, Op, ScopeKind

_VALUE_DEPTH = 100  # expressions nested deeper are searched, not evaluated
_LONGEST_SUM = 1_000
_LARGEST_NUMBER = 1_000_000  # that a call may be given
_LONGEST_DISPLAY = 20_000
# Built-in functions that do something: a plain read of one is a use, as it is handed on.
_FUNCTIONS = frozenset(("breakpoint", "compile", "eval", "exec", "input", "open", "print", "__import__"))
_NONE_HIDDEN: frozenset[str] = frozenset()
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def value(low: Draft, node: ast.expr) -> int:
    """Return the operand that stands for an expression's value; calls inside become rows."""
    kind = type(node)
    if kind is ast.Name:
        return _name(low, node)  # type: ignore[arg-type]
    lower = _VALUES.get(kind)
    if lower is None or low.depth >= _VALUE_DEPTH:
        scan(low, node)
        return UNKNOWN
    low.depth += 1
    operand = lower(low, node)
    low.depth -= 1
    return operand


def keep(low: Draft, operand: int, node: Any) -> None:
    """Say that a value is put where it is not followed, in the files where this can matter."""
    if low.spells_importer and operand & 3 in (PATH, ROW):
        low.row(Op.KEEP, operand, place=low.place(node))


def scan(low: Draft, node: ast.AST, *, reads: bool = True) -> None:
    """Look for calls, reads, walruses and lambdas inside an expression whose value nobody asks for."""
    stack: list[tuple[ast.AST, frozenset[str], bool]] = [(node, _NONE_HIDDEN, low.uncertain > 0)]
    while stack:
        node, hidden, uncertain = stack.pop()
        if isinstance(node, ast.Lambda):
            _defer_lambda(low, node, hidden)
            stack.append((node.args, hidden, uncertain))
            continue
        if isinstance(node, ast.Call):
            _flat_call(low, node, hidden)
            if dotted(node.func):
                stack.extend((one, hidden, uncertain) for one in reversed([*node.args, *node.keywords]))
                continue
        elif isinstance(node, ast.Attribute | ast.Name):
            if reads and _head(node) not in hidden:
                _read(low, node, dotted(node))
        elif isinstance(node, ast.NamedExpr):
            _bind_walrus(low, node, _leaf(low, node.value, hidden), uncertain)
            stack.append((node.value, hidden, uncertain))
            continue
        elif isinstance(node, _Comprehension):
            hidden, uncertain = hidden.union(*(names_of(part.target) for part in node.generators)), True
        elif isinstance(node, ast.IfExp | ast.BoolOp | ast.Compare):
            uncertain = True
        stack.extend((child, hidden, uncertain) for child in reversed([*ast.iter_child_nodes(node)]))


def _head(node: ast.expr) -> str:
    return dotted(node).partition(".")[0]


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
    if low.hidden:
        head, dot, rest = name.partition(".")
        name = low.hidden.get(head, head) + dot + rest
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


def names_of(target: ast.AST) -> Iterable[str]:
    """Return the names that a target binds."""
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


# ---- one function a kind of expression


def _constant(low: Draft, node: ast.Constant) -> int:
    if isinstance(node.value, str):
        return text(low, node.value)
    if node.value is None or isinstance(node.value, bool):
        return path(low, str(node.value))
    if isinstance(node.value, int | float) and node.value in range(10):  # the level of an `__import__`, a time-out
        return path(low, str(int(node.value)))
    return UNKNOWN


def _name(low: Draft, node: ast.Name) -> int:
    name = node.id
    if low.hidden:
        name = low.hidden.get(name, name)
    if low.whole and (name in low.names_taken or name in _FUNCTIONS):
        return low.row(Op.READ, low.string(name) * 4 + PATH, 0, 0, low.place(node))
    operand = low.string(name) * 4 + PATH
    return _read_now(low, node, operand) if low.walruses else operand


def _read(low: Draft, node: ast.expr, name: str) -> int:
    """Emit the read of a path; a plain name is one only where a from-import bound it."""
    if not low.whole:
        return _read_now(low, node, path(low, name)) if low.walruses else path(low, name)
    if "." in name or name in low.names_taken:
        return low.row(Op.READ, path(low, name), 0, 0, low.place(node))
    return UNKNOWN


def _read_now(low: Draft, node: ast.expr, operand: int) -> int:
    """Return an operand that a walrus further on in the expression cannot change: a path is read where it is used."""
    return operand if low.quiet_of_walruses(node) else low.row(Op.EITHER, operand, operand)


def _attribute(low: Draft, node: ast.Attribute) -> int:
    name = dotted(node)
    if name:
        return _read(low, node, name)
    base = value(low, node.value)
    return low.row(Op.ATTRIBUTE, base, low.string(node.attr)) if base else UNKNOWN


def _call(low: Draft, node: ast.Call) -> int:
    callee = _callee(low, node.func)
    if low.walruses and callee & 3 == PATH and any(map(_binds, (*node.args, *node.keywords))):
        callee = low.row(Op.EITHER, callee, callee)  # it is evaluated before the arguments
    arguments = [_argument(low, one) for one in node.args]
    named = [(low.string(one.arg or ""), _argument(low, one.value)) for one in node.keywords]
    return _emit_call(low, node, callee, arguments, named)


def _argument(low: Draft, node: ast.expr) -> int:
    """Return what a call is given; a whole number is one that somebody may ask for, a priority."""
    number = _index(node)
    if number is not None and abs(number) < _LARGEST_NUMBER:
        return path(low, str(number))
    return value(low, node)


def _binds(node: ast.AST) -> bool:
    return any(isinstance(one, ast.NamedExpr) for one in ast.walk(node))


def _callee(low: Draft, node: ast.expr) -> int:
    """Return what is called; a path is not read on its own."""
    name = dotted(node)
    if name:
        return path(low, name)
    if isinstance(node, ast.Attribute):
        base = value(low, node.value)
        return low.row(Op.ATTRIBUTE, base, low.string(node.attr)) if base else UNKNOWN
    return value(low, node)


def _emit_call(low: Draft, node: ast.Call, callee: int, arguments: list[int], named: list[tuple[int, int]]) -> int:
    pairs = low.operands([part for pair in named for part in pair])
    return low.row(Op.CALL, callee, low.operands(arguments), pairs, low.place(node))


def _sequence(low: Draft, node: ast.List | ast.Tuple | ast.Set) -> int:
    if len(node.elts) > _LONGEST_DISPLAY:
        return _too_long(low, node)
    operands = [value(low, one) for one in node.elts]
    if low.spells_importer:
        for operand, one in zip(operands, node.elts, strict=True):
            keep(low, operand, one)
    return low.row(Op.SEQUENCE, low.operands(operands))


def _too_long(low: Draft, node: ast.expr) -> int:
    """Search a display instead of evaluating it; the file says so, unless all in it is constants."""
    scan(low, node)
    low.is_cut = low.is_cut or any(isinstance(one, ast.Name | ast.Call | ast.Lambda) for one in ast.walk(node))
    return UNKNOWN


def _starred(low: Draft, node: ast.Starred) -> int:
    return low.row(Op.SPLAT, value(low, node.value), place=low.place(node))


def _table(low: Draft, node: ast.Dict) -> int:
    if len(node.keys) > _LONGEST_DISPLAY:
        return _too_long(low, node)
    pairs = []
    for key, held in zip(node.keys, node.values, strict=True):
        if key is None:
            pairs += [UNKNOWN, low.row(Op.SPLAT, value(low, held))]
        else:
            pairs += [value(low, key), value(low, held)]
        keep(low, pairs[-1], held)
    return low.row(Op.TABLE, low.operands(pairs))


def _subscript(low: Draft, node: ast.Subscript) -> int:
    base = value(low, node.value)
    index = _index(node.slice)
    ask(low, node, "getitem", base)
    if index is not None and base:
        return low.row(Op.PART, base, index) if abs(index) < 1_000 else UNKNOWN
    key = value(low, node.slice)
    if isinstance(node.slice, ast.Slice):
        return low.row(Op.SLICE, base) if base else UNKNOWN
    return low.row(Op.ITEM, base, key) if base else UNKNOWN


def _index(node: ast.expr) -> int | None:
    """Return a whole number as it is written, perhaps with a minus."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        found = node.operand.value
        return -found if type(found) is int else None
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


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
    known = known_result(low, node, left, right)
    return operate(low, node, METHODS[type(node.op)], left, right, known)


def truth(low: Draft, node: ast.expr) -> int:
    """Return the operand of what a choice asks for, which is asked whether it is true."""
    operand = value(low, node)
    asked, last = operand, node
    while isinstance(last, ast.BoolOp) and asked & 3 == ROW:  # those before it are asked in any case
        asked, last = low.lists[low.rows[asked >> 2][1]][-1], last.values[-1]
    if not isinstance(last, ast.Constant | ast.Compare | ast.BoolOp):
        ask(low, last, "bool", asked)
    return operand


def _joined_text(low: Draft, node: ast.JoinedStr) -> int:
    if len(node.values) > _LONGEST_SUM:
        scan(low, node)
        return UNKNOWN
    return _beginning(low, node, lambda part: value(low, part))


def _beginning(low: Draft, node: ast.JoinedStr, read: Callable[[ast.expr], int]) -> int:
    """Return the operand of an f-string, as far as `read` knows its parts."""
    operand = text(low, "")
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        known = read(inner)
        if isinstance(part, ast.FormattedValue) and (part.conversion != -1 or part.format_spec is not None):
            known = UNKNOWN
            if part.format_spec is not None:
                read(part.format_spec)
        operand = low.row(Op.JOINED, operand, known)
    return operand


def _choice(low: Draft, node: ast.IfExp) -> int:
    truth(low, node.test)
    low.uncertain += 1
    operand = low.row(Op.EITHER, value(low, node.body), value(low, node.orelse))
    low.uncertain -= 1
    return operand


def _boolean(low: Draft, node: ast.BoolOp) -> int:
    operands = [truth(low, node.values[0])]
    low.uncertain += 1
    operands += [truth(low, one) for one in node.values[1:-1]]
    operands.append(value(low, node.values[-1]))
    low.uncertain -= 1
    return low.row(Op.AND if isinstance(node.op, ast.And) else Op.OR, low.operands(operands))


def _compare(low: Draft, node: ast.Compare) -> int:
    if asks_for_main(node):
        asked = low.row(Op.MAIN)
        return asked if isinstance(node.ops[0], ast.Eq) else low.row(Op.NOT, asked)
    left = value(low, node.left)
    for at, (op, one) in enumerate(zip(node.ops, node.comparators, strict=True)):
        low.uncertain += at > 0
        right = value(low, one)
        low.uncertain -= at > 0
        compared(low, node, op, left, right)
        left = right
    return UNKNOWN


def _await(low: Draft, node: ast.Await) -> int:
    operand = value(low, node.value)
    low.row(Op.AWAIT, operand)
    return operand


def _yield(low: Draft, node: ast.Yield) -> int:
    low.is_generator = True
    operand = value(low, node.value) if node.value is not None else path(low, "None")
    low.row(Op.YIELD, operand)
    keep(low, operand, node)
    return UNKNOWN


def _yield_from(low: Draft, node: ast.YieldFrom) -> int:
    low.is_generator = True
    low.row(Op.YIELD, value(low, node.value), 1, place=low.place(node))
    return UNKNOWN


def _slice(low: Draft, node: ast.Slice) -> int:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            value(low, part)
    return UNKNOWN


def _searched(low: Draft, node: ast.expr) -> int:
    scan(low, node)
    return UNKNOWN


def _unary(low: Draft, node: ast.UnaryOp) -> int:
    if isinstance(node.op, ast.Not):
        operand = truth(low, node.operand)
        return low.row(Op.NOT, operand) if operand else UNKNOWN
    return operate(low, node, METHODS[type(node.op)], value(low, node.operand))


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
    scope = low.open_scope(ScopeKind.LAMBDA, "<lambda>", node)
    defaults(low, node.args, scope)
    low.defer(scope, "<lambda>", node)
    return low.row(Op.LAMBDA, scope)


def _defer_lambda(low: Draft, node: ast.Lambda, hidden: frozenset[str]) -> None:
    """Queue a lambda inside an expression that is only searched: names of comprehensions around are unknown to it."""
    outside, low.hidden = low.hidden, {**low.hidden, **{name: f"{name}#" for name in hidden}}
    low.defer(low.open_scope(ScopeKind.LAMBDA, "<lambda>", node), "<lambda>", node)
    low.hidden = outside


def defaults(low: Draft, arguments: ast.arguments, scope: int) -> None:
    """Emit the defaults of parameters, which are evaluated where the function is defined."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    pairs = [*zip(positional[first:], arguments.defaults, strict=True)]
    pairs += [(one, held) for one, held in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if held]
    found: list[int] = []
    for parameter, default in pairs:
        found += [low.string(parameter.arg), value(low, default)]
        keep(low, found[-1], default)
    if found:
        low.row(Op.DEFAULTS, scope, low.operands(found))


def _comprehension(low: Draft, node: Any) -> int:
    """Emit a comprehension where it stands; its targets get names that nothing else has.

    The first iterable is evaluated outside of it (The Python Language Reference, 6.2.4); the rest of a generator that
    is only kept waits until somebody asks (6.2.8).
    """
    every = value(low, node.generators[0].iter)
    outside, low.hidden = low.hidden, dict(low.hidden)
    waits = isinstance(node, ast.GeneratorExp) and node is low.unasked
    is_marked = low.owner >= 0 or waits
    if is_marked:
        low.row(Op.COMPREHENSION, 0, int(waits))
    low.uncertain += 1
    for at, part in enumerate(node.generators):
        source = value(low, part.iter) if at else every
        _hide(low, names_of(part.target))
        element = low.row(Op.ELEMENT, source, part.is_async, place=low.place(part.iter)) if source else UNKNOWN
        assign_to(low, part.target, element)
        for test in part.ifs:
            truth(low, test)
    parts = [value(low, one) for one in ((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,))]
    low.uncertain -= 1
    low.hidden = outside
    if is_marked:
        low.row(Op.END_COMPREHENSION, 0, int(waits))
    if isinstance(node, ast.DictComp):
        return low.row(Op.TABLE, low.operands([UNKNOWN, UNKNOWN, *parts]))
    return low.row(Op.SEQUENCE, low.operands([low.row(Op.SPLAT, UNKNOWN, 1), *parts]))


def _hide(low: Draft, names: Iterable[str]) -> None:
    low.comprehensions += 1
    low.hidden.update((name, f"{name}#{low.comprehensions}") for name in names)


# ---- targets


def assign_to(low: Draft, target: ast.expr, operand: int, place: int = 0) -> None:
    """Bind whatever a target names."""
    if isinstance(target, ast.Name):
        low.bind(low.hidden.get(target.id, target.id), operand)
        if low.spells_importer and low.is_seen_outside(target.id):
            keep(low, operand, target)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(low, target.elts, operand, place)
    elif isinstance(target, ast.Starred):
        assign_to(low, target.value, UNKNOWN, place)
    elif isinstance(target, ast.Attribute):
        low.row(Op.POKE, value(low, target.value), low.string(target.attr), operand, place or low.place(target))
        keep(low, operand, target)
    elif isinstance(target, ast.Subscript):
        base, key = value(low, target.value), value(low, target.slice)
        low.row(Op.STORE, base, key, operand, place or low.place(target))
        keep(low, operand, target)


def _unpack(low: Draft, parts: list[ast.expr], operand: int, place: int) -> None:
    """Bind each target of an unpacking; those behind a starred one take the last items (Language Reference, 7.2)."""
    starred = next((index for index, part in enumerate(parts) if isinstance(part, ast.Starred)), len(parts))
    for index, part in enumerate(parts):
        whole = 0 if index else low.place(part)  # the first one goes through it
        if not operand:
            assign_to(low, part, UNKNOWN, place)
        elif index == starred:
            rest = low.row(Op.UNPACKED, operand, index, len(parts) - index - 1, whole)
            assign_to(low, part.value if isinstance(part, ast.Starred) else part, rest, place)
        else:
            at = index if index < starred else index - len(parts)
            assign_to(low, part, low.row(Op.PART, operand, at, place=whole), place)


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
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Slice: _slice,
    ast.FormattedValue: _searched,
    ast.UnaryOp: _unary,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
}
