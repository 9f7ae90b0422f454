"""One question a file; here stands the table of our own gates."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import replace

from abutment.errors import NotJudged, UnknownName
from abutment.gates.gate import Gate
from abutment.model.fault import Fault
from abutment.model.likeness import nearest
from abutment.model.site import Site

# Name -> module whose `GATE` it is, in the order in which reports and `list` show them.
TABLE = {
    "blindspots": "abutment.gates.blindspots",
    "cycles": "abutment.gates.cycles",
    "boundaries": "abutment.gates.boundaries",
    "snapshot": "abutment.gates.snapshot",
    "egress": "abutment.gates.egress",
    "blocking": "abutment.gates.blocking",
    "bans": "abutment.gates.bans",
    "concurrency": "abutment.gates.concurrency",
    "tasks": "abutment.gates.tasks",
    "effects": "abutment.gates.effects",
    "transactions": "abutment.gates.transactions",
    "configuration": "abutment.gates.configuration",
    "locators": "abutment.gates.locators",
    "events": "abutment.gates.events",
    "mypy": "abutment.gates.mypy",
    "startup": "abutment.gates.startup",
    "dependencies": "abutment.gates.dependencies",
    "tools": "abutment.gates.tools",
    "lint": "abutment.gates.lint",
    "complexity": "abutment.gates.complexity",
    "sizes": "abutment.gates.sizes",
    "coverage": "abutment.gates.coverage",
    "changed": "abutment.gates.changed",
}

ENTRY_POINTS = "abutment.gates"


def load_gate(name: str) -> Gate:
    """Return the gate of that name: ours from the table, a user's from the entry-point group.

    Raises UnknownName where there is none, NotJudged where a user's gate cannot be imported.
    """
    if name in TABLE:
        gate = importlib.import_module(TABLE[name]).GATE
        assert isinstance(gate, Gate)
        return gate
    return _foreign_gate(name)


def _nowhere(_name: str) -> Site:
    return Site("")


def load_gates(names: Iterable[str], written: Callable[[str], Site] = _nowhere) -> tuple[Gate, ...]:
    """Return the gates of those names; raises once for all that cannot be had.

    `written` says where each name stands, where it stands in a file.
    """
    gates: list[Gate] = []
    faults: list[Fault] = []
    for name in names:
        try:
            gates.append(load_gate(name))
        except NotJudged as refusal:
            place = written(name)
            faults.extend(replace(fault, path=place.path, line=place.line) for fault in refusal.faults)
    if faults:
        raise UnknownName(faults)
    return tuple(gates)


def own_gates() -> tuple[Gate, ...]:
    """Return every gate of the table."""
    return tuple(load_gate(name) for name in TABLE)


def _foreign_gate(name: str) -> Gate:
    # Loaded only for names that are not ours: reading installed metadata costs more than our own start.
    from importlib.metadata import entry_points

    found = tuple(entry_points(group=ENTRY_POINTS, name=name))
    if len(found) != 1:
        raise UnknownName(_unknown(name, len(found)))
    try:
        gate = found[0].load()
    except Exception as error:
        fault = Fault("", 0, f"gate {name!r} ({found[0].value}) cannot be imported: {type(error).__name__}: {error}.")
        raise NotJudged(fault) from error
    if not isinstance(gate, Gate) or gate.name != name:
        raise NotJudged(Fault("", 0, f"gate {name!r} ({found[0].value}) is no Gate of that name."))
    return gate


def _unknown(name: str, how_many: int) -> Fault:
    if how_many:
        return Fault("", 0, f"{how_many} installed packages offer a gate {name!r}.", "Uninstall all but one.")
    remedy = f"Known gates: {', '.join(TABLE)}."
    if "/" in name or name.endswith(".py"):
        return Fault(
            "", 0, f"{name!r} looks like a path; a gate's name belongs here.", remedy + " Gates always judge the whole."
        )
    if name == "guard":
        remedy = "It compares two revisions: `abutment check guard`, or `abutment check --against REF`."
        return Fault("", 0, "guard judges the law, not the code, and is no gate to switch on.", remedy)
    near = nearest(name, tuple(TABLE))
    meant = f"Did you mean {near}? " if near else ""
    return Fault("", 0, f"there is no gate {name!r}.", meant + remedy)
