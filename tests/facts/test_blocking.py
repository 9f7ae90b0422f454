"""What holds the event loop up? What the first users' tool and ruff's ASYNC210-251 find, and what they got wrong."""

from __future__ import annotations

import pytest

from abutment.gates.blocking import GATE
from abutment.gates.blocking_list import BLOCKING, PATH_METHODS
from tests.families import Text, scanned


def calls(text: Text, **table: object) -> list[str]:
    """Return what blocks, as `line function`, with `by helper` where a helper does it."""
    return [
        f"{one.site.line} {one.target.removeprefix('builtins.')}" + (f" by {one.through}" if one.through else "")
        for one in scanned(GATE, text, **table)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import time as t\nasync def f(): t.sleep(1)", ["2 time.sleep"]),
        ("from time import sleep as nap\nasync def f(): nap(1)", ["2 time.sleep"]),
        ("import requests\nasync def f():\n    r = requests\n    g = r.get\n    g('')", ["5 requests.get"]),
        ("import requests\nasync def f():\n    s = requests.Session()\n    s.get('')", ["4 requests.Session.get"]),
        ("import httpx\nasync def f(): httpx.Client().get('')", ["2 httpx.Client.get"]),
        ("import requests\nclass C:\n    async def f(self): self.s.get('')\n"
         "    def __init__(self): self.s = requests.Session()",
         ["3 requests.Session.get"]),
        ("\ufeffimport time\nasync def f(): time.sleep(1)", ["2 time.sleep"]),
        ("import urllib.request\nasync def f(): urllib.request.urlopen('')", ["2 urllib.request.urlopen"]),
        ("import urllib3\nasync def f(): urllib3.PoolManager().request('GET', '')", ["2 urllib3.PoolManager.request"]),
        ("from subprocess import run as r, Popen\nasync def f():\n    r([])\n    p = Popen([])\n    p.wait()",
         ["3 subprocess.run", "4 subprocess.Popen", "5 subprocess.Popen.wait"]),
        ("import os\nasync def f(): os.popen(''); os.system(''); os.spawnl(0, ''); os.waitpid(1, 0)",
         ["2 os.popen", "2 os.system", "2 os.spawnl", "2 os.waitpid"]),
        ("import os\nasync def f(): os.listdir(''); os.remove(''); os.path.exists('')",
         ["2 os.listdir", "2 os.remove", "2 os.path.exists"]),
        ("import os\nasync def f(): os.getcwd(); os.path.join('', ''); os.path.abspath('')", []),  # no file is asked
        ("import shutil as s\nasync def f(): s.copy('', '')", ["2 shutil.copy"]),
        ("async def f():\n    with open('') as h: h.read()", ["2 open"]),
        ("async def f(): input()", ["1 input"]),
        ("import socket\nasync def f():\n    s = socket.socket()\n    s.connect(('', 1))\n    s.recv(1)",
         ["4 socket.socket.connect", "5 socket.socket.recv"]),
        ("import sqlite3\nasync def f():\n    c = sqlite3.connect('')\n    c.cursor().execute('')",
         ["3 sqlite3.connect", "4 sqlite3.connect().cursor().execute"]),
        ("import psycopg2\nasync def f():\n    with psycopg2.connect('') as c, c.cursor() as k: k.execute('')",
         ["3 psycopg2.connect", "3 psycopg2.connect().cursor().execute"]),
        ("from concurrent.futures import Future\nasync def f(x: Future): x.result()",
         ["2 concurrent.futures.Future.result"]),
        ("import ssl\nasync def f():\n    c = ssl.create_default_context()\n"
         "    c.load_cert_chain('')\n    c.wrap_bio(1, 2)",
         ["3 ssl.create_default_context", "4 ssl.create_default_context().load_cert_chain"]),
        ("import asyncio\nasync def f(x: asyncio.Task): x.result()", []),  # gives what is there, and never waits
    ],
)  # fmt: skip
def test_a_blocking_call_is_found_by_its_origin(text: str, expected: list[str]) -> None:
    assert calls(text) == expected


