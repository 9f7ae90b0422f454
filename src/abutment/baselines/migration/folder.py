"""What is on the disk that a migration may read, and is it the same as when it was looked at first?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.journal import JOURNAL
from abutment.baselines.migration.documents import FORMATS, Document, Formats
from abutment.baselines.migration.headers import Pairs
from abutment.baselines.migration.levels import Receipts
from abutment.baselines.migration.receipt import FOLDER as MIGRATIONS
from abutment.baselines.streaming import streamed_digest
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault


@dataclass(frozen=True, slots=True)
class Folder:
    """The documents' folder, as a migration reads it."""

    disk: Disk
    root: Path  # of the project
    path: str  # below the root, which is how messages call it
    formats: Formats = FORMATS

    @property
    def place(self) -> Path:
        """Where it is."""
        return self.root / self.path

    @property
    def receipts(self) -> Receipts:
        """Its receipts."""
        return Receipts(self.disk, self.place, self.path)

    def document(self, name: str) -> Document:
        """Return the baseline of that name, whether it is there or not."""
        return Document(self.disk, self.place / name, f"{self.path}/{name}", self.formats)

    def baselines(self) -> tuple[str, ...]:
        """Return the names of the baselines, sorted."""
        return tuple(name for name in self._names(self.place) if name.endswith(".jsonl"))

    def policies(self, gates: Iterable[str]) -> Pairs:
        """Return the name and the digest of the policy of each of these gates; "" of one that is not there."""
        names = (f"{gate}.toml" for gate in sorted(gates))
        return tuple((name, streamed_digest(self.disk, self.place / name) or "") for name in names)

    def refuse_unread(self) -> None:
        """Raise Refused where what the files say is not what abutment sees: a write was interrupted, or as below."""
        self.refuse_leaving()
        if self.disk.read(self.place / JOURNAL) is not None:
            raise Refused(
                Fault(
                    f"{self.path}/{JOURNAL}",
                    0,
                    "a write was interrupted.",
                    "`abutment resolve` carries it out, as every writing verb does.",
                )
            )

    def refuse_leaving(self) -> None:
        """Raise Refused for each document that a link leads out of the project: no other command reads it there."""
        root = os.path.realpath(self.root)
        faults = [
            Fault(path.relative_to(self.root).as_posix(), 0, "leads out of the project; nothing is read there.")
            for path in (self.place, *self._links())
            if not Path(os.path.realpath(path)).is_relative_to(root)
        ]
        if faults:
            raise Refused(faults)

    def _links(self) -> Iterator[Path]:
        for folder in (self.place, self.place / "receipts", self.place / MIGRATIONS):
            yield from (folder / name for name in self._names(folder) if (folder / name).is_symlink())

    def _names(self, folder: Path) -> list[str]:
        try:
            return self.disk.names(folder)
        except FileNotFoundError:
            return []


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Raise NotJudged where the disk does not give what a migration asks for, with the reason."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise NotJudged(Fault(path, 0, f"cannot be read: {error.strerror or error}{where}.")) from error
