"""Are rules, chains and single facts explained offline?"""

from __future__ import annotations

import json

import pytest

from abutment.model.site import Site
from abutment.reports.explain import Step, render_fact, render_rule, render_why, render_why_json
from abutment.reports.rules import GateText

PAGE = """# boundaries

Reads imports.

## ABT3021 longer

Another.

## ABT301 layers

Layers.

### Example of ABT302

```toml
# ABT302 in a comment is no heading
```

## `ABT302`: forbidden ##

Forbidden.

~~~~
## not a heading
~~~
## nor this
~~~~

### Mend

Go around.

## Debt

Falls.
"""


@pytest.mark.parametrize(
    ("rule", "inside", "outside"),
    [
        (0, ["## ABT301 layers", "Layers.", "### Example"], ["Reads imports", "Forbidden.", "Another."]),
        (1, ["### Example of ABT302", "# ABT302 in a comment"], ["Forbidden.", "Layers.", "Another.", "Falls."]),
    ],
)
def test_a_rule_is_told_with_its_own_section(gate: GateText, rule: int, inside: list[str], outside: list[str]) -> None:
    text = render_rule(gate, gate.rules[rule], PAGE)
    assert [part for part in inside if part not in text] == []
    assert [part for part in outside if part in text] == []


def test_a_section_runs_over_fences_and_lower_headings(gate: GateText) -> None:
    page = PAGE.replace("### Example of ABT302", "### Example")
    assert render_rule(gate, gate.rules[1], page) == (
        "ABT302 forbidden (boundaries): A module imports what its contract forbids.\n\n"
        "Which module may import which?\n\n"
        "## `ABT302`: forbidden ##\n\nForbidden.\n\n~~~~\n## not a heading\n~~~\n## nor this\n~~~~\n\n"
        "### Mend\n\nGo around.\n\n"
        "What to do: Go through the interface, or have it approved in boundaries.toml; "
        "paid debt goes from boundaries.jsonl.\n"
    )


@pytest.mark.parametrize(
    ("page", "expected"), [("# boundaries\n\nAll of it.\n", "# boundaries\n\nAll of it."), ("", "")]
)
def test_a_page_without_the_rule_is_shown_whole(gate: GateText, page: str, expected: str) -> None:
    text = render_rule(gate, gate.rules[0], page)
    assert expected in text
    assert "\n\n\n" not in text


CHAIN = (
    Step("app.api", "app.service", "runtime", Site("app/api.py", 3)),
    Step("app.service", "app.pkg", "parent", Site("app/service.py", 7)),
    Step("app.pkg", "app.db", "deferred", Site("app/pkg/__init__.py", 1, 5)),
)


def test_why_shows_the_chain_and_the_cut() -> None:
    assert render_why("app.api", "app.db", CHAIN, CHAIN[:1]) == (
        "app.api reaches app.db by 3 imports:\n"
        "  app/api.py:3: app.api imports app.service\n"
        "  app/service.py:7: app.service runs app.pkg, a package on the way to what it imports\n"
        "  app/pkg/__init__.py:1: app.pkg imports app.db (deferred)\n"
        "There would be no chain without this import:\n"
        "  app/api.py:3: app.api imports app.service\n"
    )


@pytest.mark.parametrize(
    ("chain", "cut", "expected"),
    [
        ((), (), "There is no chain of imports from a to b.\n"),
        (CHAIN[:1], (), "a reaches b by 1 import:\n  app/api.py:3: app.api imports app.service\n"),
    ],
)
def test_why_answers_where_there_is_little_to_say(
    chain: tuple[Step, ...], cut: tuple[Step, ...], expected: str
) -> None:
    assert render_why("a", "b", chain, cut) == expected


def test_several_imports_of_a_cut_are_counted() -> None:
    assert "no chain without these 2 imports:" in render_why("a", "b", CHAIN, CHAIN[:2])


def test_why_as_json_reads_back() -> None:
    answer = json.loads(render_why_json("app.api", "app.db", CHAIN, ()))
    assert [step["word"] for step in answer["chain"]] == ["runtime", "parent", "deferred"]
    assert answer["chain"][2]["path"] == "app/pkg/__init__.py"
    assert (answer["schema"], answer["cut"]) == (1, [])


def test_one_fact_is_told_whole(gate: GateText) -> None:
    text = render_fact(
        gate=gate,
        rule=gate.rules[1],
        what="app.sync imports httpx",
        fingerprint="ab" * 32,
        identity={"importer": "app.sync", "imported": "httpx"},
        found=2,
        sites=(Site("app/sync.py", 4), Site("app/sync.py", 9)),
        granted=(("law/boundaries.toml:12 (owner @team)", 1), ("law/boundaries.jsonl:3", 2)),
        details=("one\ntwo",),
    )
    assert text == (
        "ABT302 forbidden (boundaries): app.sync imports httpx.\n"
        "  importer: app.sync\n"
        "  imported: httpx\n"
        f"  fingerprint: {'ab' * 32}\n"
        "The code has 2; 3 granted.\n"
        "  found at app/sync.py:4\n"
        "  found at app/sync.py:9\n"
        "  granted 1 by law/boundaries.toml:12 (owner @team)\n"
        "  granted 2 by law/boundaries.jsonl:3\n"
        "  one\n"
        "  two\n"
        "What to do: Go through the interface, or have it approved in boundaries.toml; "
        "paid debt goes from boundaries.jsonl.\n"
    )
