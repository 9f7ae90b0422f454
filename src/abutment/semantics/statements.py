"""What does a statement say, as rows?

Nothing here recurses with the length of an `elif` ladder.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from abutment.semantics.annotations import type_operand
from abutment.semantics.draft import Draft
from abutment.semantics.expressions import assign_to, defaults, dotted, keep, path, scan, truth, value
from abutment.semantics.operators import augment
from abutment.semantics.outline import UNKNOWN, Imported, Op, ScopeKind

_DEEPEST_PATTERN = 20  # patterns inside each other whose parts are told apart


def lower_body(low: Draft, statements: Sequence[ast.stmt]) -> None:
    """Lower statements in order."""
    for statement in statements:
        _STATEMENTS[type(statement)](low, statement)


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
        low.names_imported.add(bound)
        _imported(low, Imported(0, low.string(alias.name), 0, low.string(bound), lazy, place), alias.asname is not None)


def _import_from(low: Draft, node: ast.ImportFrom) -> None:
    lazy, place, module = bool(getattr(node, "is_lazy", 0)), low.place(node), low.string(node.module or "")
    for alias in node.names:
        bound = "" if alias.name == "*" else alias.asname or alias.name
        low.names_imported.add(bound)
        if low.whole:
            low.names_taken.add(bound)
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
    low.unasked = node.value
    operand = value(low, node.value) if node.value is not None else path(low, "None")
    low.row(Op.RETURN, operand)
    keep(low, operand, node)
    low.row(Op.STOP)


def _raise(low: Draft, node: ast.Raise) -> None:
    for part in filter(None, (node.exc, node.cause)):
        value(low, part)
    low.row(Op.STOP)


def _leave(low: Draft, node: ast.Break | ast.Continue) -> None:
    low.row(Op.LEAVE, int(isinstance(node, ast.Break)))


def _assert(low: Draft, node: ast.Assert) -> None:
    truth(low, node.test)
    if node.msg is not None:
        value(low, node.msg)


def _delete(low: Draft, node: ast.Delete) -> None:
    targets = list(reversed(node.targets))
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Tuple | ast.List):
            targets.extend(reversed(target.elts))
        elif isinstance(target, ast.Name):
            low.bound.add(low.string(target.id))
            low.row(Op.UNBIND, low.string(target.id))
        elif isinstance(target, ast.Subscript):
            low.row(Op.ERASE, value(low, target.value), value(low, target.slice), 0, low.place(node))
        elif isinstance(target, ast.Attribute):
            low.row(Op.ERASE, value(low, target.value), UNKNOWN, low.string(target.attr), low.place(node))


def _assign(low: Draft, node: ast.Assign) -> None:
    if not any(isinstance(target, ast.Tuple | ast.List) for target in node.targets):
        low.unasked = node.value
    operand = value(low, node.value)
    for target in node.targets:
        assign_to(low, target, operand)


def _annotated(low: Draft, node: ast.AnnAssign) -> None:
    low.unasked = node.value
    operand = value(low, node.value) if node.value is not None else UNKNOWN
    declared = type_operand(low, node.annotation)
    if declared:
        operand = low.row(Op.DECLARED, operand, declared)
    if node.value is not None:
        assign_to(low, node.target, operand)
    elif isinstance(node.target, ast.Name):
        _declare(low, node.target.id, operand)
    elif isinstance(node.target, ast.Attribute) and declared:
        assign_to(low, node.target, operand)
    if low.annotations_run and not low.in_function:  # what a function annotates its variables with never runs
        scan(low, node.annotation, reads=False)


def _declare(low: Draft, name: str, operand: int) -> None:
    """Emit a bare annotation: of a class body an instance's attribute; elsewhere a stub or a plug-in may bind it."""
    if low.owner < 0 or low.in_function:
        low.maybe_bind(name, operand)
    elif low.string(name) not in low.bound:
        low.bind(name, operand)


def _augmented(low: Draft, node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Name):
        operand = value(low, node.value)
        old, more = path(low, node.target.id), operand if isinstance(node.op, ast.Add) else UNKNOWN
        low.bound.add(old >> 2)
        low.row(Op.AUGMENT, old >> 2, more, augment(low, node, old, operand))
        return
    if isinstance(node.target, ast.Attribute) and dotted(node.target):
        value(low, node.target)
    base = value(low, node.target.value)
    if isinstance(node.target, ast.Subscript):
        key = value(low, node.target.slice)
        value(low, node.value)
        low.row(Op.STORE, base, key, UNKNOWN, low.place(node))
    else:
        value(low, node.value)
        low.row(Op.POKE, base, low.string(node.target.attr), UNKNOWN, low.place(node))


