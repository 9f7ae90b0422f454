"""How is a plan carried out? Exactly as it was approved, all of it or nothing, and once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from abutment.baselines.disk import Disk, RealDisk
from abutment.baselines.journal import Decided
from abutment.baselines.migration.checking import PLAN_AGAIN, check_mutations, refuse_drift, refuse_other
from abutment.baselines.migration.documents import FORMATS, Formats
from abutment.baselines.migration.folder import Folder, reading
from abutment.baselines.migration.headers import Done, Plan
from abutment.baselines.migration.lines import Digest
from abutment.baselines.migration.plan_file import PlanFile
from abutment.baselines.migration.receipt import FOLDER, whole_stream
from abutment.baselines.migration.replay import applied_before
from abutment.baselines.store import WAIT, Place, writing
from abutment.errors import Busy, NotJudged

TRIES = 3  # at the lock
_REAL = RealDisk()
Opened = Callable[[], PlanFile]


@dataclass(frozen=True, slots=True)
class Applied:
    """What applying a plan came to."""

    word: str  # "applied", or "existing" where that was done before
    receipt: str  # below the documents' folder
    paths: tuple[str, ...] = ()  # what was written, relative to the root


def apply_migration(
    root: Path,
    folder: str,
    opened: Opened,
    approved: str,
    version: str,
    *,
    disk: Disk = _REAL,
    wait: float = WAIT,
    formats: Formats = FORMATS,
) -> Applied:
    """Carry out the plan of the digest `approved`, unless that was done before.

    `opened` gives the plan with a fresh stream; it is called once for each try at the lock. Raises Busy where another
    writer does not finish, Refused where anything is not what the plan was made upon: then nothing is written.
    """
    for last in (*[False] * (TRIES - 1), True):
        try:
            with writing(root, folder, disk=disk, wait=wait, kinds=("receipts", FOLDER)) as place:
                return _Application(place, Folder(disk, root, folder, formats), opened(), version).done(approved)
        except Busy:
            if last:
                raise
    raise AssertionError("the last try returns or raises")


@dataclass(frozen=True, slots=True)
class _Application:
    """One plan and the documents, while the lock on them is held."""

    place: Place
    folder: Folder
    file: PlanFile
    version: str

    def done(self, approved: str) -> Applied:
        """Return what it came to."""
        refuse_other(self.file, approved)
        with reading(self.folder.path):
            self.folder.refuse_leaving()
            before = applied_before(self.folder, self.file.plan)
            if before:
                return Applied("existing", before)
            refuse_drift(self.folder, self.file, self.version)
        try:
            return self._decided(self.file.plan)
        except (NotJudged, OSError):
            self.place.clear_staged()
            raise

    def _decided(self, plan: Plan) -> Applied:
        staged: list[Decided] = []

        def stage(name: str, lines: Iterable[bytes]) -> str:
            staged.append(self.place.stage(name, lines))
            return staged[-1].staged

        check_mutations(self.folder, self.file, stage)
        receipt = Done.of(plan, self.version)
        name = f"{FOLDER}/{receipt.file_name}"
        stage(name, chain((receipt.line,), self._again(plan)))
        return Applied("applied", name, self.place.decide(staged))

    def _again(self, plan: Plan) -> Iterator[bytes]:
        """Yield the lines of the mutations; raises NotJudged where they are not the same ones a second time."""
        stream = whole_stream(self.file.path, self.file.stream(), plan.mutations, plan.count, PLAN_AGAIN)
        return (mutation.line for mutation in stream)


def verify_migration(
    root: Path, folder: str, file: PlanFile, version: str, *, disk: Disk = _REAL, formats: Formats = FORMATS
) -> str:
    """Return `existing` where the plan was applied and everything is as that left it, `ready` where it could be now.

    Raises NotJudged where it is neither. Nothing is written.
    """
    place = Folder(disk, root, folder, formats)
    with reading(folder):
        place.refuse_unread()
        if applied_before(place, file.plan):
            return "existing"
        refuse_drift(place, file, version)
        check_mutations(place, file, _looked_at)
    return "ready"


def _looked_at(_name: str, lines: Iterable[bytes]) -> str:
    digest = Digest()
    for _ in digest.passing(lines):
        pass
    return digest.hex
