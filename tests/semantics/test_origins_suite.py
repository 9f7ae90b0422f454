"""The second half of the conformance suite, `fixtures/engine/origins/`: what every use reaches."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from abutment.semantics.uses import Use
from tests.uses import shown, uses_of

SUITE = Path(__file__).parents[2] / "fixtures" / "engine" / "origins"


def cases(folder: Path) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['title']}")
        for path in sorted(folder.glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
    ]


def listed(use: Use) -> bool:
    """Say whether a use is one that a case lists unless it asks for every one."""
    if all(origin == "?" for origin in use.origins):
        return False
    return not all(origin.startswith(("builtins.", "?")) for origin in use.origins)


@pytest.mark.parametrize("case", cases(SUITE))
def test_every_use_reaches_what_it_should(case: dict[str, Any]) -> None:
    answer, expected = answered(case)
    assert answer == expected


@pytest.mark.parametrize("case", cases(SUITE / "open"))
def test_an_open_case_is_not_answered_yet(case: dict[str, Any]) -> None:
    answer, expected = answered(case)
    assert answer != expected, "this case is answered: it moves one folder up"


def answered(case: dict[str, Any]) -> tuple[Counter[str], Counter[str]]:
    """Return the uses that are found, and those that the case names."""
    uses = uses_of(case["files"])
    found = [use for path in case["files"] for use in uses.every(module_of(path))]
    kept = [use for use in found if case.get("every") or listed(use)]
    return Counter(map(shown, kept)), Counter(case["uses"])


def module_of(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
