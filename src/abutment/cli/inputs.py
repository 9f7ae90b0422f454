"""What did the user say on the command line of another tool's output?

`--input`, `--input-status` and `--input-root` are settings of one gate's table, given for one run: the gate that is
named, or where that does not tell which, the one in `--input GATE=FILE`. One of several tables of a gate goes by its
id: `--input tools.bandit=FILE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import click

from abutment.cli.opening import Opening, dressed
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.settings import Given

F = TypeVar("F", bound=Callable[..., Any])
_OF_GATE = re.compile(r"(?P<gate>[^\W\d][\w.-]*)=(?P<value>.*)", re.DOTALL)
_WHOLE = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class _Option:
    """One of the options: what the user types, and the setting that it stands for."""

    flag: str
    key: str
    read: Callable[[str], object]
    metavar: str
    help: str


def _from_here(path: str) -> str:
    return text_of_path(path_named(path).absolute())


def _status(written: str) -> int:
    if not _WHOLE.fullmatch(written):
        raise click.UsageError(f"--input-status {written}: expected a whole number from 0")
    return int(written)


_OPTIONS = (
    _Option("--input", "input", _from_here, "FILE", "Read what a tool printed, instead of running it."),
    _Option("--input-status", "input_status", _status, "N", "With which status it ended."),
    _Option("--input-root", "input_root", str, "PATH", "The root of the project where it ran."),
)


def input_options(gates: str = "") -> Callable[[F], F]:
    """Add the options to a verb; its `opening` then holds what was given.

    `gates` is the verb's own parameter that names the gates which it measures; "" where it always measures those that
    are switched on.
    """

    def decorate(command: F) -> F:
        def told(opening: Opening, **rest: Any) -> Any:
            written = [rest.pop(option.key) for option in _OPTIONS]
            named = _named(rest.get(gates, ()))
            given = _given(written, named)
            if given and len(opening.configs) > 1:
                raise click.UsageError("--input is of one project; it goes with one --config")
            if given and not named:
                _require_on(given, opening.one().gates)
            return command(opening=replace(opening, given=given), **rest)

        for option in reversed(_OPTIONS):
            add = click.option(option.flag, option.key, multiple=True, metavar=option.metavar, help=option.help)
            told = add(told)
        return dressed(told, command)

    return decorate


def words_of(given: Given) -> Iterator[str]:
    """Yield the words that give the same again."""
    for gate, table in given.items():
        for option in _OPTIONS:
            if option.key in table:
                yield from (option.flag, f"{gate}={table[option.key]}")


def _named(named: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((named,) if isinstance(named, str) else named))


def _require_on(given: Given, gates: Sequence[str]) -> None:
    for gate in given:
        if _of(gate) not in gates:
            raise click.UsageError(f"{gate} is given something to read, and is neither named nor switched on")


def _of(gate: str) -> str:
    """Return the gate of a name, which may go on with the id of one of its tables."""
    return gate.partition(".")[0]


def _given(written: Sequence[Sequence[str]], gates: Sequence[str]) -> Given:
    found: dict[str, dict[str, object]] = {}
    for option, texts in zip(_OPTIONS, written, strict=True):
        for text in texts:
            gate, value = _of_gate(option, text, gates)
            table = found.setdefault(gate, {})
            if option.key in table:
                raise click.UsageError(f"{option.flag} is given twice for {gate}")
            table[option.key] = option.read(value)
    return found


def _of_gate(option: _Option, text: str, gates: Sequence[str]) -> tuple[str, str]:
    """Return the gate that an option is about, and its value; raises UsageError where that cannot be told."""
    named = _OF_GATE.fullmatch(text)
    gate, value = (named["gate"], named["value"]) if named else (gates[0] if len(gates) == 1 else "", text)
    if not gate:
        raise click.UsageError(
            f"{option.flag} {text}: of which gate? Name one gate, or write {option.flag} GATE={text}"
        )
    if gates and _of(gate) not in gates:
        raise click.UsageError(f"{option.flag} {text}: {gate} is not asked. A file of that name is ./{text}")
    if not value.strip():
        raise click.UsageError(f"{option.flag} {text}: nothing is given")
    return gate, value
