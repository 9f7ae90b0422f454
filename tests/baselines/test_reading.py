"""What documents say while others write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abutment.baselines.journal import JOURNAL, Decided, render_journal
from abutment.baselines.migration.receipt import FOLDER as MIGRATIONS
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.receipts import Receipt
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.memory_tree import MemoryTree
from tests.baselines.laws import FOLDER, TERMS, World

PLACE = f"{FOLDER}/{JOURNAL}"


class Busy(MemoryTree):
    """A tree in which somebody finishes one write and begins the next between the question and the reading."""

    def __init__(self, files: dict[str, bytes], times: int) -> None:
        super().__init__(files)
        self.left = times

    def read(self, path: str) -> bytes:
        if path == PLACE and self.left:
            self.left -= 1
            raise NotJudged(Fault(path, 0, "the file cannot be read: No such file or directory."))
        return super().read(path)


def test_a_journal_that_gave_way_to_the_next_one_is_read_again() -> None:
    decided = Decided(name="boundaries.jsonl", before=None, after=b"new")
    tree = Busy({PLACE: render_journal((decided,))}, times=2)
    assert read_documents(tree, FOLDER).files == {TERMS.baseline: b"new"}


def test_a_journal_that_can_never_be_read_is_told() -> None:
    with pytest.raises(NotJudged, match="the file cannot be read"):
        read_documents(Busy({PLACE: b""}, times=1000), FOLDER)


def test_receipts_of_another_revision_are_known_by_their_bytes_and_place() -> None:
    world = World()
    world.init({"c a b": 1})
    (path,) = world.receipts()
    first = read_documents(MemoryTree(world.files), FOLDER)
    again = read_documents(MemoryTree(world.files), FOLDER, first)
    assert again.receipts[0] is first.receipts[0]

    edited = {**world.files, path: world.files[path].replace(b"init", b"move")}
    moved = {**world.files, f"{FOLDER}/receipts/{'0' * 32}.json": world.files[path]}
    for files in (edited, moved):
        found = read_documents(MemoryTree(files), FOLDER, first)
        assert found == read_documents(MemoryTree(files), FOLDER)
        assert "its name is not the digest of its content" in found.faults[0].message


def test_migrations_of_another_revision_are_known_by_their_bytes_and_place() -> None:
    place = f"{FOLDER}/{MIGRATIONS}/0.jsonl"
    known = Receipt("migrate", kept_as=f"{MIGRATIONS}/0.jsonl")
    of = {place: b"a"}
    assert read_documents(MemoryTree(of), FOLDER, Documents(FOLDER, known={(place, b"a"): known})).receipts == (known,)
    other = Documents(FOLDER, known={(place, b"b"): known, ("elsewhere", b"a"): known})
    assert read_documents(MemoryTree(of), FOLDER, other).faults


def test_a_receipt_works_out_its_name_once() -> None:
    receipt = Receipt("init")
    assert receipt.digest is receipt.digest
    assert replace(receipt, verb="move").digest != receipt.digest
