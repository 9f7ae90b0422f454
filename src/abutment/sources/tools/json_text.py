"""What does a JSON text say, where it is one and nothing in it may mean two things?"""

from __future__ import annotations

import json
from typing import NoReturn


def exact_document(text: str) -> object:
    """Return what it says; raises ValueError where it is no JSON, says a key twice, or is nested beyond reading."""
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _value in pairs}) != len(pairs):
        raise ValueError("a key stands there twice")
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
