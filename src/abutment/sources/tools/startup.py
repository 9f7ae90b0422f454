"""How is the judged code asked what its import loads and leaves alive, and is the answer its own?

Each question runs in a process of its own, in an environment that is the same on every machine: nothing of ours but
what a program needs to be found. Whatever the code prints, the answer is believed only where it bears the number of
its request and its own length; a process that ended before it answered has found nothing.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tools.output import Output, run_tool

CHILD = Path(__file__).with_name("startup_child.py")
MAGIC = b"abutment-startup-1"
# What a program needs to be found and to find its libraries.
KEPT = ("PATH", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
FIXED = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1", "LANG": "C.UTF-8", "TZ": "UTC"}
T = TypeVar("T")
_SHOWN = 300  # letters of what an exception says
_HOMES = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that ended what was asked."""

    type: str
    text: str
    lost: str  # the module that a ModuleNotFoundError is about
    circular: bool  # whether it is what an import in the wrong order ends with

    @property
    def words(self) -> str:
        """How it reads on one line."""
        said = " ".join(f"{self.type}: {self.text}".split()).rstrip(":. ")
        return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


@dataclass(frozen=True, slots=True)
class Alive:
    """Something that did not end."""

    kind: str  # "thread", "process", "socket", "file", "task"
    name: str  # as the code or the system calls it
    stack: tuple[tuple[str, int], ...] = ()  # where it was started, as far as that is known: file and line


@dataclass(frozen=True, slots=True, order=True)
class Loaded:
    """One module that was loaded."""

    name: str
    file: str  # absolute; "" for one without
    standard: bool  # whether it is part of Python


@dataclass(frozen=True, slots=True)
class Answer:
    """What one process found: of that what was asked."""

    seconds: float = 0.0  # how long the process took
    raised: Raised | None = None
    python: str = ""
    unseen: tuple[str, ...] = ()  # kinds of what is alive that cannot be seen on this system
    known: frozenset[str] = frozenset()  # modules that were there before
    loaded: tuple[Loaded, ...] = ()
    importers: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # of a module: who imported it first, where
    alive: tuple[Alive, ...] = ()
    failed: str = ""  # the module that could not be imported in this order
    components: tuple[str, ...] | None = None
    reached: bool = True  # whether what was to fail was called


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The interpreter of the judged project, and around it what the judged code sees."""

    command: tuple[str, ...]
    folder: Path  # the root of the project: the working directory
    path: tuple[str, ...] = ()  # folders in front of its `sys.path`, absolute
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 60.0
    caches: str = ""  # a folder for compiled code; "" where none is written

    def ask(self, ask: str, **request: str) -> Answer:
        """Return what a fresh process answers; raises NotJudged where it does not, or not as it should."""
        with tempfile.TemporaryDirectory(prefix="abutment-") as room:
            number, paths = secrets.token_hex(16), (Path(room, "request"), Path(room, "answer"))
            told = {"ask": ask, "number": number, "answer": text_of_path(paths[1]), "path": os.pathsep.join(self.path)}
            told.update(request)
            paths[0].write_text("".join(f"{key}={value}\n" for key, value in told.items()), "utf-8", "surrogateescape")
            began = time.perf_counter()
            ended = run_tool(
                _said(request),
                (*self.command, text_of_path(CHILD), text_of_path(paths[0])),
                self.folder,
                seconds=self.seconds,
                environment=self._around(room),
            )
            took = time.perf_counter() - began
            return replace(read_answer(ended, _content(paths[1]), number), seconds=took)

    @contextmanager
    def with_caches(self) -> Iterator[Interpreter]:
        """Give the interpreter a folder for compiled code, as it has one in use; nothing is written to the project."""
        with tempfile.TemporaryDirectory(prefix="abutment-") as folder:
            yield replace(self, caches=folder)

    def _around(self, room: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        compiled = {"PYTHONPYCACHEPREFIX": self.caches} if self.caches else {"PYTHONDONTWRITEBYTECODE": "1"}
        return {**kept, **FIXED, **compiled, **dict.fromkeys(_HOMES, room), **self.environment}


def _said(request: Mapping[str, str]) -> str:
    about = request.get("modules") or request.get("call") or request.get("start")
    return f"the process that runs {about}" if about else "the interpreter"


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def read_answer(ended: Output, content: bytes | None, number: str) -> Answer:
    """Return what a process has answered; `content` is its file, None where it wrote none.

    Raises NotJudged unless the process ended as it does after it has answered, and the answer is whole and its own.
    """
    ended.require_status(0)
    if content is None:
        raise ended.fault("ended without an answer.", "See what in the code ends the process (`os._exit`).")
    head, _, body = content.partition(b"\n")
    if head != b"%s %s %d" % (MAGIC, number.encode(), len(body)):
        raise ended.fault("gave an answer that is not whole, or not its own.", "See what in the code writes to it.")
    try:
        return _answer(literal_eval(body.decode("ascii")))
    except (ValueError, TypeError, SyntaxError, KeyError, AttributeError, RecursionError, MemoryError) as error:
        raise ended.fault("gave an answer that is not understood.", "Name an interpreter by `command`.") from error


def _answer(row: dict[str, Any]) -> Answer:
    components = row.get("components")
    return Answer(
        raised=_raised(**row["raised"]) if "raised" in row else None,
        python=_of(str, row.get("python", "")),
        unseen=_texts(row.get("unseen", [])),
        known=frozenset(_texts(row.get("known", []))),
        loaded=tuple(sorted(_loaded(*_of(list, one)) for one in row.get("loaded", []))),
        importers={
            _of(str, name): (_of(str, who), _of(int, at)) for name, (who, at) in row.get("importers", {}).items()
        },
        alive=tuple(_alive(*_of(list, one)) for one in row.get("alive", [])),
        failed=_of(str, row.get("failed", "")),
        components=None if components is None else _texts(components),
        reached=_of(bool, row.get("reached", True)),
    )


def _of(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_of(str, one) for one in _of(list, value))


def _raised(type: str, text: str, lost: str, circular: bool) -> Raised:
    return Raised(_of(str, type), _of(str, text), _of(str, lost), _of(bool, circular))


def _loaded(name: str, file: str, standard: bool) -> Loaded:
    return Loaded(_of(str, name), _of(str, file), _of(bool, standard))


def _alive(kind: str, name: str, stack: list[Any]) -> Alive:
    return Alive(_of(str, kind), _of(str, name), tuple((_of(str, file), _of(int, line)) for file, line in stack))


def path_below(folder: Path, file: str) -> str:
    """Return the path of a file relative to a folder and "/"-separated; "" for one that lies outside."""
    real, root = Path(os.path.realpath(path_named(file))), Path(os.path.realpath(folder))
    return text_of_path(real.relative_to(root).as_posix()) if real.is_relative_to(root) else ""
