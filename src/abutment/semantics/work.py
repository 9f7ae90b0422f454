"""What does one file mean, from bytes to the last step that needs no other file?"""

from __future__ import annotations

import marshal

from abutment.semantics.interpret import Interpreted, interpret
from abutment.semantics.lower import outline
from abutment.semantics.meaning import Meaning
from abutment.semantics.outline import Unparsed
from abutment.semantics.provenance import Provenance

READ, UNREAD = b"+", b"-"  # how a packed meaning begins
_SIZE = 4
Task = tuple[int, bytes, str, bool, str, bool]  # a number of the asker's, source, module, is_package, suffix, uses


def read_file(
    source: bytes, module: str, is_package: bool, suffix: str, *, uses: bool = True
) -> Interpreted | Unparsed:
    """Return what the file says, or why it cannot be read; what it does only where `uses` are wanted."""
    found = outline(source, module, is_package, suffix, whole=uses)
    return found if isinstance(found, Unparsed) else interpret(found, uses=uses)


def packed_meaning(task: Task) -> bytes:
    """Return what a file says as bytes, for another process or the cache."""
    _, source, module, is_package, suffix, uses = task
    found = read_file(source, module, is_package, suffix, uses=uses)
    if isinstance(found, Unparsed):
        return UNREAD + marshal.dumps((found.line, found.message, found.remedy, found.lasting))
    meaning = marshal.dumps(found.meaning.packed())
    does = marshal.dumps(found.provenance.packed()) if found.provenance is not None else b""
    return b"".join((READ, len(meaning).to_bytes(_SIZE, "big"), meaning, does))


def parted(blob: bytes) -> tuple[bytes, bytes]:
    """Return the meaning's part of what `packed_meaning` gave, and that about uses: none where it was not wanted."""
    if blob[:1] != READ:
        return blob, b""
    end = 1 + _SIZE + int.from_bytes(blob[1 : 1 + _SIZE], "big")
    return blob[:end], blob[end:]


def unpacked_meaning(blob: bytes) -> Meaning | Unparsed:
    """Return the meaning that `packed_meaning` gave, from all of it or its first part."""
    if blob[:1] != READ:
        return Unparsed(*marshal.loads(memoryview(blob)[1:]))
    return Meaning.unpacked(marshal.loads(memoryview(blob)[1 + _SIZE :]))


def unpacked_provenance(part: bytes) -> Provenance:
    """Return what the second part says."""
    return Provenance.unpacked(marshal.loads(part))
