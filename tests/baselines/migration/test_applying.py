"""A plan is applied as it was approved, all of it or nothing, and once; whatever has changed ends it by name."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.applying import TRIES, apply_migration
from abutment.baselines.migration.headers import Done
from abutment.baselines.migration.lines import Digest
from abutment.baselines.migration.plan_file import PlanFile, read_plan
from abutment.errors import Busy, NotJudged, Refused
from tests.baselines.crashing import CrashingDisk, Killed
from tests.baselines.laws import FOLDER, TERMS
from tests.baselines.migrating import (
    VERSION,
    apply,
    contents,
    migrate,
    plan,
    record,
    recorded,
    renames,
    tighten,
    verify,
)

DEBT = {f"c app.old.m{number:02} app.db": 1 + number % 3 for number in range(30)} | {"c app.web app.db": 1}
MOVED = {text.replace("app.old", "app.new"): count for text, count in DEBT.items()}
RENAMES = renames("app.old app.new")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return record(tmp_path / "project", DEBT)


def no_stream() -> NoReturn:
    raise AssertionError("the stream was read")


def receipt_of(root: Path) -> Path:
    (place,) = (root / FOLDER / "migrations").iterdir()
    return place


# ---- exact replay


def test_applied_again_it_reads_the_receipt_and_no_stream(root: Path) -> None:
    file = plan(root, RENAMES)
    first = apply(root, file)
    before = contents(root)
    again = apply(root, replace(file, stream=no_stream))
    assert (first.word, again.word, again.receipt, again.paths) == ("applied", "existing", first.receipt, ())
    assert contents(root) == before
    assert verify(root, replace(file, stream=no_stream)) == "existing"


def test_a_receipt_of_this_plan_with_another_intent_is_refused(root: Path) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    place = receipt_of(root)
    _, _, rest = place.read_bytes().partition(b"\n")
    other = replace(Done.of(file.plan, VERSION), supersedes=())
    place.unlink()
    (place.parent / other.file_name).write_bytes(other.line + b"\n" + rest)
    with pytest.raises(Refused, match="tells of another intent"):
        apply(root, file)


def without_line(number: int) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(line for at, line in enumerate(data.splitlines(keepends=True)) if at != number)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (without_line(3), "app.old.m03, app.db: has the ordinal 3, where 2 has to stand"),
        (without_line(30), "holds 29 mutations, and its header says 30"),
        (lambda data: data.replace(b'"count": 3', b'"count": 4', 1), "its mutations are not those of which"),
        (lambda data: data.replace(b'"intent":"', b'"intent":"0', 1), "its name is not the digest of its first line"),
        (lambda data: data.replace(b'"count": 3', b'"count": "3"', 1), "has not the type that it has to have"),
        (lambda data: data.replace(b"{", b" {", 1), "the first line is not as abutment writes it"),
        (lambda _data: b"", "the first line is no JSON"),
    ],
)
def test_a_receipt_that_was_edited_ends_it(root: Path, edit: Callable[[bytes], bytes], message: str) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    receipt_of(root).write_bytes(edit(receipt_of(root).read_bytes()))
    for attempt in (lambda: apply(root, file), lambda: recorded(root)):
        with pytest.raises(NotJudged, match=message):
            attempt()


def test_a_document_that_went_on_since_is_named_with_the_item(root: Path) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    tighten(root, {text: count for text, count in MOVED.items() if text != "c app.new.m07 app.db"})
    for attempt in (lambda: apply(root, file), lambda: verify(root, file)):
        with pytest.raises(Refused, match=r"c, app\.new\.m07, app\.db: is missing, and the migration left 2"):
            attempt()


def test_a_document_that_differs_elsewhere_is_named(root: Path) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    tighten(root, {text: count for text, count in MOVED.items() if text != "c app.web app.db"})
    with pytest.raises(Refused, match=r"boundaries\.jsonl: has other entries besides those that were migrated"):
        apply(root, file)


def test_a_header_that_is_another_one_is_named(root: Path) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    baseline = root / TERMS.baseline
    baseline.write_text(baseline.read_text().replace("}\n", ', "conditions": {"x": "1"}}\n', 1))
    with pytest.raises(Refused, match=r"boundaries\.jsonl:1: has another header than the migration gave it"):
        apply(root, file)


# ---- drift between planning and applying


def other_write(root: Path) -> None:
    tighten(root, {text: count for text, count in DEBT.items() if text != "c app.web app.db"})


def lost_receipt(root: Path) -> None:
    for place in (root / FOLDER / "receipts").iterdir():
        place.unlink()


def more_debt(root: Path) -> None:
    baseline = root / TERMS.baseline
    baseline.write_text(baseline.read_text().replace('"app.web"', '"app.wev"'))


def new_policy(root: Path) -> None:
    (root / TERMS.policy).write_text("schema = 1\n")


def no_baseline(root: Path) -> None:
    (root / TERMS.baseline).unlink()


@pytest.mark.parametrize(
    ("drift", "message"),
    [
        (other_write, r"law/receipts/[0-9a-f]+\.json: was written after the plan was made"),
        (other_write, r"law/boundaries\.jsonl: was changed after the plan was made"),
        (lost_receipt, r"law/receipts/[0-9a-f]+\.json: was there when the plan was made, and is missing"),
        (more_debt, r"law/boundaries\.jsonl: was changed after the plan was made"),
        (no_baseline, r"law/boundaries\.jsonl: was changed after the plan was made"),
        (new_policy, r"law/boundaries\.toml: was changed after the plan was made"),
    ],
)
def test_drift_is_named_and_nothing_is_written(root: Path, drift: Callable[[Path], None], message: str) -> None:
    file = plan(root, RENAMES)
    drift(root)
    before = contents(root)
    for attempt in (lambda: apply(root, file), lambda: verify(root, file)):
        with pytest.raises(Refused, match=message):
            attempt()
    assert contents(root) == before


def test_only_the_approved_plan_of_this_version_is_applied(root: Path) -> None:
    file = plan(root, RENAMES)
    before = contents(root)
    with pytest.raises(Refused, match=f"is not the plan that was approved: its digest is {file.plan.digest}"):
        apply_migration(root, FOLDER, lambda: file, "0" * 64, VERSION)
    with pytest.raises(Refused, match=r"was planned by abutment 1\.0, and this is 2\.0"):
        apply_migration(root, FOLDER, lambda: file, file.plan.digest, "2.0")
    assert contents(root) == before


def test_what_was_applied_is_known_to_a_later_version(root: Path) -> None:
    file = plan(root, RENAMES)
    apply(root, file)
    assert apply_migration(root, FOLDER, lambda: file, file.plan.digest, "2.0").word == "existing"


def edited(root: Path, edit: Callable[[list[dict[str, Any]]], object]) -> PlanFile:
    """Return a plan whose mutations were edited, under its old header."""
    plan(root, RENAMES)
    place = root / "plan.jsonl"
    head, *lines = place.read_text().splitlines()
    mutations = [json.loads(line) for line in lines]
    edit(mutations)
    place.write_text("\n".join([head, *map(json.dumps, mutations)]) + "\n")
    return read_plan(RealDisk(), place, "plan.jsonl")


def exchange(mutations: list[dict[str, Any]]) -> None:
    mutations[4], mutations[5] = {**mutations[5], "ordinal": 4}, {**mutations[4], "ordinal": 5}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda them: them[2].update(ordinal=3), r"plan\.jsonl:4: .*m02.* has the ordinal 3, where 2 has to stand"),
        (lambda them: them.pop(2), r"m03.* has the ordinal 3, where 2 has to stand"),
        (lambda them: them.pop(), "holds 29 mutations, and its header says 30"),
        (exchange, r"m04.*: stands behind .*m05, app\.db, which sorts after it"),
        (lambda them: them[4].update(before=them[3]["before"]), r"m03, app\.db: is there twice"),
        (lambda them: them[4].update(more=1), r"found after, before, count, document, more, ordinal"),
        (lambda them: them[4].update(count=True), "a field has not the type"),
        (lambda them: them[4].update(count=-1), "a field has not the type"),
        (lambda them: them[4].update(before=[]), "a field has not the type"),
        (lambda them: them[4].update(after=None), "a field has not the type"),
        (lambda them: them[4]["after"].__setitem__(1, "a\nb"), "holds a control character"),
        (lambda them: them[4]["after"].__setitem__(1, "ä" * 3000), "has more than 4096 bytes"),
        (lambda them: them[4].update(count=9), "its mutations are not those of which its header holds the digest"),
    ],
)
def test_a_stream_that_is_not_the_planned_one_is_refused(
    root: Path, edit: Callable[[list[dict[str, Any]]], object], message: str
) -> None:
    file = edited(root, edit)
    before = contents(root)
    for attempt in (lambda: apply(root, file), lambda: verify(root, file)):
        with pytest.raises(NotJudged, match=message):
            attempt()
    assert contents(root) == before
    assert not [path.name for path in (root / FOLDER / ".abutment").iterdir() if path.suffix in (".staged", ".tmp")]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda them: them[4].update(count=9), r"m04, app\.db: is recorded 2 times, and the plan moves 9"),
        (
            lambda them: them[4]["before"].__setitem__(2, "app.dc"),
            r"m04, app\.dc: is not recorded, and the plan moves 2",
        ),
        (lambda them: them[4].update(count=0), r"m04, app\.db: is recorded 2 times, and the plan moves 0"),
        (lambda them: them[0].update(document="a.jsonl"), "does not name this document"),
        (
            lambda them: them[4]["after"].__setitem__(1, "app.web"),
            r"c, app\.web, app\.db: is recorded under both names",
        ),
        (lambda them: them[4].update(after=["c", "app.newer", "app.db"]), "what its entries become is not as planned"),
        (
            lambda them: them[29].update(before=None, after=["d", "app.x", "app.y"]),
            "adds debt to a baseline that is there",
        ),
    ],
)
def test_a_plan_that_its_header_vouches_for_is_held_against_the_documents(
    root: Path, edit: Callable[[list[dict[str, Any]]], object], message: str
) -> None:
    file = edited(root, edit)
    digest = Digest()
    for _ in digest.passing(file.stream()):
        pass
    forged = replace(file, plan=replace(file.plan, mutations=digest.hex, count=digest.count))
    before = contents(root)
    for attempt in (lambda: apply(root, forged), lambda: verify(root, forged)):
        with pytest.raises(NotJudged, match=message):
            attempt()
    assert contents(root) == before


def test_a_stream_that_changes_between_two_readings_is_refused(root: Path) -> None:
    file = plan(root, RENAMES)
    readings = iter([list(file.stream()), list(file.stream())[:-1]])
    before = contents(root)
    with pytest.raises(NotJudged, match="holds 29 mutations"):
        apply(root, replace(file, stream=lambda: iter(next(readings))))
    assert contents(root) == before
    assert sorted(path.name for path in (root / FOLDER / ".abutment").iterdir()) == [".gitignore", "lock"]


@pytest.mark.parametrize("limit", ["MOST_IN_DOCUMENT", "MOST"])
def test_more_than_a_migration_may_hold_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    from abutment.baselines.migration import mutation

    file = plan(root, RENAMES)
    monkeypatch.setattr(mutation, limit, 29)
    for attempt in (lambda: apply(root, file), lambda: plan(root, RENAMES)):
        with pytest.raises(NotJudged, match=r"m29, app\.db: is beyond what one migration may hold \(.*\b29\b"):
            attempt()


# ---- the lock


class Contended(RealDisk):
    """A disk whose lock is held by others for the first `times` tries."""

    def __init__(self, times: int) -> None:
        self.left, self.tries = times, 0

    @contextmanager
    def lock(self, path: Path, seconds: float) -> Iterator[None]:
        self.tries += 1
        self.left -= 1
        if self.left >= 0:
            raise Busy(())
        with super().lock(path, seconds):
            yield


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_lock_that_others_hold_is_tried_again_with_a_fresh_stream(root: Path, times: int) -> None:
    file = plan(root, RENAMES)
    opened: list[int] = []
    disk = Contended(times)

    def fresh() -> PlanFile:
        opened.append(disk.tries)
        return file

    done = apply_migration(root, FOLDER, fresh, file.plan.digest, VERSION, disk=disk)
    assert (done.word, disk.tries, opened) == ("applied", times + 1, [times + 1])


def test_a_lock_that_is_never_free_is_tried_three_times(root: Path) -> None:
    disk = Contended(99)
    before = contents(root)
    with pytest.raises(Busy):
        apply(root, plan(root, RENAMES), disk=disk)
    assert (disk.tries, TRIES) == (3, 3)
    del (after := contents(root))["plan.jsonl"]
    assert after == before


# ---- nobody sees a half


class ReadOnly(RealDisk):
    """A disk that must not be written."""

    def write_pieces(self, path: Path, pieces: object) -> NoReturn:
        raise AssertionError(f"{path} was written")

    def rename(self, source: Path, target: Path) -> NoReturn:
        raise AssertionError(f"{target} was written")

    def make_directory(self, path: Path) -> NoReturn:
        raise AssertionError(f"{path} was made")

    def remove(self, path: Path) -> NoReturn:
        raise AssertionError(f"{path} was removed")

    def lock(self, path: Path, seconds: float) -> NoReturn:
        raise AssertionError("a lock was taken")


def test_verifying_cannot_write(root: Path) -> None:
    file = plan(root, RENAMES)
    assert verify(root, file, disk=ReadOnly()) == "ready"
    apply(root, file)
    assert verify(root, file, disk=ReadOnly()) == "existing"


def test_baselines_reach_the_disk_before_the_receipt_that_tells_of_them(root: Path) -> None:
    order: list[str] = []

    class Watched(RealDisk):
        def rename(self, source: Path, target: Path) -> None:
            order.append(target.name if ".abutment" not in target.parts else "")
            super().rename(source, target)

    tasks = replace(TERMS, gate="tasks", baseline="law/tasks.jsonl", policy="law/tasks.toml")
    record(root, {"c app.old.z app.db": 1}, tasks)
    from tests.baselines.migrating import subject

    apply(root, plan(root, RENAMES, subject(), subject(tasks)), disk=Watched())
    assert [name for name in order if name] == ["boundaries.jsonl", "tasks.jsonl", receipt_of(root).name]


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_any_step_it_is_all_old_or_all_new(tmp_path: Path, torn: bool) -> None:
    seen, words, at = set(), set(), 0
    while True:
        at += 1
        root = record(tmp_path / str(at), DEBT)
        file = plan(root, RENAMES)
        try:
            apply(root, file, disk=CrashingDisk(at, torn=torn))
        except Killed:
            found = recorded(root)
            assert found in (DEBT, MOVED)
            seen.add(found == MOVED)
            words.add((found == MOVED, apply(root, file).word))
            assert recorded(root) == MOVED
            assert sorted(p.name for p in (root / FOLDER / ".abutment").iterdir()) == [".gitignore", "lock"]
            continue
        break
    assert at > 15, "the write took fewer steps than it has"
    assert seen == {False, True}
    assert words == {(False, "applied"), (True, "existing")}


def test_killed_again_while_carrying_out_it_is_still_all_new(tmp_path: Path) -> None:
    for first in range(1, 40):
        for second in (5, 7, 9, 11):
            root = record(tmp_path / f"{first}-{second}", DEBT)
            file = plan(root, RENAMES)
            try:
                apply(root, file, disk=CrashingDisk(first))
            except Killed:
                decided = recorded(root) == MOVED
                try:
                    apply(root, file, disk=CrashingDisk(second))
                except Killed:
                    assert recorded(root) in ((MOVED,) if decided else (DEBT, MOVED))
                apply(root, file)
                assert recorded(root) == MOVED
            else:
                return


def test_what_a_killed_migration_left_waiting_is_taken_away_by_the_next_writer(root: Path) -> None:
    file = plan(root, RENAMES)
    ours = root / FOLDER / ".abutment"
    at = 1
    while not list(ours.glob("*.staged")):
        with pytest.raises(Killed):
            apply(root, file, disk=CrashingDisk(at))
        at += 1
    assert not (ours / "journal.json").exists()
    tighten(root, {text: count for text, count in DEBT.items() if text != "c app.web app.db"})
    assert sorted(path.name for path in ours.iterdir()) == [".gitignore", "lock"]


def test_what_waits_and_was_lost_is_not_judged(root: Path) -> None:
    file = plan(root, RENAMES)
    at = 1
    while not (root / FOLDER / ".abutment" / "journal.json").exists():
        with pytest.raises(Killed):
            apply(root, file, disk=CrashingDisk(at))
        at += 1
    for place in (root / FOLDER / ".abutment").glob("*.staged"):
        place.write_bytes(b"something else")
    for attempt in (lambda: apply(root, file), lambda: recorded(root)):
        with pytest.raises(NotJudged, match="what an interrupted write has decided is not there any more"):
            attempt()
    with pytest.raises(Refused, match="a write was interrupted"):
        verify(root, file)
    with pytest.raises(Refused, match="a write was interrupted"):
        plan(root, RENAMES)


CHILD = """
import sys
from pathlib import Path
from tests.baselines.migrating import apply
from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.plan_file import read_plan

