"""What stands above classes is the same whichever of them is asked about first."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from tests.uses import uses_of

BASES = ("", "(x.C)", "(y.C.k)", "(x.C.k)", "(v.C.k)", "(w.C)", "(w.C, x.C.k)", "(y.C, w.C)", "(v.C.k, w.C)")
BODIES = ("k = w.C", "k = x.C", "k = y.C", "b = os", "b = os")


def origins(files: dict[str, str], first: tuple[str, ...]) -> list[tuple[str, list[list[str]]]]:
    """Return what some attributes of each module's `C` may be, asked in this order."""
    uses = uses_of(
        files
        | {
            f"ask{name}.py": f"import {name}\n{name}.C().b.go()\n{name}.C().m.b.go()\n{name}.C().k().m()\n"
            for name in first
        }
    )
    told = {name: [sorted(use.origins) for use in uses.every(f"ask{name}") if use.verb == "call"] for name in first}
    return sorted(told.items())


@pytest.mark.parametrize("seed", range(60))
def test_circles_of_classes_do_not_depend_on_where_they_are_entered(seed: int) -> None:
    chance = random.Random(seed)
    files = {
        f"{name}.py": f"import os, w, x, y, v\nclass C{chance.choice(BASES)}:\n    {chance.choice(BODIES)}\n"
        for name in "wxyv"
    }
    first, *others = (origins(files, order) for order in permutations("xyv"))
    assert all(other == first for other in others), files


def test_a_class_of_a_circle_has_what_stands_above_the_others() -> None:
    files = {
        "x.py": "import v\nclass C(v.C): pass\n",
        "v.py": "import x, w\nclass C(x.C, w.W): pass\n",
        "w.py": "import os\nclass W:\n    b = os\n",
    }
    assert origins(files, ("x", "v")) == origins(files, ("v", "x"))
    assert dict(origins(files, ("x", "v")))["x"][:2] == [["x:C"], ["os.go"]]


OUTSIDE = ("w.C.k = x.C", "x.C().k = y.C", "v.C.k.b = w", "y.C.b = os.path", "def f(p: w.C): p.k = v.C", "pass")
CALLED = (*BASES, "(v.C().m())", "(w.C.m())", "(x.C().m)", "(y.C().m(), w.C)", "(w.C().n())", "(v.C.n())")
MEMBERS = (
    "def m(self): return self.k",
    "@classmethod\n    def m(cls): return cls.b",
    "m = v.D()",
    "m = x.D()",
    "m = os",
)
KINDS = ("def n(self): return self.k", "@classmethod\n    def n(cls): return cls", "n = x.D()", "n = os")
ABOVE = ("", "(w.C().m)", "(x.C().m)", "(y.C.m)")
DESCRIPTOR = "    def __get__(self, one, kind): return w.C\n"


@pytest.mark.parametrize("seed", range(60))
def test_nor_do_they_with_what_is_set_from_outside_and_looked_up_below(seed: int) -> None:
    chance = random.Random(seed)
    files = {
        f"{name}.py": f"import os, w, x, y, v\nclass D{chance.choice(ABOVE)}:\n{DESCRIPTOR}"
        f"class C{chance.choice(CALLED)}:\n"
        f"    {chance.choice(BODIES)}\n    {chance.choice(MEMBERS)}\n    {chance.choice(KINDS)}\n"
        f"{chance.choice(OUTSIDE)}\n"
        for name in "wxyv"
    }
    first, *others = (origins(files, order) for order in permutations("xyv"))
    assert all(other == first for other in others), files


@pytest.mark.parametrize("base", ["R().one()", "R.itself()"])
def test_while_bases_are_worked_out_nobody_tells_what_is_below(base: str) -> None:
    files = {
        "p.py": "import os\nclass P:\n    x = os\n    def h(self): self.x.go()\n",
        "r.py": "import p\nclass R(p.P):\n    B = p.P\n    def one(self): return self.B\n"
        "    @classmethod\n    def itself(cls): return cls\nclass S(R):\n    B = p.P\n",
        "k.py": f"import sys, r\nclass K(r.{base}):\n    x = sys\nK().x.go()\n",
    }
    uses = uses_of(files)
    list(uses.every("k"))
    assert [use.origins for use in uses.every("p")] == [frozenset({"os.go", "sys.go", "?"})]
