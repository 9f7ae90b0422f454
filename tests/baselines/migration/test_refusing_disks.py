"""What the disk refuses is told with place and reason, and nothing is written; what leads elsewhere is not read."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from abutment.baselines.disk import RealDisk
from abutment.errors import NotJudged, Refused
from abutment.sources.scratch import Spool, sorted_lines
from tests.baselines.laws import FOLDER, TERMS
from tests.baselines.migrating import apply, contents, plan, record, recorded, renames, verify

DEBT = {"c app.old.a app.db": 2, "c app.web app.db": 3}
RENAMES = renames("app.old app.new")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return record(tmp_path / "project", DEBT)


# ---- temporary files


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_disk_without_room_for_what_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(open, "/dev/full", "r+b"))
    with pytest.raises(NotJudged, match="no temporary file can be written: No space left on device"), Spool() as spool:
        spool.put(b"%d" % number for number in range(100_000))
    with pytest.raises(NotJudged, match="no temporary file can be written"):
        list(sorted_lines((b"%d" % number for number in range(100_000)), run=9))


def test_a_folder_that_is_not_there_for_what_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    with pytest.raises(NotJudged, match=r"No usable temporary directory found\. Set TMPDIR to a folder"), Spool():
        raise AssertionError("it was opened")


LIMITED = """
import resource, sys
from pathlib import Path
from abutment.errors import NotJudged
from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.plan_file import read_plan
from tests.baselines.migrating import apply

root = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    print(apply(root, read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl")).word)
except NotJudged as refusal:
    print("refused:", refusal)
"""
PROJECT = Path(__file__).parents[3]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_whatever_does_not_fit_leaves_all_old(tmp_path: Path) -> None:
    many = {f"c app.old.m{number:03} app.db": 1 for number in range(300)}
    root = record(tmp_path / "project", many)
    plan(root, RENAMES)
    before, said = contents(root), set()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT / "src"), str(PROJECT)])}
    for most in (1, 20_000, 26_000, 10_000_000):
        command = [sys.executable, "-c", LIMITED, str(root), str(most)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        word = ended.stdout.partition(":")[0].strip()
        said.add(word)
        assert (contents(root) == before) == (word == "refused"), ended.stdout
        assert sorted(path.name for path in (root / FOLDER / ".abutment").iterdir()) == [".gitignore", "lock"]
    assert said == {"refused", "applied"}


class Interfering(RealDisk):
    """A disk on which something comes in between as soon as a write is decided."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def sync(self, directory: Path) -> None:
        super().sync(directory)
        if (directory / "journal.json").exists():
            self._happens()


@pytest.mark.parametrize("somebody", ["refuses", "writes"])
def test_what_was_decided_goes_on_waiting_whatever_comes_in_between(root: Path, somebody: str) -> None:
    baseline, file = root / TERMS.baseline, plan(root, RENAMES)
    whole = baseline.read_bytes()

    def happens() -> None:
        if somebody == "refuses":
            raise OSError(5, "Input/output error", "x")
        baseline.write_bytes(whole + b"{}\n")

    with pytest.raises(NotJudged):
        apply(root, file, disk=Interfering(happens))
    baseline.write_bytes(whole)
    assert apply(root, file).word == "existing"
    assert recorded(root) == {"c app.new.a app.db": 2, "c app.web app.db": 3}


# ---- documents


def as_folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


def as_pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes among files")
@pytest.mark.parametrize("turned", [as_folder, as_pipe])
@pytest.mark.parametrize("name", [TERMS.baseline, f"{FOLDER}/migrations/x.jsonl"])
def test_what_is_no_file_any_more_is_told(root: Path, name: str, turned: Callable[[Path], None]) -> None:
    file = plan(root, RENAMES)
    place = root / name
    place.parent.mkdir(exist_ok=True)
    place.touch()
    turned(place)
    for attempt in (lambda: apply(root, file), lambda: verify(root, file)):
        with pytest.raises(NotJudged, match=rf"law: cannot be read: .*{place.name}") as refusal:
            attempt()
        assert "cannot be written" not in str(refusal.value)


def test_what_the_system_keeps_from_us_is_told(root: Path) -> None:
    class Kept(RealDisk):
        def names(self, directory: Path) -> list[str]:
            raise PermissionError(13, "Permission denied", str(directory))

    file = plan(root, RENAMES)
    with pytest.raises(NotJudged, match=r"law: cannot be read: Permission denied \(.*law\)"):
        verify(root, file, disk=Kept())


# ---- links


def outside(root: Path, name: str) -> None:
    """Let a document lie outside of the project, with a link to it."""
    place = root / name
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / place.name).write_bytes(place.read_bytes()) if place.is_file() else None
    place.rename(elsewhere / place.name) if place.is_dir() else place.unlink()
    place.symlink_to(elsewhere / place.name)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("name", [TERMS.baseline, f"{FOLDER}/receipts", FOLDER])
def test_what_leads_out_of_the_project_is_not_read(root: Path, name: str) -> None:
    file = plan(root, RENAMES)
    outside(root, name)
    for attempt in (lambda: apply(root, file), lambda: verify(root, file), lambda: plan(root, RENAMES)):
        with pytest.raises(Refused, match="leads out of the project"):
            attempt()
    assert b"app.new" not in (root / TERMS.baseline).read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_the_project_and_one_inside_of_it_are_followed(root: Path, tmp_path: Path) -> None:
    (root / FOLDER).rename(root / "documents")
    (root / FOLDER).symlink_to("documents")
    (tmp_path / "link").symlink_to(root)
    file = plan(tmp_path / "link", RENAMES)
    assert verify(tmp_path / "link", file) == "ready"
    assert apply(tmp_path / "link", file).word == "applied"
    assert recorded(root) == {"c app.new.a app.db": 2, "c app.web app.db": 3}
