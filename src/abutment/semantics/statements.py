"""What does a statement say, as rows?

Nothing here recurses with the length of an `elif` ladder.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from abutment.semantics.draft import Draft
from abutment.semantics.expressions import defaults, keep, path, scan, value
from abutment.semantics.outline import UNKNOWN, Imported, Op, Scope, ScopeKind


def lower_body(low: Draft, statements: Sequence[ast.stmt]) -> None:
    """Lower statements in order."""
    for statement in statements:
        _STATEMENTS[type(statement)](low, statement)


# ---- targets


def _assign_to(low: Draft, target: ast.expr, operand: int) -> None:
    """Bind whatever a target names."""
    if isinstance(target, ast.Name):
        low.bind(target.id, operand)
        if low.is_seen_outside(target.id):
            keep(low, operand, target)
    elif isinstance(target, ast.Tuple | ast.List):
        for index, part in enumerate(target.elts):
            known = operand != UNKNOWN and not isinstance(part, ast.Starred)
            _assign_to(low, part, low.row(Op.PART, operand, index) if known else UNKNOWN)
    elif isinstance(target, ast.Starred):
        _assign_to(low, target.value, UNKNOWN)
    elif isinstance(target, ast.Attribute):
        low.row(Op.POKE, value(low, target.value), low.string(target.attr), operand)
        keep(low, operand, target)
    elif isinstance(target, ast.Subscript):
        low.row(Op.STORE, value(low, target.value), value(low, target.slice), operand)
        keep(low, operand, target)


# ---- simple statements


def _nothing(_low: Draft, _node: ast.stmt) -> None:
    return


def _expression(low: Draft, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        value(low, node.value)


def _import(low: Draft, node: ast.Import) -> None:
    lazy, place = bool(getattr(node, "is_lazy", 0)), low.place(node)
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        _imported(low, Imported(0, low.string(alias.name), 0, low.string(bound), lazy, place), alias.asname is not None)


def _import_from(low: Draft, node: ast.ImportFrom) -> None:
    lazy, place, module = bool(getattr(node, "is_lazy", 0)), low.place(node), low.string(node.module or "")
    for alias in node.names:
        bound = "" if alias.name == "*" else alias.asname or alias.name
        one = Imported(node.level, module, low.string(alias.name), low.string(bound), lazy, place)
        _imported(low, one, alias.asname is not None)
        if low.is_seen_outside(bound):
            keep(low, path(low, bound), node)


def _imported(low: Draft, one: Imported, renamed: bool) -> None:
    if one.alias:
        low.bound.add(one.alias)
    low.imports.append(one)
    # `import a.b as x` binds the submodule, `import a.b` the package: the row says which.
    low.row(Op.IMPORT, len(low.imports) - 1, int(renamed), 0, one.place)


def _return(low: Draft, node: ast.Return) -> None:
    if node.value is not None:
        keep(low, value(low, node.value), node.value)
    low.row(Op.STOP)


def _raise(low: Draft, node: ast.Raise) -> None:
    scan(low, node)
    low.row(Op.STOP)


def _leave(low: Draft, node: ast.Break | ast.Continue) -> None:
    low.row(Op.LEAVE, int(isinstance(node, ast.Break)))


def _assert(low: Draft, node: ast.Assert) -> None:
    scan(low, node)


def _delete(low: Draft, node: ast.Delete) -> None:
    targets = list(reversed(node.targets))
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Tuple | ast.List):
            targets.extend(reversed(target.elts))
        elif isinstance(target, ast.Name):
            low.bound.add(low.string(target.id))
            low.row(Op.UNBIND, low.string(target.id))
        else:
            scan(low, target)


def _assign(low: Draft, node: ast.Assign) -> None:
    operand = value(low, node.value)
    for target in node.targets:
        _assign_to(low, target, operand)


def _annotated(low: Draft, node: ast.AnnAssign) -> None:
    if node.value is not None:
        _assign_to(low, node.target, value(low, node.value))
    elif isinstance(node.target, ast.Name):  # a bare annotation does not bind, but a stub or a plug-in may
        low.maybe_bind(node.target.id)
    if low.annotations_run and not low.in_function:  # what a function annotates its variables with never runs
        scan(low, node.annotation)


def _augmented(low: Draft, node: ast.AugAssign) -> None:
    operand = value(low, node.value)
    if isinstance(node.target, ast.Name):
        name = low.string(node.target.id)
        low.bound.add(name)
        low.row(Op.AUGMENT, name, operand if isinstance(node.op, ast.Add) else UNKNOWN)
    else:
        scan(low, node.target)


def _type_alias(low: Draft, node: Any) -> None:
    low.bind(node.name.id, UNKNOWN)


def _global(low: Draft, node: ast.Global) -> None:
    low.outer.update(low.string(name) for name in node.names)


def _nonlocal(low: Draft, node: ast.Nonlocal) -> None:
    low.outer_nonlocal.update(low.string(name) for name in node.names)


# ---- definitions


def _function(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    for decorator in node.decorator_list:
        value(low, decorator)
    if low.every_body or low.walruses:
        _signature(low, node)
    kind = ScopeKind.ASYNC if isinstance(node, ast.AsyncFunctionDef) else ScopeKind.FUNCTION
    scope = low.open_scope(kind, node.name, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.DEF, name, scope)
    if low.worth(node):
        low.defer(scope, node.name, node.body)


def _signature(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Look into the defaults and annotations, which run where the function is defined."""
    arguments = node.args
    defaults(low, arguments)
    if low.annotations_run:
        every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
        for annotation in (*(one.annotation for one in every if one is not None), node.returns):
            if annotation is not None:
                scan(low, annotation)


