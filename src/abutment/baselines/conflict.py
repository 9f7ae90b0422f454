"""What does each side of a conflict-marked document say?

Lines outside of the markers are both sides' own, so that each side is a whole document again. What a section of the
base says (`diff3`, `zdiff3`) is passed over: it need not be whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from abutment.baselines.document_bytes import marker_of, plain
from abutment.model.fault import Fault
from abutment.model.reading import Faults

_BY_HAND = "Take the file from either side (`git checkout --ours` or `--theirs`), then run `abutment resolve`."


@dataclass(frozen=True, slots=True)
class Side:
    """One side's whole document, and at which line of the marked file each of its lines stands."""

    data: bytes
    lines: tuple[int, ...]

    def placed(self, fault: Fault) -> Fault:
        """Return a fault of this document at its line of the marked file."""
        return replace(fault, line=self.lines[fault.line - 1]) if 0 < fault.line <= len(self.lines) else fault


class _Section(Enum):
    """Where in a conflict a line stands."""

    BOTH = "both"
    OURS = "ours"
    BASE = "base"
    THEIRS = "theirs"


# Which section a marker begins, and in which it may stand.
_BEGINS: Mapping[bytes, tuple[_Section, tuple[_Section, ...]]] = {
    b"<": (_Section.OURS, (_Section.BOTH,)),
    b"|": (_Section.BASE, (_Section.OURS,)),
    b"=": (_Section.THEIRS, (_Section.OURS, _Section.BASE)),
    b">": (_Section.BOTH, (_Section.THEIRS,)),
}


def read_sides(path: str, data: bytes, faults: Faults) -> tuple[Side, Side] | None:
    """Return our and their side of a marked file; None after a fault: a marker out of its order, or none at the end."""
    ours: list[tuple[int, bytes]] = []
    theirs: list[tuple[int, bytes]] = []
    section = _Section.BOTH
    for number, line in enumerate(plain(data).split(b"\n"), start=1):
        marker = marker_of(line)
        if marker:
            begins, after = _BEGINS[marker]
            if section not in after:
                faults.add(path, number, "is a conflict marker out of its order.", _BY_HAND)
                return None
            section = begins
            continue
        if section in (_Section.BOTH, _Section.OURS):
            ours.append((number, line))
        if section in (_Section.BOTH, _Section.THEIRS):
            theirs.append((number, line))
    if section is not _Section.BOTH:
        faults.add(path, 0, "ends inside of a conflict.", _BY_HAND)
        return None
    return _side(ours), _side(theirs)


def _side(lines: list[tuple[int, bytes]]) -> Side:
    return Side(b"\n".join(line for _number, line in lines), tuple(number for number, _line in lines))
