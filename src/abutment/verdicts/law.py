"""What is the law of a gate, once both hands' documents are read?"""

from __future__ import annotations

from abutment.baselines.document import read_baseline
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.receipts import Receipt, levels
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants
from abutment.model.reading import Faults
from abutment.model.terms import Terms
from abutment.policies.approvals import read_policy
from abutment.sources.toml_document import load_toml
from abutment.sources.tree import Tree


def load_law(tree: Tree, terms: Terms) -> Law:
    """Return one gate's law; raises NotJudged with every fault of its documents. For several gates see `law_of`."""
    return law_of(read_documents(tree, terms.baseline.rpartition("/")[0]), terms)


def law_of(documents: Documents, terms: Terms) -> Law:
    """Return one gate's law from documents that were read once for all gates.

    An absent policy approves nothing. Raises NotJudged with every fault: a missing baseline is one.
    """
    faults = Faults()
    law = _read(documents, terms, faults)
    if law.baseline is None and keeps_baseline(terms) and terms.baseline not in documents.unread:
        faults.found.append(_missing(law))
    faults.raise_if_any()
    return law


def law_before_init(documents: Documents, terms: Terms) -> Law:
    """Return the law of a gate that may have no baseline yet; raises NotJudged with every other fault."""
    faults = Faults()
    law = _read(documents, terms, faults)
    faults.raise_if_any()
    return law


def _read(documents: Documents, terms: Terms, faults: Faults) -> Law:
    faults.found += documents.faults
    policy, baseline = documents.get(terms.policy, faults), documents.get(terms.baseline, faults)
    for receipt in documents.receipts:
        _compare_fields(documents.folder, receipt, terms, faults)
    grants = Grants(
        approvals=() if policy is None else _approvals(policy, terms, faults),
        recorded=() if baseline is None else read_baseline(terms.baseline, baseline, terms, faults),
        levels=levels(documents.receipts, terms.gate),
    )
    if baseline is not None and not keeps_baseline(terms):
        faults.add(terms.baseline, 0, f"{terms.gate} has no baseline: people grant everything.", "Delete the file.")
    return Law(terms, grants, policy, baseline, documents.receipts)


def _approvals(data: bytes, terms: Terms, faults: Faults) -> tuple[Approval, ...]:
    try:
        document = load_toml(terms.policy, data)
    except NotJudged as refusal:
        faults.found += refusal.faults
        return ()
    return read_policy(document, terms, faults)


def _compare_fields(folder: str, receipt: Receipt, terms: Terms, faults: Faults) -> None:
    if any(part.gate == terms.gate and part.fields != terms.fields for part in receipt.parts):
        faults.add(
            f"{folder}/receipts/{receipt.file_name}",
            0,
            f"names {terms.gate}'s facts by other fields than {', '.join(terms.fields)}.",
            "It was written by another version: use the version that wrote it, then upgrade.",
        )


def _missing(law: Law) -> Fault:
    gate, path = law.terms.gate, law.terms.baseline
    if any(part.gate == gate for receipt in law.receipts for part in receipt.parts):
        return Fault(
            path, 0, f"the baseline is missing, though {gate} was recorded before.", "Restore it from version control."
        )
    return Fault(path, 0, "the baseline is missing.", f"Run `abutment init {gate}`.")
