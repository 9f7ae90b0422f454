"""Which module has another name now? Only what the code bears out is guessed."""

from __future__ import annotations

import pytest

from abutment.baselines.code_names import live_names
from abutment.baselines.renames import likely_renames
from tests.baselines.laws import key


@pytest.mark.parametrize(
    ("gone", "new", "modules", "renaming"),
    [
        (["c a.old a.db"], ["c a.new a.db"], ["a.new", "a.db"], "a.old a.new"),
        (["c a.x a.old"], ["c a.x a.new"], ["a.new", "a.x"], "a.old a.new"),
        # A package: the shortest name that explains both ends.
        (["c a.old.x a.old.y"], ["c lib.x lib.y"], ["lib.x", "lib.y"], "a.old lib"),
        # Only one module of a package has moved.
        (["c a.p.x a.db"], ["c a.q.x a.db"], ["a.p.y", "a.q.x", "a.db"], "a.p.x a.q.x"),
        # It is still there; another contract; another target.
        (["c a.old a.db"], ["c a.new a.db"], ["a.old", "a.new", "a.db"], ""),
        (["c a.old a.db"], ["d a.new a.db"], ["a.new", "a.db"], ""),
        (["c a.old a.db"], ["c a.new a.web"], ["a.new", "a.db", "a.web"], ""),
        (["c a.old a.db"], [], ["a.db"], ""),
        # What explains more wins.
        (
            ["c a.old a.db", "c a.old a.io"],
            ["c a.new a.db", "c a.new a.io", "c a.b a.db"],
            ["a.new", "a.b", "a.db", "a.io"],
            "a.old a.new",
        ),
    ],
)
def test_what_looks_like_a_renaming(gone: list[str], new: list[str], modules: list[str], renaming: str) -> None:
    found = likely_renames(list(map(key, gone)), list(map(key, new)), (1, 2), live_names(modules))
    assert {f"{one.old} {one.new}" for one in found.values()} == ({renaming} if renaming else set())
