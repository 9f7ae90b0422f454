"""Places worked out by themselves give what a path that is followed as a whole gives, and seldom more."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from abutment.semantics import origins
from abutment.semantics.components import Components
from tests.semantics.test_origins_suite import SUITE, module_of
from tests.uses import uses_of

# What is told beside what is so, where a path is not looked at as a whole.
MORE = {
    "a contextmanager's annotation": {"?"},  # what a manager gives that is entered in another scope
    "a template method that gives a collection": {"httpx.Client().put"},  # of a generator's `self`
}

_Use = tuple[object, ...]


def answers(files: dict[str, str]) -> dict[_Use, frozenset[str]]:
    uses = uses_of(files)
    return {
        (use.site, use.verb, at): use.origins for path in files for at, use in enumerate(uses.every(module_of(path)))
    }


def cases() -> list[Any]:
    return [pytest.param(path, id=path.stem) for path in sorted(Path(SUITE).glob("*.toml")) if path.stem != "operators"]


@pytest.mark.parametrize("path", cases())
def test_the_conformance_suite_is_answered_by_places_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [(case, answers(case["files"])) for case in tomllib.loads(path.read_text("utf-8"))["case"]]
    monkeypatch.setattr(origins, "_NEAR", -1)
    monkeypatch.setattr(origins, "_MOST_STEPS", -1)
    monkeypatch.setattr(Components, "of", lambda _self, _nodes: None)
    for case, before in expected:
        found = answers(case["files"])
        more = {name for use, names in found.items() for name in names - before.get(use, frozenset("?"))}
        less = {name for use, names in before.items() for name in names - found.get(use, frozenset("?"))}
        assert not less, case["title"]
        assert more == MORE.get(case["title"], set()), case["title"]
