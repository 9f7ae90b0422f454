"""Thousands of names become others at once, wherever in an identity they stand."""

from __future__ import annotations

import pytest

from abutment.baselines.migration.rewriting import Names
from abutment.baselines.renaming import NameFields, Renaming

FIELDS = ("module", "qualname", "target")
PLACES = NameFields.of(FIELDS, ("module",), ("target",))
NAMES = Names(
    [
        Renaming("app.old", "app.new"),
        Renaming("app.old.kept", "app.kept"),
        Renaming("app.file", "app.file.core"),
        Renaming("app.jobs.run", "app.jobs.start", home="app.jobs"),
        Renaming("app.jobs.Runner", "app.work.Worker", home="app.work"),
        Renaming("app.jobs.Runner.step", "app.jobs.step", home="app.jobs"),
    ]
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("app.old f httpx", "app.new f httpx"),
        ("app.old.deep f app.old.deep.g", "app.new.deep f app.new.deep.g"),
        ("app.old.kept f httpx", "app.kept f httpx"),
        ("app.older f httpx", "app.older f httpx"),
        ("app.file f httpx", "app.file.core f httpx"),
        ("app.file.core f httpx", "app.file.core f httpx"),
        ("app.jobs run app.old.x", "app.jobs start app.new.x"),
        ("app.jobs run.<locals>.inner x", "app.jobs start.<locals>.inner x"),
        ("app.jobs Runner x", "app.work Worker x"),
        ("app.jobs Runner.go app.jobs.Runner.go", "app.work Worker.go app.work.Worker.go"),
        ("app.jobs Runner.step app.jobs.Runner.step", "app.jobs step app.jobs.step"),
        ("app.jobs <module> app.jobs.run", "app.jobs <module> app.jobs.start"),
        ("app.jobs runner x", "app.jobs runner x"),
    ],
)
def test_the_longest_name_counts(before: str, after: str) -> None:
    assert NAMES.renamed(tuple(before.split()), PLACES) == tuple(after.split())
