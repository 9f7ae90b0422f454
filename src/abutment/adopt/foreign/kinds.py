"""Which kinds of document of other tools can be read?"""

from __future__ import annotations

from collections.abc import Mapping

from abutment.adopt.foreign.covered import read_coverage
from abutment.adopt.foreign.debts import read_configuration_debt, read_transaction_debt
from abutment.adopt.foreign.importlinter_ignores import read_ignored_imports
from abutment.adopt.foreign.item import Read
from abutment.adopt.foreign.reviewed import read_dependency_policy, read_runtime_contract_policy
from abutment.adopt.foreign.tools import by_code, read_complexity, read_mypy_baseline

KINDS: Mapping[str, Read] = {
    "importlinter": read_ignored_imports,
    "mypy-baseline": read_mypy_baseline,
    "configuration-debt": read_configuration_debt,
    "transaction-debt": read_transaction_debt,
    "dependency-policy": read_dependency_policy,
    "runtime-contract-policy": read_runtime_contract_policy,
    "complexity": read_complexity,
    "ruff": by_code("lint"),
    "mypy": by_code("mypy"),
    "coverage": read_coverage,
}
