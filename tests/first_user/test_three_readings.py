"""One analysis, three readings of it: may (ways out), must (events, tasks), and blocking, which leans towards may."""

from __future__ import annotations

import pytest

from abutment.gates import load_gate
from tests.families import measured

BUS = "class Bus:\n    def send(self, event): pass\n    def create(self, task, owner): pass\nbus = Bus()\n"
API = {"id": "bus", "classes": ["bus.Bus"], "produce": ["send(event)"]}
TABLES: dict[str, dict[str, object]] = {
    "egress": {},
    "blocking": {},
    "events": {"apis": [API]},
    "tasks": {"registries": [{"classes": ["bus.Bus"]}]},
}
CALLS = {"egress": "requests.get", "blocking": "requests.get", "events": "bus.send", "tasks": "bus.create"}


def is_found(gate: str, body: str) -> bool:
    """Say whether the call at the end of a function body is a fact, where `c` is what has the method."""
    thing, _, method = CALLS[gate].partition(".")
    body = body.replace("THING", thing).replace("METHOD", method)
    text = f"import requests\nfrom bus import bus\nasync def f(x):\n{body}"
    counts = measured(load_gate(gate), {"bus.py": BUS, "m.py": text}, **TABLES[gate]).counts
    return any(key[:2] == ("m", "f") for key in counts)


@pytest.mark.parametrize("gate", TABLES)
def test_what_is_certain_is_found_by_all(gate: str) -> None:
    assert is_found(gate, "    c = THING\n    c.METHOD('a')")


@pytest.mark.parametrize(
    "body",
    [
        "    c = THING if x else x\n    c.METHOD('a')",
        "    if x: c = THING\n    else: c = x\n    c.METHOD('a')",
        "    c = x\n    while x: c = THING\n    c.METHOD('a')",
        "    c = x\n    for _ in x: c = THING\n    c.METHOD('a')",
        "    try: c = THING\n    except OSError: c = x\n    c.METHOD('a')",
        "    match x:\n        case 1: c = THING\n        case _: c = x\n    c.METHOD('a')",
    ],
)
@pytest.mark.parametrize(
    ("gate", "expected"), [("egress", True), ("blocking", True), ("events", False), ("tasks", False)]
)
def test_what_is_so_on_one_path_is_found_by_those_that_ask_whether_it_may(gate: str, expected: bool, body: str) -> None:
    assert is_found(gate, body) is expected


def test_what_is_awaited_is_the_other_thing_to_the_one_that_blocks() -> None:
    body = "    c = THING if x else x\n    await c.METHOD('a')"
    assert is_found("egress", body)
    assert not is_found("blocking", body)


@pytest.mark.parametrize("gate", TABLES)
def test_what_nothing_is_known_of_is_found_by_none(gate: str) -> None:
    assert not is_found(gate, "    x.METHOD('a')")
