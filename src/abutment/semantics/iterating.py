"""What goes through something that a call gave, and so runs the generator that it is?"""

from __future__ import annotations

from abutment.semantics.outline import PATH, ROW, Op, Row
from abutment.semantics.provenance import Verb
from abutment.semantics.reading import NOTHING, Atom, Atoms, Reading

# What goes through what it is given, all of it or what it needs. A lazy one is taken to be asked where it stands.
_EXHAUSTERS = {
    *(f"builtins:{name}" for name in ("list", "tuple", "set", "frozenset", "sorted", "dict", "any", "all", "sum")),
    *(f"builtins:{name}" for name in ("max", "min", "next", "iter", "enumerate", "zip", "map", "filter", "bytes")),
    *(f"collections:{name}" for name in ("deque", "Counter", "OrderedDict")),
    *(f"itertools:{name}" for name in ("chain", "islice", "starmap", "groupby", "product", "combinations")),
    *("itertools:accumulate", "itertools:chain.from_iterable", "functools:reduce", "heapq:nlargest", "heapq:nsmallest"),
}
_EXHAUSTING = ("join", "extend", "extendleft", "update", "writelines", "executemany")


def iterate(r: Reading, value: Atoms, place: int) -> None:
    """Keep what was called to get something that is gone through: there a generator runs, not where it is called."""
    called = frozenset[Atom](
        atom.removesuffix("()").removesuffix(":")
        for atom in value
        if isinstance(atom, str) and atom.endswith("()") and not atom.startswith("builtins:")
    )
    if place and called:
        r.use(Verb.ITERATE, called, place)


def exhaust(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> None:
    """Keep that a call goes through what it is given."""
    if callee & _EXHAUSTERS or _last_name(r, row[1]) in _EXHAUSTING:
        iterate(r, NOTHING.union(*arguments), row[4])


def _last_name(r: Reading, operand: int) -> str:
    """Return the name under which something is called, as it is written."""
    if operand & 3 == PATH:
        return r.o.strings[operand >> 2].rpartition(".")[2]
    op, _, name, _, _ = r.o.rows[operand >> 2] if operand & 3 == ROW else (0, 0, 0, 0, 0)
    return r.o.strings[name] if op == Op.ATTRIBUTE else ""
