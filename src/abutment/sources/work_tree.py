"""What is on the disk, below one root and nowhere else?"""

from __future__ import annotations

import errno
import os
import stat
from operator import attrgetter
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import bytes_of, text_of
from abutment.sources.tree import Entry, EntryKind

_BY_NAME = attrgetter("name")
# A pipe that was put in a file's place must not stop us: opening it without waiting lets us see what it is.
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

# What the system says of a path at which there is nothing. Of any other answer nobody knows what is there.
_NOTHING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL})


class WorkTree:
    """The files below a folder. Links are followed as long as they stay inside it."""

    def __init__(self, root: Path) -> None:
        separator = os.fsencode(os.sep)
        self._root = os.path.realpath(os.fsencode(root))
        self._prefix = self._root.rstrip(separator) + separator
        self._inside: dict[str, bool] = {}

    @property
    def root(self) -> Path:
        """The folder itself, with every link on the way resolved."""
        return Path(os.fsdecode(self._root))

    def list(self, directory: str) -> tuple[Entry, ...]:
        """Return the directory's entries sorted by name; raises NotJudged where it cannot be read."""
        self._refuse_outside(directory, directory)
        try:
            with os.scandir(self._real(directory)) as entries:
                found = [self._entry(entry, directory) for entry in entries]
        except OSError as error:
            raise _unreadable(directory, "folder", error) from error
        found.sort(key=_BY_NAME)
        return tuple(found)

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged (a fault with the path) where it cannot be read."""
        self._refuse_outside(path, path.rpartition("/")[0])
        place = self._real(path)
        if os.path.islink(place) and not self._holds(place):  # noqa: PTH114  # a Path for each of 10,000 files costs
            raise _outside(path)
        try:
            descriptor = os.open(place, _OPEN)
            with open(descriptor, "rb") as handle:  # noqa: PTH123  # it is a descriptor
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise NotJudged(Fault(path, 0, "not a regular file.", "Remove it, or leave it out with `exclude`."))
                return handle.read()
        except OSError as error:
            raise _unreadable(path, "file", error) from error

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path; raises NotJudged where a folder on the way cannot be read."""
        place = self._real(path)
        try:
            mode = os.stat(place).st_mode  # noqa: PTH116  # as above
        except OSError as error:
            if error.errno in _NOTHING:
                return False
            raise _unreadable(path, "file", error) from error
        except ValueError:  # no name on any disk holds a NUL
            return False
        return stat.S_ISREG(mode) and self._holds(place)

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
        try:
            found = os.stat(self._real(directory))  # noqa: PTH116  # as above
        except OSError as error:
            raise _unreadable(directory, "folder", error) from error
        return (found.st_dev, found.st_ino)

    def _entry(self, entry: os.DirEntry[bytes], directory: str) -> Entry:
        name = text_of(entry.name)
        if entry.is_file(follow_symlinks=False):
            return Entry(name, EntryKind.FILE)
        if entry.is_symlink():
            return Entry(name, self._kind_of_target(entry.path), linked=True)
        if not entry.is_dir(follow_symlinks=False):
            return Entry(name, EntryKind.OTHER)
        # What is in a directory that is inside, and is no link, is inside: that saves resolving ten thousand paths.
        self._inside[f"{directory}/{name}" if directory else name] = True
        return Entry(name, EntryKind.DIRECTORY)

    def _kind_of_target(self, link: bytes) -> EntryKind:
        try:
            mode = os.stat(link).st_mode  # noqa: PTH116  # as above
        except OSError as error:
            if error.errno in _NOTHING:
                return EntryKind.DANGLING
            # Of what lies behind a folder that may not be entered, reading it says why it cannot be read.
            return EntryKind.FILE if self._holds(link) else EntryKind.OUTSIDE
        if not self._holds(link):
            return EntryKind.OUTSIDE
        if stat.S_ISREG(mode):
            return EntryKind.FILE
        return EntryKind.DIRECTORY if stat.S_ISDIR(mode) else EntryKind.OTHER

    def _refuse_outside(self, path: str, directory: str) -> None:
        if directory not in self._inside:
            self._inside[directory] = self._holds(self._real(directory))
        if not self._inside[directory]:
            raise _outside(path)

    def _holds(self, place: bytes) -> bool:
        real = os.path.realpath(place)
        return real == self._root or real.startswith(self._prefix)

    def _real(self, path: str) -> bytes:
        return self._prefix + bytes_of(path) if path else self._root


def _outside(path: str) -> NotJudged:
    return NotJudged(Fault(path, 0, "a link leads out of the project; it is not followed."))


def _unreadable(path: str, what: str, error: OSError) -> NotJudged:
    return NotJudged(Fault(path or ".", 0, f"the {what} cannot be read: {error.strerror or error}."))
