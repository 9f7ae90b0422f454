"""Which recorded debt looks as if its module only had another name now? A guess, for `move` to be declared by a person.

A grant is gone whose module is there no more, and something is new that would be that grant under another name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from abutment.baselines.renaming import Renaming
from abutment.model.identity import Key

# Each grant that is gone is held against each fact that is new; beyond that many pairs nobody waits for a guess.
PATIENCE = 200_000


def likely_renames(
    gone: Collection[Key], new: Collection[Key], places: Collection[int], live: Collection[str]
) -> Mapping[Key, Renaming]:
    """Return for each grant that is gone the renaming that explains most, where there is one.

    `places` are the positions in a key that hold module names; `live` are the modules and packages that there are.
    """
    if not gone or not new or len(gone) * len(new) > PATIENCE:
        return {}
    explains: dict[Key, set[tuple[str, str]]] = defaultdict(set)
    for key in gone:
        for other in new:
            for old, now in _candidates(key, other, places, live):
                explains[key].add((old, now))
    votes = Counter(renaming for found in explains.values() for renaming in found)
    return {
        key: Renaming(*min(found, key=lambda renaming: (-votes[renaming], renaming)))
        for key, found in explains.items()
        if found
    }


def shortest_renaming(old: str, new: str, live: Collection[str]) -> Renaming:
    """Return the renaming of the packages that one module's tells, as far as the old ones are there no more."""
    return Renaming(*_unlike(old, new, live))


def _candidates(key: Key, other: Key, places: Collection[int], live: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the shortest renaming that makes the one key the other."""
    for place in places:
        if key[place] == other[place] or key[place] in live:
            continue
        old, new = _unlike(key[place], other[place], live)
        renaming = Renaming(old, new)
        renamed = (renaming.of(part) if at in places else part for at, part in enumerate(key))
        if old and new and new in live and tuple(renamed) == other:
            yield old, new


def _unlike(old: str, new: str, live: Collection[str]) -> tuple[str, str]:
    """Return the names without the end they share, as far as the old one is not a package that is still there."""
    while "." in old and "." in new and old.rpartition(".")[2] == new.rpartition(".")[2]:
        above = old.rpartition(".")[0]
        if above in live:
            break
        old, new = above, new.rpartition(".")[0]
    return old, new
