"""What is on the disk that a migration may read, and is it the same as when it was looked at first?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.journal import JOURNAL
from abutment.baselines.migration.documents import FORMATS, Document, Formats
from abutment.baselines.migration.headers import Pairs
from abutment.baselines.migration.levels import Receipts
from abutment.baselines.streaming import streamed_digest
from abutment.errors import Refused
from abutment.model.fault import Fault


@dataclass(frozen=True, slots=True)
class Folder:
    """The documents' folder, as a migration reads it."""

    disk: Disk
    place: Path
    path: str  # how messages call it
    formats: Formats = FORMATS

    @property
    def receipts(self) -> Receipts:
        """Its receipts."""
        return Receipts(self.disk, self.place, self.path)

    def document(self, name: str) -> Document:
        """Return the baseline of that name, whether it is there or not."""
        return Document(self.disk, self.place / name, f"{self.path}/{name}", self.formats)

    def baselines(self) -> tuple[str, ...]:
        """Return the names of the baselines, sorted."""
        try:
            names = self.disk.names(self.place)
        except FileNotFoundError:
            return ()
        return tuple(name for name in names if name.endswith(".jsonl"))

    def policies(self, gates: Iterable[str]) -> Pairs:
        """Return the name and the digest of the policy of each of these gates; "" of one that is not there."""
        names = (f"{gate}.toml" for gate in sorted(gates))
        return tuple((name, streamed_digest(self.disk, self.place / name) or "") for name in names)

    def refuse_pending(self) -> None:
        """Raise Refused where a write was interrupted: what the files say is then not what abutment sees."""
        if self.disk.read(self.place / JOURNAL) is not None:
            raise Refused(
                Fault(
                    f"{self.path}/{JOURNAL}",
                    0,
                    "a write was interrupted.",
                    "`abutment resolve` carries it out, as every writing verb does.",
                )
            )
