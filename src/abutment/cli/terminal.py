"""How does text reach the user? Violations on stdout, progress and complaints on stderr, and files whole."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.whole_file import put_whole


class Streams:
    """The two standard streams, tolerant of a reader that has left, or that never was there."""

    def emit(self, text: str) -> None:
        """Write text to stdout as UTF-8; a closed pipe is no fault of ours and stays silent.

        Raises NotJudged where it cannot be written for another cause, such as a full disk.
        """
        try:
            _write(sys.stdout, text)
        except BrokenPipeError:
            self.silence()
        except OSError as error:
            raise NotJudged(Fault("", 0, f"standard output cannot be written: {error.strerror or error}.")) from error

    def complain(self, lines: Iterable[str]) -> None:
        """Write lines to stderr; where that cannot be written, nobody is left to tell."""
        with contextlib.suppress(OSError):
            _write(sys.stderr, "".join(f"{line}\n" for line in lines))

    def silence(self) -> None:
        """Point stdout at nothing, so that the interpreter's own flush at exit does not complain."""
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(stream: object, text: str) -> None:
    """Write text under any locale: a report is UTF-8, whatever LC_ALL says."""
    if stream is None:  # what Python makes of a stream that was closed before it began
        return
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)  # type: ignore[attr-defined]  # a test's StringIO has no buffer
        return
    stream.flush()  # type: ignore[attr-defined]  # every text stream with a buffer has it
    buffer.write(text.encode("utf-8", "backslashreplace"))
    buffer.flush()


def write_whole(path: Path, text: str) -> None:
    """Write a report file all at once; raises NotJudged where that fails."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            path.write_bytes(data)  # `/dev/stdout` and its like: a rename would put a file in their place
        else:
            put_whole(path, data)
    except OSError as error:
        raise NotJudged(Fault(str(path), 0, f"cannot be written: {error.strerror or error}.")) from error


def stdout_is_terminal() -> bool:
    """Say whether a person reads stdout directly."""
    return sys.stdout is not None and sys.stdout.isatty()


def wants_colour(stream_is_terminal: bool, environment: dict[str, str] | None = None) -> bool:
    """Say whether to colour: only on a terminal, never with NO_COLOR set or TERM=dumb."""
    env = os.environ if environment is None else environment
    return stream_is_terminal and not env.get("NO_COLOR") and env.get("TERM") != "dumb"
