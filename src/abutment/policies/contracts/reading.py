"""How are `[[tool.abutment.contracts]]` tables read?

Everything is read before anything is refused: each fault goes to the reader's own list, with its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site
from abutment.policies.contracts.contract import READINGS, UNUSED_IGNORES, Contract, Counting, Ignore, Kind, Pattern

ID = re.compile(r"[^\s/*]+")  # it stands in identities and in file names; approvals allow no wildcard
INCLUDED = ("type_only", "parent")


def read_contract(reader: TableReader, kinds: Sequence[Kind]) -> Contract | None:
    """Return one contract; None where not even its kind is known. Faults go to the reader."""
    own_id = reader.text("id")
    if own_id and not ID.fullmatch(own_id):
        reader.fault(("id",), f"{own_id!r} must hold no blank, no `/` and no `*`", "Write something like `api-not-db`.")
    names = [kind.name for kind in kinds]
    name = reader.text("kind")
    if name not in names:
        if name:
            reader.fault(("kind",), f"expected one of {', '.join(names)}, found {name!r}")
        return None
    kind = kinds[names.index(name)]
    contract = Contract(
        id=own_id,
        kind=kind,
        site=Site(reader.document, reader.line()),
        law=kind.read(reader),
        reason=reader.text("reason", ""),
        instead=reader.text("instead", ""),
        counting=_counting(reader, kind),
        ignore=read_ignores(reader) if kind.ignores else (),
        unused_ignores=reader.choice("unused_ignores", UNUSED_IGNORES, "gone") if kind.ignores else "gone",
        reviewed_only=reader.boolean("reviewed_only", kind.reviewed_only),
    )
    reader.close()
    return contract


def _counting(reader: TableReader, kind: Kind) -> Counting:
    chains = reader.boolean("indirect", False) if kind.indirect else False
    if not kind.imports:
        return Counting()
    included = reader.texts("include", ())
    known = INCLUDED if kind.passes else INCLUDED[:1]
    for index, word in enumerate(included):
        if word not in known:
            reader.fault(("include", index), f"expected one of {', '.join(known)}, found {word!r}")
    return Counting(
        type_only="type_only" in included,
        parents="parent" in included,
        statements=reader.choice("reading", READINGS, READINGS[0]) == READINGS[1],
        chains=chains,
    )


def read_ignores(reader: TableReader) -> tuple[Ignore, ...]:
    """Return the `ignore` list: texts of the form `importer -> imported`."""
    ignores: list[Ignore] = []
    for index, text in enumerate(reader.texts("ignore", ())):
        importer, arrow, imported = (part.strip() for part in text.partition("->"))
        if not arrow:
            reader.fault(("ignore", index), f"{text!r} is no import", 'Write "importer -> imported".')
            continue
        ends = [selector(reader, ("ignore", index), end) for end in (importer, imported)]
        if ends[0] is not None and ends[1] is not None:
            ignores.append(Ignore(ends[0], ends[1], Site(reader.document, reader.line("ignore", index))))
    return tuple(ignores)


def patterns(reader: TableReader, key: str, *, optional: bool = False, least: int = 1) -> tuple[Pattern, ...]:
    """Return the list of selectors below `key`; at least `least` unless it is optional and absent."""
    texts = reader.texts(key, () if optional else None, least=least)
    found: list[Pattern] = []
    for index, text in enumerate(texts):
        meant = selector(reader, (key, index), text)
        if meant is not None:
            found.append(Pattern(meant, Site(reader.document, reader.line(key, index))))
    return tuple(found)


def selector(reader: TableReader, below: Sequence[str | int], text: str) -> Selector | None:
    """Return the selector, or None with a fault where the text is none."""
    try:
        return Selector(text)
    except ValueError as error:
        reader.fault(below, str(error), "Write a dotted name such as `app.db` or `app.*.api`.")
        return None
