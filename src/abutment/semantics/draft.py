"""What does an outline hold while it grows?

A `Draft` has the tables of one file and says where a name is bound. What a statement or an expression becomes stands
in `statements.py` and `expressions.py`.
"""

from __future__ import annotations

import ast
import bisect
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from abutment.semantics.outline import ROW, UNKNOWN, Imported, Op, Outline, Row, Scope, ScopeKind

# A function's body is lowered where one of these words stands in its lines; without them it can hold nothing that
# this format records.
_BODY_WORDS = ("import", "global", "nonlocal", "__getattr__", "__all__")
# A file that spells one of these (a part of the names in `importers.py`) may import in any expression.
_EVERY_BODY = (
    *("import_module", "__import__", "run_module", "run_path", "resolve_name", "pydoc", "module_from_spec"),
    *("SourceFileLoader", "SourcelessFileLoader", "ExtensionFileLoader"),
    *("load_source", "load_compiled", "load_dynamic"),
)
# An attribute that is set on something else than the two usual receivers: perhaps on a module.
_POKE = re.compile(r"\.(?<!self\.)(?<!cls\.)\w+ *=(?!=)")
_SETATTR = re.compile(r"setattr\(\s*(\w+)")


def holds(text: str, words: Iterable[str]) -> bool:
    """Say whether one of the words stands in the text."""
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


def _pokes(text: str) -> list[tuple[int, str]]:
    """Return (line, first name) of what looks like `name.attribute = value` or `setattr(name, …)`, in order."""
    spots: list[tuple[int, str]] = []
    for match in _POKE.finditer(text):
        at = match.start()
        spots.append((at, text[text.rfind("\n", 0, at) + 1 : at].lstrip().partition(".")[0]))
    if "setattr(" in text:
        spots += [(match.start(), match[1]) for match in _SETATTR.finditer(text)]
        spots.sort()
    found: list[tuple[int, str]] = []
    line, seen = 1, 0
    for at, name in spots:
        if name.isidentifier():
            line += text.count("\n", seen, at)
            seen = at
            found.append((line, name))
    return found


class Draft:
    """The tables of one file while they grow."""

    __slots__ = (
        "annotations_run",
        "bound",
        "depth",
        "directives",
        "every_body",
        "imports",
        "in_function",
        "lines",
        "lists",
        "outer",
        "outer_nonlocal",
        "parent",
        "place_ids",
        "places",
        "poke_lines",
        "pokes",
        "qualname",
        "queue",
        "rows",
        "scopes",
        "string_ids",
        "text",
        "text_lines",
        "uncertain",
        "walruses",
        "words",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.text_lines: list[str] | None = None
        # Python reads identifiers in NFKC, so the words are looked for in that form.
        self.words = text if text.isascii() else unicodedata.normalize("NFKC", text)
        self.walruses = _lines_with(self.words, (":=",))
        self.every_body = holds(self.words, _EVERY_BODY)
        self.lines = _lines_with(self.words, _BODY_WORDS)
        self.pokes = _pokes(self.words)
        self.poke_lines = [line for line, _ in self.pokes]
        self.string_ids: dict[str, int] = {"": 0}
        self.rows: list[Row] = []
        self.scopes: list[Scope] = []
        self.lists: list[tuple[int, ...]] = [()]
        self.imports: list[Imported] = []
        self.places: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
        self.place_ids: dict[int, int] = {}
        self.directives: list[tuple[int, int]] = []
        # Scopes whose body is still to be lowered: index, body, prefix of the qualnames in it.
        self.queue: list[tuple[int, Sequence[ast.stmt] | ast.expr, str]] = []
        self.annotations_run = True
        self.depth = 0  # of the expression that is being lowered
        self.uncertain = 0  # how many short-circuits and choices stand around it
        self.qualname = ""
        self.parent = -1
        self.in_function = False
        self.bound: set[int] = set()
        self.outer: set[int] = set()
        self.outer_nonlocal: set[int] = set()

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
        known = self.place_ids.get(id(node))
        if known is None:
            self.places.append(
                (
                    node.lineno,
                    self._column(node.lineno, node.col_offset),
                    node.end_lineno,
                    self._column(node.end_lineno, node.end_col_offset),
                )
            )
            known = self.place_ids[id(node)] = len(self.places) - 1
        return known

    def _column(self, line: int, offset: int) -> int:
        """Return the 1-based column of an offset in UTF-8 bytes."""
        if self.text.isascii():
            return offset + 1
        if self.text_lines is None:
            self.text_lines = self.text.split("\n")
        text = self.text_lines[line - 1] if line <= len(self.text_lines) else ""
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore")) + 1

    # ---- what is worth lowering

    def quiet(self, node: Any) -> bool:
        """Say whether an expression whose value nobody reads can hold nothing that matters."""
        return not self.every_body and self.quiet_of_walruses(node)

    def quiet_of_walruses(self, node: Any) -> bool:
        """Say whether no walrus stands in the node's lines."""
        return not self.walruses or not _spans(node, self.walruses)

    def worth(self, node: Any) -> bool:
        """Say whether a function's body can hold something that this format records."""
        return self.every_body or _spans(node, self.lines) or (bool(self.pokes) and self._pokes_a_module(node))

    def _pokes_a_module(self, node: Any) -> bool:
        first = bisect.bisect_left(self.poke_lines, node.lineno)
        last = bisect.bisect_right(self.poke_lines, node.end_lineno)
        names = {self.string_ids.get(name, -1) for _, name in self.pokes[first:last]}
        return bool(names) and any(one.alias in names for one in self.imports)

    # ---- scopes and names

    def open_scope(self, kind: int, name: str, node: Any, hidden: frozenset[str] = frozenset()) -> int:
        """Add a scope below the current one and return its index."""
        parameters: tuple[int, ...] = ()
        if kind != ScopeKind.CLASS:
            parameters = tuple(self.string(one) for one in (*_parameters(node), *sorted(hidden)))
        qualname = self.string(self.qualname + name)
        self.scopes.append(Scope(kind, qualname, self.parent, 0, 0, parameters, (), (), (), self.place(node)))
        return len(self.scopes) - 1

    def defer(self, scope: int, name: str, body: Sequence[ast.stmt] | ast.expr) -> None:
        """Queue a function's body, which runs when it is called."""
        self.queue.append((scope, body, f"{self.qualname}{name}.<locals>."))

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


def _spans(node: Any, lines: list[int]) -> bool:
    """Say whether one of the lines is among the node's; a node without a place may hold anything."""
    first = getattr(node, "lineno", 0)
    if not first:
        return bool(lines)
    at = bisect.bisect_left(lines, first)
    return at < len(lines) and lines[at] <= node.end_lineno


def _parameters(node: Any) -> list[str]:
    """Return a function's own names: parameters, and PEP 695's type parameters."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [one.arg for one in every] + [one.name for one in getattr(node, "type_params", ())]
