"""How does text reach the user? Violations on stdout, progress and complaints on stderr, and files whole."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault


class Streams:
    """The two standard streams, tolerant of a reader that has left."""

    def emit(self, text: str) -> None:
        """Write text to stdout as UTF-8; a closed pipe is no fault of ours and stays silent."""
        try:
            _write(sys.stdout, text)
        except BrokenPipeError:
            self.silence()

    def complain(self, lines: Iterable[str]) -> None:
        """Write lines to stderr."""
        with contextlib.suppress(BrokenPipeError):
            _write(sys.stderr, "".join(f"{line}\n" for line in lines))

    def silence(self) -> None:
        """Point stdout at nothing, so that the interpreter's own flush at exit does not complain."""
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(stream: object, text: str) -> None:
    """Write text under any locale: a report is UTF-8, whatever LC_ALL says."""
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)  # type: ignore[attr-defined]  # a test's StringIO has no buffer
        return
    stream.flush()  # type: ignore[attr-defined]  # every text stream with a buffer has it
    buffer.write(text.encode("utf-8", "backslashreplace"))
    buffer.flush()


def write_whole(path: Path, text: str) -> None:
    """Write a report file all at once (temporary file and rename); raises NotJudged where that fails."""
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as handle:
            handle.write(text.encode("utf-8", "backslashreplace"))
        Path(handle.name).chmod(0o666 & ~_umask())
        Path(handle.name).replace(path)
    except OSError as error:
        raise NotJudged(Fault(str(path), 0, f"cannot be written: {error.strerror or error}.")) from error


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def wants_colour(stream_is_terminal: bool, environment: dict[str, str] | None = None) -> bool:
    """Say whether to colour: only on a terminal, never with NO_COLOR set or TERM=dumb."""
    env = os.environ if environment is None else environment
    return stream_is_terminal and not env.get("NO_COLOR") and env.get("TERM") != "dumb"
