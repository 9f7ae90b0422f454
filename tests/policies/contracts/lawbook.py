"""Contracts from short TOML texts, judged against short programs."""

from __future__ import annotations

from collections.abc import Iterable

from abutment.model.reading import Faults, TableReader
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings
from abutment.policies.contracts.kinds import judged, read_contracts
from abutment.semantics.program import Program
from abutment.sources.toml_document import load_toml


def contracts(text: str) -> tuple[Contract, ...]:
    """Return the contracts of a TOML text that starts with `[[contracts]]`; raises NotJudged."""
    faults = Faults()
    document = load_toml("abutment.toml", text.encode())
    found = read_contracts(TableReader("abutment.toml", document.table, faults, document.locate))
    faults.raise_if_any()
    return found


def contract(kind: str, text: str) -> Contract:
    """Return one contract whose id is `law`; raises NotJudged."""
    return contracts(f'[[contracts]]\nid = "law"\nkind = "{kind}"\n{text}\n')[0]


def judge(codebase: Program | Codebase, kind: str, text: str) -> Findings:
    """Return what the contract finds."""
    return judged(codebase if isinstance(codebase, Codebase) else Codebase(codebase), contract(kind, text))


def broken(codebase: Program | Codebase, kind: str, text: str) -> list[str]:
    """Return the breaches as `importer -> imported`, sorted; there must be no fault."""
    findings = judge(codebase, kind, text)
    assert findings.faults == (), findings.faults
    return pairs(findings.breaches)


def pairs(breaches: Iterable[Breach]) -> list[str]:
    return sorted(f"{breach.importer} -> {breach.imported}" for breach in breaches)


def faults_of(codebase: Program | Codebase, kind: str, text: str) -> list[str]:
    """Return the faults as they are printed."""
    return [fault.line_text() for fault in judge(codebase, kind, text).faults]


def unused(findings: Findings) -> list[str]:
    return sorted(f"{idle.importer} -> {idle.imported}" for idle in findings.idle)
