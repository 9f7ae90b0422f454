"""What does pylint say? Its `json2` output, whose statistics prove that it is all.

The form is that of pylint's documentation ("Pylint reporters", 3.0 and newer). A status below 32 is a sum of what kinds
of message there are; 1 is among them where pylint itself failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.json_text import count_of, table_of, text_of
from abutment.sources.tools.output import BY_HAND, Output
from abutment.sources.tools.place import PathsBelow

# Nothing of what is asked for is ignored: that it was would stand nowhere.
_WHOLE = ("--ignore=", "--ignore-patterns=", "--ignore-paths=")
OPTIONS = ("--output-format=json2", "--persistent=n", "--jobs=1", *_WHOLE)
_FATAL, _ALL_KINDS = 1, 31
_SUFFIXES = (".py", ".pyi")


def parse_pylint(output: Output, paths: PathsBelow) -> tuple[Diagnostic, ...]:
    """Return what pylint says, sorted.

    Raises NotJudged unless it ended with a status that speaks of messages alone, every message is one about a file, and
    its statistics count the messages that it shows.
    """
    _require_done(output)
    messages, statistics = _parts(output)
    found = [_diagnostic(output, number, row, paths) for number, row in enumerate(messages, start=1)]
    _compare(output, messages, statistics)
    return tuple(sorted(found))


def _require_done(output: Output) -> None:
    status = output.status or 0
    if status < 0 or status > _ALL_KINDS:
        output.require_status(0)
    if status & _FATAL:
        raise output.fault(f"ended with status {status}: it failed on the way.", BY_HAND)
    output.require_silence()


def _parts(output: Output) -> tuple[list[object], Mapping[str, object]]:
    document = output.document()
    table = document if isinstance(document, dict) else {}
    messages, statistics = table.get("messages"), table.get("statistics")
    if not isinstance(messages, list) or not isinstance(statistics, dict):
        raise output.fault("printed JSON without messages and statistics.", "Let it print `--output-format=json2`.")
    return messages, statistics


def _diagnostic(output: Output, number: int, row: object, paths: PathsBelow) -> Diagnostic:
    try:
        table = table_of(row)
        path, code, message, kind = (text_of(table[name]) for name in ("path", "messageId", "message", "type"))
        line, column = (count_of(table[name]) for name in ("line", "column"))
    except (ValueError, KeyError) as error:
        raise output.fault(f"has a message {number} that is not understood: {str(row)[:80]}.", BY_HAND) from error
    if kind == "fatal":
        raise output.fault(f"failed on {path}: {message}.", BY_HAND)
    if not path.endswith(_SUFFIXES):
        raise output.fault(f"complains of its own configuration ({path}): {message}.", "Mend that first.")
    return Diagnostic(paths.relative(path), line, column + 1, code, " ".join(message.split()))


def _compare(output: Output, messages: list[object], statistics: Mapping[str, object]) -> None:
    counted = statistics.get("messageTypeCount")
    said = {kind: many for kind, many in counted.items() if many} if isinstance(counted, dict) else None
    shown = Counter(str(row["type"]) for row in messages if isinstance(row, dict))
    if said != dict(shown):
        raise output.fault(f"counts {said} in its statistics and shows {dict(shown)}.", BY_HAND)
