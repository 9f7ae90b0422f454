"""A gate's settings from a plain table, as the configuration would hand them over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abutment.gates.gate import Gate
from abutment.model.reading import Faults, TableReader


def settings_of(gate: Gate, table: Mapping[str, object] | None = None) -> Any:
    """Return what the gate reads from its table; raises NotJudged with every fault. Every place is line 7."""
    faults = Faults()
    settings = gate.read_settings(TableReader("abutment.toml", table or {}, faults, lambda _path: 7, (gate.name,)))
    faults.raise_if_any()
    return settings
