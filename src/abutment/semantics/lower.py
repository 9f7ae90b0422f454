"""What does a file's syntax tree say, as rows?

`outline` is the one function that sees Python's `ast`; everything after it reads an `Outline`.

Module code and class bodies are lowered whole. Function bodies are lowered where one of a few words stands in them
without which they can hold nothing that this format records (an import statement, a `global`, a dynamic import);
rows for all function bodies come with a later format. No function here recurses with the depth of an expression
beyond `_VALUE_DEPTH`, nor with the length of an `elif` ladder.
"""

from __future__ import annotations

import ast
import bisect
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from abutment.semantics import python_source
from abutment.semantics.outline import (
    PATH,
    ROW,
    TEXT,
    UNKNOWN,
    Imported,
    Mark,
    Op,
    Outline,
    Row,
    Scope,
    ScopeKind,
    Unparsed,
)

_VALUE_DEPTH = 24  # expressions nested deeper are searched, not evaluated
_LONGEST_SUM = 1_000
_LONGEST_DISPLAY = 20_000

_BODY_WORDS = ("import", "global", "nonlocal", "__getattr__")
_EVERY_BODY = ("import_module", "__import__")
_OPEN_WORDS = ("globals", "modules", "exec", "vars", "locals")
_PATH_WORDS = ("__path__", "extend_path", "declare_namespace")
_OPEN_NAMES = re.compile(r"\bglobals\b|\bsys\.modules\b|\bmodules\[|\bexec\s*\(|\b(?:vars|locals)\s*\(\s*\)")
_OPEN_PATH = re.compile(
    r"__path__\s*(?:\+?=[^=]|\[|\.\s*(?:append|extend|insert))|\bextend_path\b|\bdeclare_namespace\b"
)
_DIRECTIVE = re.compile(r"#\s*abutment:\s*(.*)")


def outline(source: bytes, module: str, is_package: bool, suffix: str) -> Outline | Unparsed:
    """Return what the file says, or why it cannot be read."""
    tree = python_source.parse(source)
    if isinstance(tree, Unparsed):
        return tree
    text = python_source.text_of(source)
    lowering = _Lowering(text)
    lowering.module(tree)
    return lowering.finished(module, is_package, suffix, _marks(lowering.words, is_package))


def _marks(text: str, is_package: bool) -> int:
    marks = Mark.NAMES_OPEN if _holds(text, _OPEN_WORDS) and _OPEN_NAMES.search(text) else 0
    if is_package and _holds(text, _PATH_WORDS) and _OPEN_PATH.search(text):
        marks |= Mark.PATH_OPEN
    return marks


def _holds(text: str, words: Iterable[str]) -> bool:
    return any(word in text for word in words)


def _lines_with(text: str, words: Iterable[str]) -> list[int]:
    """Return the sorted lines in which one of the words stands."""
    lines: set[int] = set()
    for word in words:
        line, seen = 1, 0
        at = text.find(word)
        while at >= 0:
            line += text.count("\n", seen, at)
            lines.add(line)
            seen, at = at, text.find(word, at + 1)
    return sorted(lines)


