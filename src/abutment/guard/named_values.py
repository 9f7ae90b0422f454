"""Which values of a configuration hold names of modules, and may follow the code?

Those that a gate or a kind of contract declares as lists of names. All other texts (gates, ids, options, paths,
commands) mean themselves, whatever a module is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abutment.guard.revision import Gates
from abutment.guard.spelling import listed, spelled
from abutment.model.loosening import NOTHING_KNOWN, Derived, Loosening, Permits, Requires, Setting, Tables
from abutment.policies.contracts.kinds import LOOSENINGS

Change = Callable[[object], object]

_CONTRACTS = "contracts"
_SINGLE = frozenset({"module", "name"})  # of the keys that hold one text, those that hold a name
# Lists whose members are words, paths or methods.
_WORDS = frozenset(
    {"consume", "decorate", "id", "include", "kind", "many", "methods", "only", "paths", "produce", "reasons"}
)


def with_names(table: Mapping[str, object], gates: Gates, change: Change) -> dict[str, object]:
    """Return a configuration with each value that holds names changed."""
    found = dict(table)
    for name, gate in gates.known.items():
        if name in found:
            found[name] = _changed_table(found[name], gate.loosening, change)
    if isinstance(found.get(_CONTRACTS), list):
        found[_CONTRACTS] = [_changed_contract(contract, change) for contract in listed(found[_CONTRACTS])]
    return found


def _changed_contract(contract: object, change: Change) -> object:
    kind = spelled(contract.get("kind")) if isinstance(contract, Mapping) else ""
    return _changed_table(contract, LOOSENINGS.get(kind, NOTHING_KNOWN), change)


def _changed_table(table: object, loosening: Loosening, change: Change) -> object:
    if not isinstance(table, Mapping):
        return table
    return {key: _changed(key, value, loosening.of(key), change) for key, value in table.items()}


def _changed(key: str, value: object, setting: Setting | None, change: Change) -> object:
    if key in _WORDS or not (setting is None or isinstance(setting, Derived | Permits | Requires | Tables)):
        return value
    if not isinstance(value, list):
        return change(value) if isinstance(setting, Derived) or key in _SINGLE else value
    if any(isinstance(member, Mapping) for member in value):
        below = setting.loosening if isinstance(setting, Tables) else NOTHING_KNOWN
        return [_changed_table(member, below, change) for member in value]
    return change(value)
