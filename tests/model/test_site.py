from __future__ import annotations

import pytest

from abutment.model.site import Site

OUTER = Site("m.py", 2, 5, 4, 9)


@pytest.mark.parametrize(
    ("inner", "inside"),
    [
        (OUTER, True),
        (Site("m.py", 3, 1, 3, 80), True),  # a whole line between
        (Site("m.py", 2, 5, 2, 6), True),
        (Site("m.py", 4, 1, 4, 9), True),
        (Site("m.py", 2, 4, 2, 6), False),  # begins before it
        (Site("m.py", 1, 9, 3, 1), False),
        (Site("m.py", 4, 1, 4, 10), False),  # ends behind it
        (Site("m.py", 3, 1, 5, 1), False),
        (Site("n.py", 3, 1, 3, 2), False),
    ],
)
def test_a_place_holds_what_lies_within(inner: Site, inside: bool) -> None:
    assert OUTER.holds(inner) is inside


def test_a_place_reads_with_its_line_where_there_is_one() -> None:
    assert (Site("m.py", 3).place(), Site("m.py").place()) == ("m.py:3", "m.py")
