"""What does ruff say? Its JSON list of diagnostics, which has no summary: status and stderr prove that it is all.

The form is that of `--output-format json` (ruff's documentation, "ruff check"). What ruff says of a file that it cannot
read or parse is no diagnostic of the code: such a file has no others, so that its debt would seem to be paid.
"""

from __future__ import annotations

import re

from abutment.errors import NotJudged
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.json_text import count_of, table_of, text_of
from abutment.sources.tools.output import BY_HAND, Output, lines_of
from abutment.sources.tools.place import PathsBelow

_RULE = re.compile(r"[A-Z]+\d+")
_UNREAD = ("E902", "E999")  # what cannot be read, what cannot be parsed
_FIGURE = re.compile(r"\(\d+(?= > \d+\))")  # how far beyond a limit: "Line too long (130 > 120)"
# What ruff warns of and judges all the same. Everything else on stderr is a file, or a setting, that was not heard:
# `Failed to lint a.py`, `Failed to parse a.py`, of which the list says nothing at all.
_HARMLESS = re.compile(
    r"warning: .*(?:has been remapped to|(?:is|are) deprecated|are incompatible\. Ignoring)"
    r"|warning: .*has no effect because preview is not enabled"
    r"|warning: (?:Invalid|Missing or joined|Unexpected) .*(?:noqa|rule code|suppression)"
    r"|  - '[\w.-]+' -> '[\w.-]+'"
)


def parse_ruff(output: Output, paths: PathsBelow) -> tuple[Diagnostic, ...]:
    """Return the diagnostics, sorted.

    Raises NotJudged unless ruff ended as it does when it has done its work, said nothing on stderr but what leaves its
    work whole, and every member of the list is a rule's word on a file that was parsed.
    """
    output.require_status(0, 1)
    require_harmless(output)
    found = [_diagnostic(output, number, row, paths) for number, row in enumerate(_rows(output), start=1)]
    output.require_agreement(len(found), "diagnostics")
    return tuple(sorted(found))


def without_figure(message: str) -> str:
    """Return a message as it reads however far beyond its limit something is: `Line too long (# > 120)`."""
    return _FIGURE.sub("(#", message)


def require_harmless(output: Output) -> None:
    """Raise NotJudged where anything was said on stderr that may leave the answer in pieces."""
    said = output.stderr.decode("utf-8", "replace")
    if not all(_HARMLESS.match(line) for _number, line in lines_of(said)):
        raise output.fault("complained.", BY_HAND)


def _rows(output: Output) -> list[object]:
    rows = output.document()
    if not isinstance(rows, list):
        raise output.fault("printed JSON that is no list of diagnostics.", "Let it print `--output-format json`.")
    return rows


def _diagnostic(output: Output, number: int, row: object, paths: PathsBelow) -> Diagnostic:
    try:
        path, code, message, (line, column) = _read(row)
    except (KeyError, ValueError) as error:
        raise output.fault(f"has a diagnostic {number} that is not understood: {str(row)[:80]}.", BY_HAND) from error
    if code is None or not _RULE.fullmatch(code) or code in _UNREAD:
        raise _unread(output, paths.relative(path), line, code, message)
    return Diagnostic(paths.relative(path), line, column, code, " ".join(message.split()))


def _read(row: object) -> tuple[str, str | None, str, tuple[int, int]]:
    """Return path, code, message and place; raises KeyError or ValueError where one is not what it is."""
    table = table_of(row)
    place = table_of(table["location"])
    line, column = count_of(place["row"]), count_of(place["column"])
    code = None if table["code"] is None else text_of(table["code"])
    return text_of(table["filename"]), code, text_of(table["message"]), (line, column)


def _unread(output: Output, path: str, line: int, code: str | None, message: str) -> NotJudged:
    said = f"could not judge {path}:{line}: {code or 'no code'}: {message}."
    return output.fault(said, "Mend the file: what cannot be parsed or read is no debt.")
