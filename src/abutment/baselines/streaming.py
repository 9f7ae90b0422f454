"""How is a document read line by line, so that its size needs no memory?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from abutment.baselines.disk import Disk
from abutment.baselines.document_bytes import BOM


def plain_lines(disk: Disk, place: Path) -> Iterator[bytes]:
    """Yield the lines without their ends, and without what editors on Windows add; raises FileNotFoundError."""
    return (line.removesuffix(b"\n") for line in _plain(disk, place))


def streamed_digest(disk: Disk, place: Path) -> str | None:
    """Return the digest of a document, as `document_digest` does of its bytes; None where there is none."""
    whole = hashlib.sha256()
    try:
        for line in _plain(disk, place):
            whole.update(line)
    except FileNotFoundError:
        return None
    return whole.hexdigest()


def _plain(disk: Disk, place: Path) -> Iterator[bytes]:
    for number, line in enumerate(disk.lines(place)):
        own = line.removeprefix(BOM) if number == 0 else line
        yield own[:-2] + b"\n" if own.endswith(b"\r\n") else own
