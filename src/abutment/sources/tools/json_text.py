"""What does a tool's JSON say, and is a value in it what it has to be?"""

from __future__ import annotations

from abutment.model.exact_json import exact_json

_ANY = 4_300  # digits that Python reads


def exact_document(text: str) -> object:
    """Return what a tool's JSON says, with numbers of any length (a time in nanoseconds); raises ValueError else."""
    return exact_json(text, _ANY)


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


def count_of(value: object) -> int:
    """Return a value that is a whole number and not below zero; raises ValueError where it is anything else."""
    number = number_of(value)
    if number < 0:
        raise ValueError(f"no count: {number}")
    return number