@pytest.mark.parametrize(
    ("call", "blocks"),
    [
        ("threading.Thread().join()", True),
        ("threading.Thread().join(1)", True),
        ("threading.Thread().join(timeout=None)", True),
        ("threading.Thread().join(timeout=p)", True),
        ("threading.Thread().join(0 if p else 1)", True),
        ("threading.Thread().join(0)", False),
        ("threading.Thread().join(timeout=0)", False),
        ("threading.Lock().acquire(False)", False),
        ("threading.Lock().acquire(blocking=False)", False),
        ("queue.Queue().get(block=False)", False),
        ("queue.Queue().get(timeout=1)", True),
        ("ThreadPoolExecutor().shutdown(wait=False, cancel_futures=True)", False),
        ("ThreadPoolExecutor().shutdown(cancel_futures=True)", True),
        ("select.select([], [], [], 0)", False),
        ("select.select([], [], [])", True),
        ("threading.Event().wait(0)", False),
        ("threading.Event().wait(0.0)", False),
        ("threading.Event().wait()", True),
        ("threading.Lock().acquire(True, 0)", False),
        ("threading.Lock().acquire(timeout=0)", False),
        ("threading.Semaphore().acquire(blocking=False)", False),
        ("threading.BoundedSemaphore().acquire()", True),
        ("queue.Queue().get(False)", False),
        ("queue.Queue().get(True, 0)", False),
        ("queue.SimpleQueue().get(False)", False),
        ("queue.SimpleQueue().get()", True),
        ("queue.Queue().put(1)", False),  # most queues have no bound
        ("ThreadPoolExecutor().submit(p).result(timeout=0)", False),
    ],
)
def test_a_call_that_is_told_not_to_wait_does_not_block(call: str, blocks: bool) -> None:
    imports = "import queue, select, threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
    assert bool(calls(f"{imports}async def f(p): {call}")) is blocks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("async def f(p: Path): p.read_text()", ["2 pathlib.Path.read_text"]),
        ("async def f(p: Path): (p / '').exists(); p.parent.mkdir(); Path.cwd().joinpath('').stat()",
         ["2 pathlib.Path.exists", "2 pathlib.Path.mkdir", "2 pathlib.Path.stat"]),
        ("async def f(ps: list[Path]):\n    for p in ps: p.unlink()\n    [p.exists() for p in ps]\n    ps[0].stat()",
         ["3 pathlib.Path.unlink", "4 pathlib.Path.exists", "5 pathlib.Path.stat"]),
        ("from typing import Optional, Annotated\nasync def f(p: Optional[Path], q: Annotated[Path, 1], "
         "r: 'set[Path]'):\n    p.stat(); q.exists()\n    for x in r: x.unlink()",
         ["4 pathlib.Path.stat", "4 pathlib.Path.exists", "5 pathlib.Path.unlink"]),
        ("async def f(p: Path): p.with_suffix(''); p.is_absolute(); p.name.upper(); p.as_posix()", []),
        ("from pathlib import PurePath\nasync def f(p: PurePath): p.exists()", []),
        ("import anyio\nasync def f(): await anyio.Path('').read_text()", []),
    ],
)  # fmt: skip
def test_a_path_is_followed_and_only_the_file_system_blocks(text: str, expected: list[str]) -> None:
    assert calls(f"from pathlib import Path\n{text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(): time.sleep(1)", []),
        ("async def f():\n    async def g(): time.sleep(1)\n    await g()", ["3 time.sleep"]),
        ("def f():\n    async def g(): time.sleep(1)\n    return g", ["3 time.sleep"]),
        ("async def f():\n    def g(): time.sleep(1)\n    return g", []),
        ("async def f():\n    class C:\n        def g(self): time.sleep(1)\n    return C", []),
        ("async def f():\n    class C:\n        x = time.sleep(1)\n    return C", ["4 time.sleep"]),
        ("async def f(): return lambda: time.sleep(1)", []),
        ("async def f(): (lambda: time.sleep(1))()", ["2 time.sleep"]),
        ("async def f(h):\n    h(lambda: time.sleep(1))\n    (lambda: 0)()", []),
        ("async def f(): return [time.sleep(1) for _ in '']", ["2 time.sleep"]),
        ("async def f():\n    def g(x=time.sleep(1)): ...", ["3 time.sleep"]),
        ("async def f():\n    @deco(time.sleep(1))\n    def g(): ...", ["3 time.sleep"]),
        ("async def f(): return lambda x=time.sleep(1): x", ["2 time.sleep"]),
        ("async def f(x=time.sleep(1)): ...", []),  # evaluated while the module is imported
        ("@deco(time.sleep(1))\nasync def f(): ...", []),
        ("async def f():\n    yield 1\n    time.sleep(1)", ["4 time.sleep"]),
        ("class C:\n    async def f(self): time.sleep(1)", ["3 time.sleep"]),
        ("async def f():\n    import time as t\n    async def g(): t.sleep(1)\n    await g()", ["4 time.sleep"]),
    ],
)
def test_what_counts_is_the_function_that_runs_it(text: str, expected: list[str]) -> None:
    assert calls(f"import time\n{text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("await asyncio.to_thread(time.sleep, 1)", []),
        ("await loop.run_in_executor(None, time.sleep, 1)", []),
        ("await loop.run_in_executor(None, lambda: time.sleep(1))", []),
        ("await asyncio.to_thread(functools.partial(time.sleep, 1))", []),
        ("await asyncio.to_thread(lambda: time.sleep(1))", []),
        ("await anyio.to_thread.run_sync(lambda: time.sleep(1))", []),
        ("await run_in_threadpool(lambda: time.sleep(1))", []),
        ("await anyio.to_thread.run_sync(time.sleep, 1)", []),
        ("pool.submit(time.sleep, 1)", []),
        ("await asyncio.to_thread(print, open('').read())", ["3 open"]),  # the argument is made on the loop
        ("await asyncio.to_thread(time.sleep, time.sleep(1))", ["3 time.sleep"]),
    ],
)
def test_what_a_worker_is_handed_is_no_call(text: str, expected: list[str]) -> None:
    imports = "import anyio, asyncio, functools, time; from starlette.concurrency import run_in_threadpool"
    source = f"{imports}\nasync def f(loop, pool):\n    {text}"
    assert calls(source) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("async def f(time): time.sleep(1)", []),
        ("async def f(xs): [time.sleep(1) for time in xs]", []),
        ("def open(x): ...\nasync def f(): open('')", []),
        ("from aiofiles import open\nasync def f(): await open('')", []),
        ("async def f(): await asyncio.sleep(1)", []),
        ("async def f(unknown): unknown.sleep(1); unknown.get('')", []),
        ("async def f(xs):\n    for time in xs: time.sleep(1)", []),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    async def f(): time.sleep(1)", []),
        ("import httpx\nasync def f():\n    async with httpx.AsyncClient() as c: await c.get('')", []),
    ],
)
def test_another_thing_of_that_name_is_not_it(text: str, expected: list[str]) -> None:
    assert calls(f"import asyncio, time\n{text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if x: c = requests\n    else: c = None\n    c.get('')", ["5 requests.get"]),
        ("c = requests.Session() if x else httpx.AsyncClient()\n    c.get('')", ["4 requests.Session.get"]),
        # Of the two it is the other one that can be awaited.
        ("c = requests.Session() if x else httpx.AsyncClient()\n    await c.get('')", []),
        ("await requests.get('')", ["3 requests.get"]),  # it blocks, and fails afterwards
        ("c = requests\n    while x: c = None\n    c.get('')", ["5 requests.get"]),
        ("try: c = None\n    except OSError: c = requests\n    c.get('')", ["5 requests.get"]),
        ("match x:\n        case 1: c = requests\n        case _: c = None\n    c.get('')", ["6 requests.get"]),
    ],
)
def test_one_path_on_which_it_may_block_is_enough(text: str, expected: list[str]) -> None:
    assert calls(f"import httpx, requests\nasync def f(x):\n    {text}") == expected


