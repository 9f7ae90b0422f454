"""What does a baseline say after a merge, by its three versions alone? This is how git's merge driver asks.

The other branch's receipts are not in the work tree yet when git asks. What our verbs wrote agrees with its receipts,
so that the versions tell the same; a line that somebody wrote by hand is held by the receipts once they are there.
"""

from __future__ import annotations

from abutment.baselines.document import read_terms, render_baseline
from abutment.baselines.settle import BASE, OURS, THEIRS, Sides, conditions_after, counts_after, read_side, settle
from abutment.model.reading import Faults


def merge_baselines(path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return the baseline of `path` that a merge makes of these; an empty `base` is none.

    Raises NotJudged where anything is not understood.
    """
    faults = Faults()
    terms = read_terms(path, ours, faults)
    faults.raise_if_any()
    sides = Sides(
        ours=read_side(path, OURS, ours, terms, faults),
        theirs=read_side(path, THEIRS, theirs, terms, faults),
        base=read_side(path, BASE, base, terms, faults) if base else {},
        conditions=conditions_after(path, ours, theirs, base, faults),
    )
    faults.raise_if_any()
    return render_baseline(terms, counts_after(sides, settle(sides, None)), sides.conditions)
