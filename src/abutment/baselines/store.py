"""How do documents get written? All old or all new, whatever happens meanwhile. Nothing else writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from abutment.baselines.disk import Disk, RealDisk
from abutment.baselines.journal import (
    FOLDER,
    JOURNAL,
    STAGED,
    Decided,
    overtaken,
    read_journal,
    render_journal,
    staged_name,
)
from abutment.baselines.migration.lines import Digest
from abutment.baselines.migration.mutation import BATCH
from abutment.baselines.plan import Plan
from abutment.baselines.receipts import document_digest, render_receipt
from abutment.baselines.streaming import streamed_digest
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.model.reading import Faults
from abutment.sources.file_names import path_named

WAIT = 10.0  # seconds for another writer to finish
_REAL = RealDisk()


def commit(
    root: Path, folder: str, plan: Plan, tools: Mapping[str, str], *, disk: Disk = _REAL, wait: float = WAIT
) -> tuple[str, ...]:
    """Write a plan's documents and its receipt, if it has one; return their paths, relative to the root, sorted.

    `folder` holds the documents; `tools` are the versions (name -> version) that the receipt names. A write
    that was interrupted is carried out first. Raises Refused where a document is not what the plan was made
    upon, NotJudged where the disk refuses or another writer does not finish.
    """
    with _told(folder):
        if plan.nothing and disk.read(root / path_named(folder) / JOURNAL) is None:
            return ()
    with writing(root, folder, disk=disk, wait=wait) as place:
        place.refuse_changed(plan)
        return place.write(_contents(folder, plan, tools))


@contextmanager
def writing(
    root: Path, folder: str, *, disk: Disk = _REAL, wait: float = WAIT, kinds: Iterable[str] = ("receipts",)
) -> Iterator[Place]:
    """Hold the lock on the documents, after a write that was interrupted is carried out; `kinds` are the receipts'.

    Raises Busy where another writer does not finish, and as `commit` does.
    """
    place = Place(root, folder, disk, tuple(kinds))
    with _told(folder):
        place.prepare()
        with disk.lock(place.folder / FOLDER / "lock", wait):
            place.clear()
            place.carry_out()
            place.clear_staged()
            yield place


@contextmanager
def _told(folder: str) -> Iterator[None]:
    """Raise NotJudged where the disk refuses, with the reason and the path."""
    try:
        yield
    except OSError as error:
        message = f"the documents cannot be written: {error.strerror or error} ({error.filename})."
        raise NotJudged(Fault(folder, 0, message)) from error


def finish(root: Path, folder: str, *, disk: Disk = _REAL, wait: float = WAIT) -> bool:
    """Carry out a write that was decided and then interrupted; say whether there was one. Raises as `commit` does.

    Every writing verb does this first: what it plans, and what it refuses, has to rest on what is on the disk.
    """
    with _told(folder):
        if disk.read(root / path_named(folder) / JOURNAL) is None:
            return False
    commit(root, folder, Plan("finish"), {}, disk=disk, wait=wait)
    return True


def _contents(folder: str, plan: Plan, tools: Mapping[str, str]) -> dict[str, bytes]:
    """Return the new bytes by name relative to the folder; nothing for a plan without a change."""
    contents = {_below(folder, change.path): change.after for change in plan.changes}
    if not plan.parts:
        return contents
    receipt = plan.receipt(tools)
    return {**contents, f"receipts/{receipt.file_name}": render_receipt(receipt)}


def _below(folder: str, path: str) -> str:
    name = path.removeprefix(f"{folder}/")
    if name == path:
        raise ValueError(f"{path} is not below {folder}")
    return name


class Place:
    """The documents' folder on a disk, while the lock on it is held."""

    def __init__(self, root: Path, folder: str, disk: Disk, kinds: tuple[str, ...]) -> None:
        self.folder, self.disk = root / path_named(folder), disk
        self._root, self._name, self._kinds = root, folder, kinds

    def prepare(self) -> None:
        """Make the folders that a write needs; raises Refused where a link leads out of the project."""
        for path in (self.folder, *(self.folder / name for name in (FOLDER, *self._kinds))):
            if not path.resolve().is_relative_to(self._root.resolve()):
                raise Refused(Fault(self._name, 0, f"{path} leads out of the project; nothing is written there."))
            self.disk.make_directory(path)

    def clear(self) -> None:
        """Take away what a killed writer left half-written, and see to it that git ignores the folder."""
        names = self._remove(".tmp")
        if ".gitignore" not in names:
            self._put(self.folder / FOLDER / ".gitignore", b"*\n")

    def clear_staged(self) -> None:
        """Take away what was staged and never decided; what a journal waits for stays."""
        if self.disk.read(self.folder / JOURNAL) is None:
            self._remove(STAGED)

    def carry_out(self) -> None:
        """Apply the journal, if there is one, and take it away; raises NotJudged where it must not be used."""
        path = f"{self._name}/{JOURNAL}"
        data = self.disk.read(self.folder / JOURNAL)
        if data is None:
            return
        faults = Faults()
        files = read_journal(path, data, faults)
        found = {file.name: streamed_digest(self.disk, self.folder / file.name) for file in files}
        faults.found += overtaken(path, self._name, files, found)
        waiting = [file for file in files if file.staged and found[file.name] != file.staged]
        faults.found += self._lost(path, waiting)
        faults.raise_if_any()
        for file in files:
            if file in waiting:
                self.disk.rename(self.folder / staged_name(file.staged), self.folder / file.name)
            elif not file.staged and self.disk.read(self.folder / file.name) != file.after:
                self._put(self.folder / file.name, file.after)
        self._sync(files)
        self.disk.remove(self.folder / JOURNAL)
        self.disk.sync(self.folder / FOLDER)

    def refuse_changed(self, plan: Plan) -> None:
        """Raise Refused where a document is not what the plan was made upon."""
        changed = [
            Fault(path, 0, "was changed while this command was running; nothing was written.", "Run the command again.")
            for path, digest in plan.basis
            if document_digest(self.disk.read(self._root / path_named(path))) != digest
        ]
        if changed:
            raise Refused(changed)

    def write(self, contents: Mapping[str, bytes]) -> tuple[str, ...]:
        """Write these files (name -> bytes) in one step; return their paths."""
        return self.decide(Decided(name, self._digest(name), contents[name]) for name in sorted(contents))

    def stage(self, name: str, lines: Iterable[bytes]) -> Decided:
        """Let the new contents of a file wait on the medium, and return what would be decided of it."""
        draft = self.folder / FOLDER / "stage.tmp"
        digest = Digest()
        self.disk.write_pieces(draft, _batches(digest.passing(lines)))
        self.disk.rename(draft, self.folder / staged_name(digest.hex))
        return Decided(name, self._digest(name), staged=digest.hex)

    def decide(self, files: Iterable[Decided]) -> tuple[str, ...]:
        """Give all these files their new contents in one step, receipts after what they tell of; return their paths."""
        decided = sorted(files, key=lambda file: ("/" in file.name, file.name))
        if not decided:
            return ()
        self._put(self.folder / JOURNAL, render_journal(decided))
        self.disk.sync(self.folder / FOLDER)
        self.carry_out()
        return tuple(f"{self._name}/{file.name}" for file in decided)

    def _digest(self, name: str) -> str | None:
        return streamed_digest(self.disk, self.folder / name)

    def _lost(self, journal: str, files: Iterable[Decided]) -> Iterator[Fault]:
        for file in files:
            if self._digest(staged_name(file.staged)) != file.staged:
                what = f"what an interrupted write has decided is not there any more ({journal})."
                remedy = "Restore the documents from version control, delete the journal and repeat the command."
                yield Fault(f"{self._name}/{file.name}", 0, what, remedy)

    def _remove(self, ending: str) -> list[str]:
        ours = self.folder / FOLDER
        names = self.disk.names(ours)
        for name in names:
            if name.endswith(ending):
                self.disk.remove(ours / name)
        return names

    def _put(self, target: Path, data: bytes) -> None:
        """Give a file these contents in one step: it is written under another name beside the journal first."""
        draft = self.folder / FOLDER / f"{target.name}.tmp"
        self.disk.write(draft, data)
        self.disk.rename(draft, target)

    def _sync(self, files: Iterable[Decided]) -> None:
        for folder in sorted({(self.folder / file.name).parent for file in files} | {self.folder}):
            self.disk.sync(folder)


def _batches(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines joined with their ends, so many at once that writing costs little and holds little."""
    waiting = iter(lines)
    while some := list(islice(waiting, BATCH)):
        yield b"".join(line + b"\n" for line in some)