class _Lowering:
    """The tables of one file while they grow."""

    __slots__ = (
        "bound",
        "depth",
        "directives",
        "every_body",
        "imports",
        "lines",
        "lists",
        "outer",
        "outer_nonlocal",
        "parent",
        "place_ids",
        "places",
        "qualname",
        "queue",
        "rows",
        "scopes",
        "string_ids",
        "text",
        "text_lines",
        "walruses",
        "words",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.text_lines: list[str] | None = None
        # Python reads identifiers in NFKC, so the words are looked for in that form.
        self.words = text if text.isascii() else unicodedata.normalize("NFKC", text)
        self.walruses = _lines_with(self.words, (":=",))
        self.every_body = _holds(self.words, _EVERY_BODY)
        self.lines = _lines_with(self.words, _BODY_WORDS)
        self.string_ids: dict[str, int] = {"": 0}
        self.rows: list[Row] = []
        self.scopes: list[Scope] = []
        self.lists: list[tuple[int, ...]] = [()]
        self.imports: list[Imported] = []
        self.places: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
        self.place_ids: dict[int, int] = {}
        self.directives: list[tuple[int, int]] = []
        self.queue: list[tuple[int, Sequence[ast.stmt] | ast.expr]] = []
        self.depth = 0
        self.qualname = ""
        self.parent = -1
        self.bound: set[int] = set()
        self.outer: set[int] = set()
        self.outer_nonlocal: set[int] = set()

    # ---- the whole file

    def module(self, tree: ast.Module) -> None:
        """Lower the module, then each function that was met, then those met inside."""
        self.scopes.append(Scope(ScopeKind.MODULE, self.string("<module>"), -1, 0, 0, (), (), (), (), 0))
        self.queue.append((0, tree.body))
        for scope, body in self.queue:  # grows while it is read
            self.scope_body(scope, body)
        if "abutment:" in self.text:
            self.read_directives()

    def scope_body(self, index: int, body: Sequence[ast.stmt] | ast.expr) -> None:
        """Lower one scope's body into contiguous rows."""
        scope = self.scopes[index]
        self.parent = index
        self.qualname = f"{self.text_of(scope.qualname)}.<locals>." if index else ""
        self.bound, self.outer, self.outer_nonlocal = set(), set(), set()
        first = len(self.rows)
        if isinstance(body, ast.expr):
            self.value(body)
        else:
            self.body(body)
        self.scopes[index] = Scope(
            scope.kind,
            scope.qualname,
            scope.parent,
            first,
            len(self.rows),
            scope.parameters,
            tuple(sorted(self.bound - self.outer - self.outer_nonlocal)),
            tuple(sorted(self.outer)),
            tuple(sorted(self.outer_nonlocal)),
            scope.place,
        )

    def read_directives(self) -> None:
        """Keep every comment that speaks to us."""
        for line, comment in python_source.comments(self.text):
            found = _DIRECTIVE.match(comment)
            if found:
                self.directives.append((self.string(found[1].strip()), line))

    def finished(self, module: str, is_package: bool, suffix: str, marks: int) -> Outline:
        """Return the tables."""
        return Outline(
            module,
            is_package,
            suffix,
            tuple(self.string_ids),
            tuple(self.rows),
            tuple(self.scopes),
            tuple(self.lists),
            tuple(self.imports),
            tuple(self.places),
            tuple(self.directives),
            marks,
        )

    # ---- tables

    def string(self, text: str) -> int:
        """Return the text's index."""
        return self.string_ids.setdefault(text, len(self.string_ids))

    def text_of(self, index: int) -> str:
        """Return the string at an index; only for scopes, of which there are few."""
        return next(text for text, found in self.string_ids.items() if found == index)

    def row(self, op: int, a: int = 0, b: int = 0, c: int = 0, place: int = 0) -> int:
        """Append a row and return the operand that stands for its result."""
        self.rows.append((op, a, b, c, place))
        return (len(self.rows) - 1) * 4 + ROW

    def operands(self, items: Sequence[int]) -> int:
        """Return the index of a list."""
        if not items:
            return 0
        self.lists.append(tuple(items))
        return len(self.lists) - 1

    def place(self, node: Any) -> int:
        """Return the index of a node's place, with columns in code points from 1."""
        known = self.place_ids.get(id(node))
        if known is None:
            self.places.append(
                (
                    node.lineno,
                    self.column(node.lineno, node.col_offset),
                    node.end_lineno,
                    self.column(node.end_lineno, node.end_col_offset),
                )
            )
            known = self.place_ids[id(node)] = len(self.places) - 1
        return known

    def column(self, line: int, offset: int) -> int:
        """Return the 1-based column of an offset in UTF-8 bytes."""
        if self.text.isascii():
            return offset + 1
        if self.text_lines is None:
            self.text_lines = self.text.split("\n")
        text = self.text_lines[line - 1] if line <= len(self.text_lines) else ""
        return (
            offset + 1
            if text.isascii()
            else len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore")) + 1
        )

    def worth(self, node: Any) -> bool:
        """Say whether a function's body can hold something that this format records."""
        return self.every_body or _spans(node, self.lines)

    def open_scope(self, kind: int, name: str, node: Any, hidden: frozenset[str] = frozenset()) -> int:
        """Add a scope below the current one and return its index."""
        parameters: tuple[int, ...] = ()
        if kind != ScopeKind.CLASS:
            parameters = tuple(self.string(one) for one in (*_parameters(node.args), *sorted(hidden)))
        qualname = self.string(self.qualname + name)
        self.scopes.append(Scope(kind, qualname, self.parent, 0, 0, parameters, (), (), (), self.place(node)))
        return len(self.scopes) - 1

    # ---- statements

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Lower statements in order."""
        for statement in statements:
            _STATEMENTS[type(statement)](self, statement)

    def bind(self, name: str, operand: int) -> None:
        """Bind a name in the current scope."""
        string = self.string(name)
        self.bound.add(string)
        self.row(Op.BIND, string, operand)

    def maybe_bind(self, name: str) -> None:
        """Say that a name may be bound: a bare annotation does not, a stub or a plug-in may."""
        self.row(Op.FORK)
        self.bind(name, UNKNOWN)
        self.row(Op.ALT)
        self.row(Op.JOIN)

    def assign(self, target: ast.expr, operand: int) -> None:
        """Bind whatever a target names."""
        if isinstance(target, ast.Name):
            self.bind(target.id, operand)
        elif isinstance(target, ast.Tuple | ast.List):
            for index, part in enumerate(target.elts):
                self.assign(part, self.part(part, operand, index))
        elif isinstance(target, ast.Starred):
            self.assign(target.value, UNKNOWN)
        elif isinstance(target, ast.Attribute):
            self.row(Op.POKE, self.value(target.value), self.string(target.attr), operand)
        elif isinstance(target, ast.Subscript):
            self.row(Op.STORE, self.value(target.value), self.value(target.slice), operand)
        else:
            self.scan(target)

    def part(self, target: ast.expr, operand: int, index: int) -> int:
        """Return the operand of one part of an unpacking."""
        if operand == UNKNOWN or isinstance(target, ast.Starred):
            return UNKNOWN
        return self.row(Op.PART, operand, index)

    # ---- expressions

    def value(self, node: ast.expr) -> int:
        """Return the operand that stands for an expression's value; calls inside become rows."""
        lower = _VALUES.get(type(node))
        if lower is None or self.depth >= _VALUE_DEPTH:
            self.scan(node)
            return UNKNOWN
        self.depth += 1
        operand = lower(self, node)
        self.depth -= 1
        return operand

    def scan(self, node: ast.AST) -> None:
        """Look for calls, walruses and lambdas inside an expression whose value nobody reads."""
        if not self.every_body and not (self.walruses and _spans(node, self.walruses)):
            return
        stack: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
        while stack:
            node, hidden = stack.pop()
            if isinstance(node, ast.Call):
                self.flat_call(node, hidden)
            elif isinstance(node, ast.NamedExpr):
                self.bind(node.target.id, self.leaf(node.value, hidden))
            elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                hidden |= {name for part in node.generators for name in _names(part.target)}
            elif isinstance(node, ast.Lambda):
                self.defer_lambda(node, hidden)
                stack.append((node.args, hidden))
                continue
            stack.extend((child, hidden) for child in ast.iter_child_nodes(node))

    def flat_call(self, node: ast.Call, hidden: frozenset[str]) -> None:
        """Emit a call whose operands are read without going into them."""
        callee = self.leaf(node.func, hidden)
        if callee:
            arguments = [self.leaf(one, hidden) for one in node.args]
            named = [(self.string(one.arg or ""), self.leaf(one.value, hidden)) for one in node.keywords]
            self.call(node, callee, arguments, named)

    def call(self, node: ast.Call, callee: int, arguments: list[int], named: list[tuple[int, int]]) -> int:
        """Emit a call."""
        pairs = self.operands([part for pair in named for part in pair])
        return self.row(Op.CALL, callee, self.operands(arguments), pairs, self.place(node))

    def leaf(self, node: ast.expr, hidden: frozenset[str]) -> int:
        """Return the operand of a text, a path or the known beginning of a text; UNKNOWN for anything else."""
        if isinstance(node, ast.Constant):
            return _constant(self, node)
        if isinstance(node, ast.Name | ast.Attribute):
            path = _dotted(node)
            return self.string(path) * 4 + PATH if path and path.partition(".")[0] not in hidden else UNKNOWN
        if isinstance(node, ast.JoinedStr):
            return _beginning(self, node, lambda part: self.leaf(part, hidden))
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant | ast.Name):
            left = self.leaf(node.left, hidden)
            right = self.leaf(node.right, hidden) if isinstance(node.right, ast.Constant | ast.Name) else UNKNOWN
            return _operator(self, node, left, right)
        if isinstance(node, ast.List | ast.Tuple) and all(isinstance(one, ast.Constant) for one in node.elts):
            return self.row(Op.SEQUENCE, self.operands([self.leaf(one, hidden) for one in node.elts]))
        return UNKNOWN

    def defer_lambda(self, node: ast.Lambda, hidden: frozenset[str] = frozenset()) -> None:
        """Queue a lambda's body, which runs when it is called."""
        if self.worth(node):
            self.queue.append((self.open_scope(ScopeKind.LAMBDA, "<lambda>", node, hidden), node.body))


