"""Where is something used that a rule bans there?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from abutment.facts.changed import CHANGING, changed_there
from abutment.facts.named import home_of
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import ASIDE


@dataclass(frozen=True, slots=True)
class Ban:
    """One rule: what may not be used, and in which modules."""

    id: str
    names: frozenset[str]  # dotted: `builtins.print`, `datetime.datetime.now`, `os.environ`
    covers: Callable[[str], bool]  # a module's name -> whether the rule holds there


@dataclass(frozen=True, slots=True, order=True)
class BannedUse:
    """One use of something that is banned where it stands."""

    ban: str
    module: str
    qualname: str
    target: str
    verb: str = field(compare=False)
    site: Site = field(compare=False)


def scan_bans(program: Program, bans: Sequence[Ban]) -> Iterator[BannedUse]:
    """Yield every use that may reach something banned, or come by it, once a place."""
    names = frozenset[str]().union(*(ban.names for ban in bans))
    # A variable of the codebase holds something else, so what it reaches does not tell of it.
    own = any(home_of(program, name) for name in names)
    found = [
        BannedUse(ban.id, use.module, use.site.scope, name, use.verb, use.site)
        for use, name in program.uses.of(names, through=own)
        for ban in bans
        # What a call is given (`hand`) is read there already.
        if use.verb not in ASIDE and name in ban.names and ban.covers(use.module)
    ]
    is_changed = changed_there((one, one.site) for one in found if one.verb in CHANGING)
    yield from (one for one in found if one.verb != "read" or not is_changed(one, one.site))
