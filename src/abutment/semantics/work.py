"""What does one file mean, from bytes to the last step that needs no other file?"""

from __future__ import annotations

import marshal

from abutment.semantics.interpret import interpret
from abutment.semantics.lower import outline
from abutment.semantics.meaning import Meaning
from abutment.semantics.outline import Unparsed

Task = tuple[int, bytes, str, bool, str]  # a number of the asker's, source, module, is_package, suffix


def meaning_of(source: bytes, module: str, is_package: bool, suffix: str) -> Meaning | Unparsed:
    """Return the file's meaning, or why it cannot be read."""
    found = outline(source, module, is_package, suffix)
    return found if isinstance(found, Unparsed) else interpret(found).meaning


def packed_meaning(task: Task) -> bytes:
    """Return `meaning_of` as bytes, for another process or the cache."""
    _, source, module, is_package, suffix = task
    found = meaning_of(source, module, is_package, suffix)
    if isinstance(found, Unparsed):
        return marshal.dumps((False, (found.line, found.message, found.remedy, found.lasting)))
    return marshal.dumps((True, found.packed()))


def unpacked_meaning(blob: bytes) -> Meaning | Unparsed:
    """Return what `packed_meaning` gave."""
    read, packed = marshal.loads(blob)
    return Meaning.unpacked(packed) if read else Unparsed(*packed)
