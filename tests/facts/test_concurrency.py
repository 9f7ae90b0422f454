"""Where does code begin to run beside its caller? Short sources, read left to right."""

from __future__ import annotations

import pytest

from abutment.gates.concurrency import GATE
from tests.families import found, scanned

STRUCTURED = "structured_wait"
A, T, CF = "import asyncio\n", "import threading\n", "import concurrent.futures as cf\n"
LOOP = "asyncio.AbstractEventLoop"
POOL = "concurrent.futures.ThreadPoolExecutor"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the first user's own: aliases, a task group, a loop, executors
        ("from asyncio import create_task as go\nasync def f(): go(g())", ["2 raw_task asyncio.create_task"]),
        (f"{A}async def f(): return await asyncio.ensure_future(g())", ["2 raw_task asyncio.ensure_future"]),
        (f"{A}async def f():\n    start = asyncio.create_task\n    start(g())", ["4 raw_task asyncio.create_task"]),
        (f"{A}async def f(): asyncio.get_running_loop().create_task(g())", [f"2 raw_task {LOOP}.create_task"]),
        (f"{A}def f(loop: asyncio.AbstractEventLoop): loop.create_task(g())", [f"2 raw_task {LOOP}.create_task"]),
        (f"{A}class C:\n    def __init__(self):\n        self.l = asyncio.new_event_loop()\n"
         "    def m(self):\n        self.l.create_task(g())", [f"6 raw_task {LOOP}.create_task"]),
        (f"{A}async def f():\n    async with asyncio.TaskGroup() as group:\n        group.create_task(g())",
         [f"3 {STRUCTURED} asyncio.TaskGroup", f"4 {STRUCTURED} asyncio.TaskGroup.create_task"]),
        (f"{A}async def f(group: asyncio.TaskGroup): group.create_task(g())",
         [f"2 {STRUCTURED} asyncio.TaskGroup.create_task"]),
        (f"{A}create_task(x)\nboard.create_task(x)", []),  # local functions and unknown objects
        (f"{A}class B:\n    def create_task(self): pass\nB().create_task()", []),
        (f"{A}def f(asyncio): asyncio.create_task(x)", []),  # shadowed by a parameter
        (f"{A}for asyncio in x: asyncio.create_task(g())", []),
        (f"{A}[asyncio.create_task(g()) for asyncio in x]", []),
        (f"{A}try: pass\nexcept OSError as asyncio: asyncio.create_task(g())", []),
        ("from .asyncio import create_task\ncreate_task(g())", []),  # a module of that name is another thing
        (f"{A}class C:\n    go = asyncio.create_task\n    def f(self): go(g())", []),  # a class is no scope
        (f"{A}class C:\n    go = asyncio.create_task\n    def f(self): self.go(g())",
         ["4 raw_task asyncio.create_task"]),
        (f"{A}class C:\n    def m(self): self.l.create_task(g())\n"
         "    def __init__(self): self.l = asyncio.new_event_loop()",
         [f"3 raw_task {LOOP}.create_task"]),  # whichever stands first
        (f"{A}asyncio.create_task(g()); asyncio.create_task(g())", ["2 raw_task asyncio.create_task"] * 2),
        (f"{A}\n\n\nasyncio.create_task(g())", ["5 raw_task asyncio.create_task"]),
        # what the caller waits for
        (f"{A}async def f(): await asyncio.gather(g(), g())", [f"2 {STRUCTURED} asyncio.gather"]),
        (f"{A}async def f():\n    x = asyncio.gather(g(), g())\n    await x", ["3 raw_task asyncio.gather"]),
        (f"{A}async def f(): await asyncio.wait_for(g(), 1)", [f"2 {STRUCTURED} asyncio.wait_for"]),
        (f"{A}asyncio.run(g())", [f"2 {STRUCTURED} asyncio.run"]),
        (f"{A}async def f(): await asyncio.to_thread(g)", [f"2 {STRUCTURED} asyncio.to_thread"]),
        (f"{A}async def f(): return asyncio.to_thread(g)", ["2 executor asyncio.to_thread"]),
        (f"{A}async def f(l: asyncio.AbstractEventLoop): await l.run_in_executor(None, g)",
         [f"2 {STRUCTURED} {LOOP}.run_in_executor"]),
        (f"{A}async def f(l: asyncio.AbstractEventLoop): l.run_in_executor(None, g)",
         [f"2 executor {LOOP}.run_in_executor"]),
        ("import anyio\nasync def f():\n    async with anyio.create_task_group() as g:\n        g.start_soon(h)",
         [f"4 {STRUCTURED} anyio.abc.TaskGroup.start_soon"]),
        ("import anyio.to_thread\nasync def f(): await anyio.to_thread.run_sync(g)",
         [f"2 {STRUCTURED} anyio.to_thread.run_sync"]),
        ("from starlette.concurrency import run_in_threadpool as r\nasync def f(): await r(g)",
         [f"2 {STRUCTURED} starlette.concurrency.run_in_threadpool"]),
        # pools
        (f"{CF}def f():\n    with cf.ThreadPoolExecutor() as pool:\n        pool.submit(g)",
         [f"3 {STRUCTURED} {POOL}", f"4 {STRUCTURED} {POOL}.submit"]),
        (f"{CF}def f():\n    pool = cf.ThreadPoolExecutor()\n    pool.map(g, x)",
         [f"3 executor {POOL}", f"4 executor {POOL}.map"]),
        (f"{CF}def f():\n    with cf.ThreadPoolExecutor() as pool:\n        def h(): pool.submit(g)\n        h()",
         [f"3 {STRUCTURED} {POOL}", f"4 {STRUCTURED} {POOL}.submit"]),
        (f"{CF}def f(pool: cf.ThreadPoolExecutor): pool.submit(g)", [f"2 executor {POOL}.submit"]),
        ("import multiprocessing as mp\nwith mp.Pool(2) as p:\n    p.imap(f, x)",
         [f"2 {STRUCTURED} multiprocessing.pool.Pool", f"3 {STRUCTURED} multiprocessing.pool.Pool.imap"]),
        # threads, processes, timers, callbacks
        (f"{T}threading.Thread(target=f).start()", ["2 thread threading.Thread"]),
        (f"{T}threading.Timer(1, f).start()", ["2 timer threading.Timer"]),
        (f"{T}class W(threading.Thread): pass\nW().start()", ["3 thread threading.Thread"]),
        (f"{T}class W(threading.Thread): pass\nclass V(W): pass\nV()", ["4 thread threading.Thread"]),
        (f"{T}isinstance(x, threading.Thread)", []),
        (f"{A}def f(t: asyncio.Task): t()", []),  # to call an instance makes none
        ("import multiprocessing as m\nm.get_context('spawn').Process()", ["2 process multiprocessing.Process"]),
        ("from multiprocessing import Process\nProcess(target=f)", ["2 process multiprocessing.Process"]),
        ("import os\nos.fork()", ["2 process os.fork"]),
        ("import _thread\n_thread.start_new_thread(f, ())", ["2 thread _thread.start_new_thread"]),
        (f"{A}def f(l: asyncio.AbstractEventLoop): l.call_later(1, g)", [f"2 timer {LOOP}.call_later"]),
        (f"{A}def f(l: asyncio.AbstractEventLoop): l.call_soon(g)", [f"2 loop_callback {LOOP}.call_soon"]),
        (f"{A}def f(l: asyncio.AbstractEventLoop): l.call_soon_threadsafe(g)",
         [f"2 cross_thread {LOOP}.call_soon_threadsafe"]),
        (f"{A}asyncio.run_coroutine_threadsafe(g(), l).result()", ["2 cross_thread asyncio.run_coroutine_threadsafe"]),
        (f"{A}async def f(): await asyncio.start_server(g)", ["2 server asyncio.start_server"]),
        # a starter that a call is handed starts something there
        (f"{A}map(asyncio.create_task, x)", ["2 raw_task asyncio.create_task"]),
        (f"{A}map(asyncio.run, x)", []),
        # either may be called: may-analysis
        (f"{A}go = asyncio.create_task if x else print\ngo(1)", ["3 raw_task asyncio.create_task"]),
        (f"{A}if x: go = asyncio.create_task\nelse: go = print\ngo(1)", ["4 raw_task asyncio.create_task"]),
        ("from asyncio.tasks import create_task\ncreate_task(g())", ["2 raw_task asyncio.tasks.create_task"]),
    ],
)  # fmt: skip
def test_each_start_is_found_with_who_waits_for_it(text: str, expected: list[str]) -> None:
    kept = [one for one in found(GATE, text) if "anyio.create_task_group" not in one]
    assert kept == [one.replace("asyncio.tasks.", "asyncio.") for one in expected]


