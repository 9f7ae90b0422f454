"""Which lines does a shell read a script as: joined where a quote or a list goes on, without what is only a text?"""

from __future__ import annotations

import re

from abutment.guard.ci.shell import lines_of, without_comment

_HEREDOC = re.compile(r"(?<!<)<<(?P<tabs>-?)\s*(?P<quote>[\"']?)\\?(?P<end>[^\s\"'|;&<>()]+)(?P=quote)(?!<)")
_GOES_ON = ("&&", "||", "|")


def script_lines(script: str) -> list[tuple[int, str]]:
    """Return the lines that hold commands, each with the number of its first one: no comments, no here-documents."""
    found: list[tuple[int, str]] = []
    begun, number, ends = "", 0, list[tuple[bool, str]]()
    for index, line in lines_of(script):
        if ends:
            tabs, end = ends[0]
            ends = ends[1:] if (line.lstrip("\t") if tabs else line) == end else ends
            continue
        number = number if begun else index
        begun = f"{begun}\n{line}" if _quote(begun) else f"{begun} {without_comment(line)}".strip()
        if _quote(begun) or begun.endswith(_GOES_ON):
            continue
        ends = [(bool(here["tabs"]), here["end"]) for here in _HEREDOC.finditer(begun)]
        found += [(number, begun)] if begun else []
        begun = ""
    return [*found, (number, begun)] if begun else found


def _quote(text: str) -> str:
    """Return the quote that is open at the end of a text."""
    quote, escaped = "", False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
    return quote
