"""What does a TOML document say, and on which line does it say it?

`tomllib` is the judge of what is valid and of every value. Positions come from a scanner of our own that runs
only when somebody asks for a line, so that a document without faults costs nothing more. It may be simple
because the text it reads has been found valid.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abutment.errors import NotJudged
from abutment.model.fault import Fault

Path = tuple[str | int, ...]
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |\r?$)|^={7}\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TomlDocument:
    """One document: its values, and a function from the path of a value to its line.

    `locate(("approvals", 3, "owner"))` is the 1-based line of that key; for something the document does not
    have, the line of the nearest table or list around it; 0 where that is the document itself.
    """

    table: dict[str, object]
    locate: Callable[[Path], int]


def load_toml(path: str, data: bytes) -> TomlDocument:
    """Return the document; raises NotJudged with the line where it is no valid TOML.

    `path` is what faults call the document: relative to the root, "/"-separated.
    """
    text = _decoded(path, data)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotJudged(_syntax_fault(path, text, str(error))) from error
    except ValueError as error:  # a number with more digits than Python reads
        raise NotJudged(Fault(path, 0, f"no valid TOML: {error}.")) from error
    except RecursionError as error:
        raise NotJudged(Fault(path, 0, "the values are nested too deeply to be read.", "Flatten them.")) from error
    return TomlDocument(table, _Locator(text))


def _decoded(path: str, data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        message = "the file begins with a byte order mark, which TOML does not allow."
        raise NotJudged(Fault(path, 1, message, "Save it as UTF-8 without a byte order mark."))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is no UTF-8, which TOML requires."
        raise NotJudged(Fault(path, line, message, "Save the file as UTF-8.")) from error


def _syntax_fault(path: str, text: str, said: str) -> Fault:
    marker = _MARKER.search(text)
    if marker is not None:
        line = text.count("\n", 0, marker.start()) + 1
        return Fault(path, line, "the file holds conflict markers of a merge.", "Settle the merge first.")
    place = _PLACE.search(said)
    if place is None:
        return Fault(path, 0, f"no valid TOML: {said}.")
    line = int(place[1]) if place[1] else text.count("\n") + (not text.endswith("\n"))
    return Fault(path, max(line, 1), f"no valid TOML: {said[: place.start()]}.")


class _Locator:
    """Finds lines in one valid document; scans it at the first question."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: Mapping[Path, int] | None = None

    def __call__(self, path: Path) -> int:
        if self._lines is None:
            self._lines = _Scanner(self._text).lines()
        for length in range(len(path), 0, -1):
            line = self._lines.get(path[:length])
            if line is not None:
                return line
        return 0


_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN_VALUE = re.compile(r"[^,\]}#\r\n]*")
_STRING = re.compile(
    # After the closing quotes of a long string up to two more may stand: they belong to its end.
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:\\.|[^"\\])*"' + r"|'[^']*'",
    re.DOTALL,
)


class _Scanner:
    """Notes the line on which every key, table and list member of a valid document begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._found: dict[Path, int] = {}
        self._lists: dict[Path, int] = {}  # arrays of tables: how many members were begun

    def lines(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            table = self._header() if self._peek("[") else self._pair(table)
            self._skip(_BLANK)
        return self._found

    def _header(self) -> Path:
        start = self._at
        is_member = self._text.startswith("[[", start)
        self._at += 2 if is_member else 1
        *parents, name = self._key()
        path: Path = ()
        for part in parents:
            path = self._note((*path, part), start)
            if path in self._lists:
                path = (*path, self._lists[path] - 1)
        path = self._note((*path, name), start)
        if is_member:
            count = self._lists.get(path, 0)
            self._lists[path] = count + 1
            path = self._note((*path, count), start)
        self._at = self._text.index("]", self._at) + (2 if is_member else 1)
        return path

    def _pair(self, table: Path) -> Path:
        self._values(self._key_of_pair(table))
        return table

    def _key_of_pair(self, table: Path) -> Path:
        """Read `key =`, noting the key and the tables that a dotted one opens; return its path."""
        start, path = self._at, table
        for part in self._key():
            path = self._note((*path, part), start)
        self._at = self._text.index("=", self._at) + 1
        self._skip(_SPACE)
        return path

    def _values(self, path: Path) -> None:
        """Read one value with all that is inside it. A loop, as a document may nest deeper than our stack."""
        around: list[tuple[Path, int]] = []  # open lists (next index) and inline tables (-1)
        while True:
            if self._peek("[") or self._peek("{"):
                around.append((path, 0 if self._peek("[") else -1))
                self._at += 1
                found = self._member(around)
            else:
                self._skip(_STRING if self._peek('"') or self._peek("'") else _PLAIN_VALUE)
                found = self._after(around)
            if found is None:
                return
            path = found

    def _after(self, around: list[tuple[Path, int]]) -> Path | None:
        """Go on behind a value: to the next member of what is open, or None where nothing is open."""
        while around:
            self._skip(_BLANK)
            if self._peek(","):
                self._at += 1
                return self._member(around)
            around.pop()
            self._at += 1
        return None

    def _member(self, around: list[tuple[Path, int]]) -> Path | None:
        """Go to the next member of the innermost list or inline table; behind it where it ends here."""
        self._skip(_BLANK)
        path, index = around[-1]
        if self._peek("]") or self._peek("}"):
            around.pop()
            self._at += 1
            return self._after(around)
        if index < 0:
            return self._key_of_pair(path)
        around[-1] = (path, index + 1)
        return self._note((*path, index), self._at)

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip(_SPACE)
            parts.append(self._simple_key())
            self._skip(_SPACE)
            if not self._peek("."):
                return parts
            self._at += 1

    def _simple_key(self) -> str:
        if not (self._peek('"') or self._peek("'")):
            return self._skip(_BARE_KEY)
        return next(iter(tomllib.loads(f"{self._skip(_STRING)} = 0")))

    def _note(self, path: Path, at: int) -> Path:
        if path not in self._found:
            self._found[path] = bisect_left(self._ends, at) + 1
        return path

    def _peek(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, "the scanner lost its place in a valid document"
        self._at = match.end()
        return match[0]