root = Path(sys.argv[1])
file = read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl")
print("ready", flush=True)
sys.stdin.readline()
print(apply(root, file).word, flush=True)
"""
PROJECT = Path(__file__).parents[3]


def child(root: Path) -> subprocess.Popen[str]:
    """Start a process that applies the plan once it is told to."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT / "src"), str(PROJECT)])}
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def start(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize("number", [2, 10])
def test_of_those_that_apply_at_once_one_applies_and_the_others_find_it_done(root: Path, number: int) -> None:
    plan(root, RENAMES)
    with ExitStack() as running:
        processes = [running.enter_context(child(root)) for _ in range(number)]
        for process in processes:
            start(process)
        said = sorted(process.communicate()[0] for process in processes)
    assert said == ["applied\n", *["existing\n"] * (number - 1)]
    assert recorded(root) == MOVED


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_killed_at_random_instants_it_is_all_old_or_all_new(tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(8):
        root = record(tmp_path / str(number), DEBT)
        file = plan(root, RENAMES)
        with child(root) as process:
            start(process)
            time.sleep(chance.uniform(0.0, 0.03))
            process.send_signal(signal.SIGKILL)
        found = recorded(root)
        assert found in (DEBT, MOVED)
        assert apply(root, file).word == ("existing" if found == MOVED else "applied")
        assert recorded(root) == MOVED


def test_readers_beside_a_writer_see_all_old_or_all_new(root: Path) -> None:
    plan(root, RENAMES)
    with child(root) as process:
        start(process)
        while process.poll() is None:
            assert recorded(root) in (DEBT, MOVED)
        assert process.communicate()[0] == "applied\n"
    assert recorded(root) == MOVED


def test_migrating_twice_leaves_two_receipts_and_edits_none(root: Path) -> None:
    migrate(root, RENAMES)
    first = {path: data for path, data in contents(root).items() if "/migrations/" in path or "/receipts/" in path}
    migrate(root, renames("app.new app.old"))
    after = contents(root)
    assert all(after[path] == data for path, data in first.items())
    assert len([path for path in after if "/migrations/" in path]) == 2
