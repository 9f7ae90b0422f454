"""Which characters may a report show?

Paths and names come from the judged tree. Unescaped, a newline in a file's name would forge a line of the
report, an escape sequence would repaint the terminal and a bidirectional mark would make a line read as
something else.
"""

from __future__ import annotations

import re

# C0 and C1 controls, bidirectional marks, line and paragraph separators, lone surrogates (undecodable bytes of
# a path), and the two code points that XML forbids. A fixed list: `str.isprintable` changes with the interpreter.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """Return the text on one line, with what cannot be seen written as backslash escapes."""
    return _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def visible_lines(text: str) -> list[str]:
    """Return the text's lines, each made visible."""
    return [visible(line) for line in re.split("\r\n|\r|\n", text)]


def sentence(text: str) -> str:
    """Return the text on one line with a full stop, unless it already ends or is empty."""
    shown = visible(text.strip())
    return shown if not shown or shown[-1] in ".!?:" else f"{shown}."


def encodable(text: str) -> str:
    """Return the text with lone surrogates written as escapes, so that UTF-8 can carry it."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
