"""What mypy printed where it could not do its work, or what became of it on the way: none of it is an answer.

Where the collection says nothing of the status, or of what was complained about, nobody kept it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.mypy import parse_mypy, split_version
from abutment.sources.tools.output import Output
from abutment.sources.tools.place import PathsBelow

FOLDER = Path(__file__).parents[3] / "fixtures" / "tools" / "mypy"
BROKEN: list[dict[str, Any]] = tomllib.loads((FOLDER / "broken.toml").read_text("utf-8"))["broken"]


def output_of(row: dict[str, Any], *, status: int | None) -> Output:
    stderr = str(row.get("stderr", "")).encode()
    return Output("mypy", (FOLDER / row["file"]).read_bytes(), stderr, status)


def parsed(output: Output) -> object:
    return parse_mypy(split_version(output)[1], PathsBelow(Path("/srv/till")))


@pytest.mark.parametrize("row", BROKEN, ids=lambda row: row["file"])
def test_broken_output_is_no_answer(row: dict[str, Any]) -> None:
    with pytest.raises(NotJudged) as refusal:
        parsed(output_of(row, status=row.get("status")))
    (fault,) = refusal.value.faults
    assert row["says"] in fault.message


def test_every_file_of_the_collection_is_told_of() -> None:
    assert sorted(row["file"] for row in BROKEN) == sorted(
        path.name for path in FOLDER.iterdir() if path.name != "broken.toml"
    )
    assert all(row["says"] and row["how"] for row in BROKEN)
