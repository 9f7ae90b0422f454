"""What is the law of a gate, once both hands' documents are read?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abutment.baselines.document import NO_LINES, Lines, lines_by_text, read_baseline, read_conditions
from abutment.baselines.document_bytes import BOM
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.reading import Documents, foreign_receipts, read_documents
from abutment.baselines.receipts import Receipt, levels, speaks_of
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants, Level, Recorded
from abutment.model.identity import Key
from abutment.model.reading import Faults
from abutment.model.terms import Direction, Terms
from abutment.policies.approvals import read_policy
from abutment.sources.toml_document import load_toml
from abutment.sources.tree import Tree


def load_law(tree: Tree, terms: Terms) -> Law:
    """Return one gate's law; raises NotJudged with every fault of its documents. For several gates see `law_of`."""
    return law_of(read_documents(tree, terms.baseline.rpartition("/")[0]), terms)


def law_of(documents: Documents, terms: Terms) -> Law:
    """Return one gate's law from documents that were read once for all gates.

    An absent policy approves nothing. Raises NotJudged with every fault: a missing baseline is one, and so are
    the receipts of recorded debt.
    """
    faults = Faults()
    law = _read(documents, terms, faults)
    if keeps_baseline(terms) and terms.baseline not in documents.unread:
        faults.found += _incomplete(documents, law)
    faults.raise_if_any()
    return law


def law_before_init(documents: Documents, terms: Terms) -> Law:
    """Return the law of a gate that may have no baseline yet; raises NotJudged with every other fault."""
    faults = Faults()
    law = _read(documents, terms, faults)
    faults.raise_if_any()
    return law


def _read(documents: Documents, terms: Terms, faults: Faults) -> Law:
    """Return the law, which is read once: the guard asks for what a check has read before."""
    known: tuple[Law, Faults] | None = documents.memory.get(terms)
    if known is None:
        own = Faults()
        known = documents.memory[terms] = _read_now(documents, terms, own), own
    law, found = known
    faults.found += found.found
    return law


def _read_now(documents: Documents, terms: Terms, faults: Faults) -> Law:
    faults.found += documents.faults
    policy, baseline = documents.get(terms.policy, faults), documents.get(terms.baseline, faults)
    faults.found += foreign_receipts(documents, terms)
    lines = _lines_of(documents.like, terms)
    recorded = () if baseline is None else read_baseline(terms.baseline, baseline, terms, faults, lines)
    grants = Grants(
        approvals=() if policy is None else _approvals(policy, terms, faults),
        recorded=recorded,
        levels=_levels(documents.receipts, terms, recorded),
    )
    if baseline is not None and not keeps_baseline(terms):
        faults.add(terms.baseline, 0, f"{terms.gate} has no baseline: people grant everything.", "Delete the file.")
    return Law(terms, grants, policy, baseline, documents.receipts, read_conditions(baseline or b""))


def _lines_of(documents: Documents | None, terms: Terms) -> Lines:
    """Return the lines of a gate's baseline in documents of another revision, as far as these were read."""
    known: tuple[Law, Faults] | None = documents.memory.get(terms) if documents is not None else None
    if known is None or known[0].baseline is None:
        return NO_LINES
    return lines_by_text(known[0].baseline, known[0].grants.recorded)


def _approvals(data: bytes, terms: Terms, faults: Faults) -> tuple[Approval, ...]:
    try:
        document = load_toml(terms.policy, data.removeprefix(BOM))
    except NotJudged as refusal:
        faults.found += refusal.faults
        return ()
    return read_policy(document, terms, faults)


def _levels(receipts: Iterable[Receipt], terms: Terms, recorded: Iterable[Recorded]) -> Mapping[Key, Level]:
    """Return the level of every key: 0 for a line of a ratchet's baseline that no write of ours ever recorded."""
    told = levels(receipts, terms.gate)
    if terms.direction is Direction.SNAPSHOT:
        return told
    return {**{entry.key: Level(0, paid_off=False) for entry in recorded}, **told}


def _incomplete(documents: Documents, law: Law) -> tuple[Fault, ...]:
    """Return what is wrong where the baseline or its receipts are not there: each tells of the other."""
    gate, path = law.terms.gate, law.terms.baseline
    is_told = any(speaks_of(receipt, gate) for receipt in law.receipts)
    if law.baseline is None and is_told:
        message = f"the baseline is missing, though {gate} was recorded before."
        return (Fault(path, 0, message, "Restore it from version control."),)
    if law.baseline is None:
        return (Fault(path, 0, "the baseline is missing.", f"Run `abutment init {gate}`."),)
    if is_told or documents.faults or not law.grants.recorded or law.terms.direction is Direction.SNAPSHOT:
        return ()
    remedy = f"Restore {documents.folder}/receipts from version control, and see that git does not ignore it."
    return (Fault(path, 0, "no receipt tells of this baseline, so that no level holds it.", remedy),)
