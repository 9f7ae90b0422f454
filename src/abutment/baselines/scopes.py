"""Which recorded debt looks as if its function or class only had another name now, or another module?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from abutment.baselines.renaming import Definitions
from abutment.model.identity import Key

_MANY = 3  # a fact that could have come from more places than these tells nothing


def likely_scopes(
    gone: Collection[Key],
    new: Collection[Key],
    scope: tuple[int, int],
    modules: Collection[str],
    definitions: Definitions,
) -> frozenset[tuple[str, str]]:
    """Return (old, new) as dotted names, wherever a fact is gone in one scope and the same one is new in another.

    `scope` are the positions of a module and of the qualname in it.
    The old scope is defined no more and the new one is. The names go as far up as that holds: a class, not each method.
    """
    module, qualname = scope
    found: dict[Key, list[tuple[str, str]]] = defaultdict(list)
    for key in new:
        found[_without(key, module, qualname)].append((key[module], key[qualname]))
    pairs = set[tuple[str, str]]()
    for key in gone:
        there = found.get(_without(key, module, qualname), [])
        before = (key[module], key[qualname])
        if len(there) <= _MANY and not _stands(*before, modules, definitions):
            pairs.update(_shortened(before, now, modules, definitions) for now in there)
    return frozenset(pairs)


def _without(key: Key, module: int, qualname: int) -> Key:
    return tuple(part for at, part in enumerate(key) if at not in (module, qualname))


def _stands(module: str, qualname: str, modules: Collection[str], definitions: Definitions) -> bool:
    return module in modules and (qualname == "<module>" or qualname in definitions(module))


def _shortened(
    before: tuple[str, str], now: tuple[str, str], modules: Collection[str], definitions: Definitions
) -> tuple[str, str]:
    """Return both names without the end they share, as long as what is left has become the other as well."""
    (old_module, old), (new_module, new) = before, now
    for above, below in zip(_around(old), _around(new), strict=False):
        ends_alike = old.removeprefix(above) == new.removeprefix(below)
        if not ends_alike or _stands(old_module, above, modules, definitions):
            break
        if not _stands(new_module, below, modules, definitions):
            break
        old, new = above, below
    return f"{old_module}.{old}", f"{new_module}.{new}"


def _around(qualname: str) -> Iterator[str]:
    """Yield what a scope stands in, from near to far: `C.m.<locals>.f` stands in `C.m`, and that in `C`."""
    while "." in qualname:
        qualname = qualname.rpartition(".")[0].removesuffix(".<locals>")
        yield qualname
