"""Where does wait what is too much for memory? Lines in temporary files, sorted or as they came."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from heapq import merge
from itertools import islice
from typing import IO

from abutment.errors import NotJudged
from abutment.model.fault import Fault

RUN = 5_000  # lines that are sorted in memory at once
_MOST_RUNS = 64  # files that are open at once
_BATCH = 128  # lines that are written or read at once


class Spool:
    """Lines that are written once and read as often as somebody asks; none of them is kept in memory."""

    _file: IO[bytes]

    def __init__(self) -> None:
        self.count = 0
        self._at_end = True

    def __enter__(self) -> Spool:
        with _told():
            self._file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_how: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; the lines are gone."""
        with suppress(OSError):  # of a full disk: what was not written yet is not wanted any more
            self._file.close()

    def put(self, lines: Iterable[bytes]) -> Spool:
        """Append lines, each without its end; return the spool itself. Raises NotJudged where there is no room."""
        waiting = iter(lines)
        while some := list(islice(waiting, _BATCH)):
            with _told():
                if not self._at_end:
                    self._file.seek(0, 2)
                    self._at_end = True
                self._file.write(b"\n".join([*some, b""]))
            self.count += len(some)
        return self

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines from the first. Two readers at once do not disturb each other."""
        at = 0
        while some := self._some(at):
            at += sum(map(len, some))
            yield from (line[:-1] for line in some)

    def _some(self, at: int) -> list[bytes]:
        """Return some lines from a place in the file on, with their ends."""
        self._at_end = False
        with _told():
            self._file.seek(at)
            return list(islice(self._file, _BATCH))


@contextmanager
def _told() -> Iterator[None]:
    """Raise NotJudged where the disk has no room for temporary files, with the reason."""
    try:
        yield
    except OSError as error:
        message = f"no temporary file can be written: {error.strerror or error}."
        raise NotJudged(Fault("", 0, message, "Set TMPDIR to a folder that has room.")) from error


def sorted_lines(lines: Iterable[bytes], run: int = RUN) -> Iterator[bytes]:
    """Yield lines in the order of their bytes; none holds a line feed, and no more than `run` are in memory."""
    waiting = iter(lines)
    first = sorted(islice(waiting, run))
    if len(first) < run:
        yield from first
        return
    with ExitStack() as spools:
        runs = [spools.enter_context(Spool()).put(first)]
        while chunk := sorted(islice(waiting, run)):
            runs.append(spools.enter_context(Spool()).put(chunk))
            if len(runs) == _MOST_RUNS:
                runs = [spools.enter_context(Spool()).put(_spent(runs))]
        yield from merge(*runs)


def _spent(runs: list[Spool]) -> Iterator[bytes]:
    """Yield the lines of several sorted spools in order, and give these back."""
    yield from merge(*runs)
    for spool in runs:
        spool.close()
