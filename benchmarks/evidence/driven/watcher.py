"""From which line of the package was something reached that waits, or leaves the process?

A profile function sees every call of a function of C, and the fakes say when they are called. Either way the stack
tells: the innermost frame of the package's own code is the line, and what that frame calls is the API. Frames above
the event loop's `Handle._run` belong to whoever started the loop, so they are not looked at. A coroutine that a task
runs by itself has no frame of the package around it; then the place is told by where it was made.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
from asyncio import events
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.evidence.driven.bottoms import bottom_of

EGRESS, BLOCKING = "egress", "blocking"
Tracer = Callable[[FrameType, str, Any], Any]
_TURN = events.Handle._run.__code__  # one turn of the event loop
_SOCKETS_OF_ASYNCIO = "asyncio.selector_events"
_SAME_FUNCTION = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
ORIGIN_DEPTH = 30

# How a blocking function came to run on the event loop's thread.
DIRECT, ONE_STEP, DEEPER, INDIRECT, CALLBACK = "direct", "one step", "deeper", "indirect", "callback"


@dataclass(frozen=True, slots=True, order=True)
class Reached:
    """One line of the package by which something was reached."""

    family: str
    path: str
    line: int
    last_line: int  # of the expression
    api: str  # what the line calls
    bottom: str  # what was reached in the end
    how: str = ""  # of blocking: by which way the `async def` came to it
    through: str = ""  # of blocking: the function of the package that the line calls
    imports: bool = False  # a module was being imported, which happens once


@dataclass(frozen=True, slots=True)
class Own:
    """One frame of the package's own code, with the comprehensions in it."""

    frame: FrameType  # where the line is
    holder: FrameType  # of the function
    callee: FrameType | None  # what it calls; None where that is a function of C
    imports: bool  # a module is being imported further in

    @property
    def is_asynchronous(self) -> bool:
        return bool(self.holder.f_code.co_flags & _ASYNCHRONOUS)

    @property
    def name(self) -> str:
        return full_name(self.holder)


class Watcher:
    """Keeps what the package's code below `folder` reaches."""

    def __init__(self, folder: Path) -> None:
        self.root = f"{folder.parent}/"
        self.prefix = f"{folder}/"
        self.reached: set[Reached] = set()
        self.ran: set[tuple[str, int]] = set()  # lines of the package
        self.adrift = 0  # ways out without any frame of the package

    def start(self) -> None:
        sys.set_coroutine_origin_tracking_depth(ORIGIN_DEPTH)
        for module in (threading, sys):
            module.setprofile(self.profile)
            module.settrace(self.enter)

    def stop(self) -> None:
        for module in (threading, sys):
            module.setprofile(None)
            module.settrace(None)

    def enter(self, frame: FrameType, _event: str, _given: object) -> Tracer | None:
        """See a function begin; the lines of the package's own are looked at."""
        return self.line if self._is_ours(frame.f_code) else None

    def line(self, frame: FrameType, _event: str, _given: object) -> Tracer:
        """See a line of the package run."""
        self.ran.add((frame.f_code.co_filename.removeprefix(self.root), frame.f_lineno))
        return self.line

    def profile(self, frame: FrameType, event: str, called: object) -> None:
        """See one call of a function of C; asyncio's own sockets never wait."""
        if event == "c_call" and frame.f_globals.get("__name__") != _SOCKETS_OF_ASYNCIO:
            bottom = bottom_of(called)
            if bottom:
                self.blocks(bottom, frame)

    def leaves(self, bottom: str, *, waits: bool) -> None:
        """See that a fake of the network was called; one that `waits` holds its thread up as well."""
        frame = sys._getframe(2)
        self._way_out(bottom, frame)
        if waits:
            self.blocks(bottom, frame)

    def _way_out(self, bottom: str, frame: FrameType) -> None:
        own = next(self._own(frame), None)
        if own is not None:
            self.reached.add(self._place(EGRESS, own, bottom))
            return
        made = self._where_made()
        if made is None:
            self.adrift += 1
        else:
            self.reached.add(made)

    def blocks(self, bottom: str, frame: FrameType) -> None:
        """See that something is called that may wait; it matters where an event loop runs in this thread."""
        if asyncio._get_running_loop() is not None:
            frames = list(self._own(frame))
            if frames:
                self.reached.add(self._blocking(bottom, frames))

    def _blocking(self, bottom: str, frames: list[Own]) -> Reached:
        inner, *outer = frames
        if inner.is_asynchronous:
            return self._place(BLOCKING, inner, bottom, DIRECT)
        if not any(one.is_asynchronous for one in outer):
            return self._place(BLOCKING, inner, bottom, CALLBACK)
        if not outer[0].is_asynchronous:
            return self._place(BLOCKING, inner, bottom, DEEPER)
        if outer[0].callee is not inner.holder:
            return self._place(BLOCKING, outer[0], bottom, INDIRECT)
        return self._place(BLOCKING, outer[0], bottom, ONE_STEP, inner.name)

    def _place(self, family: str, own: Own, bottom: str, how: str = "", through: str = "") -> Reached:
        first, last = lines_of(own.frame)
        path = own.frame.f_code.co_filename.removeprefix(self.root)
        api = name_of(own.callee) if own.callee is not None else bottom
        return Reached(family, path, first, last, api, bottom, how, through, own.imports)

    def _own(self, frame: FrameType) -> Iterator[Own]:
        """Yield the package's frames, innermost first, up to the event loop."""
        callee: FrameType | None = None
        imports = False
        at: FrameType | None = frame
        while at is not None and at.f_code is not _TURN:
            if self._is_ours(at.f_code):
                holder = at
                while holder.f_code.co_name in _SAME_FUNCTION and holder.f_back is not None:
                    holder = holder.f_back
                yield Own(at, holder, callee, imports)
                at = holder
            imports = imports or at.f_code.co_filename.startswith("<frozen importlib")
            callee, at = at, at.f_back

    def _is_ours(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self.prefix)

    def _where_made(self) -> Reached | None:
        """Return the line of the package that made the coroutine which the current task runs."""
        try:
            task = asyncio.current_task()
        except RuntimeError:
            return None
        made = task.get_coro() if task is not None else None
        origin = getattr(made, "cr_origin", None) or ()
        for path, line, _ in origin:
            if path.startswith(self.prefix):
                api = f"{made.cr_frame.f_globals['__name__']}.{made.__qualname__}"  # type: ignore[union-attr]
                return Reached(EGRESS, path.removeprefix(self.root), line, line, api, api)
        return None


def lines_of(frame: FrameType) -> tuple[int, int]:
    """Return the first and last line of the expression that the frame is at."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    first, last = positions[0] or frame.f_lineno, positions[1] or frame.f_lineno
    return min(first, frame.f_lineno), max(last, frame.f_lineno)


def full_name(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}"


def name_of(frame: FrameType) -> str:
    """Return the dotted name of a frame's function; of a constructor, that of its class."""
    name = full_name(frame)
    return name.removesuffix(".__init__").removesuffix(".__new__")
