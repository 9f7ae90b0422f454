"""Do the comparisons of calls find a difference where there is one?"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from benchmarks.catalogue import CORPORA, SERVICES
from benchmarks.evidence import blocking_calls, draw, plain_search, ways_out
from benchmarks.evidence.blocking_calls import NO_SYSTEM, NOT_FOLLOWED, NOT_WATCHED, REASONS, THROUGH, UNEXPLAINED
from benchmarks.evidence.sites import Row, row_of


def blocking(line: int, what: str, through: str = "") -> Row:
    return Row("a.py", line, "blocking", what, through)


def egress(path: str, line: int, target: str = "requests", kind: str = "egress") -> Row:
    return Row(path, line, kind, f"{target}.get", target=target, operation="get")


@pytest.mark.parametrize(
    ("ours", "theirs", "reason"),
    [
        ([], {"a.py:1": "x = os.path.abspath(y)"}, NO_SYSTEM),
        ([], {"a.py:1": "time.sleep(1)"}, UNEXPLAINED),
        ([], {"a.py:1": "os.path.exists(y)"}, UNEXPLAINED),
        ([blocking(1, "pathlib.Path.exists")], {}, NOT_FOLLOWED),
        ([blocking(1, "open")], {}, NOT_FOLLOWED),
        ([blocking(1, "socket.socket.connect")], {}, NOT_WATCHED),
        ([blocking(1, "time.sleep", "a.nap")], {}, THROUGH),
    ],
)
def test_a_difference_has_its_reason(ours: list[Row], theirs: dict[str, str], reason: str) -> None:
    outcome = blocking_calls.compare(ours, theirs)
    assert {name: list(outcome.apart[name]) for name in REASONS if outcome.apart[name]} == {reason: ["a.py:1"]}
    assert outcome.both == 0


def test_what_both_have_is_counted() -> None:
    assert blocking_calls.compare([blocking(1, "time.sleep")], {"a.py:1": "time.sleep(1)"}).both == 1


def test_a_list_is_held_against_our_calls_in_its_files() -> None:
    ours = [egress("a.py", 1), egress("a.py", 2), egress("b.py", 1), egress("a.py", 4, "boto3")]
    ours.append(egress("a.py", 5, kind="construction"))
    outcome = ways_out.compare(ours, {"files": ["a.py"], "places": ["a.py:1", "a.py:3"]})
    assert (outcome.both, outcome.missed, outcome.more) == (("a.py:1",), ("a.py:3",), ("a.py:2",))
    assert ways_out.compare(ours, {"places": []}).more == ("a.py:1", "a.py:2", "b.py:1")


def test_the_list_tells_of_known_corpora_and_of_its_own_files() -> None:
    lists = tomllib.loads(ways_out.LIST.read_text(encoding="utf-8"))
    assert set(lists) <= {corpus.name for corpus in (*CORPORA, *SERVICES)}
    for name, listed in lists.items():
        assert len(set(listed["places"])) == len(listed["places"]), name
        files = {place.rpartition(":")[0] for place in listed["places"]}
        assert files <= set(listed.get("files", files)), name


def test_a_line_that_a_search_finds_is_a_fact_or_has_a_reason(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x(\n  y())\ny()\n# y()\ny()\n", encoding="utf-8")
    lines = plain_search.lines_of(tmp_path, r"\by\(")
    assert lines == ["a.py:2", "a.py:3", "a.py:5"]
    rows = [Row("a.py", 1, "egress", "x", end_line=2), Row("a.py", 5, "import", "y", operation="import")]
    outcome = plain_search.compare(rows, lines, {"a.py:3": "because", "a.py:2": "of old", "a.py:9": "of old"})
    assert (outcome.facts, outcome.explained) == (("a.py:2",), ("a.py:3",))
    assert (outcome.unexplained, outcome.needless) == (("a.py:5",), ("a.py:2", "a.py:9"))


def test_each_search_is_one_and_asks_a_known_corpus() -> None:
    told = tomllib.loads(plain_search.LIST.read_text(encoding="utf-8"))
    assert set(told) <= {corpus.name for corpus in (*CORPORA, *SERVICES)}
    for one in (one for families in told.values() for searches in families.values() for one in searches):
        assert re.compile(one["search"]).search("") is None
        assert set(one) <= {"search", "reasons"}


def test_a_row_is_read_from_the_report() -> None:
    one: dict[str, object] = {"path": "a.py", "line": 3, "kind": "egress", "what": "requests.get", "target": "requests"}
    assert row_of(one) == Row("a.py", 3, "egress", "requests.get", "", "requests")
    with pytest.raises(KeyError):
        row_of({"line": 1})


def test_the_same_seed_draws_the_same_places_in_order_whatever_order_they_come_in() -> None:
    places = [(blocking(line, "open"), "text") for line in range(100)]
    drawn = draw.draw(places, 10, 1)
    assert drawn == draw.draw(places[::-1], 10, 1) == sorted(drawn)
    assert len(drawn) == 10
    assert drawn != draw.draw(places, 10, 2)
    assert draw.draw(places[:3], 10, 1) == places[:3]


def test_only_what_a_gate_counts_is_drawn() -> None:
    kinds = ("egress", "construction", "owned", "unproven")
    assert [draw.is_counted(egress("a.py", 1, kind=kind), through=False) for kind in kinds] == [True, *[False] * 3]
    assert [draw.is_counted(blocking(1, "open", through), through=True) for through in ("", "a.f")] == [False, True]


def test_that_a_transport_is_imported_needs_no_reading_and_that_settings_are_does() -> None:
    door = Row("a.py", 1, "import", "requests", target="requests", operation="import")
    settings = Row("a.py", 1, "import", "app.config.settings", target="app.config.settings")
    assert [draw.is_counted(one, through=False) for one in (door, settings)] == [False, True]


@pytest.mark.parametrize("family", sorted(draw.CORPORA_OF))
def test_what_a_family_is_told_to_watch_is_there(family: str) -> None:
    told = tomllib.loads(draw.settings_of(family))
    assert set(told) == ({family} if family != "transactions" else set())
    assert draw.settings_of("egress") == ""