@pytest.mark.parametrize(
    ("text", "qualname"),
    [
        ("asyncio.create_task(g())", "<module>"),
        ("def f(): asyncio.create_task(g())", "f"),
        ("def f(x=asyncio.create_task(g())): pass", "<module>"),  # a default is worked out where the `def` stands
        ("@deco(asyncio.create_task(g()))\ndef f(): pass", "<module>"),
        ("def f():\n    def h(x=asyncio.create_task(g())): pass", "f"),
        ("class C:\n    x = asyncio.create_task(g())\n    def f(self): pass", "C"),
    ],
)
def test_a_start_belongs_to_what_runs_it(text: str, qualname: str) -> None:
    assert [fact.qualname for fact in scanned(GATE, A + text)] == [qualname]


TREE = {
    "app/__init__.py": "",
    "app/jobs.py": (
        "import threading\nclass Jobs:\n    def start(self):\n        threading.Thread(target=f)\n"
        "    class Inner:\n        def start(self): threading.Thread(target=f)\n"
        "def start(): threading.Thread(target=f)\n"
    ),
    "app/api.py": "from app.jobs import Jobs\n",
}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({}, ["4 thread", "6 thread", "7 thread"]),
        ({"registries": ["app.jobs"]}, ["4 registry", "6 registry", "7 registry"]),
        ({"registries": ["app.jobs.Jobs"]}, ["4 registry", "6 registry", "7 thread"]),
        ({"owners": ["app.jobs.Jobs"]}, ["4 owner", "6 owner", "7 thread"]),
        ({"owners": ["app.api.Jobs"]}, ["4 owner", "6 owner", "7 thread"]),  # by any address
        ({"owners": ["app.job"]}, ["4 thread", "6 thread", "7 thread"]),
        (
            {"restricted": [{"module": "app.jobs", "names": ["threading.Thread"]}]},
            ["4 restricted", "6 restricted", "7 restricted"],
        ),
        ({"restricted": [{"module": "app.*", "names": ["threading"]}]}, ["4 restricted"]),
        ({"restricted": [{"module": "app.jobs", "names": ["asyncio", "threading"]}]}, ["4 restricted"]),
        ({"restricted": [{"module": "app.jobs", "names": ["asyncio"]}]}, ["4 thread", "6 thread", "7 thread"]),
        ({"not_concurrency": ["threading.Thread"]}, []),
        ({"also": [{"name": "app.jobs.start", "kind": "executor"}]}, ["4 thread", "6 thread", "7 thread"]),
        ({"exclude": ["app.api"]}, ["4 thread", "6 thread", "7 thread"]),
    ],
)
def test_who_answers_for_a_start_is_what_the_configuration_says(table: dict[str, object], expected: list[str]) -> None:
    assert [" ".join(one.split()[:2]) for one in found(GATE, TREE, **table)][: len(expected)] == expected


def test_who_waits_in_place_needs_no_registry() -> None:
    (fact,) = scanned(GATE, f"{A}asyncio.run(g())", registries=["m"])
    assert fact.kind == STRUCTURED


def test_a_name_of_the_configuration_starts_what_it_is_said_to() -> None:
    text = "def spawn(f): pass\nspawn(1)\nasync def g(): await spawn(2)"
    assert found(GATE, text, also=[{"name": "m.spawn", "kind": "executor"}]) == [
        "2 executor m.spawn",
        f"3 {STRUCTURED} m.spawn",
    ]