def _spans(node: Any, lines: list[int]) -> bool:
    """Say whether one of the lines is among the node's; a node without a place may hold anything."""
    first = getattr(node, "lineno", 0)
    if not first:
        return bool(lines)
    at = bisect.bisect_left(lines, first)
    return at < len(lines) and lines[at] <= node.end_lineno


def _parameters(arguments: ast.arguments) -> list[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [one.arg for one in every]


def _names(target: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(parts))) if parts else node.id


# ---- values: one function a kind of expression


def _constant(low: _Lowering, node: ast.Constant) -> int:
    if isinstance(node.value, str):
        return low.string(node.value) * 4 + TEXT
    if node.value is None or isinstance(node.value, bool):
        return low.string(str(node.value)) * 4 + PATH
    if isinstance(node.value, int) and 0 <= node.value < 10:  # the level of an `__import__`
        return low.string(str(node.value)) * 4 + PATH
    return UNKNOWN


def _name(low: _Lowering, node: ast.Name) -> int:
    return low.string(node.id) * 4 + PATH


def _attribute(low: _Lowering, node: ast.Attribute) -> int:
    path = _dotted(node)
    if path:
        return low.string(path) * 4 + PATH
    base = low.value(node.value)
    return low.row(Op.ATTRIBUTE, base, low.string(node.attr)) if base else UNKNOWN


