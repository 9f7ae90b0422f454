"""What does setting or erasing an item do, or erasing an attribute?"""

from __future__ import annotations

from abutment.semantics.attributes import erase_attribute
from abutment.semantics.filling import fill
from abutment.semantics.operating import operate
from abutment.semantics.outline import Row
from abutment.semantics.own_names import by_variable
from abutment.semantics.provenance import Bit, Verb
from abutment.semantics.reading import Reading


def run_store(r: Reading, row: Row) -> None:
    """Read `x[k] = v`."""
    base, key, value = r.value(row[1]), r.value(row[2]), r.value(row[3])
    r.use(Verb.SET, base, row[4], (value, key), bits=Bit.ITEM, by=by_variable(r, row[1]))
    operate(r, base, "setitem", row[4])
    fill(r, r.spelling(row[1]), base, value)
    # Read once more: a name that was filled may hold something else now.
    r.store(r.value(row[1]), r.value(row[2]), r.value(row[3]))


def run_erase(r: Reading, row: Row) -> None:
    """Read `del x[k]` or `del x.a`."""
    base, by = r.value(row[1]), by_variable(r, row[1])
    if row[3]:
        erase_attribute(r, base, r.o.strings[row[3]], row[4], by)
    else:
        r.use(Verb.ERASE, base, row[4], (r.value(row[2]),), bits=Bit.ITEM, by=by)
        operate(r, base, "delitem", row[4])
