"""A write that was decided and then interrupted: what do the verbs make of it?"""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.baselines.disk import RealDisk
from abutment.baselines.plan import Change, Plan
from abutment.baselines.receipts import Part
from abutment.baselines.store import commit
from tests.cli.tool import Tool

FOLDER = "fixtures/architecture"


class Killed(Exception):
    pass


class StopsAfterDeciding(RealDisk):
    """A disk that stops at the first file that is put in place once the journal is there."""

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        if target.name.startswith("journal"):
            raise Killed


def interrupt(root: Path) -> None:
    """Decide a rewrite of the cycles' baseline, as any verb would, and stop."""
    path = f"{FOLDER}/cycles.jsonl"
    before = (root / path).read_bytes()
    change = Change(path, before, before.replace(b'"count": 1', b'"count": 2'))
    fields = ("reading", "importer", "imported")
    plan = Plan("record", parts=(Part("cycles", fields, (), ()),), changes=(change,))
    with pytest.raises(Killed):
        commit(root, FOLDER, plan, {"abutment": "0"}, disk=StopsAfterDeciding())
    assert (root / path).read_bytes() == before


@pytest.mark.parametrize("words", [("move", "shop.nowhere", "shop.else"), ("record", "cycles"), ("init", "cycles")])
def test_a_verb_that_refuses_has_carried_out_the_pending_write_first(recorded: Tool, words: tuple[str, ...]) -> None:
    interrupt(recorded.root)
    assert recorded(*words).status == 2
    assert b'"count": 2' in (recorded.root / FOLDER / "cycles.jsonl").read_bytes()
    assert not [path.name for path in (recorded.root / FOLDER / ".abutment").iterdir() if "journal" in path.name]


def test_nothing_is_said_of_a_write_where_none_is_pending(recorded: Tool) -> None:
    assert "interrupted" not in recorded("check").err


def test_a_dry_run_and_a_check_leave_it_pending(recorded: Tool) -> None:
    interrupt(recorded.root)
    before = (recorded.root / FOLDER / "cycles.jsonl").read_bytes()
    said = recorded("check").err
    assert "A write that was interrupted was read as if it were done" in said
    assert "interrupted" not in recorded("check", "--quiet").err
    recorded("tighten", "--dry-run")
    assert (recorded.root / FOLDER / "cycles.jsonl").read_bytes() == before
