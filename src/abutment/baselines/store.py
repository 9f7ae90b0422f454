"""How do documents get written? All old or all new, whatever happens meanwhile. Nothing else writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from abutment.baselines.disk import Disk, RealDisk
from abutment.baselines.journal import FOLDER, JOURNAL, Decided, overtaken, read_journal, render_journal
from abutment.baselines.plan import Plan
from abutment.baselines.receipts import document_digest, render_receipt
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.model.reading import Faults

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
    place = _Place(root, folder, disk)
    with _told(folder):
        if plan.nothing and disk.read(place.folder / JOURNAL) is None:
            return ()
        place.prepare()
        with disk.lock(place.folder / FOLDER / "lock", wait):
            place.clear()
            place.carry_out()
            place.refuse_changed(plan)
            return place.write(_contents(folder, plan, tools))


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
        if disk.read(root / folder / JOURNAL) is None:
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


class _Place:
    """The documents' folder on a disk."""

    def __init__(self, root: Path, folder: str, disk: Disk) -> None:
        self.folder = root / folder
        self._root, self._name, self._disk = root, folder, disk

    def prepare(self) -> None:
        """Make the folders that a write needs; raises Refused where a link leads out of the project."""
        for path in (self.folder, self.folder / FOLDER, self.folder / "receipts"):
            if not path.resolve().is_relative_to(self._root.resolve()):
                raise Refused(Fault(self._name, 0, f"{path} leads out of the project; nothing is written there."))
            self._disk.make_directory(path)

    def clear(self) -> None:
        """Take away what a killed writer left half-written, and see to it that git ignores the folder."""
        ours = self.folder / FOLDER
        names = self._disk.names(ours)
        for name in names:
            if name.endswith(".tmp"):
                self._disk.remove(ours / name)
        if ".gitignore" not in names:
            self._put(ours / ".gitignore", b"*\n")

    def carry_out(self) -> None:
        """Apply the journal, if there is one, and take it away; raises NotJudged where it must not be used."""
        path = f"{self._name}/{JOURNAL}"
        data = self._disk.read(self.folder / JOURNAL)
        if data is None:
            return
        faults = Faults()
        files = read_journal(path, data, faults)
        found = self._found(file.name for file in files)
        faults.found += overtaken(path, self._name, files, found)
        faults.raise_if_any()
        for file in files:
            if found.get(file.name) != file.after:
                self._put(self.folder / file.name, file.after)
        self._sync()
        self._disk.remove(self.folder / JOURNAL)
        self._disk.sync(self.folder / FOLDER)

    def refuse_changed(self, plan: Plan) -> None:
        """Raise Refused where a document is not what the plan was made upon."""
        changed = [
            Fault(path, 0, "was changed while this command was running; nothing was written.", "Run the command again.")
            for path, digest in plan.basis
            if document_digest(self._disk.read(self._root / path)) != digest
        ]
        if changed:
            raise Refused(changed)

    def write(self, contents: Mapping[str, bytes]) -> tuple[str, ...]:
        """Write these files (name -> bytes) in one step; return their paths."""
        if not contents:
            return ()
        found = self._found(contents)
        decided = [Decided(name, document_digest(found.get(name)), contents[name]) for name in sorted(contents)]
        self._put(self.folder / JOURNAL, render_journal(decided))
        self._disk.sync(self.folder / FOLDER)
        self.carry_out()
        return tuple(f"{self._name}/{file.name}" for file in decided)

    def _found(self, names: Iterable[str]) -> dict[str, bytes]:
        contents = {name: self._disk.read(self.folder / name) for name in names}
        return {name: data for name, data in contents.items() if data is not None}

    def _put(self, target: Path, data: bytes) -> None:
        """Give a file these contents in one step: it is written under another name beside the journal first."""
        draft = self.folder / FOLDER / f"{target.name}.tmp"
        self._disk.write(draft, data)
        self._disk.rename(draft, target)

    def _sync(self) -> None:
        self._disk.sync(self.folder)
        self._disk.sync(self.folder / "receipts")
