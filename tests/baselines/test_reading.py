"""What documents say while others write them."""

from __future__ import annotations

import pytest

from abutment.baselines.journal import JOURNAL, Decided, render_journal
from abutment.baselines.reading import read_documents
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.memory_tree import MemoryTree
from tests.baselines.laws import FOLDER, TERMS

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
