"""By which single steps do documents reach the disk? Each is one method, so that a test can stop before any of them."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from abutment.errors import Busy, NotJudged
from abutment.model.fault import Fault
from abutment.sources.plain_file import content, opened

_PAUSE = 0.02  # seconds between two attempts at the lock


class Disk(Protocol):
    """The steps that the store takes. All raise OSError where the system refuses."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's bytes, or None where there is none."""

    def lines(self, path: Path) -> Iterator[bytes]:
        """Yield a file's lines with their ends, none of them kept; raises FileNotFoundError where there is none."""

    def names(self, directory: Path) -> list[str]:
        """Return the names in a directory, sorted."""

    def make_directory(self, path: Path) -> None:
        """Make a directory and those above it, where they are not there."""

    def write(self, path: Path, data: bytes) -> None:
        """Write a file that is not there yet, down to the medium."""

    def write_pieces(self, path: Path, pieces: Iterable[bytes]) -> None:
        """Write a file that is not there yet, piece by piece, down to the medium."""

    def rename(self, source: Path, target: Path) -> None:
        """Give a file another name in one step, in the place of whatever has that name, with the mode of that."""

    def remove(self, path: Path) -> None:
        """Take a file away."""

    def sync(self, directory: Path) -> None:
        """Bring a directory's entries down to the medium."""

    def lock(self, path: Path, seconds: float) -> AbstractContextManager[None]:
        """Hold the lock; raises Busy where another process holds it all that time."""


class RealDisk:
    """The disk itself."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's bytes, or None where there is none."""
        try:
            return content(path)
        except FileNotFoundError:
            return None

    def lines(self, path: Path) -> Iterator[bytes]:
        """Yield a file's lines with their ends, none of them kept; raises FileNotFoundError where there is none."""
        with opened(path) as handle:
            yield from handle

    def names(self, directory: Path) -> list[str]:
        """Return the names in a directory, sorted."""
        return sorted(entry.name for entry in directory.iterdir())

    def make_directory(self, path: Path) -> None:
        """Make a directory and those above it, where they are not there."""
        path.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """Write a file that is not there yet (so no link is followed), down to the medium."""
        self.write_pieces(path, (data,))

    def write_pieces(self, path: Path, pieces: Iterable[bytes]) -> None:
        """Write a file that is not there yet, piece by piece, down to the medium; nothing is left where that fails."""
        with _named(path), path.open("xb") as handle:
            try:
                for piece in pieces:
                    handle.write(piece)
                handle.flush()
                os.fsync(handle.fileno())
            except (OSError, NotJudged):
                path.unlink()
                raise

    def rename(self, source: Path, target: Path) -> None:
        """Give a file another name in one step, in the place of whatever has that name, with the mode of that."""
        with suppress(FileNotFoundError):
            source.chmod(stat.S_IMODE(target.stat().st_mode))
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Take a file away."""
        path.unlink()

    def sync(self, directory: Path) -> None:
        """Bring a directory's entries down to the medium; Windows has no such step."""
        if sys.platform != "win32":
            descriptor = os.open(directory, os.O_RDONLY)
            try:
                with _named(directory):
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)

    @contextmanager
    def lock(self, path: Path, seconds: float) -> Iterator[None]:
        """Hold the lock; the system frees it when the process ends, however it ends."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        try:
            _acquire(descriptor, path, time.monotonic() + seconds)
            yield
        finally:
            os.close(descriptor)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the path in what the system refuses: of an open file (a full disk, say) it tells the reason alone."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _acquire(descriptor: int, path: Path, until: float) -> None:
    while not _try_lock(descriptor):
        if time.monotonic() >= until:
            raise Busy(
                Fault(
                    "",
                    0,
                    f"another abutment is writing the documents ({path} is locked).",
                    "Try again when it is done.",
                )
            )
        time.sleep(_PAUSE)


if sys.platform == "win32":

    def _try_lock(descriptor: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try_lock(descriptor: int) -> bool:
        import fcntl

        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
