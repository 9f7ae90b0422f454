"""What does a declared tool say? Its output is read by its form, and believed where its proof holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abutment.sources.tools.declared import Declared, Fields, Form
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.json_text import exact_document
from abutment.sources.tools.output import BY_HAND, Output, lines_of
from abutment.sources.tools.place import PathsBelow, is_outside
from abutment.sources.tools.pointers import MISSING, standing_at
from abutment.sources.tools.sarif import read_sarif

UNKNOWN = "unknown"  # the code of what a tool says without one
# The usual line of linters: `path:line:column: CODE message`.
LINE = (
    r"(?P<path>(?:[A-Za-z]:)?[^:]+):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<code>[A-Za-z][\w-]*\d[\w-]*):? (?P<message>.+)"
)
_COLOUR = "\x1b"


@dataclass(frozen=True, slots=True)
class Said:
    """What the output holds."""

    diagnostics: tuple[Diagnostic, ...]
    document: object = MISSING  # where it is one JSON document
    looked_at: int | None = None  # how much the tool read, where it says so


def parse_declared(declared: Declared, output: Output, paths: PathsBelow) -> Said:
    """Return what the tool said; raises NotJudged unless its output reads as declared and its proof holds."""
    proof = declared.proof
    output.require_status(*proof.clean, *proof.found)
    if proof.is_silent:
        output.require_silence()
    text = output.text()
    if _COLOUR in text:
        raise output.fault("is coloured.", "Have it print no colours.")
    said = _READERS[declared.form](declared, output, text, paths)
    _require_inside(output, said)
    _require_no_failure(declared, output, said)
    _require_agreement(declared, output, said)
    _require_summary(declared, output, said)
    return said


# --- by form


def _of_lines(declared: Declared, output: Output, text: str, paths: PathsBelow) -> Said:
    pattern, found = declared.pattern or LINE, list[Diagnostic]()
    for number, line in _lines_of_results(declared, output, text):
        match = re.fullmatch(pattern, line)
        if match is None:
            raise output.fault(f"has a line {number} that is not understood: {line[:80]!r}.", "Mend its `pattern`.")
        found.append(_of_match(declared, match, paths))
    return Said(tuple(found))


def _of_match(declared: Declared, match: re.Match[str], paths: PathsBelow) -> Diagnostic:
    groups = match.groupdict()
    return Diagnostic(
        path=paths.relative(groups["path"]),
        line=_counted(groups.get("line"), declared.first_line),
        column=_counted(groups.get("column"), declared.first_column),
        code=groups.get("code") or UNKNOWN,
        message=" ".join(groups["message"].split()),
    )


def _counted(written: str | None, first: int) -> int:
    return int(written) + 1 - first if written else 0


def _lines_of_results(declared: Declared, output: Output, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are results: neither a summary, which is looked at later, nor to be skipped."""
    if text and not text.endswith("\n"):
        raise output.fault("breaks off within its last line.", BY_HAND)
    summaries = () if declared.proof.is_summary_on_stderr else declared.proof.summary
    for number, line in lines_of(text):
        if not any(re.fullmatch(one, line) for one in (*declared.skip, *summaries)):
            yield number, line


def _of_json(declared: Declared, output: Output, text: str, paths: PathsBelow) -> Said:
    document = output.document()
    results = standing_at(document, declared.results)
    if not isinstance(results, list):
        raise output.fault(f"has no list of results at {declared.results!r}.", "Mend its `results`.")
    found = [_of_result(declared, output, at, result, paths) for at, result in enumerate(results)]
    return Said(tuple(found), document, _looked_at(declared, output, document))


def _of_jsonl(declared: Declared, output: Output, text: str, paths: PathsBelow) -> Said:
    rows = ((number, _row(output, number, line)) for number, line in _lines_of_results(declared, output, text))
    return Said(tuple(_of_result(declared, output, number, row, paths) for number, row in rows))


def _of_sarif(declared: Declared, output: Output, text: str, paths: PathsBelow) -> Said:
    document = output.document()
    return Said(read_sarif(output, document, paths), document, _looked_at(declared, output, document))


def _row(output: Output, number: int, line: str) -> object:
    try:
        return exact_document(line)
    except ValueError as error:
        raise output.fault(f"has a line {number} that is no JSON: {line[:80]!r}.", BY_HAND) from error


