"""What does an outline hold while it grows?

A `Draft` has the tables of one file and says where a name is bound. What a statement or an expression becomes stands
in `statements.py` and `expressions.py`.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from abutment.semantics.bodies import Bodies, lines_with, spans
from abutment.semantics.outline import ROW, UNKNOWN, Imported, Mark, Op, Outline, Row, Scope, ScopeKind

# A file that spells one of these (a part of the names in `importers.py`) may hand an importer on.
_IMPORTERS = (
    *("import_module", "__import__", "run_module", "run_path", "resolve_name", "pydoc", "module_from_spec"),
    *("SourceFileLoader", "SourcelessFileLoader", "ExtensionFileLoader"),
    *("load_source", "load_compiled", "load_dynamic"),
)


def holds(text: str, words: Iterable[str]) -> bool:
    """Say whether one of the words stands in the text."""
    return any(word in text for word in words)


@dataclass(frozen=True, slots=True)
class Deferred:
    """A function whose body is lowered after what it stands in."""

    scope: int
    body: Sequence[ast.stmt] | ast.expr
    prefix: str  # of the qualnames in it
    node: Any  # the function; None for the module
    hidden: dict[str, str]


class Draft:
    """The tables of one file while they grow."""

    __slots__ = (
        "annotations_run",
        "bodies",
        "bound",
        "comprehensions",
        "depth",
        "directives",
        "hidden",
        "imports",
        "in_function",
        "is_ascii",
        "is_cut",
        "is_generator",
        "lists",
        "names_imported",
        "names_taken",
        "outer",
        "outer_nonlocal",
        "owner",
        "parent",
        "places",
        "qualname",
        "queue",
        "rows",
        "scopes",
        "spells_importer",
        "string_ids",
        "text",
        "text_lines",
        "unasked",
        "uncertain",
        "walruses",
        "whole",
        "words",
    )

    def __init__(self, text: str, whole: bool = True) -> None:
        """Begin; not `whole` where nobody asks for uses, but for imports only."""
        self.text, self.whole = text, whole
        self.is_ascii = text.isascii()
        self.is_cut = False  # whether a display was too long to be evaluated
        self.text_lines: list[str] | None = None
        # Python reads identifiers in NFKC, so the words are looked for in that form.
        self.words = text if text.isascii() else unicodedata.normalize("NFKC", text)
        self.walruses = lines_with(self.words, (":=",))
        self.spells_importer = holds(self.words, _IMPORTERS)
        self.bodies = Bodies(self.words, whole or self.spells_importer)
        self.string_ids: dict[str, int] = {"": 0}
        self.rows: list[Row] = []
        self.scopes: list[Scope] = []
        self.lists: list[tuple[int, ...]] = [()]
        self.imports: list[Imported] = []
        self.places: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
        self.directives: list[tuple[int, int, int]] = []
        self.queue: list[Deferred] = []  # functions whose body is still to be lowered
        self.annotations_run = True
        self.depth = 0  # of the expression that is being lowered
        self.uncertain = 0  # how many short-circuits and choices stand around it
        self.qualname = ""
        self.parent = -1
        self.in_function = False
        self.bound: set[int] = set()
        self.outer: set[int] = set()
        self.outer_nonlocal: set[int] = set()
        self.owner = -1  # the class whose body is being lowered
        self.is_generator = False
        self.comprehensions = 0
        self.hidden: dict[str, str] = {}  # targets of the comprehensions around, and the names they have here
        self.names_taken: set[str] = set()  # that a from-import bound so far
        self.unasked: ast.expr | None = None  # the value of a statement that only keeps it
        self.names_imported: set[str] = set()  # that any import bound so far

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
            marks | (Mark.CUT if self.is_cut else 0),
        )

    # ---- tables

    def string(self, text: str) -> int:
        """Return the text's index."""
        return self.string_ids.setdefault(text, len(self.string_ids))

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

    # ---- places

    def place(self, node: Any) -> int:
        """Return the index of a node's place, with columns in code points from 1."""
        line, end = node.lineno, node.end_lineno
        if self.is_ascii:
            self.places.append((line, node.col_offset + 1, end, node.end_col_offset + 1))
        else:
            self.places.append((line, self._column(line, node.col_offset), end, self._column(end, node.end_col_offset)))
        return len(self.places) - 1

    def _column(self, line: int, offset: int) -> int:
        """Return the 1-based column of an offset in UTF-8 bytes."""
        if self.text_lines is None:
            self.text_lines = self.text.split("\n")
        text = self.text_lines[line - 1] if line <= len(self.text_lines) else ""
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore")) + 1

    def quiet_of_walruses(self, node: Any) -> bool:
        """Say whether no walrus stands in the node's lines."""
        return not self.walruses or not spans(node, self.walruses)

    # ---- scopes and names

    def open_scope(self, kind: int, name: str, node: Any) -> int:
        """Add a scope below the current one and return its index."""
        parameters: tuple[int, ...] = ()
        shape: tuple[int, ...] = (0, 0, 0, 0, 0)
        if kind != ScopeKind.CLASS:
            parameters = tuple(map(self.string, _parameters(node)))
            shape = _shape(node.args)
        qualname = self.string(self.qualname + name)
        place = self.place(node)
        self.scopes.append(Scope(kind, qualname, self.parent, 0, 0, parameters, (), (), (), place, self.owner, shape))
        return len(self.scopes) - 1

    def close_scope(self, index: int, first: int) -> None:
        """Say which rows are a scope's, and which names it binds."""
        old = self.scopes[index]
        bound = self.bound - self.outer - self.outer_nonlocal
        self.scopes[index] = Scope(
            old.kind,
            old.qualname,
            old.parent,
            first,
            len(self.rows),
            old.parameters,
            tuple(sorted(bound)),
            tuple(sorted(self.outer)),
            tuple(sorted(self.outer_nonlocal)),
            old.place,
            old.owner,
            old.shape,
            self.is_generator and old.kind != ScopeKind.CLASS,
        )

    def defer(self, scope: int, name: str, node: Any) -> None:
        """Queue a function's body, which runs when it is called, where it is wanted."""
        if not self.whole and not self.bodies.wants(node, frozenset(self.names_imported)):
            return
        self.queue.append(Deferred(scope, node.body, f"{self.qualname}{name}.<locals>.", node, self.hidden))

    def bind(self, name: str, operand: int) -> None:
        """Bind a name in the current scope."""
        string = self.string(name)
        self.bound.add(string)
        self.row(Op.BIND, string, operand)

    def is_seen_outside(self, name: str) -> bool:
        """Say whether a name that is bound here can be read by a way that is not followed.

        A class body's names are attributes, and what a `global` or `nonlocal` name holds is not known.
        """
        string = self.string_ids.get(name)
        in_class = bool(self.qualname) and not self.qualname.endswith(".<locals>.")
        return in_class or string in self.outer or string in self.outer_nonlocal

    def maybe_bind(self, name: str, operand: int = UNKNOWN) -> None:
        """Bind a name on one path of two."""
        self.row(Op.FORK)
        self.bind(name, operand)
        self.row(Op.ALT)
        self.row(Op.JOIN)


def _shape(arguments: ast.arguments) -> tuple[int, ...]:
    """Return how many parameters there are of each kind."""
    first = len(arguments.posonlyargs)
    rest = (arguments.vararg is not None, arguments.kwarg is not None)
    return (first, first + len(arguments.args), len(arguments.kwonlyargs), *map(int, rest))


def _parameters(node: Any) -> list[str]:
    """Return a function's own names: parameters, and PEP 695's type parameters."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [one.arg for one in every] + [one.name for one in getattr(node, "type_params", ())]