HELPERS = """\
import time
def nap(): time.sleep(1)
def twice():
    time.sleep(1)
    time.sleep(2)
    open('')
def far(): nap()
def lazily():
    time.sleep(1)
    yield 1
async def kind(): time.sleep(1)
class Store:
    def __init__(self): open('')
    def load(self): time.sleep(1)
    async def aload(self): ...
    @classmethod
    def of(cls): time.sleep(1)
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from helpers import nap\nasync def f(): nap()", ["2 time.sleep by helpers.nap"]),
        ("import helpers as h\nasync def f():\n    g = h.nap\n    g()", ["4 time.sleep by helpers.nap"]),
        ("from helpers import twice\nasync def f(): twice()",
         ["2 open by helpers.twice", "2 time.sleep by helpers.twice"]),
        ("from helpers import nap, twice\nasync def f(x): (nap if x else twice)()",
         ["2 open by helpers.twice", "2 time.sleep by helpers.nap", "2 time.sleep by helpers.twice"]),
        ("from helpers import far\nasync def f(): far()", []),  # one hop
        ("from helpers import lazily\nasync def f(): lazily()", []),  # nothing of it runs yet
        ("from helpers import kind\nasync def f(): await kind()", []),  # reported where it stands
        ("from helpers import nap\ndef f(): nap()", []),
        ("import asyncio\nfrom helpers import nap\nasync def f(): await asyncio.to_thread(nap)", []),
        ("from helpers import Store\nasync def f(s: Store):\n    s.load()\n    await s.aload()",
         ["3 time.sleep by helpers.Store.load"]),
        ("from helpers import Store\nasync def f(): Store()", ["2 open by helpers.Store.__init__"]),
        ("from helpers import Store\nasync def f(): Store.of()", ["2 time.sleep by helpers.Store.of"]),
        ("import time\nasync def f():\n    def work(): time.sleep(1)\n    work()",
         ["4 time.sleep by m.f.<locals>.work"]),
    ],
)  # fmt: skip
def test_a_helper_of_the_codebase_is_looked_into_once(text: str, expected: list[str]) -> None:
    assert [line for line in calls({"m.py": text, "helpers.py": HELPERS}) if line != "11 time.sleep"] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("async def f():\n    with threading.Lock(): pass", ["4 threading.Lock.__enter__"]),
        ("async def f():\n    l = threading.Lock()\n    with l: pass", ["5 threading.Lock.__enter__"]),
        ("async def f(l: threading.RLock):\n    with l: pass", ["4 threading.RLock.__enter__"]),
        ("class C:\n    def __init__(self): self.l = threading.Condition()\n    async def f(self):\n"
         "        with self.l, open(''): pass",
         ["6 threading.Condition.__enter__", "6 open"]),
        ("async def f(l: threading.Lock):\n    with contextlib.ExitStack() as s: s.enter_context(l)",
         ["4 threading.Lock.__enter__"]),
        ("async def f():\n    with multiprocessing.Lock(): pass", ["4 multiprocessing.Lock.__enter__"]),
        ("async def f():\n    with filelock.FileLock(''): pass", ["4 filelock.FileLock.__enter__"]),
        ("async def f():\n    with futures.ThreadPoolExecutor(): pass",
         ["4 concurrent.futures.ThreadPoolExecutor.__exit__"]),
        ("async def f(l: threading.Lock):\n    async with l: pass", []),  # fails at once
        ("async def f(l: asyncio.Lock):\n    async with l: pass", []),
        ("def f(l: threading.Lock):\n    with l: pass", []),
        ("def f(l: threading.Lock):\n    with l: pass\nasync def g(l): f(l)",
         ["5 threading.Lock.__enter__ by m.f"]),
        ("class C:\n    def __enter__(self): open('')\nasync def f():\n    with C(): pass",
         ["6 open by m.C.__enter__"]),
        ("@contextlib.contextmanager\ndef held():\n    open('')\n    yield\nasync def f():\n    with held(): pass\n"
         "    held()", ["8 open by m.held"]),
        ("def lines():\n    open('')\n    yield 1\nasync def f():\n    lines()\n    for x in lines(): pass\n"
         "    list(lines())", ["8 open by m.lines", "9 open by m.lines"]),
        ("def make():\n    class C:\n        x = open('')\nasync def f(): make()", ["6 open by m.make"]),
        ("class C:\n    def __exit__(self, *a): open('')\nasync def f(c: C):\n    with c: pass",
         ["6 open by m.C.__exit__"]),
    ],
)  # fmt: skip
def test_what_a_with_enters_may_block(text: str, expected: list[str]) -> None:
    imports = "import asyncio, contextlib, filelock, multiprocessing, threading\nfrom concurrent import futures\n"
    assert calls(imports + text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sorted(ps, key=os.path.getmtime)", ["os.path.getmtime"]),
        ("ps.sort(key=os.path.getmtime)", ["os.path.getmtime"]),
        ("max(ps, key=os.path.getsize)", ["os.path.getsize"]),
        ("list(map(slow, ps))", ["time.sleep by m.slow"]),
        ("[*filter(os.path.exists, ps)]", ["os.path.exists"]),
        ("any(map(os.path.exists, ps))", ["os.path.exists"]),
        ("functools.reduce(slow, ps)", ["time.sleep by m.slow"]),
        ("sorted(ps, key=lambda p: os.path.getmtime(p))", ["os.path.getmtime"]),
        ("pool.map(slow, ps)", []),
        ("await asyncio.to_thread(sorted, ps, os.path.getmtime)", []),
        ("print(os.path.exists, slow)", []),
    ],
)
def test_what_a_builtin_is_handed_and_calls_is_a_call(text: str, expected: list[str]) -> None:
    source = f"import asyncio, functools, os, time\ndef slow(x): time.sleep(1)\nasync def f(ps, pool): {text}"
    assert [line.partition(" ")[2] for line in calls(source)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ok()()", ["time.sleep by m.Ok.__call__"]),
        ("k = Ok(); k()", ["time.sleep by m.Ok.__call__"]),
        ("Ok()", []),
        ("g = lambda: time.sleep(1); g()", ["time.sleep"]),
        ("g = lambda: time.sleep(1); h = lambda: 0; h()", []),
        ("h = lambda: 0; g = lambda: time.sleep(1); g()", ["time.sleep"]),
        ("slow()", ["time.sleep by m.slow"]),
        ("quick()", []),
        ("await slow()", ["time.sleep by m.slow"]),  # it blocks, and fails afterwards
        ("later()", []),
    ],
)
def test_whatever_can_be_called_is_looked_into(text: str, expected: list[str]) -> None:
    source = f"""\
