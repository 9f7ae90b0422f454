"""A disk that dies: at a chosen step, before it or half-way through it, and is dead from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path

from abutment.baselines.disk import RealDisk


class Killed(BaseException):
    """The process is gone; nothing after this step happens."""


class CrashingDisk:
    """The real disk up to step `at`; `torn` lets a write leave half of its bytes behind."""

    def __init__(self, at: int, *, torn: bool = False) -> None:
        self._disk, self._at, self._torn = RealDisk(), at, torn
        self.steps = 0

    def _step(self) -> None:
        self.steps += 1
        if self.steps >= self._at:
            raise Killed

    def read(self, path: Path) -> bytes | None:
        return self._disk.read(path)

    def lines(self, path: Path) -> Iterator[bytes]:
        return self._disk.lines(path)

    def names(self, directory: Path) -> list[str]:
        return self._disk.names(directory)

    def make_directory(self, path: Path) -> None:
        self._step()
        self._disk.make_directory(path)

    def write(self, path: Path, data: bytes) -> None:
        try:
            self._step()
        except Killed:
            if self._torn and self.steps == self._at:
                self._disk.write(path, data[: len(data) // 2])
            raise
        self._disk.write(path, data)

    def write_pieces(self, path: Path, pieces: Iterable[bytes]) -> None:
        try:
            self._step()
        except Killed:
            if self._torn and self.steps == self._at:
                self._disk.write_pieces(path, islice(pieces, 1))
            raise
        self._disk.write_pieces(path, pieces)

    def rename(self, source: Path, target: Path) -> None:
        self._step()
        self._disk.rename(source, target)

    def remove(self, path: Path) -> None:
        self._step()
        self._disk.remove(path)

    def sync(self, directory: Path) -> None:
        self._step()
        self._disk.sync(directory)

    def lock(self, path: Path, seconds: float) -> AbstractContextManager[None]:
        return self._locked(path, seconds)

    @contextmanager
    def _locked(self, path: Path, seconds: float) -> Iterator[None]:
        self._step()
        with self._disk.lock(path, seconds):
            yield
