"""What do the results of a SARIF log say? (SARIF 2.1.0, OASIS; the paragraphs in brackets are its.)"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.output import BY_HAND, Output
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.pointers import standing_at

ROOT = "."  # the path of what is said of no file
_NOT_COUNTED = frozenset(
    {"pass", "notApplicable", "informational"}
)  # kinds of result (3.27.9) that nothing is wrong with


def read_sarif(output: Output, document: object, paths: PathsBelow) -> tuple[Diagnostic, ...]:
    """Return the results that nobody suppressed; raises NotJudged where a run failed, or is not understood."""
    runs = standing_at(document, "/runs")
    if not str(standing_at(document, "/version")).startswith("2.1.") or not isinstance(runs, list) or not runs:
        raise output.fault("is no SARIF 2.1 log with a run in it.", BY_HAND)
    return tuple(one for run in runs for one in _of_run(output, run, paths))


def _of_run(output: Output, run: object, paths: PathsBelow) -> Iterator[Diagnostic]:
    invocations = standing_at(run, "/invocations")
    for one in invocations if isinstance(invocations, list) else ():
        _require_success(output, one)
    results = standing_at(run, "/results")
    if not isinstance(results, list):  # absent or null means that the run failed before it had any (3.14.23)
        raise output.fault("has a run without results.", BY_HAND)
    for result in results:
        if not standing_at_list(result, "/suppressions") and standing_at(result, "/kind") not in _NOT_COUNTED:
            yield _diagnostic(output, run, result, paths)


def standing_at_list(document: object, pointer: str) -> list[object]:
    """Return the list that stands there, an empty one where none does."""
    found = standing_at(document, pointer)
    return found if isinstance(found, list) else []


def _require_success(output: Output, invocation: object) -> None:
    """Raise NotJudged where the tool says that it could not do all (3.20.14, 3.20.21, 3.20.22)."""
    if standing_at(invocation, "/executionSuccessful") is not True:
        raise output.fault("says that it did not succeed.", BY_HAND)
    for kind in ("toolExecutionNotifications", "toolConfigurationNotifications"):
        for one in standing_at_list(invocation, f"/{kind}"):
            if standing_at(one, "/level") == "error":
                raise output.fault(f"tells of an error: {_text(standing_at(one, '/message/text'))[:200]}", BY_HAND)


def _diagnostic(output: Output, run: object, result: object, paths: PathsBelow) -> Diagnostic:
    place = "/locations/0/physicalLocation"
    uri, message = standing_at(result, f"{place}/artifactLocation/uri"), standing_at(result, "/message/text")
    if not isinstance(message, str) or not message.strip():
        raise output.fault("has a result without a message of its own.", "Use another format of the tool.")
    if not isinstance(uri, str) and standing_at_list(result, "/locations"):
        raise output.fault("has a result whose place is no file.", "Use another format of the tool.")
    return Diagnostic(
        path=paths.relative(_path(uri)) if isinstance(uri, str) else ROOT,
        line=_number(standing_at(result, f"{place}/region/startLine")),
        column=_number(standing_at(result, f"{place}/region/startColumn")),
        code=_code(run, result),
        message=" ".join(message.split()),
    )


def _path(uri: str) -> str:
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme in {"", "file"} else uri


def _code(run: object, result: object) -> str:
    """Return the rule's id: the result's own, or that of the rule to which it points (3.27.5, 3.27.6)."""
    for pointer in ("/ruleId", "/rule/id"):
        if _text(standing_at(result, pointer)):
            return _text(standing_at(result, pointer))
    index = standing_at(result, "/ruleIndex")
    return _text(standing_at(run, f"/tool/driver/rules/{index}/id")) or "unknown"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
