"""How is code judged that is on no disk: in tests, in editors, in another tool's hands?"""

from __future__ import annotations

from collections.abc import Mapping

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.listing import Listing
from abutment.sources.tree import Entry


class MemoryTree:
    """A tree whose files are the values of a mapping; text stands for its UTF-8 bytes."""

    def __init__(self, files: Mapping[str, bytes | str], links: Mapping[str, str] | None = None) -> None:
        self._files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        self._listing = Listing(self._files, links)

    def list(self, directory: str) -> tuple[Entry, ...]:
        """Return the directory's entries sorted by name; raises NotJudged where there is no such directory."""
        return self._listing.list(directory)

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged where there is no such file."""
        real = self._listing.file(path)
        if real is None:
            raise NotJudged(Fault(path, 0, "there is no such file."))
        return self._files[real]

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path."""
        return self._listing.file(path) is not None

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
        return self._listing.resolve(directory)
