from __future__ import annotations

import json

import pytest

from abutment.errors import UnknownName
from abutment.facts.listing import FAMILIES, facts_document, family_named, site_rows
from abutment.model.identity import fingerprint
from tests.programs import blind, program

FOUND = program(
    "b ~> a @3 in load", "b -> a @1", "b -> a @2", "a -> !http:client", blind=[blind("unresolved", "b", "zz")]
)


def test_a_fact_is_listed_once_with_all_its_sites() -> None:
    document = facts_document(family_named("imports", {}), FOUND)
    assert (document["schema"], document["family"]) == (1, "imports")
    facts = document["facts"]
    assert isinstance(facts, list)
    assert [(f["importer"], f["imported"], f["when"], f["count"]) for f in facts] == [
        ("a", "http", "module", 1),
        ("a", "http.client", "module", 1),
        ("b", "a", "deferred", 1),
        ("b", "a", "module", 2),
    ]
    assert facts[3]["sites"] == [
        {"path": "b.py", "line": line, "column": 1, "end_line": line, "end_column": 9, "scope": "<module>"}
        for line in (1, 2)
    ]
    assert list(facts[0]) == [
        "importer", "imported", "when", "optional", "dynamic", "via", "count", "fingerprint", "sites",
    ]  # fmt: skip


def test_the_fingerprint_is_that_of_the_identity() -> None:
    facts = facts_document(family_named("blindspots", {}), FOUND)["facts"]
    assert isinstance(facts, list)
    identity = {"kind": "unresolved", "module": "b", "qualname": "<module>", "what": "zz"}
    assert facts[0]["fingerprint"] == fingerprint("blindspots", identity)


def test_sites_are_one_row_a_place_in_order_of_place() -> None:
    rows = site_rows(family_named("imports", {}), FOUND)
    assert [(row["path"], row["line"], row["kind"], row["what"], row["scope"]) for row in rows] == [
        ("a.py", 1, "runtime", "http", "<module>"),
        ("a.py", 1, "runtime", "http.client", "<module>"),
        ("b.py", 1, "runtime", "a", "<module>"),
        ("b.py", 2, "runtime", "a", "<module>"),
        ("b.py", 3, "deferred", "a", "load"),
    ]
    assert list(rows[0])[:2] == ["family", "kind"]
    assert rows[0]["family"] == "imports"
    (spot,) = site_rows(family_named("blindspots", {}), FOUND)
    assert (spot["family"], spot["kind"], spot["what"], spot["module"]) == ("blindspots", "unresolved", "zz", "b")


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_the_order_of_rows_changes_nothing(name: str) -> None:
    other = program(
        "a -> !http:client", "b -> a @2", "b -> a @1", "b ~> a @3 in load", blind=[blind("unresolved", "b", "zz")]
    )
    family = family_named(name, {})
    assert json.dumps(facts_document(family, FOUND)) == json.dumps(facts_document(family, other))
    assert json.dumps(site_rows(family, FOUND)) == json.dumps(site_rows(family, other))


def test_an_unknown_family_is_said_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no family of facts 'import'\. Known families: blindspots, imports"):
        family_named("import", {})
