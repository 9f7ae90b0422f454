"""What pylint prints is believed only where it is whole; `fixtures/tools/pylint` has what is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow
from abutment.sources.tools.pylint import parse_pylint

FIXTURES = Path(__file__).parents[3] / "fixtures" / "tools" / "pylint"
BROKEN = {  # the number in front is the status with which it ended
    "-11-crashed": "was killed by SIGSEGV",
    "-9-killed": "was killed by SIGKILL",
    "1-gone": "ended with status 1: it failed on the way",
    "16-blank": "printed nothing at all",
    "16-blank-code": "has a message 1 that is not understood",
    "16-boolean-line": "has a message 1 that is not understood",
    "16-colour": "printed what is no JSON",
    "16-cut-brace": "printed what is no JSON",
    "16-cut-message": "printed what is no JSON",
    "16-cut-statistics": "printed what is no JSON",
    "16-empty": "printed nothing at all",
    "16-json-1": "printed JSON without messages and statistics",
    "16-list": "printed JSON without messages and statistics",
    "16-message-is-text": "has a message 2 that is not understood",
    "16-message-taken-out": "counts {'convention': 1} in its statistics and shows {}",
    "16-no-counts": "counts None in its statistics",
    "16-no-path": "has a message 1 that is not understood",
    "16-no-statistics": "printed JSON without messages and statistics",
    "16-parseable": "printed what is no JSON",
    "16-text": "printed what is no JSON",
    "16-twice": "printed what is no JSON",
    "16-warning-first": "printed what is no JSON",
    "17-configuration": "ended with status 17: it failed on the way",
    "17-crash": "ended with status 17: it failed on the way",
    "18-option": "complains of its own configuration (.pylintrc): Unrecognized option found: wrong-option",
    "18-plugin-not-there": "complains of its own configuration (Command line or configuration file): Plugin",
    "32-usage": "ended with status 32: it could not do its work",
}


def parsed(path: Path, status: int | None, complaints: bytes = b"") -> tuple[Diagnostic, ...]:
    return parse_pylint(Output("pylint", path.read_bytes(), complaints, status), PathsBelow(Path("/srv/shop")))


def refusal(path: Path, status: int | None, complaints: bytes = b"") -> str:
    with pytest.raises(NotJudged) as refused:
        parsed(path, status, complaints)
    return str(refused.value)


def test_every_broken_output_is_in_the_table() -> None:
    assert {path.stem for path in (FIXTURES / "broken").iterdir()} == set(BROKEN)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_output_is_not_judged(name: str) -> None:
    status = re.match(r"-?\d+", name)
    assert status is not None
    assert BROKEN[name] in refusal(FIXTURES / "broken" / f"{name}.json", int(status[0]))


@pytest.mark.parametrize("name", ["17-crash", "1-gone"])
def test_a_message_that_it_failed_is_seen_without_the_status(name: str) -> None:
    assert "failed on shop/" in refusal(FIXTURES / "broken" / f"{name}.json", None)


def test_what_it_complains_of_is_told() -> None:
    said = refusal(FIXTURES / "whole/one.json", 16, b"Traceback: RecursionError.\n")
    assert said == "pylint complained. It said: Traceback: RecursionError. Run it by hand to see why."


def test_messages_are_read_with_their_places() -> None:
    (one,) = parsed(FIXTURES / "whole/one.json", 16)
    assert one == Diagnostic("shop/till.py", 4, 1, "C0116", "Missing function or method docstring")
    assert parsed(FIXTURES / "whole/none.json", 0) == ()


def test_what_does_not_parse_is_a_message() -> None:
    found = parsed(FIXTURES / "whole/syntax.json", 18)
    assert ("shop/bad.py", 1, "E0001") in {(one.path, one.line, one.code) for one in found}


def test_an_output_that_is_cut_anywhere_is_not_judged(tmp_path: Path) -> None:
    data = (FIXTURES / "whole/one.json").read_bytes().rstrip()
    for end in range(len(data)):
        (tmp_path / "cut.json").write_bytes(data[:end])
        refusal(tmp_path / "cut.json", 16)
