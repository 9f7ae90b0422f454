"""Does the comparison with what ran see what a package reaches, and find a difference where there is one?"""

from __future__ import annotations

import asyncio
import importlib
import io
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.catalogue import DRIVEN
from benchmarks.evidence import instrumented
from benchmarks.evidence.driven.answers import MailServer
from benchmarks.evidence.driven.bottoms import bottom_of
from benchmarks.evidence.driven.watcher import BLOCKING, CALLBACK, DEEPER, DIRECT, EGRESS, ONE_STEP, Reached, Watcher
from benchmarks.evidence.driven.wires import FakeSocket
from benchmarks.evidence.instrumented import (
    CALLED_BACK,
    FURTHER,
    IMPORTED,
    KNOWN,
    LIBRARY,
    MANAGER,
    OPEN_STREAM,
    UNEXPLAINED,
)
from benchmarks.evidence.sites import Row

WATCHED = """
import asyncio
from pathlib import Path
from watched_fake import wire

def load(path):
    return path.read_text()

def further(path):
    return load(path)

async def at_once(path):
    return path.read_text()

async def in_a_list(paths):
    return [
        path.exists() for path in paths]

async def one_step(path):
    return load(path)

async def deeper(path):
    return further(path)

async def later(path):
    asyncio.get_running_loop().call_soon(load, path)
    await asyncio.sleep(0)

async def elsewhere(path):
    return await asyncio.to_thread(path.read_text)

async def nothing(path):
    return path.name

def send():
    return wire()

async def send_in_task():
    return await asyncio.wait_for(Wire().go(), 1)

class Wire:
    def go(self):
        import watched_fake
        return watched_fake.go()
"""


@pytest.fixture
def watcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    """Give a watcher of a package `watched`, which sends over `watched_fake`."""
    (tmp_path / "watched").mkdir()
    (tmp_path / "watched" / "__init__.py").write_text(WATCHED)
    seen = Watcher(tmp_path / "watched")
    fake = ModuleType("watched_fake")

    def wire() -> None:
        seen.leaves("a.wire", waits=False)

    async def go() -> None:
        seen.leaves("a.wire", waits=False)

    vars(fake).update(wire=wire, go=go)
    monkeypatch.setitem(sys.modules, "watched_fake", fake)
    monkeypatch.syspath_prepend(tmp_path)
    yield seen
    sys.modules.pop("watched", None)