def _type_alias(low: Draft, node: Any) -> None:
    low.bind(node.name.id, UNKNOWN)


def _global(low: Draft, node: ast.Global) -> None:
    low.outer.update(low.string(name) for name in node.names)


def _nonlocal(low: Draft, node: ast.Nonlocal) -> None:
    low.outer_nonlocal.update(low.string(name) for name in node.names)


# ---- definitions


def _function(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    decorators = _decorators(low, node)
    kind = ScopeKind.ASYNC if isinstance(node, ast.AsyncFunctionDef) else ScopeKind.FUNCTION
    scope = low.open_scope(kind, node.name, node)
    defaults(low, node.args, scope)
    if low.annotations_run:
        _run_annotations(low, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.DEF, name, scope, decorators)
    low.defer(scope, node.name, node)


def _decorators(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """Return the list of (operand, place) of what is applied to a definition, in the order of the source."""
    found: list[int] = []
    for decorator in node.decorator_list:
        found += [value(low, decorator), low.place(decorator)]
    return low.operands(found)


def _run_annotations(low: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Look for calls in the annotations, which run where the function is defined."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    for annotation in (*(one.annotation for one in every if one is not None), node.returns):
        if annotation is not None and not isinstance(annotation, ast.Name | ast.Constant):
            scan(low, annotation, reads=False)


def _class(low: Draft, node: ast.ClassDef) -> None:
    decorators = _decorators(low, node)
    bases = [value(low, base) for base in node.bases]
    metaclass = UNKNOWN
    for keyword in node.keywords:
        operand = value(low, keyword.value)
        metaclass = operand if keyword.arg == "metaclass" else metaclass
    scope = low.open_scope(ScopeKind.CLASS, node.name, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.CLASS, name, scope, low.operands([metaclass, *bases]), low.place(node))
    saved = low.qualname, low.bound, low.outer, low.outer_nonlocal, low.in_function, low.owner
    low.qualname = f"{low.qualname}{node.name}."
    low.bound, low.outer, low.outer_nonlocal = set(), set(), set()
    low.in_function, low.owner = False, scope
    first = len(low.rows)
    lower_body(low, node.body)
    low.close_scope(scope, first)
    low.qualname, low.bound, low.outer, low.outer_nonlocal, low.in_function, low.owner = saved
    low.row(Op.END_CLASS, decorators)


# ---- control


def _if(low: Draft, node: ast.If) -> None:
    joins = 0
    while True:
        low.row(Op.FORK, truth(low, node.test))
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
    subject = value(low, node.subject)
    joins = 0
    for case in node.cases:
        captured = _captured(low, case.pattern, subject)
        if case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
            for name, operand in captured:  # it fits whatever has come so far
                low.bind(name, operand)
            lower_body(low, case.body)
            break
        joins += 1
        if case.guard is not None:  # what a pattern captured stays bound where its guard then fails
            for name, operand in captured:
                low.maybe_bind(name, operand)
        low.row(Op.FORK)
        for name, operand in captured:
            low.bind(name, operand)
        if case.guard is not None:
            value(low, case.guard)
        lower_body(low, case.body)
        low.row(Op.ALT)
    for _ in range(joins):
        low.row(Op.JOIN)


def _captured(low: Draft, pattern: ast.pattern, subject: int, depth: int = 0) -> list[tuple[str, int]]:
    """Return what a pattern binds: the subject, a part of it, or an instance of a class that was asked for."""
    if depth > _DEEPEST_PATTERN:
        named = (
            getattr(part, "rest" if isinstance(part, ast.MatchMapping) else "name", None) for part in ast.walk(pattern)
        )
        return [(name, UNKNOWN) for name in named if isinstance(name, str)]
    match pattern:
        case ast.MatchValue():
            value(low, pattern.value)
        case ast.MatchStar(name=str(name)):
            return [(name, subject)]
        case ast.MatchAs():
            return _captured_as(low, pattern, subject, depth)
        case ast.MatchSequence():
            return _captured_items(low, pattern.patterns, subject, depth)
        case ast.MatchMapping():
            keys = [value(low, key) for key in pattern.keys]
            items = [low.row(Op.ITEM, subject, key) if subject else UNKNOWN for key in keys]
            rest = [(pattern.rest, UNKNOWN)] if pattern.rest else []
            return [*_captured_each(low, pattern.patterns, items, depth), *rest]
        case ast.MatchClass():
            return _captured_of_class(low, pattern, depth)[1]
        case ast.MatchOr():
            return _captured_by_one(low, pattern.patterns, subject, depth)
    return []


def _captured_as(low: Draft, pattern: ast.MatchAs, subject: int, depth: int) -> list[tuple[str, int]]:
    inner, found = pattern.pattern, list[tuple[str, int]]()
    if isinstance(inner, ast.MatchClass):
        subject, found = _captured_of_class(low, inner, depth + 1)
    elif inner is not None:
        found = _captured(low, inner, subject, depth + 1)
    return [*found, (pattern.name, subject)] if pattern.name is not None else found


def _captured_of_class(low: Draft, pattern: ast.MatchClass, depth: int) -> tuple[int, list[tuple[str, int]]]:
    """Return the instance of a class that was asked for, and what the patterns of its attributes bind."""
    asked = low.row(Op.DECLARED, UNKNOWN, value(low, pattern.cls))
    fields = [low.row(Op.ATTRIBUTE, asked, low.string(name)) for name in pattern.kwd_attrs]
    every = [*pattern.patterns, *pattern.kwd_patterns]
    return asked, _captured_each(low, every, [*(UNKNOWN for _ in pattern.patterns), *fields], depth)


def _captured_items(low: Draft, patterns: list[ast.pattern], subject: int, depth: int) -> list[tuple[str, int]]:
    """Return what the patterns of a sequence bind; those behind a starred one take the last items."""
    if not subject:
        return _captured_each(low, patterns, [UNKNOWN] * len(patterns), depth)
    starred = next((at for at, one in enumerate(patterns) if isinstance(one, ast.MatchStar)), len(patterns))
    parts = []
    for at in range(len(patterns)):
        if at == starred:
            parts.append(low.row(Op.UNPACKED, subject, at, len(patterns) - at - 1))
        else:
            parts.append(low.row(Op.PART, subject, at if at < starred else at - len(patterns)))
    return _captured_each(low, patterns, parts, depth)


def _captured_each(
    low: Draft, patterns: Sequence[ast.pattern], subjects: Sequence[int], depth: int
) -> list[tuple[str, int]]:
    pairs = zip(patterns, subjects, strict=True)
    return [one for pattern, subject in pairs for one in _captured(low, pattern, subject, depth + 1)]


def _captured_by_one(low: Draft, patterns: Sequence[ast.pattern], subject: int, depth: int) -> list[tuple[str, int]]:
    """Return what alternatives bind, all of them the same names."""
    found: dict[str, int] = {}
    for pattern in patterns:
        for name, operand in _captured(low, pattern, subject, depth + 1):
            found[name] = low.row(Op.EITHER, found[name], operand) if name in found else operand
    return [*found.items()]


def _for(low: Draft, node: ast.For | ast.AsyncFor) -> None:
    every = value(low, node.iter)
    element = low.row(Op.ELEMENT, every, int(type(node) is ast.AsyncFor), 0, low.place(node.iter)) if every else UNKNOWN
    low.row(Op.LOOP)
    assign_to(low, node.target, element)
    _loop_body(low, node)


def _while(low: Draft, node: ast.While) -> None:
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    low.row(Op.LOOP, int(endless))
    truth(low, node.test)  # asked every time round
    if not endless:  # and left right after, with what the test has bound
        low.row(Op.FORK)
        low.row(Op.LEAVE, 0)
        low.row(Op.ALT)
        low.row(Op.JOIN)
    _loop_body(low, node)


def _loop_body(low: Draft, node: ast.For | ast.AsyncFor | ast.While) -> None:
    lower_body(low, node.body)
    low.row(Op.EXHAUSTED)
    lower_body(low, node.orelse)
    low.row(Op.END_LOOP)


def _try(low: Draft, node: Any) -> None:
    caught: list[int] = []
    kinds: list[int] = []
    for handler in node.handlers:
        found = _caught(low, handler.type)
        caught += found
        kinds.append(found[0] if len(found) == 1 else UNKNOWN)
    low.row(Op.TRY, low.operands(caught))
    lower_body(low, node.body)
    low.row(Op.END_BODY)
    lower_body(low, node.orelse)
    low.row(Op.HANDLERS)
    for handler, kind in zip(node.handlers, kinds, strict=True):
        low.row(Op.HANDLER)
        if handler.name:
            low.bind(handler.name, low.row(Op.DECLARED, UNKNOWN, kind) if kind else UNKNOWN)
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
        given, is_async = UNKNOWN, isinstance(node, ast.AsyncWith)
        if entered:
            given = low.row(Op.ENTER, entered, int(is_async), place=low.place(item.context_expr))
        if item.optional_vars is not None:
            assign_to(low, item.optional_vars, given)
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
