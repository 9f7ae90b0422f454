"""What does a file say, as an `Outline`?

`outline` is the one function that sees Python's `ast` (through `statements.py`, `expressions.py` and `directives.py`,
which it calls); everything after it reads an `Outline`.

Every scope is lowered whole. A function's rows follow those of what it stands in.
"""

from __future__ import annotations

import ast
import re
import sys

from abutment.semantics import python_source
from abutment.semantics.annotations import lower_annotations
from abutment.semantics.directives import directives
from abutment.semantics.draft import Deferred, Draft, holds
from abutment.semantics.expressions import keep, value
from abutment.semantics.outline import Mark, Op, Outline, Scope, ScopeKind, Unparsed
from abutment.semantics.statements import lower_body

_OPEN_WORDS = ("globals", "modules", "exec", "vars", "locals")
_PATH_WORDS = ("__path__", "extend_path", "declare_namespace")
_OPEN_NAMES = re.compile(r"\bglobals\b|\bsys\.modules\b|\bmodules\[|\bexec\s*\(")
# What only looks whether a name is there, or reads one.
_LOOKS = re.compile(
    r"""\bglobals\(\)\.get\b|\bsys\.modules\.get\((?:"[\w.]*"|'[\w.]*')\)|\bin\s+(?:globals\(\)|sys\.modules\b)(?!\s*[\[.])"""
)
_OPEN_PATH = re.compile(
    r"__path__\s*(?:\+?=[^=]|\[|\.\s*(?:append|extend|insert))|\bextend_path\b|\bdeclare_namespace\b"
)


def outline(source: bytes, module: str, is_package: bool, suffix: str, *, whole: bool = True) -> Outline | Unparsed:
    """Return what the file says, or why it cannot be read; not `whole` where only imports are asked for."""
    tree = python_source.parse(source)
    if isinstance(tree, Unparsed):
        return tree
    draft = Draft(python_source.text_of(source), whole)
    _lower_module(draft, tree)
    for text, line, scope in directives(draft.text, tree):
        draft.directives.append((draft.string(text), line, draft.string(scope)))
    return draft.finished(module, is_package, suffix, _marks(draft.words, is_package, tree))


def _lower_module(draft: Draft, tree: ast.Module) -> None:
    """Lower the module, then each function that was met, then those met inside."""
    draft.annotations_run = sys.version_info < (3, 14) and not _postpones_annotations(tree)
    draft.scopes.append(Scope(ScopeKind.MODULE, draft.string("<module>"), -1, 0, 0, (), (), (), (), 0))
    draft.queue.append(Deferred(0, tree.body, "", None, {}))
    for deferred in draft.queue:  # grows while it is read
        _lower_scope(draft, deferred)


def _postpones_annotations(tree: ast.Module) -> bool:
    """Say whether PEP 563 is in force: annotations are then texts, and nothing in them runs."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            if any(alias.name == "annotations" for alias in statement.names):
                return True
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            return False
    return False


def _lower_scope(draft: Draft, deferred: Deferred) -> None:
    """Lower one scope's body into contiguous rows."""
    index, node = deferred.scope, deferred.node
    draft.qualname, draft.hidden, draft.owner = deferred.prefix, deferred.hidden, -1
    draft.parent, draft.in_function, draft.is_generator = index, index != 0, False
    draft.bound, draft.outer, draft.outer_nonlocal = set(), set(), set()
    first = len(draft.rows)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        lower_annotations(draft, node)
    if isinstance(deferred.body, ast.expr):
        draft.row(Op.BODY)
        operand = value(draft, deferred.body)
        draft.row(Op.RETURN, operand)
        keep(draft, operand, deferred.body)
    else:
        lower_body(draft, deferred.body)
    draft.close_scope(index, first)


def _marks(text: str, is_package: bool, tree: ast.Module) -> int:
    marks = Mark.NAMES_OPEN if holds(text, _OPEN_WORDS) and _opens_names(text, tree) else 0
    if is_package and holds(text, _PATH_WORDS) and _OPEN_PATH.search(text):
        marks |= Mark.PATH_OPEN
    return marks


def _opens_names(text: str, tree: ast.Module) -> bool:
    """Say whether there is a sign that the module's names are written by other means than statements."""
    return _OPEN_NAMES.search(_LOOKS.sub("", text)) is not None or _takes_own_names(tree)


def _takes_own_names(tree: ast.Module) -> bool:
    """Say whether code outside of functions asks for the names of its scope: in one, these are a copy of its own."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and not node.args and _head_of(node) in ("vars", "locals"):
            return True
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            todo += [*node.decorator_list, node.args]
        elif isinstance(node, ast.Lambda):
            todo.append(node.args)
        else:
            todo.extend(ast.iter_child_nodes(node))
    return False


def _head_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""
