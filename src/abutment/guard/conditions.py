"""Under which conditions does a revision say that its baselines were recorded?

Another version of a tool, another configuration or threshold finds other debt in the same code, and recording that
anew forgives whatever it does not find any more. Nobody can tell how much that is: any change of them loosens.
"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.baselines.document import read_conditions
from abutment.guard.configuration import gate_key
from abutment.guard.item import Item
from abutment.guard.revision import Gates, Revision
from abutment.guard.rules import GRANTS
from abutment.guard.weight import Measured
from abutment.model.site import Site


def condition_items(revision: Revision, gates: Gates) -> Iterator[Item]:
    """Yield an item for each condition that the header of a baseline names."""
    for name in sorted(revision.documented() & gates.known.keys()):
        baseline = gates.known[name].terms(revision.documents.folder).baseline
        found = read_conditions(revision.documents.files.get(baseline, b""))
        for condition, value in sorted(found.items()):
            key = f"{name} is measured under {condition}"
            yield Item(key, GRANTS, Measured(value), Site(baseline, 1), Measured(""), (gate_key(name),))
