"""Does a baseline say no more than its receipts recorded, and are the receipts all there?

No chain is followed, which a merge would break: every line is held against the lowest count that receipts recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.baselines.law import Law
from abutment.baselines.reading import Documents
from abutment.baselines.receipts import levels
from abutment.model.fault import Fault
from abutment.model.grants import Level, Recorded
from abutment.model.identity import key_text
from abutment.model.terms import Direction, Terms


def powerless_lines(law: Law) -> Iterator[Fault]:
    """Yield each line of a baseline that says more than it grants, with what to do.

    A snapshot may be recorded anew at will, so that its receipts hold no level.
    """
    if law.terms.direction is Direction.SNAPSHOT:
        return
    told = levels(law.receipts, law.terms.gate)
    for entry in law.grants.recorded:
        level = told.get(entry.key)
        if level is None or entry.count > level.count:
            yield _powerless(law.terms, entry, level)


def _powerless(terms: Terms, entry: Recorded, level: Level | None) -> Fault:
    what = key_text(terms.fields, entry.key)
    tighten = f"`abutment tighten {terms.gate}`"
    if level is None:
        said = "no receipt tells of this line, so that it grants nothing."
        remedy = f"Delete it, or run {tighten}; new debt needs an approval in {terms.policy}."
    else:
        said = f"the line says {entry.count}, and receipts recorded {level.count}, which is what counts."
        remedy = f"Run {tighten} to lower it."
    return Fault(terms.baseline, entry.line, f"{terms.gate}: {what}: {said}", remedy)


def missing_receipts(documents: Documents) -> Iterator[Fault]:
    """Yield for each receipt the ones that it supersedes and that are not there.

    A revert takes receipts away and a pick leaves them behind, so that this alone is nothing wrong.
    """
    there = {receipt.digest for receipt in documents.receipts}
    for receipt in documents.receipts:
        for digest in receipt.supersedes:
            if digest not in there:
                yield Fault(
                    f"{documents.folder}/{receipt.place}",
                    0,
                    f"supersedes {digest}, which is not there.",
                    "Restore it from version control, unless the commit that wrote it was reverted or is of a branch "
                    "that was never merged.",
                )
