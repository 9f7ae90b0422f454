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


def table_of(value: object) -> dict[str, object]:
    """Return a value that is an object; raises ValueError where it is anything else."""
    if not isinstance(value, dict):
        raise ValueError(f"no object: {value!r}")
    return value


def text_of(value: object) -> str:
    """Return a value that is a text with something in it; raises ValueError where it is anything else."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"no text: {value!r}")
    return value


def number_of(value: object) -> int:
    """Return a value that is a whole number, which true is not; raises ValueError where it is anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"no number: {value!r}")
    return value


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _value in pairs}) != len(pairs):
        names = [name for name, _value in pairs]
        raise ValueError(f"a key is there twice: {max(names, key=names.count)!r}")
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