def _class(low: Draft, node: ast.ClassDef) -> None:
    for part in (*node.decorator_list, *node.bases, *(one.value for one in node.keywords)):
        value(low, part)
    scope = low.open_scope(ScopeKind.CLASS, node.name, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.CLASS, name, scope)
    saved = low.qualname, low.bound, low.outer, low.in_function
    low.qualname, low.bound, low.outer, low.in_function = f"{low.qualname}{node.name}.", set(), set(), False
    first = len(low.rows)
    lower_body(low, node.body)
    old = low.scopes[scope]
    bound, outer = tuple(sorted(low.bound - low.outer)), tuple(sorted(low.outer))
    low.scopes[scope] = Scope(old.kind, old.qualname, old.parent, first, len(low.rows), (), bound, outer, (), old.place)
    low.qualname, low.bound, low.outer, low.in_function = saved
    low.row(Op.END_CLASS)


# ---- control


def _if(low: Draft, node: ast.If) -> None:
    joins = 0
    while True:
        low.row(Op.FORK, value(low, node.test))
        joins += 1
        lower_body(low, node.body)
        low.row(Op.ALT)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node = node.orelse[0]
    lower_body(low, node.orelse)
    for _ in range(joins):
        low.row(Op.JOIN)


def _match(low: Draft, node: ast.Match) -> None:
    value(low, node.subject)
    for case in node.cases:
        captured = _captured(case.pattern)
        if case.guard is not None:  # what a pattern captured stays bound where its guard then fails
            for name in captured:
                low.maybe_bind(name)
        low.row(Op.FORK)
        for name in captured:
            low.bind(name, UNKNOWN)
        if case.guard is not None:
            scan(low, case.guard)
        lower_body(low, case.body)
        low.row(Op.ALT)
    for _ in node.cases:
        low.row(Op.JOIN)


def _captured(pattern: ast.pattern) -> list[str]:
    names = (
        getattr(part, "rest" if isinstance(part, ast.MatchMapping) else "name", None) for part in ast.walk(pattern)
    )
    return [name for name in names if isinstance(name, str)]


def _for(low: Draft, node: ast.For | ast.AsyncFor) -> None:
    every = value(low, node.iter)
    element = low.row(Op.ELEMENT, every) if every else UNKNOWN
    low.row(Op.LOOP)
    _assign_to(low, node.target, element)
    _loop_body(low, node)


def _while(low: Draft, node: ast.While) -> None:
    low.row(Op.LOOP)
    value(low, node.test)  # asked every time round
    _loop_body(low, node)


def _loop_body(low: Draft, node: ast.For | ast.AsyncFor | ast.While) -> None:
    lower_body(low, node.body)
    low.row(Op.EXHAUSTED)
    lower_body(low, node.orelse)
    low.row(Op.END_LOOP)


def _try(low: Draft, node: Any) -> None:
    caught: list[int] = []
    for handler in node.handlers:
        caught += _caught(low, handler.type)
    low.row(Op.TRY, low.operands(caught))
    lower_body(low, node.body)
    low.row(Op.END_BODY)
    lower_body(low, node.orelse)
    low.row(Op.HANDLERS)
    for handler in node.handlers:
        low.row(Op.HANDLER)
        if handler.name:
            low.bind(handler.name, UNKNOWN)
        lower_body(low, handler.body)
        if handler.name:
            low.row(Op.UNBIND, low.string(handler.name))
    if node.finalbody:
        low.row(Op.FINALLY)
        lower_body(low, node.finalbody)
    low.row(Op.END_TRY)


def _caught(low: Draft, kind: ast.expr | None) -> list[int]:
    if kind is None:
        return [path(low, "BaseException")]
    return [value(low, one) for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]


def _with(low: Draft, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        entered = value(low, item.context_expr)
        if item.optional_vars is not None:
            _assign_to(low, item.optional_vars, UNKNOWN)
        low.row(Op.WITH, entered)
    lower_body(low, node.body)
    for _ in node.items:
        low.row(Op.END_WITH)


_STATEMENTS: dict[type[ast.stmt], Callable[[Draft, Any], None]] = {
    ast.Expr: _expression,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _leave,
    ast.Continue: _leave,
    ast.Pass: _nothing,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.If: _if,
    ast.Match: _match,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
}
if hasattr(ast, "TypeAlias"):
    _STATEMENTS[ast.TypeAlias] = _type_alias
