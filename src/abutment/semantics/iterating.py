"""What goes through something that a call gave, and so runs the generator that it is?"""

from __future__ import annotations

from abutment.semantics.operating import go_through
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
_ALL_OF_THEM = {"builtins:zip", "itertools:chain", "itertools:product"}
_ONE_AFTER_ANOTHER = {"builtins:next", "builtins:iter"}
_BY_A_FUNCTION = {"builtins:map", "builtins:filter", "functools:reduce", "itertools:starmap", "heapq:nlargest"}
_BY_A_FUNCTION |= {"heapq:nsmallest"}
_OF_SEVERAL = {"builtins:max", "builtins:min"}  # which of several arguments goes through none
_EXHAUSTING = ("join", "extend", "extendleft", "update", "writelines", "executemany")


def iterate(r: Reading, value: Atoms, place: int, *, is_async: bool = False) -> None:
    """Keep that something is gone through, and what was called to get it: there a generator runs, not before."""
    called_for(r, value, place)
    if not is_async:
        go_through(r, value, place)


def called_for(r: Reading, value: Atoms, place: int) -> None:
    """Keep what was called to get something, as a generator's body runs where that is gone through."""
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
        called_for(r, NOTHING.union(*arguments), row[4])
        go_through(r, NOTHING.union(*_gone_through(callee, arguments)), row[4])


def _gone_through(callee: Atoms, arguments: list[Atoms]) -> list[Atoms]:
    """Return the arguments that are gone through themselves."""
    if callee & _ALL_OF_THEM:
        return arguments
    if callee & _ONE_AFTER_ANOTHER:
        return []
    if callee & _BY_A_FUNCTION:
        return arguments[1:]
    return [] if callee & _OF_SEVERAL and len(arguments) > 1 else arguments[:1]


def _last_name(r: Reading, operand: int) -> str:
    """Return the name under which something is called, as it is written."""
    if operand & 3 == PATH:
        return r.o.strings[operand >> 2].rpartition(".")[2]
    op, _, name, _, _ = r.o.rows[operand >> 2] if operand & 3 == ROW else (0, 0, 0, 0, 0)
    return r.o.strings[name] if op == Op.ATTRIBUTE else ""
