"""What may be meant and cannot be proven is listed, counted and explained: the gate is not held in silence."""

from __future__ import annotations

import pytest

from abutment.gates import load_gate
from abutment.gates.gate import Gate
from tests.families import found, measured

LOW = (
    "class Bus:\n    def send(self, event): pass\n    def spawn(self, task, owner=None): pass\n"
    "bus = Bus()\ndef get(): return bus\n"
)
EVENTS = {"apis": [{"id": "b", "classes": ["low.Bus"], "produce": ["send(event)"]}]}
TASKS = {"registries": [{"classes": ["low.Bus"], "methods": ["spawn"]}]}
CALLS = "from low import Bus, bus\nbus.send('a')\nbus.spawn(1)\n"
GATES = [("events", EVENTS, 2, "of a manager"), ("tasks", TASKS, 3, "of a registry")]


def listed(gate: Gate, files: dict[str, str], table: dict[str, object]) -> list[str]:
    return [one.rpartition(" ")[0] for one in found(gate, files, **table)]


@pytest.mark.parametrize(("name", "table", "line", "what"), GATES)
@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"m.py": f"{CALLS}globals()['x'] = 1\n"}, "m (m.py:4)"),
        ({"m.py": f"{CALLS}import sys\nsys.modules['x'] = None\n"}, "m (m.py:5)"),
        ({"m.py": CALLS, "other.py": "import m\ndef f():\n    m.bus = None\n"}, "other (other.py:3)"),
        ({"m.py": CALLS, "other.py": "import m\nsetattr(m, 'bus', None)\n"}, "other (other.py:2)"),
    ],
)
def test_a_module_whose_names_are_written_from_elsewhere_is_named_with_the_place(
    name: str, table: dict[str, object], line: int, what: str, more: dict[str, str], cause: str
) -> None:
    gate = load_gate(name)
    files = {"low.py": LOW, **more}
    assert listed(gate, files, table) == [f"{line} unproven"]
    judged = measured(gate, files, **table)
    assert judged.counts == {}
    listing = f"`abutment facts {name} --sites` lists them as unproven"
    assert f"not judged, as nobody can prove that they are {what}: 1 call; {listing}." in judged.notes
    assert f"nothing is proven in m: names there are written by {cause}." in judged.notes


@pytest.mark.parametrize(("name", "table", "line", "what"), GATES)
def test_a_receiver_that_may_be_another_one_is_listed_without_blaming_the_module(
    name: str, table: dict[str, object], line: int, what: str
) -> None:
    gate = load_gate(name)
    files = {"low.py": LOW, "m.py": CALLS.replace("import Bus, bus", "import bus as b\nbus = b if x else y()")}
    assert listed(gate, files, table) == [f"{line + 1} unproven"]
    notes = measured(gate, files, **table).notes
    assert any(what in note for note in notes)
    assert not any("nothing is proven" in note for note in notes)


@pytest.mark.parametrize(("name", "table", "line", "what"), GATES)
def test_what_is_proven_is_not_doubted(name: str, table: dict[str, object], line: int, what: str) -> None:
    gate = load_gate(name)
    files = {"low.py": LOW, "m.py": CALLS, "n.py": "def f(x):\n    x.send('a')\n    x.spawn(1)\n"}
    assert all("unproven" not in one for one in found(gate, files, **table))
    assert not any(what in note for note in measured(gate, files, **table).notes)
