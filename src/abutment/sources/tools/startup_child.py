"""What does importing a module load, and what is alive after it? Asked in a fresh process of the judged project.

Stands alone: any Python from 3.8 on, nothing of Abutment, and before the judged code runs nothing is imported but what
an interpreter has loaded by itself. The request is a file with one `key=value` a line, which is deleted before any
judged code runs. The answer is a file as well, headed by the number of the request and by its own length, so that
nothing that the code prints can be taken for it. The process then ends at once: no handler, thread or finaliser of the
judged code has a say in that.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

TYPE_CHECKING = False  # `typing` would be loaded before the judged code
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    Alive = dict[tuple[Any, ...], list[Any]]  # what tells it apart -> kind, name, where
    Request = dict[str, str]
    Answer = dict[str, Any]

# The judged code may put others in their place.
_EXIT, _OPEN, _WRITE, _CLOSE, _KILL = os._exit, os.open, os.write, os.close, os.kill
_ASCII, _COUNT, _GETPID = ascii, _thread._count, os.getpid
_SLEEP, _CLOCK, _PID, _THREAD = time.sleep, time.monotonic, os.getpid(), _thread.get_ident()

MAGIC = "abutment-startup-1"
SETTLING = 1.0  # seconds in which what is about to end may end
PAUSE = 0.05  # between two looks
DEPTH = 200  # frames of a stack that are told


class InjectedFailure(Exception):
    """What the named step of a start raises in its stead."""


class Failing:
    """Stands in a function's place, and raises."""

    def __init__(self, what: str) -> None:
        self.what, self.reached = what, False

    def __call__(self, *_arguments: object, **_named: object) -> object:
        """Raise, whatever it is given."""
        self.reached = True
        raise InjectedFailure(self.what)