def _of_result(declared: Declared, output: Output, at: int, result: object, paths: PathsBelow) -> Diagnostic:
    fields = declared.fields
    assert fields is not None  # read_declared asks for them where the form has results

    def text(pointer: str, field: str) -> str:
        value = standing_at(result, pointer)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
        raise output.fault(f"has a result {at} without a {field} at {pointer!r}.", "Mend its `fields`.")

    return Diagnostic(
        path=paths.relative(text(fields.path, "path")),
        line=_number(output, result, fields.line, declared.first_line),
        column=_number(output, result, fields.column, declared.first_column),
        code=_code(output, result, fields),
        message=text(fields.message, "message"),
    )


def _number(output: Output, result: object, pointer: str, first: int) -> int:
    value = standing_at(result, pointer) if pointer else None
    if value is None or value is MISSING:
        return 0
    if not isinstance(value, int) or isinstance(value, bool):
        raise output.fault(f"has {value!r} at {pointer!r}, where a number belongs.", "Mend its `fields`.")
    return value + 1 - first


def _code(output: Output, result: object, fields: Fields) -> str:
    value = standing_at(result, fields.code) if fields.code else None
    if value is None or value is MISSING:
        return UNKNOWN
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise output.fault(f"has {value!r} at {fields.code!r}, where a code belongs.", "Mend its `fields`.")
    return str(value).strip() or UNKNOWN


_READERS: dict[Form, Callable[[Declared, Output, str, PathsBelow], Said]] = {
    Form.LINES: _of_lines,
    Form.JSON: _of_json,
    Form.JSONL: _of_jsonl,
    Form.SARIF: _of_sarif,
}


# --- the proof


def _looked_at(declared: Declared, output: Output, document: object) -> int | None:
    """Return how much the tool read; None where it is not said to tell."""
    for pointer in declared.proof.none:
        value = standing_at(document, pointer)
        if value is not MISSING and value:
            raise output.fault(f"has something at {pointer!r}, where nothing may be.", "Mend what it could not read.")
    if not declared.proof.looked_at:
        return None
    value = standing_at(document, declared.proof.looked_at)
    number = len(value) if isinstance(value, list | dict) else value
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise output.fault(f"looked at nothing: that is what {declared.proof.looked_at!r} says.", BY_HAND)
    return number


def _require_inside(output: Output, said: Said) -> None:
    for one in said.diagnostics:
        if is_outside(one.path):
            remedy = "Say with `input_root` where it was made, or run it in the project."
            raise output.fault(f"names a file outside of the project: {one.path}.", remedy)


def _require_no_failure(declared: Declared, output: Output, said: Said) -> None:
    """Raise NotJudged where a result says that something could not be read."""
    for one in said.diagnostics:
        if one.code in declared.proof.failures:
            raise output.fault(f"could not read {one.path}: {one.code} {one.message[:200]}", "Mend what it names.")


def _require_agreement(declared: Declared, output: Output, said: Said) -> None:
    """Raise NotJudged where the status, or the totals in the document, say something else than the results."""
    proof, number = declared.proof, len(said.diagnostics)
    if output.status is None and not proof.total and (not proof.summary or proof.is_summary_on_stderr):
        remedy = "Say with which status it ended (`input_status`)."
        raise output.fault("has nothing that proves it whole, and nobody knows how it ended.", remedy)
    if output.status is not None and output.status not in (proof.found if number else proof.clean):
        raise output.fault(f"ended with status {output.status} and shows {number} results.", BY_HAND)
    if proof.total:
        figures = [standing_at(said.document, pointer) for pointer in proof.total]
        if any(isinstance(one, bool) or not isinstance(one, int) for one in figures):
            raise output.fault(f"has no number at one of {', '.join(proof.total)}.", "Mend its `total`.")
        total = sum(one for one in figures if isinstance(one, int))
        if total != number:
            raise output.fault(f"counts {total} results and shows {number}.", BY_HAND)


def _require_summary(declared: Declared, output: Output, said: Said) -> None:
    proof = declared.proof
    if not proof.summary or (proof.is_summary_on_stderr and output.is_kept):
        return
    stream = output.stderr.decode("utf-8", "replace") if proof.is_summary_on_stderr else output.text()
    every = (line for _number, line in lines_of(stream))
    lines = [line for line in every if not any(re.fullmatch(one, line) for one in declared.skip)]
    matches = [match for line in lines for one in proof.summary if (match := re.fullmatch(one, line))]
    is_last = proof.is_summary_on_stderr or any(re.fullmatch(one, lines[-1]) for one in proof.summary if lines)
    if len(matches) != 1 or not is_last:
        raise output.fault(f"has {len(matches)} summaries, where the last line is one.", BY_HAND)
    counted = matches[0].groupdict().get("count")
    if int(counted or 0) != len(said.diagnostics):
        raise output.fault(f"counts {int(counted or 0)} results and shows {len(said.diagnostics)}.", BY_HAND)
