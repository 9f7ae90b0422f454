"""How does a plan stand in a file? A header, then the mutations, one a line: as the receipt keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.migration.headers import Plan, read_plan_line
from abutment.baselines.migration.mutation import BATCH, Stream
from abutment.errors import NotJudged
from abutment.model.fault import Fault


@dataclass(frozen=True, slots=True)
class PlanFile:
    """A plan: its header, and its mutations as often as somebody asks for them."""

    path: str  # how messages call it
    plan: Plan
    stream: Stream


def plan_pieces(plan: Plan, mutations: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a plan's file, piece by piece."""
    lines = chain((plan.line,), mutations)
    while some := list(islice(lines, BATCH)):
        yield b"".join(line + b"\n" for line in some)


def read_plan(disk: Disk, place: Path, path: str) -> PlanFile:
    """Return the plan in a file, of which only the header is read; raises NotJudged where it cannot be."""

    def stream() -> Iterator[bytes]:
        return (line.removesuffix(b"\n") for line in islice(disk.lines(place), 1, None))

    try:
        first = next(disk.lines(place), b"")
    except OSError as error:
        raise NotJudged(Fault(path, 0, f"cannot be read: {error.strerror or error}.")) from error
    return PlanFile(path, read_plan_line(path, first.removesuffix(b"\n")), stream)