def seen_while(watcher: Watcher, function: str, *given: object) -> list[tuple[int, str, str, str]]:
    """Return (line, API, how, through) of what one function of the package reaches."""
    called = getattr(importlib.import_module("watched"), function)
    traced = sys.gettrace()
    watcher.start()
    try:
        asyncio.run(called(*given)) if asyncio.iscoroutinefunction(called) else called(*given)
    finally:
        watcher.stop()
        sys.settrace(traced)
    assert {one.path for one in watcher.reached} <= {"watched/__init__.py"}
    return sorted({(one.line, one.api, one.how, one.through) for one in watcher.reached if not one.imports})


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("at_once", [(13, "pathlib.Path.read_text", DIRECT, "")]),
        ("one_step", [(20, "watched.load", ONE_STEP, "watched.load")]),
        ("deeper", [(7, "pathlib.Path.read_text", DEEPER, "")]),
        ("later", [(7, "pathlib.Path.read_text", CALLBACK, "")]),
        ("elsewhere", []),
        ("nothing", []),
    ],
)
def test_a_line_that_waits_is_seen_with_its_way(
    watcher: Watcher, tmp_path: Path, function: str, expected: list[tuple[int, str, str, str]]
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("")
    assert seen_while(watcher, function, file) == expected


def test_a_comprehension_is_the_function_around_it(watcher: Watcher, tmp_path: Path) -> None:
    assert seen_while(watcher, "in_a_list", [tmp_path]) == [(17, "pathlib.Path.exists", DIRECT, "")]


def test_a_way_out_is_seen_at_the_packages_own_line(watcher: Watcher) -> None:
    assert seen_while(watcher, "send") == [(36, "a.wire", "", "")]
    assert ("watched/__init__.py", 36) in watcher.ran


def test_a_coroutine_that_a_task_runs_is_told_by_where_it_was_made(watcher: Watcher) -> None:
    ((line, api, _, _),) = seen_while(watcher, "send_in_task")
    assert (line, api.rpartition(".")[2], watcher.adrift) == (44, "go", 0)


def test_bottoms_are_told_by_what_is_called() -> None:
    assert [bottom_of(one) for one in (os.stat, open, time.sleep)] == ["os.stat", "io.open", "time.sleep"]
    assert [bottom_of(one) for one in (os.getpid, len, io.BytesIO().read, "".join, Path.stat)] == [""] * 5


def test_the_fake_server_answers_in_the_words_of_smtp(tmp_path: Path) -> None:
    sock = FakeSocket(Watcher(tmp_path), MailServer().respond)
    replies = sock.makefile("rb")
    for sent in (b"EHLO me\r\n", b"DATA\r\n", b"text\r\n", b"more\r\n.\r\n", b"QUIT\r\n"):
        sock.sendall(sent)
    assert [line[:4] for line in replies] == [b"250-", b"250-", b"250 ", b"354 ", b"250 ", b"221 "]


def reached(api: str, family: str = BLOCKING, how: str = DIRECT, through: str = "") -> Reached:
    return Reached(family, "p/a.py", 3, 4, api, api, how, through)


def row(line: int, what: str, through: str = "", kind: str = BLOCKING) -> Row:
    return Row("p/a.py", line, kind, what, through)


@pytest.mark.parametrize(
    ("one", "ours", "reason"),
    [
        (reached("pathlib.Path.exists"), [row(3, "pathlib.Path.exists")], KNOWN),
        (reached("io.open"), [row(4, "open")], KNOWN),
        (reached("p.f", how=ONE_STEP, through="p.f"), [row(3, "open", "p.f")], KNOWN),
        (reached("httpx._client.Client.get", EGRESS, ""), [row(3, "httpx.Client.*", kind=EGRESS)], KNOWN),
        (reached("io.open"), [], UNEXPLAINED),
        (reached("io.open"), [row(5, "open")], UNEXPLAINED),
        (reached("io.open"), [row(3, "os.stat")], UNEXPLAINED),
        (reached("io.open"), [row(3, "open", "p.f")], UNEXPLAINED),
        (reached("requests.api.get", EGRESS, ""), [row(3, "requests.get", kind="construction")], LIBRARY),
        (reached("socket.create_connection", EGRESS, ""), [], UNEXPLAINED),
        (reached("p.f", how=ONE_STEP, through="p.f"), [row(3, "open", "p.g")], UNEXPLAINED),
        (reached("io.open", how=DEEPER), [], FURTHER),
        (reached("io.open", how=CALLBACK), [], CALLED_BACK),
        (replace(reached("contextlib.f"), imports=True), [], IMPORTED),
        (reached("contextlib._GeneratorContextManager.__enter__"), [], MANAGER),
        (reached("asyncio.streams.StreamWriter.write", EGRESS, ""), [], OPEN_STREAM),
        (reached("other.f"), [], LIBRARY),
    ],
)
def test_a_call_is_known_or_has_its_rule(one: Reached, ours: list[Row], reason: str) -> None:
    assert instrumented.compare([one], set(), ours).found == {reason: (f"p/a.py:3: {one.api}",)}


def test_facts_that_were_not_reached_are_told_apart_by_whether_they_ran() -> None:
    outcome = instrumented.compare([reached("io.open")], {"p/a.py:7"}, [row(3, "open"), row(7, "open"), row(9, "open")])
    assert (outcome.idle, outcome.not_run) == (("p/a.py:7",), 1)


def test_each_driven_package_has_a_drive() -> None:
    folder = Path(instrumented.__file__).parent / "driven"
    assert {path.stem for path in folder.glob("drive_*.py")} == {f"drive_{corpus.package}" for corpus in DRIVEN}
