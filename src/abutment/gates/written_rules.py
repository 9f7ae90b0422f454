"""How are a rule's id and its remedy read, where a project writes rules of its own?"""

from __future__ import annotations

from collections.abc import Container

from abutment.model.reading import TableReader


def read_id(entry: TableReader, taken: Container[str]) -> str:
    """Return a rule's id; one that no approval could hold, or that another rule has, is a fault."""
    found = entry.text("id")
    if "*" in found or any(map(str.isspace, found)):
        entry.fault(("id",), f"{found!r} holds a blank or `*`", "It stands in approvals, which hold no wildcard.")
    if found in taken:
        entry.fault(("id",), f"{found!r} is the id of another rule, too")
    return found


def read_instead(entry: TableReader) -> str:
    """Return the remedy of a rule that says what to do instead; "" for the gate's own."""
    instead = entry.optional_text("instead")
    return f"{instead} Or have it approved in {{policy}}." if instead else ""
