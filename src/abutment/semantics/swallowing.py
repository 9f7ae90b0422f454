"""May what a `with` enters swallow what the body raises, so that the code behind it runs?

An `__exit__` of this file does where it may give something true (Language Reference, 8.5), a `@contextmanager` where an
`except` around its `yield` does not raise again. Both are told by their rows alone, as they are often asked about
before they are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.semantics.outline import PATH, ROW, Op, Outline, ScopeKind
from abutment.semantics.provenance import Trait
from abutment.semantics.reading import Atom, Atoms, Reading

NEVER, UNSEEN, MAY = range(3)

SUPPRESS = "contextlib:suppress"
SWALLOWED = "#swallowed"  # a hidden name, bound on paths that are there only if something unseen swallows
_EXITS = tuple(f"{name}{which}" for name in ("__exit__", "__aexit__") for which in ("", "#2"))
_CANCELLING = ("move_on_after", "move_on_at", "CancelScope")
_OUTSIDE = {"pytest:raises()", *(f"{library}:{name}()" for library in ("anyio", "trio") for name in _CANCELLING)}
_ASSERTIONS = (".assertRaises()", ".assertRaisesRegex()")  # `unittest`, on whatever they are called
_FALSE = ("None", "False")


def swallows(r: Reading, entered: Atoms) -> int:
    """Return the most that one of these values may do: NEVER, MAY, or UNSEEN where that cannot be told."""
    found = {_of_atom(r, atom) for atom in entered}
    return MAY if MAY in found else UNSEEN if UNSEEN in found or not found else NEVER


def _of_atom(r: Reading, atom: Atom) -> int:
    if not isinstance(atom, str):
        return UNSEEN
    if atom[0] == "!":
        _, callee, _, _, _ = r.o.rows[int(atom[1:].partition(".")[0])]
        return MAY if SUPPRESS in r.value(callee) else UNSEEN
    if atom in _OUTSIDE or atom.endswith(_ASSERTIONS):
        return MAY
    base, _, steps = atom.partition(":")
    scope = r.record.scope_of(frozenset((base,))) if atom[0] == "@" else None
    if scope is None or steps not in ("()", "&"):
        return UNSEEN
    known = r.swallowing.get(scope)
    if known is None:
        known = _of_class(r, scope, set()) if r.record.is_class(base) else _of_function(r, scope)
        r.swallowing[scope] = known
    return known


def _of_class(r: Reading, scope: int, seen: set[int]) -> int:
    """Return what the nearest `__exit__` does; of a class above that is not of this file, nobody knows here."""
    atom = r.record.definitions[scope]
    every = (r.record.scope_of(frozenset((f"{atom}.{name}",))) for name in _EXITS)
    exits = [index for index in every if index is not None]
    if exits:
        return MAY if any(_gives_true(r.o, index) for index in exits) else NEVER
    seen.add(scope)
    for base in r.record.bases.get(scope, ()):
        above = r.record.scope_of(base)
        if above is None or above in seen or r.o.scopes[above].kind != ScopeKind.CLASS:
            return UNSEEN
        if (found := _of_class(r, above, seen)) != UNSEEN:
            return found
    return UNSEEN


def _gives_true(o: Outline, scope: int) -> bool:
    """Say whether a function may give something true: not where it is declared to give `None`."""
    rows = o.rows[o.scopes[scope].first : o.scopes[scope].end]
    if any(op == Op.RETURNS and _spelt(o, a) == "None" for op, a, _, _, _ in rows):
        return False
    return any(op == Op.RETURN and _spelt(o, a) not in _FALSE for op, a, _, _, _ in rows)


def _spelt(o: Outline, operand: int) -> str:
    return o.strings[operand >> 2] if operand & 3 == PATH else ""


def _of_function(r: Reading, scope: int) -> int:
    """Return what a `@contextmanager` does; of another function nobody knows here what it gives."""
    row = r.record.functions.get(scope)
    if row is None or not row.marks & Trait.CONTEXT:
        return UNSEEN
    return MAY if any(_around_yields(r, scope)) else NEVER


def _around_yields(r: Reading, scope: int) -> Iterator[bool]:
    """Yield for what stands around each `yield` of a function whether it may swallow."""
    rows, one = r.o.rows, r.o.scopes[scope]
    around: list[int] = []  # rows of what is open
    for at in range(one.first, one.end):
        op = rows[at][0]
        if op in (Op.TRY, Op.WITH):
            around.append(at)
        elif op in (Op.END_BODY, Op.END_WITH):
            around.pop()
        elif op == Op.YIELD:
            yield from (_is_caught(r.o, row) if rows[row][0] == Op.TRY else _is_suppress(r, row) for row in around)


def _is_suppress(r: Reading, at: int) -> bool:
    op, callee, _, _, _ = r.o.rows[r.o.rows[at][1] >> 2] if r.o.rows[at][1] & 3 == ROW else (0, 0, 0, 0, 0)
    return op == Op.CALL and SUPPRESS in r.path(_spelt(r.o, callee) or "?")


def _is_caught(o: Outline, at: int) -> bool:
    """Say whether what the body of a `try` raises may end there: in a handler that goes on, or by a `return`."""
    depth, part, last = 0, Op.TRY, Op.TRY  # the part of the statement, and what was done last in it
    for op, _, _, _, _ in o.rows[at:]:
        depth += (op == Op.TRY) - (op == Op.END_TRY)
        goes_on = not depth or (depth == 1 and op in (Op.HANDLER, Op.FINALLY))
        if part == Op.HANDLER and goes_on and last != Op.STOP:
            return True
        if part in (Op.HANDLER, Op.FINALLY) and op == Op.RETURN:
            return True
        if not depth:
            break
        part = op if goes_on else part
        last = last if op == Op.UNBIND else op
    return False