import functools, time
class Ok:
    def __call__(self): time.sleep(1)
def plain(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
def worker(f):
    def inner(*a): return pool.submit(f, *a)
    return inner
@plain
def slow(): time.sleep(1)
@plain
def quick(): pass
@worker
def later(): time.sleep(1)
async def f(): {text}"""
    assert [line.partition(" ")[2] for line in calls(source)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cache['k']", ["time.sleep by m.Cache.__getitem__"]),
        ("cache['k'] = 1", []),
        ("'k' in cache", ["time.sleep by m.Cache.__iter__"]),
        ("[x for x in cache]", ["time.sleep by m.Cache.__iter__"]),
        ("if cache: pass", ["time.sleep by m.Cache.__len__"]),
        ("len(cache)", ["time.sleep by m.Cache.__len__"]),
        ("cache + 1", ["time.sleep by m.Cache.__add__"]),
        ("later = lambda: cache + 1", []),
    ],
)
def test_a_method_that_python_calls_of_itself_is_looked_into(text: str, expected: list[str]) -> None:
    source = f"""\
import time
class Cache:
    def __getitem__(self, key): time.sleep(1)
    def __setitem__(self, key, value): pass
    def __len__(self): time.sleep(1)
    def __add__(self, other): time.sleep(1)
    def __iter__(self):
        time.sleep(1)
        yield
async def f(cache: Cache):
    {text}"""
    assert [line.partition(" ")[2] for line in calls(source)] == expected


CLIENTS = """\
import time
from typing import overload, Literal
class AClient:
    async def read(self): ...
class SClient:
    def read(self): time.sleep(1)
@overload
def get_client(sync: Literal[True]) -> SClient: ...
@overload
def get_client(sync: Literal[False]) -> AClient: ...
def get_client(sync): ...
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("async def f(c: AClient | SClient): await c.read()", []),
        ("async def f():\n    async with get_client() as c: return await c.read()", []),
        ("async def f(c: AClient | SClient): c.read()", ["12 time.sleep by m.SClient.read"]),
        ("async def f(c: SClient): await c.read()", ["12 time.sleep by m.SClient.read"]),
    ],
)
def test_what_is_awaited_is_what_can_be(text: str, expected: list[str]) -> None:
    assert calls(CLIENTS + text) == expected


