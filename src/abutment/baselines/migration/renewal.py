"""What does one baseline become? The part of a migration that planning and applying have to do alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abutment.baselines.migration.documents import Formats, Header, rendered
from abutment.baselines.migration.headers import DocumentChange
from abutment.baselines.migration.lines import Digest, key_of, paired, unpacked
from abutment.errors import Refused
from abutment.model.fault import Fault


def new_entries(path: str, kept: Iterable[bytes], moved: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the entries of a baseline after a migration, as packed lines in order.

    `kept` are those that stay, `moved` those that come, both in order and without repeats. Raises Refused where one
    comes to where another one stays: which of the two the code has cannot be told.
    """
    for key, stays, comes in paired(kept, moved):
        if stays is not None and comes is not None:
            raise Refused(
                Fault(
                    path,
                    0,
                    f"{', '.join(key_of(key))}: is recorded under both names: which one moved cannot be told.",
                    "`abutment move` can tell by the code.",
                )
            )
        yield key + b"\x01" + str(stays or comes).encode("ascii")


def document_lines(header: Header, entries: Iterable[bytes], formats: Formats, items: Digest) -> Iterator[bytes]:
    """Yield the lines of the new document; the digest of its entries is in `items` afterwards."""
    counted = ((key, int(count)) for key, count in map(unpacked, items.passing(entries)))
    return rendered(header, counted, formats)


def new_header(change: DocumentChange) -> Header:
    """Return the first line of the document after a migration."""
    return Header(change.after.schema, change.gate, change.after.fields, change.conditions)
