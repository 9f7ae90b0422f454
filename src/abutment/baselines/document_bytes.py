"""Which bytes does a document of ours hold: its text, or what editors, git and merges add?"""

from __future__ import annotations

BOM = b"\xef\xbb\xbf"
MARKERS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


def plain(data: bytes) -> bytes:
    """Return a document's bytes without what editors and git on Windows add: a UTF-8 signature and CR before LF."""
    return data.removeprefix(BOM).replace(b"\r\n", b"\n")


def conflict_line(data: bytes) -> int:
    """Return the line of the first merge conflict marker, or 0 where there is none."""
    if not any(marker in data for marker in MARKERS):
        return 0
    lines = enumerate(plain(data).split(b"\n"), start=1)
    return next((number for number, line in lines if marker_of(line)), 0)


def marker_of(line: bytes) -> bytes:
    """Return the sign of which a line's conflict marker is made (`<`, `|`, `=` or `>`); empty where it is none."""
    return line[:1] if line[:7] in MARKERS and line[7:8] in (b"", b" ") else b""


def encoded(text: str) -> bytes:
    r"""Return the UTF-8 of a JSON text. A lone surrogate (an odd file name) is written as its `\udcxx` escape."""
    return text.encode("utf-8", "backslashreplace")


def decoding_fault(data: bytes) -> tuple[int, str] | None:
    """Return (line, what is wrong) where the bytes are no UTF-8, else None."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1, f"is no UTF-8 text (byte {error.start})."
    return None
