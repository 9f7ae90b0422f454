"""What starts something that runs beside its caller, unless the configuration says otherwise?"""

from __future__ import annotations

from collections.abc import Iterator

from abutment.facts.concurrency import Primitive, Wait

TASK, THREAD, PROCESS, EXECUTOR, TIMER = "raw_task", "thread", "process", "executor", "timer"
CALLBACK, CROSS_THREAD, SERVER = "loop_callback", "cross_thread", "server"
KINDS = (TASK, THREAD, PROCESS, EXECUTOR, TIMER, CALLBACK, CROSS_THREAD, SERVER)

# Module-level functions and classes: (kind, when the caller waits, names).
_NAMES = (
    (TASK, Wait.NEVER, ("asyncio.create_task", "asyncio.ensure_future", "asyncio.Task")),
    (TASK, Wait.NEVER, ("trio.lowlevel.spawn_system_task", "starlette.background.BackgroundTasks.add_task")),
    (TASK, Wait.NEVER, ("fastapi.BackgroundTasks.add_task", "fastapi.background.BackgroundTasks.add_task")),
    (TASK, Wait.NEVER, ("gevent.spawn", "gevent.spawn_later", "eventlet.spawn", "eventlet.spawn_n")),
    (TASK, Wait.AWAITED, ("asyncio.gather", "asyncio.shield")),
    (TASK, Wait.ALWAYS, ("asyncio.run", "asyncio.wait", "asyncio.wait_for", "asyncio.as_completed")),
    (TASK, Wait.ALWAYS, ("asyncio.TaskGroup", "asyncio.TaskGroup.create_task", "asyncio.Runner.run")),
    (TASK, Wait.ALWAYS, ("anyio.run", "trio.run", "anyio.from_thread.run", "anyio.from_thread.run_sync")),
    (TASK, Wait.ALWAYS, ("trio.from_thread.run", "trio.from_thread.run_sync")),
    (THREAD, Wait.NEVER, ("threading.Thread", "_thread.start_new_thread", "_thread.start_new")),
    (THREAD, Wait.MANAGED, ("anyio.from_thread.start_blocking_portal",)),
    (PROCESS, Wait.NEVER, ("multiprocessing.process.BaseProcess", "os.fork", "os.forkpty")),
    (EXECUTOR, Wait.AWAITED, ("asyncio.to_thread", "anyio.to_thread.run_sync", "anyio.to_process.run_sync")),
    (EXECUTOR, Wait.AWAITED, ("anyio.to_interpreter.run_sync", "trio.to_thread.run_sync")),
    (EXECUTOR, Wait.AWAITED, ("starlette.concurrency.run_in_threadpool", "fastapi.concurrency.run_in_threadpool")),
    (TIMER, Wait.NEVER, ("threading.Timer",)),
    (CROSS_THREAD, Wait.NEVER, ("asyncio.run_coroutine_threadsafe",)),
    (SERVER, Wait.NEVER, ("asyncio.start_server", "asyncio.start_unix_server")),
)
# Where some of them are defined, for those who import them from there.
_HOMES = {
    "asyncio.tasks": ("create_task", "ensure_future", "Task", "gather", "shield", "wait", "wait_for", "as_completed"),
    "asyncio.taskgroups": ("TaskGroup", "TaskGroup.create_task"),
    "asyncio.threads": ("to_thread",),
    "asyncio.runners": ("run", "Runner.run"),
    "asyncio.streams": ("start_server", "start_unix_server"),
}
LOOP = "asyncio.AbstractEventLoop"
LOOPS = (
    *(LOOP, "asyncio.BaseEventLoop", "asyncio.SelectorEventLoop", "asyncio.ProactorEventLoop"),
    *("asyncio.get_event_loop()", "asyncio.get_running_loop()", "asyncio.new_event_loop()"),
    *("asyncio.events.AbstractEventLoop", "asyncio.base_events.BaseEventLoop", "asyncio.events.get_event_loop()"),
    *("asyncio.events.get_running_loop()", "asyncio.events.new_event_loop()", "asyncio.Runner.get_loop()"),
    *("asyncio.get_event_loop_policy().get_event_loop()", "asyncio.get_event_loop_policy().new_event_loop()"),
    *("uvloop.Loop", "uvloop.new_event_loop()"),
)
_LOOP_METHODS = (
    (TASK, Wait.NEVER, ("create_task",)),
    (TASK, Wait.ALWAYS, ("run_until_complete", "run_forever")),
    (EXECUTOR, Wait.AWAITED, ("run_in_executor",)),
    (TIMER, Wait.NEVER, ("call_later", "call_at")),
    (CALLBACK, Wait.NEVER, ("call_soon", "add_reader", "add_writer", "add_signal_handler")),
    (CROSS_THREAD, Wait.NEVER, ("call_soon_threadsafe",)),
    (SERVER, Wait.NEVER, ("create_server", "create_unix_server", "create_datagram_endpoint")),
)
_STARTS = (("start_soon", Wait.ALWAYS), ("start", Wait.ALWAYS))
_PORTAL = ("anyio.from_thread.start_blocking_portal()", "anyio.abc.BlockingPortal")
# Holders of other libraries: (canonical name, what they are made by, kind, methods).
_GROUPS = (
    ("anyio.abc.TaskGroup", ("anyio.create_task_group()", "anyio.abc.TaskGroup"), TASK, _STARTS),
    ("trio.Nursery", ("trio.open_nursery()", "trio.Nursery"), TASK, _STARTS),
    (_PORTAL[1], _PORTAL, CROSS_THREAD, (("call", Wait.ALWAYS), ("start_task_soon", Wait.NEVER))),
)
_CONTEXTS = (
    *("multiprocessing", "multiprocessing.get_context()", "multiprocessing.context", "multiprocess", "billiard"),
    *(f"multiprocessing.context.{kind}Context" for kind in ("Base", "Default", "Spawn", "Fork", "ForkServer")),
)
_SUBMITTING = ("apply_async", "map_async", "starmap_async", "imap", "imap_unordered")
_POOLS = {
    # class -> kind, names
    "concurrent.futures.ThreadPoolExecutor": (EXECUTOR, ("concurrent.futures.thread.ThreadPoolExecutor",)),
    "concurrent.futures.ProcessPoolExecutor": (EXECUTOR, ("concurrent.futures.process.ProcessPoolExecutor",)),
    "concurrent.futures.InterpreterPoolExecutor": (EXECUTOR, ()),
    "multiprocessing.pool.ThreadPool": (EXECUTOR, ("multiprocessing.dummy.Pool",)),
    "multiprocessing.pool.Pool": (PROCESS, tuple(f"{one}.Pool" for one in _CONTEXTS)),
}


