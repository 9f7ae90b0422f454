"""How are figures held: numbers above a limit, each of which may only fall?

The count of a fact is its figure, so that the ratchet compares figures. A limit is a condition of the record: under
another one other functions are in it, and only those may be recorded anew that stand between the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Conditions

_ABOVE = re.compile(r"above (\d+)")


def limit_conditions(limits: Mapping[str, int]) -> dict[str, str]:
    """Return the limits as conditions, by what they limit."""
    return {name: f"above {limit}" for name, limit in limits.items()}


@dataclass(frozen=True, slots=True)
class Figures:
    """What is above its limit today, and what was recorded."""

    found: Mapping[Key, int]
    recorded: Mapping[Key, int]
    kind: Callable[[Key], str]  # which limit a key is held by

    def explained(self, before: Conditions, now: Conditions) -> Callable[[Key], bool]:
        """Return which keys differ because limits do; all of them where something else is another one."""
        others = {name for name in {*before, *now} if before.get(name) != now.get(name) and not _limit(now.get(name))}
        if others or any(name not in before for name in now):
            return lambda _key: True
        return lambda key: self._between(key, _limit(before[self.kind(key)]), _limit(now[self.kind(key)]))

    def _between(self, key: Key, old: int, new: int) -> bool:
        """Say whether a key stands between two limits: seen only now, or only then."""
        found, recorded = self.found.get(key, 0), self.recorded.get(key, 0)
        return 0 < found <= old if new < old else not found and 0 < recorded <= new


def figures(found: Mapping[Key, int], grants: Grants, kind: Callable[[Key], str]) -> Figures:
    """Return today's figures beside those that the baseline names."""
    return Figures(found, {entry.key: entry.count for entry in grants.recorded}, kind)


def _limit(condition: str | None) -> int:
    found = _ABOVE.fullmatch(condition or "")
    return int(found[1]) if found else 0
