"""The store: all old or all new, whoever is killed and whoever writes at the same time."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from abutment.baselines.disk import RealDisk
from abutment.baselines.document import render_baseline
from abutment.baselines.journal import Decided, render_journal
from abutment.baselines.law import Law
from abutment.baselines.plan import Change, Plan
from abutment.baselines.receipts import document_digest
from abutment.baselines.record import plan_init
from abutment.baselines.store import commit
from abutment.baselines.tighten import plan_tighten
from abutment.errors import NotJudged, Refused
from abutment.sources.work_tree import WorkTree
from abutment.verdicts.law import load_law
from tests.baselines.crashing import CrashingDisk, Killed
from tests.baselines.laws import FOLDER, TERMS, TODAY, TOOLS, key, measured

BEFORE = {f"c app.m{number} app.db": 1 for number in range(30)}
AFTER = dict(list(BEFORE.items())[::2])


def law_in(root: Path) -> Law:
    return load_law(WorkTree(root), TERMS)


def state(root: Path) -> tuple[dict[str, int], int]:
    """Return what abutment sees at one instant: the baseline and how many receipts there are."""
    law = law_in(root)
    return {" ".join(entry.key): entry.count for entry in law.grants.recorded}, len(law.receipts)


def tighten(root: Path, counts: dict[str, int], **how: object) -> tuple[str, ...]:
    plan = plan_tighten(law_in(root), measured(counts), TODAY)
    return commit(root, FOLDER, plan, TOOLS, **how)  # type: ignore[arg-type]  # keywords of a test


@pytest.fixture
def root(tmp_path: Path) -> Path:
    commit(tmp_path, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)
    return tmp_path


def test_a_plan_reaches_the_disk_with_its_receipt(tmp_path: Path) -> None:
    written = commit(tmp_path, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)
    assert (tmp_path / TERMS.baseline).read_bytes() == render_baseline(TERMS, {key(text): 1 for text in BEFORE})
    assert written[0] == TERMS.baseline
    assert written[1].startswith(f"{FOLDER}/receipts/")
    receipt = json.loads((tmp_path / written[1]).read_bytes())
    assert receipt["documents"] == [
        {"path": TERMS.baseline, "after": document_digest((tmp_path / TERMS.baseline).read_bytes())}
    ]
    assert receipt["tools"] == TOOLS


def test_the_folder_of_lock_and_journal_ignores_itself_and_is_left_clean(root: Path) -> None:
    ours = root / FOLDER / ".abutment"
    assert (ours / ".gitignore").read_bytes() == b"*\n"
    assert sorted(path.name for path in ours.iterdir()) == [".gitignore", "lock"]


def test_a_plan_without_a_change_touches_nothing(tmp_path: Path) -> None:
    assert commit(tmp_path, FOLDER, Plan("tighten"), TOOLS) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_plan_for_another_folder_is_a_mistake_of_ours(tmp_path: Path) -> None:
    plan = plan_init(Law(TERMS), measured(BEFORE))
    with pytest.raises(ValueError, match="is not below"):
        commit(tmp_path, "elsewhere", plan, TOOLS)


@pytest.mark.parametrize("path", [TERMS.baseline, TERMS.policy])
def test_a_document_that_changed_meanwhile_is_refused(root: Path, path: str) -> None:
    plan = plan_tighten(law_in(root), measured(AFTER), TODAY)
    baseline = (root / TERMS.baseline).read_bytes()
    (root / path).write_bytes(baseline + b"\n" if path == TERMS.baseline else b"schema = 1\n")
    with pytest.raises(Refused, match="was changed while this command was running"):
        commit(root, FOLDER, plan, TOOLS)
    assert (root / TERMS.baseline).read_bytes().startswith(baseline)
    assert len(list((root / FOLDER / "receipts").iterdir())) == 1


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_any_step_it_is_all_old_or_all_new(tmp_path: Path, torn: bool) -> None:
    seen = set()
    at = 0
    while True:
        at += 1
        root = tmp_path / str(at)
        root.mkdir()
        commit(root, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)
        try:
            tighten(root, AFTER, disk=CrashingDisk(at, torn=torn))
        except Killed:
            after_the_kill = state(root)
            assert after_the_kill in ((BEFORE, 1), (AFTER, 2))
            seen.add(after_the_kill[1])
            tighten(root, AFTER)  # the next writer carries it out, or does it anew
            assert state(root) == (AFTER, 2)
            assert sorted(p.name for p in (root / FOLDER / ".abutment").iterdir()) == [".gitignore", "lock"]
            continue
        break
    assert at > 12, "the write took fewer steps than it has"
    assert seen == {1, 2}


def test_killed_again_while_carrying_out_it_is_still_all_new(tmp_path: Path) -> None:
    for first in range(1, 30):
        for second in (4, 7, 9):
            root = tmp_path / f"{first}-{second}"
            root.mkdir()
            commit(root, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)
            try:
                tighten(root, AFTER, disk=CrashingDisk(first))
            except Killed:
                decided = state(root) == (AFTER, 2)
                try:
                    tighten(root, AFTER, disk=CrashingDisk(second))
                except Killed:
                    assert state(root) in (((AFTER, 2),) if decided else ((BEFORE, 1), (AFTER, 2)))
            else:
                return


def killed_after_deciding(root: Path) -> None:
    """Leave a journal behind, with none of its files applied."""
    plan = plan_tighten(law_in(root), measured(AFTER), TODAY)
    receipt = plan.receipt(TOOLS)
    before = (root / TERMS.baseline).read_bytes()
    files = [Decided("boundaries.jsonl", document_digest(before), plan.changes[0].after)]
    files.append(Decided(f"receipts/{receipt.file_name}", None, receipt_bytes(plan)))
    (root / FOLDER / ".abutment" / "journal.json").write_bytes(render_journal(files))


def receipt_bytes(plan: Plan) -> bytes:
    from abutment.baselines.receipts import render_receipt

    return render_receipt(plan.receipt(TOOLS))


def test_a_decided_write_is_read_before_it_is_carried_out(root: Path) -> None:
    killed_after_deciding(root)
    assert recorded_in_file(root) == len(BEFORE)
    assert state(root) == (AFTER, 2)


def recorded_in_file(root: Path) -> int:
    return len((root / TERMS.baseline).read_bytes().splitlines()) - 1


def test_a_writer_with_nothing_of_its_own_carries_out_what_was_decided(root: Path) -> None:
    killed_after_deciding(root)
    assert tighten(root, AFTER) == ()
    assert recorded_in_file(root) == len(AFTER)
    assert not (root / FOLDER / ".abutment" / "journal.json").exists()


def test_what_was_changed_after_an_interruption_is_not_overwritten(root: Path) -> None:
    killed_after_deciding(root)
    (root / TERMS.baseline).write_bytes(render_baseline(TERMS, {key("c other branch"): 1}))
    mine = (root / TERMS.baseline).read_bytes()
    with pytest.raises(NotJudged, match="was changed after a write of abutment was interrupted"):
        law_in(root)
    with pytest.raises(NotJudged, match="was changed after a write of abutment was interrupted"):
        commit(root, FOLDER, Plan("tighten"), TOOLS)
    assert (root / TERMS.baseline).read_bytes() == mine


@pytest.mark.parametrize(
    ("journal", "message"),
    [
        (b"", "cannot be read: it is no JSON"),
        (b"\xff", "cannot be read"),
        (b'{"schema": 2, "files": []}', "the journal's schema 2 is not known here"),
        (b'{"schema": 1, "files": [{"name": "../x.jsonl", "after": ""}]}', "is no document of ours"),
        (b'{"schema": 1, "files": [{"name": "/etc/x.jsonl", "after": ""}]}', "is no document of ours"),
        (b'{"schema": 1, "files": [{"name": "x.toml", "after": ""}]}', "is no document of ours"),
        (b'{"schema": 1, "files": [{"name": "x.jsonl", "after": "", "more": 1}]}', "unknown key"),
        (b'{"schema": 1, "files": [], "more": 1}', "unknown key"),
    ],
)
def test_a_journal_that_is_not_ours_is_never_carried_out(root: Path, journal: bytes, message: str) -> None:
    (root / FOLDER / ".abutment" / "journal.json").write_bytes(journal)
    for attempt in (lambda: law_in(root), lambda: commit(root, FOLDER, Plan("tighten"), TOOLS)):
        with pytest.raises(NotJudged, match=message):
            attempt()
    assert recorded_in_file(root) == len(BEFORE)


def test_a_writer_waits_for_another_one_and_then_says_so(root: Path) -> None:
    with RealDisk().lock(root / FOLDER / ".abutment" / "lock", 0):
        with pytest.raises(NotJudged, match="another abutment is writing"):
            tighten(root, AFTER, wait=0.05)
        assert state(root) == (BEFORE, 1), "readers need no lock"
    tighten(root, AFTER, wait=0)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("name", ["", ".abutment", "receipts"])
def test_nothing_is_written_through_a_link_out_of_the_project(tmp_path: Path, name: str) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    (inside / FOLDER).parent.mkdir()
    if name:
        (inside / FOLDER).mkdir()
    (inside / FOLDER / name).symlink_to(outside, target_is_directory=True)
    with pytest.raises(Refused, match="leads out of the project"):
        commit(inside, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)
    assert list(outside.iterdir()) == []


def test_a_disk_that_refuses_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file is in the way")
    with pytest.raises(NotJudged, match="the documents cannot be written"):
        commit(tmp_path, FOLDER, plan_init(Law(TERMS), measured(BEFORE)), TOOLS)


def test_a_disk_that_refuses_to_be_looked_at_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / ".abutment").write_text("a file is in the way")
    with pytest.raises(NotJudged, match="the documents cannot be written: Not a directory"):
        commit(tmp_path, FOLDER, Plan("tighten"), TOOLS)


def test_a_document_that_was_written_before_is_replaced_whole(root: Path) -> None:
    plan = Plan(
        "tighten",
        parts=plan_tighten(law_in(root), measured(AFTER), TODAY).parts,
        changes=(Change(TERMS.baseline, b"", render_baseline(TERMS, {})),),
    )
    commit(root, FOLDER, plan, TOOLS)
    assert state(root)[0] == {}


# Real processes. A child pays one debt of its own after the other, as `abutment tighten` would do it.

CHILD = """
import sys
from datetime import date
from pathlib import Path
from abutment.baselines.store import commit
from abutment.baselines.tighten import plan_tighten
from abutment.errors import Refused
from abutment.sources.work_tree import WorkTree
from abutment.verdicts.law import load_law
from tests.baselines.laws import FOLDER, TERMS, measured