def _call(low: _Lowering, node: ast.Call) -> int:
    callee = low.value(node.func)
    arguments = [low.value(one) for one in node.args]
    named = [(low.string(one.arg or ""), low.value(one.value)) for one in node.keywords]
    return low.call(node, callee, arguments, named)


def _sequence(low: _Lowering, node: ast.List | ast.Tuple | ast.Set) -> int:
    if len(node.elts) > _LONGEST_DISPLAY:
        low.scan(node)
        return UNKNOWN
    return low.row(Op.SEQUENCE, low.operands([low.value(one) for one in node.elts]))


def _starred(low: _Lowering, node: ast.Starred) -> int:
    return low.row(Op.SPLAT, low.value(node.value))


def _table(low: _Lowering, node: ast.Dict) -> int:
    if len(node.keys) > _LONGEST_DISPLAY:
        low.scan(node)
        return UNKNOWN
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        pairs += [low.value(key) if key is not None else UNKNOWN, low.value(value)]
    return low.row(Op.TABLE, low.operands(pairs))


def _subscript(low: _Lowering, node: ast.Subscript) -> int:
    base = low.value(node.value)
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) and base:
        return low.row(Op.PART, base, node.slice.value) if 0 <= node.slice.value < 1_000 else UNKNOWN
    key = low.value(node.slice)
    return low.row(Op.ITEM, base, key) if base and key else UNKNOWN


def _binary(low: _Lowering, node: ast.BinOp) -> int:
    spine = [node]
    while isinstance(spine[-1].left, ast.BinOp):
        spine.append(spine[-1].left)
    if len(spine) > _LONGEST_SUM:
        low.scan(node)
        return UNKNOWN
    operand = low.value(spine[-1].left)
    for step in reversed(spine):
        operand = _operator(low, step, operand, low.value(step.right))
    return operand


def _operator(low: _Lowering, node: ast.BinOp, left: int, right: int) -> int:
    if isinstance(node.op, ast.Add) and (left or right):
        return low.row(Op.JOINED, left, right)
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return low.row(Op.JOINED, low.string(node.left.value.partition("%")[0]) * 4 + TEXT, UNKNOWN)
    return UNKNOWN


def _beginning(low: _Lowering, node: ast.JoinedStr, read: Callable[[ast.expr], int]) -> int:
    """Return the operand of an f-string, as far as `read` knows its parts."""
    operand = low.string("") * 4 + TEXT
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        plain = not isinstance(part, ast.FormattedValue) or (part.conversion == -1 and part.format_spec is None)
        known = read(inner) if plain and isinstance(inner, ast.Constant | ast.Name | ast.Subscript) else UNKNOWN
        operand = low.row(Op.JOINED, operand, known)
    return operand


