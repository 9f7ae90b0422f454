"""How low was each debt of a gate ever recorded, asked without holding all receipts in memory?

The same answer as `baselines.receipts.levels`, key by key in order: a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.migration.headers import Done
from abutment.baselines.migration.lines import key_fault, packed, unpacked
from abutment.baselines.migration.mutation import Mutation
from abutment.baselines.migration.receipt import FOLDER, read_done, sayings, superseded_digests
from abutment.baselines.migration.receipt_lines import ReceiptFile, Said
from abutment.baselines.receipts import RAISING, How
from abutment.baselines.streaming import plain_lines
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.grants import Level
from abutment.sources.scratch import sorted_lines

_Saying = tuple[int, int, How]  # which receipt, the count, and why


class Receipts:
    """All receipts of a folder, on the disk."""

    def __init__(self, disk: Disk, folder: Path, path: str) -> None:
        self._disk, self._folder, self._path = disk, folder, path

    def names(self) -> tuple[str, ...]:
        """Return every receipt below the folder, sorted."""
        return tuple(sorted((*self._in("receipts", ".json"), *self.migrations())))

    def migrations(self) -> tuple[str, ...]:
        """Return those of migrations, sorted."""
        return tuple(self._in(FOLDER, ".jsonl"))

    def done(self, name: str) -> tuple[Done, Iterator[Mutation]]:
        """Return a migration's header and its mutations; raises NotJudged where it is not as it was written."""
        return read_done(f"{self._path}/{name}", plain_lines(self._disk, self._folder / name))

    def receipt(self, name: str) -> ReceiptFile:
        """Return one that is no migration's."""
        return ReceiptFile(self._disk, self._folder / name, f"{self._path}/{name}")

    def _in(self, kind: str, ending: str) -> Iterator[str]:
        try:
            names = self._disk.names(self._folder / kind)
        except FileNotFoundError:
            return
        yield from (f"{kind}/{name}" for name in names if name.endswith(ending))


class Levels:
    """The levels of one gate. What they rest on is known once they were gone through."""

    def __init__(self, receipts: Receipts, gate: str) -> None:
        self._receipts, self._gate = receipts, gate
        self.covers: set[str] = set()  # parts of the law that some write has recorded

    def lines(self) -> Iterator[bytes]:
        """Yield, in order, a packed line of each key with its count, and `paid` where it is a tombstone."""
        names = self._receipts.names()
        digests = [name.rpartition("/")[2].partition(".")[0] for name in names]
        heads = [self._head(name) for name in names]
        outgrown = {digest for supersedes, renews in heads if renews for digest in supersedes}
        speaking = [number for number, digest in enumerate(digests) if digest not in outgrown]
        silences = {number: {at for at in speaking if digests[at] in heads[number][0]} for number in speaking}
        lines = (line for number in speaking for line in self._sayings(names[number], number))
        for key, group in groupby(sorted_lines(lines), key=lambda line: line.partition(b"\x01")[0]):
            level = _level(map(_saying, group), silences)
            if level is not None:
                yield key + packed((), f"{level.count}{' paid' if level.paid_off else ''}")

    def _head(self, name: str) -> tuple[frozenset[str], bool]:
        """Return the digests that a receipt supersedes, and whether by it the gate's facts have other fields."""
        if not name.startswith(f"{FOLDER}/"):
            return frozenset(self._receipts.receipt(name).superseded()), False
        done, _ = self._receipts.done(name)
        own = [change for change in done.documents if change.gate == self._gate]
        return frozenset(superseded_digests(done)), any(change.renews for change in own)

    def _sayings(self, name: str, number: int) -> Iterator[bytes]:
        for key, count, how in self._said(name):
            wrong = key_fault(key)
            if wrong:
                raise NotJudged(Fault(name, 0, f"cannot be migrated: {wrong}."))
            yield packed(key, f"{number} {count} {how.value}")

    def _said(self, name: str) -> Iterator[Said]:
        if not name.startswith(f"{FOLDER}/"):
            receipt = self._receipts.receipt(name)
            yield from receipt.read(self._gate)
            self.covers.update(receipt.covers)
            return
        done, mutations = self._receipts.done(name)
        own = {change.name: change for change in done.documents if change.gate == self._gate}
        for change in own.values():
            self.covers.update(change.covers)
        for mutation in mutations:
            if mutation.document in own:
                yield from sayings(mutation, renews=own[mutation.document].renews)


def _saying(line: bytes) -> _Saying:
    number, count, how = unpacked(line)[1].split(" ")
    return int(number), int(count), How(how)


def _level(sayings: Iterable[_Saying], silences: Mapping[int, set[int]]) -> Level | None:
    """Return the level of one key; None where nothing speaks of it any more."""
    said: dict[int, tuple[int, How]] = {}
    for number, count, how in sayings:
        before, _ = said.get(number, (0, how))  # of a migration, what became one is the sum
        said[number] = (before + count, how)
    silent = {other for number, (_, how) in said.items() if how in RAISING for other in silences[number]}
    spoken = [one for number, one in said.items() if number not in silent]
    if not spoken:
        return None
    return Level(min(count for count, _ in spoken), any(not count and how is How.PAID for count, how in spoken))
