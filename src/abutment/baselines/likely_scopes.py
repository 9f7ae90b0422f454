"""Which recorded debt looks as if a function or class only had another name now, or stood in another module?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import takewhile

from abutment.baselines.code_names import CodeNames
from abutment.baselines.renames import PATIENCE
from abutment.baselines.renaming import NameFields
from abutment.model.identity import Key

_MANY = 3  # a fact that could as well have come from more places than these tells nothing
Pair = tuple[str, str]  # a dotted name before and now


def likely_scopes(gone: Collection[Key], new: Collection[Key], names: NameFields, code: CodeNames) -> frozenset[Pair]:
    """Return (old, new) as dotted names, wherever a fact is gone and one that differs in such a name alone is new.

    Where several are new, the ones whose names have most in common are meant. Where the scope differs, the names go as
    far up as the old one is defined no more and the new one is: a class, not each method.
    """
    pairs = set[Pair]()
    for places in (*((at,) for at in sorted(names.names)), *((names.scope,) if names.scope else ())):
        for before, now in _differing(gone, new, places):
            if places == names.scope:
                pairs.add(_shortened(before, now, code))
            else:
                pairs.add((before[0], now[0]))
    return frozenset(pairs)


def _differing(gone: Collection[Key], new: Collection[Key], places: tuple[int, ...]) -> Iterator[tuple[Key, Key]]:
    """Yield what stands at these places in a key that is gone and in one that is new, all else being equal."""
    found: dict[Key, list[Key]] = defaultdict(list)
    for key in new:
        found[_without(key, places)].append(tuple(key[at] for at in places))
    tries = 0
    for key in sorted(gone):
        there, before = found.get(_without(key, places), []), tuple(key[at] for at in places)
        tries += len(there)
        if tries > PATIENCE:
            return
        near = [_likeness(before, now) for now in there]
        best = [now for now, likeness in zip(there, near, strict=True) if likeness == max(near)]
        if len(best) <= _MANY:
            yield from ((before, now) for now in best)


def _without(key: Key, places: tuple[int, ...]) -> Key:
    return tuple(part for at, part in enumerate(key) if at not in places)


def _likeness(one: Key, other: Key) -> int:
    """Return how many parts two dotted names have in common, from the front and from the end."""
    a, b = ".".join(one).split("."), ".".join(other).split(".")
    front, end = (sum(1 for _ in takewhile(_same, zip(a[::way], b[::way], strict=False))) for way in (1, -1))
    return min(front + end, len(a), len(b))


def _same(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _shortened(before: Key, now: Key, code: CodeNames) -> Pair:
    """Return both names without the end they share, as long as what is left has become the other as well."""
    (old_module, old), (new_module, new) = before, now
    for above, below in zip(_around(old), _around(new), strict=False):
        ends_alike = old.removeprefix(above) == new.removeprefix(below)
        became = code.holds(new_module, below) and not code.holds(old_module, above)
        if not (ends_alike and became):
            break
        old, new = above, below
    return f"{old_module}.{old}", f"{new_module}.{new}"


def _around(qualname: str) -> Iterator[str]:
    """Yield what a scope stands in, from near to far: `C.m.<locals>.f` stands in `C.m`, and that in `C`."""
    while "." in qualname:
        qualname = qualname.rpartition(".")[0].removesuffix(".<locals>")
        yield qualname