def _joined_text(low: _Lowering, node: ast.JoinedStr) -> int:
    if len(node.values) > _LONGEST_SUM:
        low.scan(node)
        return UNKNOWN
    low.scan(node)
    return _beginning(low, node, low.value)


def _choice(low: _Lowering, node: ast.IfExp) -> int:
    low.scan(node.test)
    return low.row(Op.EITHER, low.value(node.body), low.value(node.orelse))


def _boolean(low: _Lowering, node: ast.BoolOp) -> int:
    op = Op.AND if isinstance(node.op, ast.And) else Op.OR
    return low.row(op, low.operands([low.value(one) for one in node.values]))


def _unary(low: _Lowering, node: ast.UnaryOp) -> int:
    operand = low.value(node.operand)
    return low.row(Op.NOT, operand) if isinstance(node.op, ast.Not) and operand else UNKNOWN


def _walrus(low: _Lowering, node: ast.NamedExpr) -> int:
    operand = low.value(node.value)
    low.bind(node.target.id, operand)
    return operand


def _lambda(low: _Lowering, node: ast.Lambda) -> int:
    low.scan(node.args)
    low.defer_lambda(node)
    return UNKNOWN


_VALUES: dict[type[ast.expr], Callable[[_Lowering, Any], int]] = {
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
    ast.UnaryOp: _unary,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
}


# ---- statements: one function a kind


def _nothing(_low: _Lowering, _node: ast.stmt) -> None:
    return


