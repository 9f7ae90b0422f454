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
    given = (r.value(row[3]), r.value(row[2]))
    r.use(Verb.SET, r.value(row[1]), row[4], given, bits=Bit.ITEM, by=by_variable(r, row[1]))
    operate(r, r.value(row[1]), "setitem", row[4])
    name = r.spelling(row[1])
    fill(r, name, r.value(row[1]), r.value(row[3]))
    r.store(r.value(row[1]), r.value(row[2]), r.value(row[3]))


def run_erase(r: Reading, row: Row) -> None:
    """Read `del x[k]` or `del x.a`."""
    if row[3]:
        erase_attribute(r, r.value(row[1]), r.o.strings[row[3]], row[4], by_variable(r, row[1]))
    else:
        by = by_variable(r, row[1])
        r.use(Verb.ERASE, r.value(row[1]), row[4], (r.value(row[2]),), bits=Bit.ITEM, by=by)
        operate(r, r.value(row[1]), "delitem", row[4])