class Importers:
    """Notes who imports a module first; finds none itself."""

    def __init__(self) -> None:
        self.first: dict[str, list[Any]] = {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Note the nearest frame that is not the import system's."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is not None:
            self.first.setdefault(name, [str(frame.f_globals.get("__name__", "")), frame.f_lineno])


class Origins:
    """Notes where in the code threads, programs, files and sockets come from, and holds none of them."""

    def __init__(self) -> None:
        self.stacks: dict[Any, list[Any]] = {}

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Hear of everything that Python audits (PEP 578)."""
        try:
            key = self._key(event, arguments)
        except Exception:
            return  # what the code has made of it is told by nobody
        if key is not None:
            self.stacks[key] = _stack(sys._getframe(1))

    def _key(self, event: str, arguments: tuple[Any, ...]) -> Any:
        if event in ("_thread.start_new_thread", "_thread.start_joinable_thread"):
            return "thread", id(arguments[0].__self__)
        if event == "subprocess.Popen":
            return "process", os.path.basename(os.fsdecode(arguments[0] or arguments[1][0]))
        if event in ("socket.bind", "socket.connect"):
            return "socket", arguments[0].fileno()
        if event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith((".py", ".pyc")):
            return "file", os.path.abspath(arguments[0])
        return None

    def of(self, kind: str, key: object) -> list[Any]:
        """Return where something was started: files and lines, innermost first."""
        return self.stacks.get((kind, key), [])


_ORIGINS = Origins()


# ---- what is alive


def alive() -> Alive:
    """Return what is alive, each by what tells it apart, as [kind, name, where]."""
    return {**_threads(), **_processes(), **_handles()}


def _threads() -> Alive:
    known = getattr(sys.modules.get("threading"), "_active", {})
    found: Alive = {}
    for ident, frame in sys._current_frames().items():
        if ident != _THREAD:
            one = known.get(ident)
            where = _ORIGINS.of("thread", id(one)) + _stack(frame)
            found["thread", ident] = ["thread", str(getattr(one, "name", "unnamed")), where]
    for number in range(len(found), _COUNT()):  # those that run no Python
        found["thread", "unseen", number] = ["thread", "unnamed", []]
    return found


def _stack(frame: FrameType | None) -> list[Any]:
    places: list[Any] = []
    while frame is not None and len(places) < DEPTH:
        places.append([frame.f_code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return places


def _processes() -> Alive:
    """Return the processes that this one started and that have not ended, and what those started in its session."""
    found: Alive = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self/fd") else ():
        if name.isdigit() and int(name) != _PID:
            state, parent, session = _status(name)
            if state not in "ZX" and _PID in (parent, session):
                program = _program(name)
                found["process", int(name)] = ["process", program, _ORIGINS.of("process", program)]
    return found


def _status(pid: str) -> tuple[str, int, int]:
    try:
        with open("/proc/" + pid + "/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
        return words[0].decode(), int(words[1]), int(words[3])
    except (OSError, ValueError, IndexError):
        return "X", 0, 0  # it has ended meanwhile


def _program(pid: str) -> str:
    try:
        with open("/proc/" + pid + "/cmdline", "rb") as file:
            return os.path.basename(file.read().split(b"\0")[0].decode("utf-8", "replace")) or "unnamed"
    except OSError:
        return "unnamed"


def _handles() -> Alive:
    """Return the open files and sockets."""
    found: Alive = {}
    for name in os.listdir(_handles_folder()) if _handles_folder() else ():
        try:
            about = os.fstat(int(name))
            kind = "socket" if about.st_mode & 0o170000 == 0o140000 else "file"
            what = _socket_word(int(name)) if kind == "socket" else _file(name)
        except (OSError, ValueError):
            continue  # it was that of the listing itself
        where = _ORIGINS.of(kind, int(name) if kind == "socket" else what)
        found[kind, int(name), about.st_dev, about.st_ino] = [kind, what, where]
    return found


def _handles_folder() -> str:
    return next((folder for folder in ("/proc/self/fd", "/dev/fd") if os.path.isdir(folder)), "")


def _file(name: str) -> str:
    try:
        return os.readlink("/proc/self/fd/" + name)
    except OSError:
        return "unnamed"


def _socket_word(number: int) -> str:
    import _socket

    one = _socket.socket(fileno=os.dup(number))
    try:
        family = {getattr(_socket, "AF_UNIX", -1): "unix"}.get(one.family, "")
        word = family or {_socket.SOCK_STREAM: "tcp", _socket.SOCK_DGRAM: "udp"}.get(one.type & 0xF, "socket")
        if one.getsockopt(_socket.SOL_SOCKET, getattr(_socket, "SO_ACCEPTCONN", 30)):
            return word + " listening"
        one.getpeername()
        return word + " connected"
    except OSError:
        return word
    finally:
        one.close()


def left_alive(before: Alive) -> list[Any]:
    """Return what was not alive before and does not end by itself in a moment."""
    import gc

    if _GETPID() != _PID:
        _EXIT(0)  # the code has forked, and this is the copy
    gc.collect()
    end = _CLOCK() + SETTLING
    while True:
        _SLEEP(PAUSE)  # also before the first look: what was started a moment ago may not have begun
        now = alive()
        left = [now[key] for key in sorted(now.keys() - before.keys(), key=str)]
        if not left or _CLOCK() > end:
            return left


# ---- what is asked


def bare(_request: Request) -> Answer:
    """Return which interpreter this is."""
    unseen = [] if os.path.isdir("/proc/self/fd") else ["process"]
    unseen += [] if _handles_folder() else ["file", "socket"]
    return {"python": f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}", "unseen": unseen}


def load(request: Request) -> Answer:
    """Import one module; return what was there, what was loaded, by whom, and what is alive."""
    importers = Importers()
    sys.addaudithook(_ORIGINS)
    known, before = set(sys.modules), alive()
    sys.meta_path.insert(0, importers)
    _imported(request["modules"])
    if importers in sys.meta_path:
        sys.meta_path.remove(importers)
    now = list(sys.modules.items())
    loaded = [_described(str(name), one) for name, one in now if name not in known and _ran(one)]
    return {"known": sorted(known), "loaded": loaded, "importers": importers.first, "alive": left_alive(before)}


def _described(name: str, module: object) -> list[Any]:
    origin = _origin(module)
    inside = origin.startswith(os.path.dirname(os.__file__)) and "-packages" not in origin
    standard = inside or name.partition(".")[0] in getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    return [name, origin, standard]


def _ran(module: object) -> bool:
    """Say whether a module's code has run: one that waits for its first use has not."""
    return module is not None and type(module).__name__ != "_LazyModule"


def _origin(module: object) -> str:
    origin = getattr(module, "__file__", None)
    return origin if isinstance(origin, str) else ""


def order(request: Request) -> Answer:
    """Import modules one after the other; return which could not be, and why."""
    for name in request["modules"].split(","):
        try:
            _imported(name)
        except Exception as error:
            return {"failed": name, "raised": _told(error)}
    return {"failed": ""}


def only(request: Request) -> Answer:
    """Import modules, for their time alone."""
    for name in filter(None, request["modules"].split(",")):
        _imported(name)
    return {}


def call(request: Request) -> Answer:
    """Call something; return what is alive after it that was not after its module was imported."""
    sys.addaudithook(_ORIGINS)
    made = _named(request["call"])
    before = alive()
    kept = made()
    left = left_alive(before)
    del kept
    return {"alive": left}


def life(request: Request) -> Answer:
    """Start and stop; return the components that were started, and what is alive after the end."""
    sys.addaudithook(_ORIGINS)
    start, stop = _named(request["start"]), _named(request["stop"]) if request["stop"] else None
    started = _named(request["started"]) if request["started"] else None
    failing = _injected(request["fail"]) if request["fail"] else None
    before = alive()
    answer: Answer = {"components": None, "alive": []}
    try:
        _lived(start(), stop, started, answer)
    except BaseException:
        if failing is None or not failing.reached:
            raise
    answer["reached"] = failing is None or failing.reached
    answer["alive"] = answer["alive"] + left_alive(before)
    return answer


def _injected(place: str) -> Failing:
    module, _, path = place.partition(":")
    owner = _named(module + ":" + path.rpartition(".")[0]) if "." in path else _imported(module)
    getattr(owner, path.rpartition(".")[2])  # what is not there cannot fail
    failing = Failing(place)
    setattr(owner, path.rpartition(".")[2], failing)
    return failing


def _lived(made: Any, stop: Any, started: Any, answer: Answer) -> None:
    if hasattr(made, "__await__") or hasattr(made, "__aenter__"):
        import asyncio

        asyncio.run(_lived_on_a_loop(asyncio, made, stop, started, answer))
    elif hasattr(made, "__enter__") and stop is None:
        with made as given:
            answer["components"] = _names(started() if callable(started) else started, given)
    else:
        answer["components"] = _names(started() if callable(started) else started, made)
        if stop is not None:
            stop()


async def _lived_on_a_loop(asyncio: Any, made: Any, stop: Any, started: Any, answer: Answer) -> None:
    try:
        if hasattr(made, "__aenter__") and stop is None:
            async with made as given:
                answer["components"] = _names(started() if callable(started) else started, given)
        else:
            given = await made
            answer["components"] = _names(started() if callable(started) else started, given)
            ended: Any = stop() if stop is not None else None
            if hasattr(ended, "__await__"):
                await ended
    finally:
        answer["alive"] = await _left_tasks(asyncio)


async def _left_tasks(asyncio: Any) -> list[Any]:
    end = _CLOCK() + SETTLING
    while True:
        left = [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]
        if not left or _CLOCK() > end:
            return sorted(["task", _task_name(one), []] for one in left)
        await asyncio.sleep(PAUSE)


def _task_name(task: Any) -> str:
    running = getattr(task.get_coro(), "__qualname__", "")
    return running or task.get_name()


def _names(started: Any, given: Any) -> list[str] | None:
    found = given if started is None else started
    return [str(one) for one in found] if isinstance(found, (list, tuple)) else None


def _named(place: str) -> Any:
    module, _, path = place.partition(":")
    found = _imported(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _imported(name: str) -> Any:
    __import__(name)
    return sys.modules[name]


# ---- how it is answered


def _told(error: BaseException) -> Answer:
    try:
        text = "" if isinstance(error, SystemExit) and error.code is None else str(error)
    except Exception:
        text = "it cannot be shown"
    lost = str(error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    return {"type": type(error).__name__, "text": text, "lost": lost, "circular": _is_circular(error)}


def _is_circular(error: BaseException) -> bool:
    return isinstance(error, ImportError) or (isinstance(error, AttributeError) and "partially init" in str(error))


def _answer(path: str, number: str, what: Answer) -> None:
    body = _ASCII(what).encode("ascii")  # `json` may be the judged code's
    handle = _OPEN(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    rest = f"{MAGIC} {number} {len(body)}\n".encode("ascii") + body
    while rest:
        rest = rest[_WRITE(handle, rest) :]
    _CLOSE(handle)


def _end_what_is_left() -> None:
    for _kind, pid in _processes():
        try:
            _KILL(pid, 9)
        except OSError:
            pass  # it has ended meanwhile


def main() -> None:
    """Answer one request."""
    here = os.path.dirname(os.path.abspath(__file__))  # our neighbours have names of their own
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != here]
    request_path = sys.argv[1]
    with open(request_path, encoding="utf-8") as file:
        request = dict(line.rstrip("\n").split("=", 1) for line in file)
    os.unlink(request_path)
    sys.argv[:] = [""]
    sys.path[:0] = [entry for entry in request["path"].split(os.pathsep) if entry]
    asked = {"bare": bare, "load": load, "order": order, "only": only, "call": call, "life": life}[request["ask"]]
    try:
        answer = asked(request)
    except BaseException as error:
        answer = {"raised": _told(error)}
    if _GETPID() == _PID:  # else it is a copy as well
        _answer(request["answer"], request["number"], answer)
        _end_what_is_left()
    _EXIT(0)


if __name__ == "__main__":
    main()