def _expression(low: _Lowering, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        low.value(node.value)


def _import(low: _Lowering, node: ast.Import) -> None:
    lazy, place = bool(getattr(node, "is_lazy", 0)), low.place(node)
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        _imported(low, Imported(0, low.string(alias.name), 0, low.string(bound), lazy, place), alias.asname is not None)


def _import_from(low: _Lowering, node: ast.ImportFrom) -> None:
    lazy, place, module = bool(getattr(node, "is_lazy", 0)), low.place(node), low.string(node.module or "")
    for alias in node.names:
        bound = "" if alias.name == "*" else alias.asname or alias.name
        one = Imported(node.level, module, low.string(alias.name), low.string(bound), lazy, place)
        _imported(low, one, alias.asname is not None)


def _imported(low: _Lowering, one: Imported, renamed: bool) -> None:
    if one.alias:
        low.bound.add(one.alias)
    low.imports.append(one)
    # `import a.b as x` binds the submodule, `import a.b` the package: the row says which.
    low.row(Op.IMPORT, len(low.imports) - 1, int(renamed), 0, one.place)


def _function(low: _Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    for decorator in node.decorator_list:
        low.value(decorator)
    low.scan(node.args)
    if node.returns is not None:
        low.scan(node.returns)
    kind = ScopeKind.ASYNC if isinstance(node, ast.AsyncFunctionDef) else ScopeKind.FUNCTION
    scope = low.open_scope(kind, node.name, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.DEF, name, scope)
    if low.worth(node):
        low.queue.append((scope, node.body))


def _class(low: _Lowering, node: ast.ClassDef) -> None:
    for part in (*node.decorator_list, *node.bases, *(one.value for one in node.keywords)):
        low.value(part)
    scope = low.open_scope(ScopeKind.CLASS, node.name, node)
    name = low.string(node.name)
    low.bound.add(name)
    low.row(Op.CLASS, name, scope)
    saved = low.qualname, low.bound, low.outer
    low.qualname, low.bound, low.outer = f"{low.qualname}{node.name}.", set(), set()
    first = len(low.rows)
    low.body(node.body)
    old = low.scopes[scope]
    bound, outer = tuple(sorted(low.bound - low.outer)), tuple(sorted(low.outer))
    low.scopes[scope] = Scope(old.kind, old.qualname, old.parent, first, len(low.rows), (), bound, outer, (), old.place)
    low.qualname, low.bound, low.outer = saved
    low.row(Op.END_CLASS)


def _return(low: _Lowering, node: ast.Return) -> None:
    if node.value is not None:
        low.value(node.value)
    low.row(Op.STOP)


def _raise(low: _Lowering, node: ast.Raise) -> None:
    low.scan(node)
    low.row(Op.STOP)


def _leave(low: _Lowering, _node: ast.Break | ast.Continue) -> None:
    low.row(Op.LEAVE)


def _assert(low: _Lowering, node: ast.Assert) -> None:
    low.scan(node)


def _delete(low: _Lowering, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Tuple | ast.List):
            _delete(low, ast.Delete(targets=target.elts))
        elif isinstance(target, ast.Name):
            low.bound.add(low.string(target.id))
            low.row(Op.UNBIND, low.string(target.id))


def _assign(low: _Lowering, node: ast.Assign) -> None:
    operand = low.value(node.value)
    for target in node.targets:
        low.assign(target, operand)


def _annotated(low: _Lowering, node: ast.AnnAssign) -> None:
    low.scan(node.annotation)
    if node.value is not None:
        low.assign(node.target, low.value(node.value))
    elif isinstance(node.target, ast.Name):
        low.maybe_bind(node.target.id)


def _augmented(low: _Lowering, node: ast.AugAssign) -> None:
    operand = low.value(node.value)
    if isinstance(node.target, ast.Name):
        name = low.string(node.target.id)
        low.bound.add(name)
        low.row(Op.AUGMENT, name, operand if isinstance(node.op, ast.Add) else UNKNOWN)
    else:
        low.scan(node.target)


def _type_alias(low: _Lowering, node: Any) -> None:
    low.bind(node.name.id, UNKNOWN)


def _global(low: _Lowering, node: ast.Global) -> None:
    low.outer.update(low.string(name) for name in node.names)


def _nonlocal(low: _Lowering, node: ast.Nonlocal) -> None:
    low.outer_nonlocal.update(low.string(name) for name in node.names)


def _if(low: _Lowering, node: ast.If) -> None:
    joins = 0
    while True:
        low.row(Op.FORK, low.value(node.test))
        joins += 1
        low.body(node.body)
        low.row(Op.ALT)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node = node.orelse[0]
    low.body(node.orelse)
    for _ in range(joins):
        low.row(Op.JOIN)


def _match(low: _Lowering, node: ast.Match) -> None:
    low.value(node.subject)
    for case in node.cases:
        low.row(Op.FORK)
        for pattern in ast.walk(case.pattern):
            name = getattr(pattern, "rest" if isinstance(pattern, ast.MatchMapping) else "name", None)
            if isinstance(name, str):
                low.bind(name, UNKNOWN)
        if case.guard is not None:
            low.scan(case.guard)
        low.body(case.body)
        low.row(Op.ALT)
    for _ in node.cases:
        low.row(Op.JOIN)


def _for(low: _Lowering, node: ast.For | ast.AsyncFor) -> None:
    every = low.value(node.iter)
    element = low.row(Op.ELEMENT, every) if every else UNKNOWN
    low.row(Op.LOOP)
    low.assign(node.target, element)
    low.body(node.body)
    low.row(Op.END_LOOP)
    low.body(node.orelse)


def _while(low: _Lowering, node: ast.While) -> None:
    low.value(node.test)
    low.row(Op.LOOP)
    low.body(node.body)
    low.row(Op.END_LOOP)
    low.body(node.orelse)


def _try(low: _Lowering, node: Any) -> None:
    caught: list[int] = []
    for handler in node.handlers:
        caught += _caught(low, handler.type)
    low.row(Op.TRY, low.operands(caught))
    low.body(node.body)
    low.row(Op.END_BODY)
    low.body(node.orelse)
    low.row(Op.HANDLERS)
    for handler in node.handlers:
        low.row(Op.HANDLER)
        if handler.name:
            low.bind(handler.name, UNKNOWN)
        low.body(handler.body)
        if handler.name:
            low.row(Op.UNBIND, low.string(handler.name))
    if node.finalbody:
        low.row(Op.FINALLY)
        low.body(node.finalbody)
    low.row(Op.END_TRY)


def _caught(low: _Lowering, kind: ast.expr | None) -> list[int]:
    if kind is None:
        return [low.string("BaseException") * 4 + PATH]
    return [low.value(one) for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]


def _with(low: _Lowering, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        entered = low.value(item.context_expr)
        if item.optional_vars is not None:
            low.assign(item.optional_vars, UNKNOWN)
        low.row(Op.WITH, entered)
    low.body(node.body)
    for _ in node.items:
        low.row(Op.END_WITH)


_STATEMENTS: dict[type[ast.stmt], Callable[[_Lowering, Any], None]] = {
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
