"""A write that was decided and then interrupted: what do the verbs make of it?"""

from __future__ import annotations

import subprocess
import sys
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


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on a file's size there")
@pytest.mark.parametrize("words", [("init",), ("tighten", "--today", "2027-01-01")])
def test_a_disk_that_takes_no_more_is_named_and_nothing_is_half_written(tool: Tool, words: tuple[str, ...]) -> None:
    if words[0] == "tighten":
        assert tool("init").status == 0
        tool.write({"shop/store.py": ""})
    before = {path: path.read_bytes() for path in tool.root.rglob("*") if path.is_file()}
    limited = 'ulimit -f 0; exec "$@"'  # a file may have no byte: what a full disk says, said by the system itself
    command = ["sh", "-c", limited, "sh", sys.executable, "-m", "abutment", *words, "--no-cache", "--jobs", "1"]
    ended = subprocess.run(command, cwd=tool.root, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "cannot be written: File too large" in ended.stderr
    assert "journal.json.tmp" in ended.stderr or ".gitignore.tmp" in ended.stderr
    assert "None" not in ended.stderr
    after = {path: path.read_bytes() for path in tool.root.rglob("*") if path.is_file() and path.name != "lock"}
    assert after == {path: data for path, data in before.items() if path.name != "lock"}
