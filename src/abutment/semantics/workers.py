"""How are many files read by several processes at once?

Each worker is a fresh interpreter that is handed bytes and answers with marshalled meanings. It is started
isolated (`-I -S`): neither the working directory nor the environment decides what it imports, and no state is
forked out of a process that may have threads. A worker that dies makes the whole not judged, never a part of it.
"""

from __future__ import annotations

import marshal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.semantics.work import Task, packed_meaning

_CHUNK_BYTES = 400_000  # about 50 ms of work: long enough to hide the hand-over, short enough to share evenly
_CHUNK_FILES = 64
_SERVE = "import sys; sys.path.append(sys.argv[1]); from abutment.semantics.workers import serve; serve()"


def packed_meanings(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, bytes]]:
    """Yield (number, packed meaning) of every task, in no order; raises NotJudged where a worker is lost."""
    chunks = _Chunks(tasks)
    found: list[tuple[int, bytes]] = []
    lost: list[str] = []
    given = (chunks, found, lost)
    threads = [threading.Thread(target=_employ, args=given, name="employer", daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if lost or len(found) != len(tasks):
        cause = lost[0] if lost else "it gave fewer answers than it was asked for"
        raise NotJudged(Fault("", 0, f"A worker process was lost: {cause}.", "Run again, or with --jobs 1."))
    yield from found


class _Chunks:
    """Tasks in portions, handed out to whoever asks."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._chunks = iter(list(_portions(tasks)))
        self._lock = threading.Lock()

    def next(self) -> list[Task] | None:
        """Return the next portion, None when all are handed out."""
        with self._lock:
            return next(self._chunks, None)


def _portions(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    chunk: list[Task] = []
    size = 0
    for task in tasks:
        chunk.append(task)
        size += len(task[1])
        if size >= _CHUNK_BYTES or len(chunk) == _CHUNK_FILES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _employ(chunks: _Chunks, found: list[tuple[int, bytes]], lost: list[str]) -> None:
    """Run one worker until there is no work left; note why it was lost."""
    worker = None
    try:
        with start() as worker:
            assert worker.stdin and worker.stdout
            while not lost and (chunk := chunks.next()) is not None:
                _send(worker.stdin, marshal.dumps(chunk))
                found.extend(marshal.loads(_receive(worker.stdout)))
    except (OSError, EOFError, ValueError, TypeError) as error:
        ended = f", exit status {worker.returncode}" if worker is not None else ""
        lost.append(f"{type(error).__name__}: {error}{ended}")


def start() -> subprocess.Popen[bytes]:
    """Return a worker that reads tasks from its input and answers on its output."""
    above = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-I", "-S", "-c", _SERVE, above]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def serve() -> None:
    """Answer portions of tasks until the input ends. This is what a worker runs."""
    import gc

    gc.disable()
    while True:
        try:
            tasks: list[Task] = marshal.loads(_receive(sys.stdin.buffer))
        except EOFError:
            return
        _send(sys.stdout.buffer, marshal.dumps([(task[0], packed_meaning(task)) for task in tasks]))


def _send(pipe: IO[bytes], payload: bytes) -> None:
    pipe.write(len(payload).to_bytes(8, "big"))
    pipe.write(payload)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    size = int.from_bytes(_exactly(pipe, 8), "big")
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    found: bytes = pipe.read(size)
    if len(found) != size:
        raise EOFError("the pipe was closed")
    return found