@pytest.mark.parametrize(
    "call",
    [
        *("concurrent.futures.as_completed([])", "concurrent.futures.wait([])", "requests.session().get('')"),
        *("concurrent.futures.ThreadPoolExecutor().map(f, [])", "logging.FileHandler('')"),
        *("logging.handlers.RotatingFileHandler('')", "multiprocessing.Queue().get()", "queue.LifoQueue().get()"),
    ],
)
def test_each_of_these_blocks(call: str) -> None:
    imports = "import concurrent.futures, logging.handlers, multiprocessing, queue, requests\n"
    assert len(calls(f"{imports}async def f(): {call}")) == 1


def test_a_helper_is_the_same_under_another_address() -> None:
    files = {"m.py": "from api import Store\nasync def f(s: Store): s.load()", "api.py": "from helpers import Store"}
    assert "2 time.sleep by helpers.Store.load" in calls({**files, "helpers.py": HELPERS})


def test_the_list_can_be_changed() -> None:
    files = {"m.py": "import time, helpers\nasync def f():\n    time.sleep(1)\n    helpers.fetch()\n    open('')"}
    files["helpers.py"] = "def fetch(): ..."
    assert calls(files, also=["helpers.fetch"], not_blocking=["time.sleep"]) == ["4 helpers.fetch", "5 open"]
    every = "import shutil\nasync def f(): shutil.anything(); shutil.Thing()"
    assert calls(every, also=["shutil.*"]) == ["2 shutil.anything"]
    assert (
        calls("from pathlib import Path\nasync def f(p: Path): p.exists()", not_blocking=["pathlib.Path.exists"]) == []
    )


def test_a_helper_can_be_named_that_is_not_looked_into() -> None:
    files = {"m.py": "from helpers import nap\nasync def f(): nap()", "helpers.py": HELPERS}
    assert "2 time.sleep by helpers.nap" not in calls(files, not_through=["helpers.nap"])


@pytest.mark.parametrize(
    "name",
    [
        *("requests.get", "requests.Session.post", "httpx.get", "urllib.request.urlopen", "urllib3.request"),
        *("subprocess.run", "subprocess.Popen", "subprocess.check_output", "os.popen", "os.system", "os.wait"),
        *(
            "builtins.open",
            "io.open",
            "builtins.input",
            "time.sleep",
            "os.listdir",
            "shutil.copy",
            "socket.socket.recv",
        ),
    ],
)
def test_what_others_watch_is_watched(name: str) -> None:
    assert name in BLOCKING


def test_the_lists_hold_no_name_twice() -> None:
    assert len(BLOCKING) == len(set(BLOCKING))
    assert len(PATH_METHODS) == len(set(PATH_METHODS))
