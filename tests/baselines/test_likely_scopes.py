"""Which function or class has another name now? Only names that differ where all else is equal are guessed."""

from __future__ import annotations

import pytest

from abutment.baselines.code_names import CodeNames
from abutment.baselines.likely_scopes import likely_scopes
from abutment.baselines.renaming import NameFields

NAMES = NameFields.of(("module", "qualname", "target", "through"), ("module",), ("target", "through"))
DEFINED = {"a": ("g", "D", "D.m", "D.n", "D.run", "kept"), "b": ("f", "D", "D.m")}
CODE = CodeNames(DEFINED, lambda module: DEFINED[module])


@pytest.mark.parametrize(
    ("gone", "new", "pairs"),
    [
        (["a f t ."], ["a g t ."], ["a.f a.g"]),
        (["a f t ."], ["b f t ."], ["a.f b.f"]),
        (["a f t ."], ["a g u ."], []),  # another target
        (["a f t ."], [], []),
        (["a C.m t ."], ["a D.m t ."], ["a.C a.D"]),
        (["a C.m t .", "a C.n t ."], ["a D.m t .", "a D.n t ."], ["a.C a.D"]),  # who calls the same is told by its name
        (["a D.old t ."], ["a D.run t ."], ["a.D.old a.D.run"]),
        (["a kept.<locals>.f t ."], ["a g.<locals>.f t ."], ["a.kept.<locals>.f a.g.<locals>.f"]),
        (["a C.m t ."], ["b D.m t ."], ["a.C b.D"]),
        (["a g t old.f"], ["a g t b.f"], ["old.f b.f"]),  # gone through by another name
        (["a g old.f ."], ["a g b.f ."], ["old.f b.f"]),
        (["a f t ."], ["a p t .", "a q t .", "a r t .", "a s t ."], []),  # any of them
        (["a f t ."], ["a p t .", "a q t ."], ["a.f a.p", "a.f a.q"]),
        (["a f t ."], ["b f t .", "a q t ."], ["a.f a.q", "a.f b.f"]),
    ],
)
def test_what_looks_like_another_name(gone: list[str], new: list[str], pairs: list[str]) -> None:
    before, now = ([tuple(text.split()) for text in texts] for texts in (gone, new))
    found = likely_scopes(before, now, NAMES, CODE)
    assert sorted(" ".join(pair) for pair in found) == pairs


def test_nobody_waits_for_a_guess() -> None:
    gone, new = ([("a", f"{name}{at}", "t", "") for at in range(2_000)] for name in "fg")
    assert likely_scopes(gone, new, NAMES, CODE) == frozenset()
