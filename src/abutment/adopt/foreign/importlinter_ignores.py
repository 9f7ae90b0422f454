"""Which imports does an import-linter configuration ignore, as debt of the contracts that came of it here?"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.adopt.foreign.item import Fits, Item, Left, Source
from abutment.adopt.importlinter import carry_over_file
from abutment.model.selector import Selector

_REFUSED = "NOT carried over from "


def read_ignored_imports(source: Source) -> Iterator[Item | Left]:
    """Yield the ignored imports of each contract, under the id that `init --from importlinter` gives it."""
    carried = carry_over_file(source.path, source.data, frozenset(source.modules.values()))
    for line in carried.lines:
        if line.startswith(_REFUSED):
            yield Left(source.path, line.removeprefix(f"{_REFUSED}{source.path}: "))
    for contract in carried.contracts:
        ignored = contract.get("ignore", ())
        for text in ignored if isinstance(ignored, list) else ():
            yield _ignored(source, str(contract["id"]), text)


def _ignored(source: Source, contract: str, text: str) -> Item:
    importer, _, imported = text.partition(" -> ")
    parts: dict[str, str | Fits] = {
        "contract": contract,
        "importer": Selector(importer).matches,
        "imported": Selector(imported).matches,
    }
    says = f"the ignored import {text.replace('=', '')}"
    # Nobody counted how often the one imports the other.
    place = f"{source.path}: {contract}"
    return Item("boundaries", place, says, parts, None, absent=_absent(source, contract, text))


def _absent(source: Source, contract: str, text: str) -> str:
    """Return why the code may have no breach of the contract that fits an ignored import."""
    own = source.ignores.get(contract)
    if own is None:
        return f"no contract here has the id {contract}; `abutment init --from importlinter` makes it."
    if text in own:
        return "the contract ignores it here, too: take it out of its `ignore` to hold it as debt."
    return (
        "the contract is not broken by an import from the one to the other. Where such an import is only on the way of "
        "a longer chain, it stays in the contract's `ignore`."
    )
