"""How long does a whole process take, and how much memory do it and all its children hold at the worst moment?"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024
POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Command:
    """One program as a user would start it."""

    arguments: tuple[str, ...]
    cwd: Path
    environment: dict[str, str]
    accept: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Memory:
    """The worst moment of a process tree, in bytes."""

    resident: int  # the sum of resident sets; pages shared after a fork count once for each process
    proportional: int  # the sum of proportional sets: a shared page counts once


def seconds(command: Command) -> float:
    """Run the command once and return its wall-clock time; exits with what it said where it failed."""
    started = time.perf_counter()
    done = subprocess.run(
        command.arguments,
        cwd=command.cwd,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    elapsed = time.perf_counter() - started
    if done.returncode not in command.accept:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"status {done.returncode} from: {' '.join(command.arguments)}")
    return elapsed


def peak_memory(command: Command) -> Memory:
    """Run the command once, looking at its process tree every 10 ms, and return the worst moment seen."""
    process = subprocess.Popen(
        command.arguments,
        cwd=command.cwd,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ended = threading.Event()

    def wait() -> None:
        process.wait()
        ended.set()

    waiter = threading.Thread(target=wait)
    waiter.start()
    resident = proportional = 0
    while not ended.wait(POLL_SECONDS):
        held = [memory_of(pid) for pid in tree(process.pid)]
        resident = max(resident, sum(memory.resident for memory in held))
        proportional = max(proportional, sum(memory.proportional for memory in held))
    waiter.join()
    if process.returncode not in command.accept:
        raise SystemExit(f"status {process.returncode} from: {' '.join(command.arguments)}")
    return Memory(resident, proportional)


def tree(pid: int) -> Iterator[int]:
    """Yield the process and all its descendants that still live."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in read_or_nothing(task).split():
            yield from tree(int(child))


def memory_of(pid: int) -> Memory:
    """Return what one process holds now; nothing where it has just ended."""
    figures = {"Rss:": 0, "Pss:": 0}
    for line in read_or_nothing(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        name, *rest = line.split()
        if name in figures:
            figures[name] = int(rest[0]) * 1024
    return Memory(figures["Rss:"], figures["Pss:"])


def read_or_nothing(path: Path) -> str:
    """Return the text of a /proc file; "" where its process has ended meanwhile."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return ""
