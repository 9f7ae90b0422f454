"""What does mypy say? Its text with whatever columns it shows, or its JSON lines; its summary proves that it is all.

The forms are those of mypy's own documentation ("The mypy command line": `--output`, `--show-column-numbers`,
`--show-error-end`, `--show-absolute-path`). Pretty output wraps messages and codes, and is refused.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, replace

from abutment.sources.tools.diagnostic import Diagnostic, Report
from abutment.sources.tools.json_text import exact_document, number_of, table_of, text_of
from abutment.sources.tools.output import BY_HAND, Output, lines_of
from abutment.sources.tools.place import PathsBelow, is_outside

UNKNOWN = "unknown"  # the code of an error that mypy prints without one
# Control Sequence Introducer and the character set designations that terminals' `sgr0` ends with (ECMA-48, ISO 2022).
_COLOUR = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z]|[()][A-Z0-9])|\x0f")
_LINE = re.compile(
    r"(?P<path>(?:[A-Za-z]:(?=[\\/]))?[^:]+?)"
    r"(?::(?P<line>\d+)(?::(?P<column>\d+)(?::\d+:\d+)?)?)?"
    r": (?P<severity>error|note|warning): (?P<message>.*?)(?:  \[(?P<code>[a-z0-9-]+)\])?"
)
_VERSION = re.compile(rb"mypy (?P<version>[^\s]+)[^\r\n]*\r?\n")
_FOUND = re.compile(
    r"Found (?P<errors>\d+) errors? in (?P<files>\d+) files? \(checked (?P<checked>\d+) source files?\)"
)
_BROKEN_OFF = re.compile(r"Found \d+ errors? in \d+ files? \(errors prevented further checking\)")
_CLEAN = re.compile(r"Success: no issues found in (?P<checked>\d+) source files?")
_SKIPPED = "(Skipping most remaining errors"  # said once mypy's `--soft-error-limit` is reached
_SEVERITIES = {"error": True, "note": False, "warning": False}
_NO_CODES = "of mypy's errors {} have no code: let it print them with `--show-error-codes`."
_NO_SUMMARY = "mypy's JSON has no summary: that none of its lines is missing rests on whoever kept them."


@dataclass(frozen=True, slots=True)
class _Summary:
    errors: int
    files: int
    checked: int


def split_version(output: Output) -> tuple[str | None, Output]:
    """Return the version that kept output begins with, if it does (`mypy --version` before `mypy`), and the rest."""
    text = output.stdout.removeprefix(BOM_UTF8)
    found = _VERSION.match(text)
    if found is None:
        return None, output
    return found["version"].decode("utf-8", "replace"), replace(output, stdout=text[found.end() :])


def is_json(output: Output) -> bool:
    """Say whether output is JSON lines, which no summary ends."""
    return output.stdout.removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def parse_mypy(output: Output, paths: PathsBelow) -> Report:
    """Return the errors that mypy found; notes are none.

    Raises NotJudged unless mypy ended as it does when it has done its work (status 0 or 1, nothing on stderr), every
    line is understood, and the summary says as many errors in as many files as there are.
    """
    output.require_status(0, 1)
    output.require_silence()
    text = _COLOUR.sub("", output.text())
    if _SKIPPED in text:
        raise output.fault("left out errors, as there were so many.", "Run it with `--soft-error-limit=-1`.")
    return _of_json(output, text, paths) if is_json(output) else _of_text(output, text, paths)


def _of_text(output: Output, text: str, paths: PathsBelow) -> Report:
    lines = list(lines_of(text))
    if not lines:
        raise output.fault("printed nothing at all, not even a summary.", BY_HAND)
    if not text.endswith("\n"):
        raise output.fault("breaks off within its last line.", BY_HAND)
    summary = _summary(output, [line for _number, line in lines])
    found = [error for number, line in lines[:-1] for error in _error(output, number, line, paths)]
    _compare(output, summary, found)
    bare = sum(one.code == UNKNOWN for one in found)
    return Report(tuple(sorted(found)), summary.checked, notes=(_NO_CODES.format(bare),) if bare else ())


def _summary(output: Output, lines: list[str]) -> _Summary:
    summaries = [line for line in lines if _FOUND.fullmatch(line) or _CLEAN.fullmatch(line)]
    if any(map(_BROKEN_OFF.fullmatch, lines)):
        raise output.fault("broke off: errors prevented further checking.", "Mend what does not parse.")
    if len(summaries) != 1 or lines[-1] != summaries[0]:
        raise output.fault(f"has {len(summaries)} summaries, where the last line is one.", BY_HAND)
    found = _FOUND.fullmatch(summaries[0])
    if found is not None:
        return _Summary(int(found["errors"]), int(found["files"]), int(found["checked"]))
    clean = _CLEAN.fullmatch(summaries[0])
    assert clean is not None  # it is one of the two
    return _Summary(0, 0, int(clean["checked"]))


def _error(output: Output, number: int, line: str, paths: PathsBelow) -> Iterator[Diagnostic]:
    found = _LINE.fullmatch(line)
    if found is None:
        raise output.fault(f"has a line {number} that is not understood: {line[:80]!r}.", "Let it print no `--pretty`.")
    if found["severity"] == "error":
        yield Diagnostic(
            path=_path(output, paths, found["path"]),
            line=int(found["line"] or 0),
            column=int(found["column"] or 0),
            code=found["code"] or UNKNOWN,
            message=found["message"],
        )


def _path(output: Output, paths: PathsBelow, written: str) -> str:
    path = paths.relative(written)
    if is_outside(path):
        remedy = "Say with `input_root` where it was made, or run it in the project."
        raise output.fault(f"names a file outside of the project: {path}.", remedy)
    return path


def _compare(output: Output, summary: _Summary, found: list[Diagnostic]) -> None:
    files = len({one.path for one in found})
    if (summary.errors, summary.files) != (len(found), files):
        said = f"{summary.errors} errors in {summary.files} files"
        raise output.fault(f"says {said} in its summary and shows {len(found)} in {files}.", BY_HAND)
    output.require_agreement(len(found), "errors")
    if not summary.checked:
        raise output.fault("checked no file at all.", "See what its `files` and `exclude` select.")


def _of_json(output: Output, text: str, paths: PathsBelow) -> Report:
    """Return what JSON lines say; mypy prints no summary with them, so that the status alone proves the whole."""
    if text and not text.endswith("\n"):
        raise output.fault("breaks off within its last line.", BY_HAND)
    if output.status is None:
        remedy = "Say with which status mypy ended (`--input-status`), or keep its text."
        raise output.fault("is JSON, which has no summary, and nobody knows how mypy ended.", remedy)
    found = [error for number, line in lines_of(text) for error in _json_error(output, number, line, paths)]
    output.require_agreement(len(found), "errors")
    return Report(tuple(sorted(found)), len({one.path for one in found}), notes=(_NO_SUMMARY,))


def _json_error(output: Output, number: int, line: str, paths: PathsBelow) -> Iterator[Diagnostic]:
    try:
        row = table_of(exact_document(line))
        found = Diagnostic(
            path=_path(output, paths, text_of(row["file"])),
            line=max(0, number_of(row["line"])),
            column=max(0, number_of(row["column"]) + 1),
            code=text_of(row["code"] or UNKNOWN),
            message=" ".join(text_of(row["message"]).split("\n")),
        )
        severity = _SEVERITIES[text_of(row["severity"])]
    except (ValueError, KeyError) as error:
        raise output.fault(f"has a line {number} that is not understood: {line[:80]!r}.", BY_HAND) from error
    if severity:
        yield found
