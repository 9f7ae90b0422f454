"""Where does wait what is too much for memory? Lines in temporary files, sorted or as they came."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from heapq import merge
from itertools import islice
from typing import IO

RUN = 5_000  # lines that are sorted in memory at once
_MOST_RUNS = 64  # files that are open at once


class Spool:
    """Lines that are written once and read as often as somebody asks; none of them is kept in memory."""

    _file: IO[bytes]

    def __init__(self) -> None:
        self.count = 0
        self._at_end = True

    def __enter__(self) -> Spool:
        self._file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_how: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; the lines are gone."""
        self._file.close()

    def put(self, lines: Iterable[bytes]) -> Spool:
        """Append lines, each without its end; return the spool itself."""
        for line in lines:
            if not self._at_end:
                self._file.seek(0, 2)
                self._at_end = True
            self._file.write(line + b"\n")
            self.count += 1
        return self

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines from the first. Two readers at once do not disturb each other."""
        at = 0
        while True:
            self._at_end = False
            self._file.seek(at)
            some = list(islice(self._file, 256))
            if not some:
                return
            at = self._file.tell()
            yield from (line[:-1] for line in some)


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
