"""By which variable of its own module is something written?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abutment.semantics.outline import Op, Outline

if TYPE_CHECKING:
    from abutment.semantics.reading import Reading


def by_variable(r: Reading, operand: int) -> str:
    """Return how a path is written that begins with a variable of the module; "" for anything else."""
    spelt = r.spelling(operand)
    return spelt if spelt.partition(".")[0] in r.variables and _is_of_module(r, spelt.partition(".")[0]) else ""


def _is_of_module(r: Reading, name: str) -> bool:
    """Say whether a name is the module's here, and not one of a scope that stands between."""
    if r.class_prefix and r.is_of_the_class(name):
        return False
    index = r.scope
    while index > 0:
        if r.has(index, name):
            return False
        index = r.o.scopes[index].parent
    return True


def variables_of(outline: Outline) -> frozenset[str]:
    """Return the names of the module that statements bind to values: no import, function or class."""
    found, depth, module = set[int](), 0, outline.scopes[0]
    for op, a, _, _, _ in outline.rows[module.first : module.end]:
        depth += (op == Op.CLASS) - (op == Op.END_CLASS)
        if op == Op.BIND and not depth:
            found.add(a)
    found.update(*(scope.outer for scope in outline.scopes))
    return frozenset(outline.strings[one] for one in found)
