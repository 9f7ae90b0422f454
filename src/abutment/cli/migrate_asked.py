"""Which values and fields does somebody want to become others, by the words of the command line?"""

from __future__ import annotations

from collections.abc import Iterable

import click

Place = tuple[str, str]  # a gate, and a field of its facts


def renamed_values(rename: Iterable[tuple[str, str]]) -> dict[Place, dict[str, str]]:
    """Return by gate and field which value becomes which, of `GATE.FIELD OLD=NEW` each."""
    values: dict[Place, dict[str, str]] = {}
    for place, change in rename:
        old, _, new = change.partition("=")
        table = values.setdefault(_field(place), {})
        if not old or not new or old in table:
            raise click.UsageError(f"--rename {place} {change}: expected OLD=NEW, each OLD once")
        table[old] = new
    return values


def assignments(texts: Iterable[str]) -> dict[Place, str]:
    """Return by gate and field what each `GATE.FIELD=TEXT` says."""
    said: dict[Place, str] = {}
    for place, value in map(_assignment, texts):
        if place in said:
            raise click.UsageError(f"{'.'.join(place)} is named twice")
        said[place] = value
    return said


def _assignment(text: str) -> tuple[Place, str]:
    place, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"{text!r}: expected GATE.FIELD=TEXT")
    return _field(place), value


def _field(text: str) -> Place:
    gate, dot, field = text.partition(".")
    if not dot or not field:
        raise click.UsageError(f"{text!r}: expected GATE.FIELD")
    return gate, field
