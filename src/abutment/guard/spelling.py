"""How does a value of a configuration read, so that two spellings of one value read alike?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping


def spelled(value: object) -> str:
    """Return a text as it is, and anything else as canonical JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def one_line(value: object) -> str:
    """Return a value on one line."""
    return " ".join(spelled(value).split())


def members(value: object) -> tuple[str, ...]:
    """Return the members of a list as texts; nothing else has any."""
    return tuple(spelled(member) for member in value) if isinstance(value, list) else ()


def listed(value: object) -> list[object]:
    """Return the members of a list; nothing else has any."""
    return value if isinstance(value, list) else []


def named(parts: Iterable[str]) -> str:
    """Return texts as one, in which no other texts read alike."""
    every = tuple(parts)
    joined = ", ".join(every)
    if all(every) and '"' not in joined and joined.count(",") == len(every) - 1:
        return joined  # most facts are thousands of such
    return ", ".join(part if part and not set(part) & {",", '"'} else json.dumps(part) for part in every)


def tables(value: object) -> tuple[Mapping[str, object], ...]:
    """Return the tables of a list, other members left out."""
    return tuple(member for member in value if isinstance(member, Mapping)) if isinstance(value, list) else ()