root, mine = Path(sys.argv[1]), sys.argv[2:]
print("ready", flush=True)
for text in mine:
    while True:
        law = load_law(WorkTree(root), TERMS)
        counts = {" ".join(entry.key): entry.count for entry in law.grants.recorded}
        counts.pop(text, None)
        try:
            commit(root, FOLDER, plan_tighten(law, measured(counts), date(2026, 3, 1)), {"abutment": "0"})
        except Refused as refusal:
            assert "was changed while" in str(refusal), refusal
            continue
        break
    print(text, flush=True)
"""
PROJECT = Path(__file__).parents[2]


@contextmanager
def child(root: Path, *texts: str) -> Iterator[subprocess.Popen[str]]:
    """Start a child that pays these debts, and see to it that it ends."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT / "src"), str(PROJECT)])}
    command = [sys.executable, "-c", CHILD, str(root), *texts]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def said_by(process: subprocess.Popen[str]) -> list[str]:
    """Return what the child said it had paid; waits for its end."""
    assert process.stdout is not None
    return process.stdout.read().splitlines()


def test_two_processes_that_write_at_once_lose_nothing(root: Path) -> None:
    texts = list(BEFORE)
    with child(root, *texts[0:7]) as one, child(root, *texts[7:14]) as other:
        while one.poll() is None or other.poll() is None:
            recorded, receipts = state(root)
            assert len(recorded) + receipts == len(BEFORE) + 1, "each receipt is one payment, seen with its baseline"
        assert (said_by(one), said_by(other)) == (texts[0:7], texts[7:14])
        assert (one.wait(), other.wait()) == (0, 0)
    assert state(root) == (dict.fromkeys(texts[14:], 1), 15)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_killed_at_random_instants_nothing_is_lost_and_nothing_is_half(root: Path) -> None:
    chance = random.Random(11)
    left = list(BEFORE)
    for _ in range(8):
        with child(root, *left) as process:
            assert process.stdout is not None
            first = process.stdout.readline().rstrip("\n")
            time.sleep(chance.uniform(0.0, 0.03))
            process.send_signal(signal.SIGKILL)
            said = [first, *said_by(process)]
        recorded, receipts = state(root)
        assert len(recorded) + receipts == len(BEFORE) + 1
        assert not set(said) & set(recorded), "what was reported as written is written"
        left = list(recorded)
        if not left:
            break
