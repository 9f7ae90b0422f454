"""How does an identity become a line that sorts as identities do, so that sorting needs no memory?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from abutment.model.identity import Key

MOST_BYTES = 4_096  # of one part of an identity
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PART, _VALUE = b"\x00", b"\x01"  # below every character that an identity may hold


def key_fault(key: Iterable[str]) -> str:
    """Return why an identity cannot be migrated, "" where it can."""
    for part in key:
        if _CONTROL.search(part):
            return f"{part!r} holds a control character"
        if len(part) * 4 > MOST_BYTES and len(_bytes(part)) > MOST_BYTES:
            return f"{part[:40]!r}... has more than {MOST_BYTES} bytes"
    return ""


def packed(key: Key, value: str = "") -> bytes:
    """Return identity and value as one line; lines of one gate sort as the identities do."""
    return _PART.join(map(_bytes, key)) + _VALUE + _bytes(value)


def unpacked(line: bytes) -> tuple[Key, str]:
    """Return the identity and the value of a line."""
    key, _, value = line.partition(_VALUE)
    return tuple(map(_text, key.split(_PART))), _text(value)


def packed_pair(one: Key, other: Key, value: str) -> bytes:
    """Return two identities and a value as one line, which sorts by the first."""
    return packed(one) + packed(other, value)


def unpacked_pair(line: bytes) -> tuple[Key, Key, str]:
    """Return the two identities and the value of such a line."""
    one, _, rest = line.partition(_VALUE)
    return (tuple(map(_text, one.split(_PART))), *unpacked(rest))


def paired(left: Iterable[bytes], right: Iterable[bytes]) -> Iterator[tuple[bytes, str | None, str | None]]:
    """Yield each identity of two streams of packed lines, both in order and without repeats, with its value in each."""
    lefts, rights = _keyed(left), _keyed(right)
    one, other = next(lefts, None), next(rights, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None
            yield one[0], one[1], None
            one = next(lefts, None)
        elif one is None or other[0] < one[0]:
            yield other[0], None, other[1]
            other = next(rights, None)
        else:
            yield one[0], one[1], other[1]
            one, other = next(lefts, None), next(rights, None)


def _keyed(lines: Iterable[bytes]) -> Iterator[tuple[bytes, str]]:
    for line in lines:
        key, _, value = line.partition(_VALUE)
        yield key, _text(value)


def summed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield one line for each identity of a stream of packed counts in order: what became one is the sum."""
    for key, group in groupby(_keyed(lines), key=itemgetter(0)):
        yield key + _VALUE + _bytes(str(sum(int(count) for _, count in group)))


def key_of(packed_key: bytes) -> Key:
    """Return the identity of a packed one without a value."""
    return tuple(map(_text, packed_key.split(_PART)))


class Digest:
    """The SHA-256 of lines, taken while they pass."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()
        self.count = 0

    def add(self, line: bytes) -> None:
        """Take one line, without its end."""
        self._sum.update(line + b"\n")
        self.count += 1

    def passing(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines on."""
        for line in lines:
            self.add(line)
            yield line

    @property
    def hex(self) -> str:
        """The digest of what has passed."""
        return self._sum.hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
