from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from abutment.facts.blindspots import scan_blindspots
from abutment.facts.imports import ImportFact, scan_imports
from abutment.model.site import Site
from tests.programs import blind, program


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("a -> b", ["b"]),
        ("a -> b:Name", ["b"]),  # inside the roots a name that is a module has a row of its own
        ("a -> !http:client", ["http", "http.client"]),  # outside nobody knows what `client` is
        ("a -> !http.client", ["http.client"]),
        ("a -> !http:*", ["http"]),
        ("a ^-> !http", ["http"]),
        ("a", []),
    ],
)
def test_the_targets_of_one_statement(text: str, targets: list[str]) -> None:
    assert [fact.imported for fact in scan_imports(program(text))] == targets


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a -> b", "runtime"),
        ("a ?-> b", "optional"),
        ("a ?~> b", "deferred"),
        ("a *~-> b", "dynamic"),
        ("a ^*-> b", "parent"),
        ("a ^:> b", "type_only"),
        ("a %-> b", "runtime"),
    ],
)
def test_the_word_is_the_first_that_holds(text: str, word: str) -> None:
    assert [fact.word for fact in scan_imports(program(text))] == [word]


def test_two_names_of_one_statement_are_one_fact() -> None:
    found = program("a -> b:One @4", "a -> b:Two @4", "a -> b:One @5", "a -> !m:x @6", "a -> !m:y @6")
    counts = {(fact.imported, fact.site.line): n for fact, n in Counter(scan_imports(found)).items()}
    assert Counter(fact.imported for fact in scan_imports(found)) == {"b": 2, "m": 1, "m.x": 1, "m.y": 1}
    assert sum(counts.values()) == 5


def test_a_moved_line_is_the_same_fact() -> None:
    (here,) = scan_imports(program("a -> b @3"))
    (there,) = scan_imports(program("a -> b @30"))
    assert here == there
    assert here.site != there.site
    assert Counter([here, there])[here] == 2


@pytest.mark.parametrize("change", [{"importer": "c"}, {"when": "deferred"}, {"optional": True}, {"via": "parent"}])
def test_what_a_fact_is(change: dict[str, object]) -> None:
    fact = ImportFact("a", "b", "module", False, False, "written", site=Site("a.py", 1))
    assert replace(fact, **change) != fact  # type: ignore[arg-type]  # each value has its field's type


def test_blind_spots_are_facts_without_their_place() -> None:
    found = program("a", blind=[blind("unresolved", "a", "a.b", 3, "f"), blind("unresolved", "a", "a.b", 9, "f")])
    (fact,) = Counter(scan_blindspots(found))
    assert (fact.kind, fact.module, fact.qualname, fact.what) == ("unresolved", "a", "f", "a.b")


@pytest.mark.parametrize(
    ("kind", "written", "what"),
    [("dynamic", "*", "?"), ("dynamic", "plug.*", "plug.?"), ("case-pair", "odd*.py", "odd*.py")],
)
def test_what_is_unknown_is_no_wildcard(kind: str, written: str, what: str) -> None:
    (fact,) = scan_blindspots(program("a", blind=[blind(kind, "a", written)]))
    assert fact.what == what
