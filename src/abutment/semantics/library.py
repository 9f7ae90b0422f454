"""What do functions of the standard library give of the collections that they are given?"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abutment.semantics.containers import pairs, pairs_of, pairs_of_keywords
from abutment.semantics.reading import ANY, NOTHING, Atom, Atoms, Reading, call_of, elements

_Given = Callable[[Reading, list[Atoms], dict[str, Atoms]], Atoms]
_ITERTOOLS = "itertools:"


def of_collections(
    r: Reading, function: Atom, arguments: list[Atoms], named: dict[str, Atoms], *, is_spread: bool
) -> Atoms | None:
    """Return what a function gives that is known to give what collections hold; None for all others."""
    fewest, give = _FUNCTIONS.get(str(function), (0, None))
    if give is None:
        return None
    return ANY if is_spread or len(arguments) < fewest else give(r, arguments, named)


def _copy(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return r.new_sequence([(True, one) for one in arguments[:1]])


def _second(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return r.new_sequence([(True, arguments[1])])


def _all(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return r.new_sequence([(True, one) for one in arguments])


def _inner(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return r.new_sequence([(True, elements(r, arguments[0]))])


def _element(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return elements(r, arguments[0])


def _next(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return elements(r, arguments[0]).union(*arguments[1:2])


def _least(r: Reading, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms:
    if len(arguments) > 1:
        return NOTHING.union(*arguments)
    return elements(r, arguments[0]) | named.get("default", NOTHING)


def _numbered(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return pairs(r, ANY, elements(r, arguments[0]))


def _side_by_side(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return _many(r, r.new_sequence([(False, elements(r, one)) for one in arguments]))


def _doubled(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    held = elements(r, arguments[0])
    return pairs(r, held, held)


def _grouped(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return pairs(r, ANY, r.new_sequence([(True, arguments[0])]))


def _mapped(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    function, *others = arguments
    r.record.hand_over(function, [elements(r, one) for one in others], {})
    return _many(r, call_of(function))


def _many(r: Reading, element: Atoms) -> Atoms:
    """Return a sequence of any number of such elements."""
    return r.new_sequence([(True, NOTHING), (False, element)])


def _mapping(r: Reading, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms:
    held = [pair for one in arguments[:1] for atom in sorted(one, key=str) for pair in pairs_of(r, atom)]
    return r.new_table([*held, *pairs_of_keywords(named)])


def _with_default(r: Reading, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms:
    made = [(ANY, _made_by(r, one)) for one in arguments[:1] if one != {"None"}]
    held = r.tables[_only(_mapping(r, arguments[1:], named))]
    return r.new_table([*made, *held])


def _made_by(r: Reading, factory: Atoms) -> Atoms:
    found = NOTHING
    for atom in factory:
        known = of_collections(r, atom, [], {}, is_spread=False)
        found |= known if known is not None else call_of(frozenset((atom,)))
    return found


def _only(value: Iterable[Atom]) -> int:
    (atom,) = value
    return int(atom)


def _with_keys(r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return r.new_table([(ANY, arguments[1] if len(arguments) > 1 else frozenset(("None",)))])


def _itself(_r: Reading, arguments: list[Atoms], _named: dict[str, Atoms]) -> Atoms:
    return arguments[0]


# Function -> how many arguments it has at least, and what it gives.
_FUNCTIONS: dict[str, tuple[int, _Given]] = {
    **{f"builtins:{name}": (0, _copy) for name in ("list", "tuple", "set", "frozenset")},
    **{f"builtins:{name}": (1, _copy) for name in ("sorted", "reversed", "iter", "aiter")},
    **{f"builtins:{name}": (1, _next) for name in ("next", "anext")},
    **{f"builtins:{name}": (1, _least) for name in ("min", "max")},
    "builtins:enumerate": (1, _numbered),
    "builtins:zip": (1, _side_by_side),
    "builtins:filter": (2, _second),
    "builtins:map": (2, _mapped),
    "builtins:dict": (0, _mapping),
    "builtins:dict.fromkeys": (1, _with_keys),
    "collections:OrderedDict": (0, _mapping),
    "collections:defaultdict": (0, _with_default),
    "collections:deque": (0, _copy),
    "types:MappingProxyType": (1, _itself),
    "weakref:WeakSet": (0, _copy),
    "weakref:WeakValueDictionary": (0, _mapping),
    "weakref:WeakKeyDictionary": (0, _mapping),
    "heapq:heappop": (1, _element),
    "heapq:nlargest": (2, _second),
    "heapq:nsmallest": (2, _second),
    "random:choice": (1, _element),
    "random:choices": (1, _copy),
    "random:sample": (1, _copy),
    f"{_ITERTOOLS}chain": (0, _all),
    f"{_ITERTOOLS}chain.from_iterable": (1, _inner),
    f"{_ITERTOOLS}islice": (1, _copy),
    f"{_ITERTOOLS}cycle": (1, _copy),
    f"{_ITERTOOLS}takewhile": (2, _second),
    f"{_ITERTOOLS}dropwhile": (2, _second),
    f"{_ITERTOOLS}filterfalse": (2, _second),
    f"{_ITERTOOLS}zip_longest": (1, _side_by_side),
    f"{_ITERTOOLS}product": (1, _side_by_side),
    f"{_ITERTOOLS}pairwise": (1, _doubled),
    f"{_ITERTOOLS}groupby": (1, _grouped),
}
