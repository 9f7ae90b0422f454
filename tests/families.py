"""What a gate of uses finds in short texts.

found(GATE, "import requests\nrequests.get('')")  # ["1 import requests", "2 egress requests.get"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abutment.gates.gate import Gate
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root
from tests.settings import settings_of

Text = str | Mapping[str, str]  # one module `m`, or files by path


def program_of(text: Text) -> Program:
    """Return the program of a module `m`, or of a whole tree."""
    tree = MemoryTree({"m.py": text} if isinstance(text, str) else text)
    return build_program(discover(tree, [Root(".")]), tree)


def scanned(gate: Gate, text: Text, **table: object) -> list[Any]:
    """Return the gate's facts by place; `table` is what its configuration says."""
    assert gate.facts is not None
    facts = gate.facts.scan(program_of(text), settings_of(gate, table))
    return sorted(facts, key=lambda fact: (fact.site, fact))


def found(gate: Gate, text: Text, **table: object) -> list[str]:
    """Return the gate's facts as `line word what`."""
    assert gate.facts is not None
    word, what = gate.facts.word, gate.facts.what
    return [f"{fact.site.line} {word(fact)} {what(fact)}" for fact in scanned(gate, text, **table)]


def measured(gate: Gate, text: Text, grants: Grants | None = None, /, **table: object) -> Measurement:
    """Return what the gate measures."""
    return gate.measure(program_of(text), settings_of(gate, table), grants or Grants())
