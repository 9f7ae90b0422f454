"""Each word that tools have for a difference from a record: what it is here, as the page of concepts says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.baselines.conditions import refuted
from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status
from tests.baselines.laws import TERMS, TODAY, World, kinds, measured

PAGE = (Path(__file__).parents[2] / "docs/concepts.md").read_text(encoding="utf-8")
RECORD = {"c a b": 2, "c a d": 1}


def recorded(counts: Mapping[str, int] = RECORD) -> World:
    world = World()
    world.init(counts)
    return world


def found(**counts: int) -> dict[str, str]:
    """Return the kinds of what differs from the record, by the last part of the keys."""
    texts = {f"c a {name}": count for name, count in counts.items()}
    return {text.split()[2]: kind for text, kind in kinds(recorded().judge(texts)).items()}


def moved() -> None:
    world = recorded({"c a.old b": 1})
    assert kinds(world.judge({"c a.new b": 1})) == {"c a.old b": "gone", "c a.new b": "new"}
    world.move("a.old", "a.new", {"c a.new b": 1}, ["a.new", "b"])
    assert kinds(world.judge({"c a.new b": 1})) == {}


def tampered() -> None:
    world = recorded()
    world.files[TERMS.baseline] = world.files[TERMS.baseline].replace(b'"count": 2', b'"count": 9')
    assert kinds(world.judge({"c a b": 9, "c a d": 1})) == {"c a b": "grown"}
    world = recorded()
    (receipt,) = world.receipts()
    world.files[receipt] = world.files[receipt].replace(b'"count": 2', b'"count": 9')
    with pytest.raises(NotJudged, match="its name is not the digest of its content"):
        world.law()


def duplicate() -> None:
    world = recorded()
    world.files[TERMS.baseline] += world.files[TERMS.baseline].splitlines(keepends=True)[-1]
    with pytest.raises(NotJudged, match="is the entry of line 3 again"):
        world.law()
    world = recorded()
    world.approve("c a x", "c a x")
    with pytest.raises(NotJudged):
        world.law()


def scope_drift() -> None:
    assert refuted(recorded().law(), replace(measured(RECORD), conditions={"mypy": "2"}))


def returned() -> None:
    world = recorded()
    world.tighten({"c a b": 2})
    assert kinds(world.judge(RECORD)) == {"c a d": "returned"}


def unparsable() -> None:
    world = recorded()
    unread = measured({"c a b": 2}, faults=(Fault("a.py", 1, "cannot be parsed"),))
    verdict = judge(TERMS, unread, world.law().grants, TODAY)
    assert (verdict.status, verdict.violations) == (Status.NOT_JUDGED, ())


def never_recorded() -> None:
    world = World()
    with pytest.raises(NotJudged, match="the baseline is missing"):
        world.law()
    with pytest.raises(Refused):
        recorded().init(RECORD)


def shrinks() -> None:
    assert found(b=1, d=1) == {"b": "shrunk"}
    world = recorded()
    world.tighten({"c a b": 1, "c a d": 1})
    assert kinds(world.judge({"c a b": 1, "c a d": 1})) == {}
    with pytest.raises(Refused, match="tighten records only falls"):
        world.tighten({"c a b": 2})


def is_so(kinds_found: Callable[[], dict[str, str]], expected: dict[str, str]) -> Callable[[], None]:
    def held() -> None:
        assert kinds_found() == expected

    return held


WORDS: Mapping[str, Callable[[], None]] = {
    "new": is_so(lambda: found(b=2, d=1, e=1), {"e": "new"}),
    "grown": is_so(lambda: found(b=3), {"b": "grown", "d": "gone"}),
    "shrunk": shrinks,
    "stale": is_so(lambda: found(b=2), {"d": "gone"}),
    "replaced": is_so(lambda: found(b=2, e=1), {"d": "gone", "e": "new"}),
    "moved": moved,
    "tampered": tampered,
    "duplicate": duplicate,
    "scope drift": scope_drift,
    "returned": returned,
    "unparsable": unparsable,
    "may shrink silently": shrinks,
    "first creation explicit": never_recorded,
}
# Held where what they speak of is: guard and events, blindspots, coverage and startup, the scripts' reports.
ELSEWHERE = {
    "reclassified": "tests/guard/test_grants.py",
    "unprovable": "tests/facts/test_events.py",
    "invalid": "tests/facts/test_events.py",
    "floor, budget with slack": "tests/gates/test_coverage.py",
    "report is no baseline": "tests/cli/test_complexity_script.py",
}


@pytest.mark.parametrize("word", WORDS)
def test_the_word_is_what_the_page_says(word: str) -> None:
    WORDS[word]()


def test_the_page_has_every_word_and_each_has_a_test() -> None:
    section = PAGE.partition("## Words for a difference")[2].partition("\n## ")[0]
    words = re.findall(r"^\| ([a-z, ]+) \|", section, re.MULTILINE)[1:]
    assert sorted(words) == sorted([*WORDS, *ELSEWHERE])
    for path in ELSEWHERE.values():
        assert (Path(__file__).parents[2] / path).is_file(), path
