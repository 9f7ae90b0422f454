"""What does a `with` do with what it enters?"""

from __future__ import annotations

from abutment.semantics.provenance import Bit, Verb
from abutment.semantics.reading import Atoms, Reading, attribute_of, call_of


def enter(r: Reading, entered: Atoms, *, is_async: bool) -> Atoms:
    """Return what a `with` or an exit stack gives that enters something, and keep that its two methods are called."""
    first, last = ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__")
    entry = attribute_of(entered, first)
    place = r.o.rows[r.row_at][4]
    r.use(Verb.ENTER, entry | attribute_of(entered, last), place, bits=Bit.AWAITED if is_async else 0)
    return call_of(entry)
