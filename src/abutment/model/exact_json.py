"""What does a JSON text say, where it is one and nothing in it may mean two things?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial


def exact_json(text: str, digits: int = 18) -> object:
    """Return the value of a JSON text; raises ValueError also for repeated keys and for NaN or Infinity.

    So it does for a whole number of more than so many digits: no count is that long.
    """
    try:
        value: object = json.loads(
            text, object_pairs_hook=_without_repeats, parse_int=partial(_short_int, digits), parse_constant=_no_constant
        )
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({error.msg}, column {error.colno})") from error
    return value


def _without_repeats(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"says {key!r} twice")
        members[key] = value
    return members


def _short_int(most: int, digits: str) -> int:
    if len(digits) > most:
        raise ValueError("holds a number that counts nothing")
    return int(digits)


def _no_constant(word: str) -> object:
    raise ValueError(f"holds {word}, which is no JSON")
