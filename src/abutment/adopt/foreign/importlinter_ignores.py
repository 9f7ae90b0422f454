"""Which imports does an import-linter configuration ignore, as debt of the contracts that came of it here?"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.adopt.foreign.item import Fits, Item, Left, Source
from abutment.adopt.importlinter import carry_over
from abutment.model.selector import Selector


def read_ignored_imports(source: Source) -> Iterator[Item | Left]:
    """Yield the ignored imports of each contract, under the id that `init --from importlinter` gives it."""
    carried = carry_over(source.tree, frozenset(source.modules.values()))
    for line in carried.lines:
        if line.startswith("NOT"):
            yield Left(source.path, line)
    for contract in carried.contracts:
        ignored = contract.get("ignore", ())
        for text in ignored if isinstance(ignored, list) else ():
            importer, _, imported = text.partition(" -> ")
            parts: dict[str, str | Fits] = {
                "contract": str(contract["id"]),
                "importer": Selector(importer).matches,
                "imported": Selector(imported).matches,
            }
            # Nobody counted how often the one imports the other.
            yield Item("boundaries", f"{source.path}: {contract['id']}", f"the ignored import {text}", parts, None)