def _built_in() -> Iterator[tuple[str, Primitive]]:
    for kind, wait, names in _NAMES:
        yield from ((name, Primitive(name, kind, wait)) for name in names)
    for kind, wait, methods in _LOOP_METHODS:
        for method in methods:
            found = Primitive(f"{LOOP}.{method}", kind, wait)
            yield from ((f"{loop}.{method}", found) for loop in LOOPS)
    for context in _CONTEXTS:
        yield f"{context}.Process", Primitive("multiprocessing.Process", PROCESS, Wait.NEVER)
        yield f"{context}.Manager", Primitive("multiprocessing.Manager", PROCESS, Wait.MANAGED)
    yield from _groups()
    yield from _pools()


def _groups() -> Iterator[tuple[str, Primitive]]:
    for holder, names, kind, methods in _GROUPS:
        for method, wait in methods:
            found = Primitive(f"{holder}.{method}", kind, wait)
            yield from ((f"{name}.{method}", found) for name in names)


def _pools() -> Iterator[tuple[str, Primitive]]:
    for pool, (kind, others) in _POOLS.items():
        for name in (pool, *others):
            yield name, Primitive(pool, kind, Wait.MANAGED)
            made = (name, f"{name}()")  # a factory's result keeps its brackets: `multiprocessing.get_context().Pool()`
            for method in _SUBMITTING if pool.startswith("multiprocessing") else ("submit", "map"):
                for one in made:
                    yield f"{one}.{method}", Primitive(f"{pool}.{method}", kind, Wait.POOLED, pool)


def _at_home(primitives: dict[str, Primitive]) -> Iterator[tuple[str, Primitive]]:
    for home, names in _HOMES.items():
        for name in names:
            yield f"{home}.{name}", primitives[f"asyncio.{name}"]


PRIMITIVES = dict(_built_in())
PRIMITIVES.update(_at_home(PRIMITIVES))
