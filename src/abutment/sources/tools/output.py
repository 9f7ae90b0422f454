"""How is another program run, so that a crash, a kill or a cut never reads as an answer?

Without a shell, in the root of the judged project, within a time and a size, and with an environment in which it
neither colours nor wraps. What it printed is believed by nobody before its status and its stderr were looked at.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import bytes_of
from abutment.sources.tools.environment import tool_environment
from abutment.sources.tools.json_text import exact_document

SECONDS = 1_800.0  # mypy on a large codebase, without its cache
BY_HAND = "Run it by hand to see why."  # what to do about an answer that nobody can believe
BYTES = 512 * 1024 * 1024
_ABSENT = re.compile(rb"[^\n]+: No module named [\w.]+")  # all that `python -m` says where there is none
_SHOWN = 300  # letters of what a tool complained about

# For `python -m`, which else looks for the tool, and for each module of the standard library that it imports, in the
# folder that it runs in (3.11 and newer): a `json.py` of the judged project would run in the place of Python's own.
SAFE_PATH = {"PYTHONSAFEPATH": "1"}


@dataclass(frozen=True, slots=True)
class Output:
    """What a program printed, or what a file holds that somebody kept of it."""

    what: str  # how messages name it: "mypy", or the file's name
    stdout: bytes
    stderr: bytes = b""
    status: int | None = None  # negative: the number of the signal that killed it; None where nobody knows
    is_kept: bool = False  # it comes from a file, so that nobody knows what was said on stderr

    def fault(self, message: str, remedy: str = "") -> NotJudged:
        """Return what to raise where the output cannot be believed, with what was complained about on stderr."""
        if _ABSENT.fullmatch(self.stderr.strip()):
            message, remedy = "is not installed there.", "Install it, or name its `command`."
        said = " ".join(self.stderr.decode("utf-8", "replace").split())
        # What is wrong comes last: behind warnings, and at the end of a traceback.
        told = f" It said: {'…' if len(said) > _SHOWN else ''}{said[-_SHOWN:]}" if said else ""
        return NotJudged(Fault("", 0, f"{self.what} {message}{told}", remedy))

    def text(self) -> str:
        """Return what was printed as text with plain line ends; raises NotJudged where it is no UTF-8."""
        try:
            return self.stdout.removeprefix(b"\xef\xbb\xbf").decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise self.fault(f"printed what is no UTF-8, at byte {error.start}.") from error

    def document(self) -> object:
        """Return the JSON document that was printed; raises NotJudged where it is none, or not all of one."""
        text = self.text()
        if not text.strip():
            raise self.fault("printed nothing at all.", BY_HAND)
        try:
            return exact_document(text)
        except ValueError as error:
            raise self.fault("printed what is no JSON, or not all of it.", BY_HAND) from error

    def require_status(self, *good: int) -> None:
        """Raise NotJudged unless the program ended with one of these; one that nobody knows passes."""
        if self.status is None or self.status in good:
            return
        if self.status < 0:
            raise self.fault(f"was killed by {_signal_name(-self.status)}.", BY_HAND)
        raise self.fault(f"ended with status {self.status}: it could not do its work.", BY_HAND)

    def require_agreement(self, number: int, what: str) -> None:
        """Raise NotJudged unless a program that says with status 1 that it found something shows some, and else none.

        `number` is how many it shows of `what`; a status that nobody knows passes.
        """
        if self.status is not None and (self.status == 1) != bool(number):
            raise self.fault(f"ended with status {self.status} and shows {number} {what}.", BY_HAND)

    def require_silence(self) -> None:
        """Raise NotJudged where anything was said on stderr."""
        if self.stderr.strip():
            raise self.fault("complained.", BY_HAND)


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def run_tool(
    what: str,
    command: Sequence[str],
    folder: Path,
    *,
    seconds: float = SECONDS,
    given: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Output:
    """Run a program in a folder and return what it printed.

    The command is text that stands for bytes (`sources/file_names.py`). `given` is added to our environment, in which
    nothing is coloured or wrapped; `environment` takes its place.
    Raises NotJudged where it is not there, does not end in time (it and its children are then killed), or prints more
    than can be right.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaints:
        around = tool_environment(given or {}) if environment is None else environment
        status = _status(what, command, folder, seconds, around, out, complaints)
        stdout, stderr = (_content(what, handle) for handle in (out, complaints))
    return Output(what, stdout, stderr, status)


def _status(
    what: str,
    command: Sequence[str],
    folder: Path,
    seconds: float,
    environment: Mapping[str, str],
    out: IO[bytes],
    complaints: IO[bytes],
) -> int:
    try:
        process = subprocess.Popen(
            _words(command),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=complaints,
            start_new_session=True,
        )
    except OSError as error:
        message = f"cannot be run as `{' '.join(command)}`: {error.strerror or error}."
        raise NotJudged(Fault("", 0, f"{what} {message}", "Install it, or name its `command`.")) from error
    with _killed_at_the_end(process):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            message = f"did not end within {seconds:.0f} seconds."
            raise NotJudged(Fault("", 0, f"{what} {message}", "Give it more time with `seconds`.")) from error


def _words(command: Sequence[str]) -> Sequence[str] | Sequence[bytes]:
    """Return the words as a system takes them: names of files are UTF-8 there, whatever the locale says."""
    return command if os.name == "nt" else [bytes_of(word) for word in command]


class _killed_at_the_end:  # noqa: N801  # it reads as what it does
    """Leaves nothing of a program running: neither where it ended, nor where waiting for it was broken off."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_error: object) -> None:
        _kill_group(self._process.pid)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def _kill_group(number: int) -> None:
    """Kill what a program started, also where the program itself has ended."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(number, signal.SIGKILL)


def _content(what: str, handle: IO[bytes]) -> bytes:
    size = handle.seek(0, os.SEEK_END)
    if size > BYTES:
        raise NotJudged(Fault("", 0, f"{what} printed {size} bytes, more than can be right."))
    handle.seek(0)
    return handle.read()


def read_output(what: str, path: Path, status: int | None) -> Output:
    """Return a file that holds what a program printed; `status` is how it ended, as far as somebody knows.

    Raises NotJudged where it cannot be read.
    """
    try:
        return Output(f"{what} ({path.name})", path.read_bytes(), b"", status, is_kept=True)
    except OSError as error:
        raise NotJudged(Fault(path.name, 0, f"cannot be read: {error.strerror or error}.")) from error


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold something, with their numbers from 1."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line
