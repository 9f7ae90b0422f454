"""Names that lead to one another are followed once, not once for each that asks; and each is answered in full."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from abutment.semantics.program import Program
from benchmarks.rings import SHAPES, WATCHED, Files, program_of
from tests.uses import counted_calls, uses_of

_MOST_GROWTH = 2.5  # of work, where a ring is twice as long; going round for each name makes four of it


def calls_to_answer(program: Program) -> int:
    """Return how many calls Python makes to answer a question, which does not depend on the machine."""
    with counted_calls() as calls:
        assert program.uses.of(WATCHED)
    assert not program.uses.limited
    return calls.made


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.__name__)
def test_a_ring_twice_as_long_is_twice_the_work(shape: Callable[[int], Files]) -> None:
    once, twice = (calls_to_answer(program_of(shape(size))) for size in (150, 300))
    assert twice < _MOST_GROWTH * once


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.__name__)
def test_all_of_a_ring_stand_for_the_same(shape: Callable[[int], Files]) -> None:
    found = program_of(shape(60)).uses.of(WATCHED)
    last = {use.origins for use, _ in found if use.site.scope == "<module>" and use.verb == "call"}
    assert len(found) >= 60
    assert len(last) <= 2


def ring_with_a_tail(size: int) -> str:
    """Return functions in a ring, of which one also gives what a row of others gives, and a row that leads to it."""
    ring = [f"def r{at}(k):\n    return r{(at + 1) % size}(k) if k else r{(at + 7) % size}(k)" for at in range(size)]
    ring[3] += "\ndef r3(k):\n    return t0() if k else r4(k)"
    tail = [f"def t{at}():\n    return t{at + 1}()" for at in range(size)]
    head = [f"def h{at + 1}():\n    return h{at}()" for at in range(size)]
    ends = (f"def t{size}(): return requests", "def h0(): return r0(1)")
    return "\n".join(("import requests", *ring, *tail, *ends, *head))


@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
def test_what_was_asked_before_makes_no_difference(order: int) -> None:
    names = [*(f"r{at}(1)" for at in range(40)), *(f"t{at}()" for at in range(41)), *(f"h{at}()" for at in range(41))]
    lines = [f"{name}.get('x')" for name in names]
    alone = {line: _origins(ring_with_a_tail(40), [line])[line] for line in lines[::13]}
    together = _origins(ring_with_a_tail(40), lines[::order])
    assert {line: together[line] for line in alone} == alone
    assert together["h40().get('x')"] == together["r0(1).get('x')"]
    assert "requests.get" in together["r0(1).get('x')"]


def _origins(text: str, lines: list[str]) -> dict[str, frozenset[str]]:
    uses = uses_of({"m.py": "\n".join((text, *lines))})
    before = text.count("\n") + 2
    by_line = {use.site.line: use.origins for use in uses.every("m") if use.site.column == 1}
    return {line: by_line[before + at] for at, line in enumerate(lines)}


GROWING = """import requests
def walk(node, k):
    node = requests.head('x') if k else node.next
    while k:
        node = node.next
    return node
class C:
    def __init__(self):
        self.next = C().next.next if k() else requests.get
"""


@pytest.mark.parametrize("first", ["walk(1, 2).next", "walk(1, 2).next.next.next", "C().next", "C().next.next"])
def test_what_has_no_end_is_told_alike_whoever_asked_before(first: str) -> None:
    lines = [f"{first}()", "walk(1, 2)()", "walk(1, 2).next()", "C().next()", "C().next.next.next()"]
    together = _origins(GROWING, lines)
    assert {line: _origins(GROWING, [line])[line] for line in lines} == together
    assert "?" in together["walk(1, 2)()"]
