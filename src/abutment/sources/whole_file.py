"""How does a file get new contents all at once, so that a reader sees the old ones or the new ones and never a half?

What is new is written beside it under a name of its own, and then takes its place by one rename. A writer that was
killed leaves such a file behind; the next one that writes the same file removes it.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_ABANDONED = 3_600.0  # seconds after which a half-written file is nobody's, where locks cannot tell


def _nothing() -> None:
    return None


def put_whole(place: Path, data: bytes, last: Callable[[], None] = _nothing) -> None:
    """Give the file these bytes, and keep its mode where it is there; raises OSError where that fails.

    `last` is called when all is ready, and may still raise to leave everything as it was.
    """
    put_pieces(place, (data,), last)


def put_pieces(
    place: Path, pieces: Iterable[bytes], last: Callable[[], None] = _nothing, mode: int | None = None
) -> None:
    """Do the same with bytes that come piece by piece; a `mode` is given to the file in the end."""
    _remove_abandoned(place)
    beside = place.with_name(f".{place.name}.{secrets.token_hex(6)}.tmp")
    try:
        beside.touch(exist_ok=False)
        with _held(beside):
            with suppress(FileNotFoundError):
                beside.chmod(stat.S_IMODE(place.stat().st_mode))
            _write(beside, pieces)
            if mode is not None:
                beside.chmod(mode)
            last()
            beside.replace(place)
    except BaseException:
        with suppress(FileNotFoundError):
            beside.unlink()
        raise
    _sync_folder(place.parent)


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("r+b") as handle:
        for piece in pieces:
            handle.write(piece)
        handle.flush()
        os.fsync(handle.fileno())


def _remove_abandoned(place: Path) -> None:
    for path in _left_beside(place):
        if _is_abandoned(path):
            with suppress(OSError):  # another one removes it, too; or it is open, where that keeps it
                path.unlink()


def _left_beside(place: Path) -> Iterator[Path]:
    ours = re.compile(rf"\.{re.escape(place.name)}\.[0-9a-f]{{12}}\.tmp")
    with os.scandir(place.parent) as entries:
        yield from [place.with_name(entry.name) for entry in entries if ours.fullmatch(entry.name)]


# A writer holds a lock on its own file; the system frees it when the process ends, however it ends.
if sys.platform == "win32":

    @contextmanager
    def _held(_path: Path) -> Iterator[None]:
        yield  # a file that somebody has open could not be renamed there

    def _is_abandoned(path: Path) -> bool:
        return path.stat().st_mtime < time.time() - _ABANDONED

else:

    @contextmanager
    def _held(path: Path) -> Iterator[None]:
        import fcntl

        descriptor = os.open(path, os.O_RDONLY)
        try:
            with suppress(OSError):  # of a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(descriptor)

    def _is_abandoned(path: Path) -> bool:
        import fcntl

        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        else:
            return True
        finally:
            os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and a rename needs no second step
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
