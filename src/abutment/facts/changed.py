"""Which reads only reach what is changed there: `os.environ["A"] = ""` reads the mapping, too?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable

from abutment.model.site import Site

CHANGING = frozenset(("set", "erase"))


def changed_there(changes: Iterable[tuple[Hashable, Site]]) -> Callable[[Hashable, Site], bool]:
    """Return what says of a thing and a place in how far a change of that thing is around it."""
    places: dict[Hashable, set[Site]] = defaultdict(set)
    for what, site in changes:
        places[what].add(site)
    return lambda what, site: any(one.holds(site) for one in places.get(what, ()))
