from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.blindspots import GATE
from abutment.model.grants import Grants, Recorded
from abutment.model.measurement import Measurement
from abutment.model.violation import Kind
from abutment.semantics.program import Blind, Program
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status
from tests.programs import blind, program
from tests.settings import settings_of

TOP = "<module>"


def measured(found: Program, **table: object) -> Measurement:
    return GATE.measure(found, settings_of(GATE, table), Grants())


@pytest.mark.parametrize(
    ("kind", "what", "rule", "said"),
    [
        ("unresolved", "app.gone", "ABT101", "app.a imports the missing module app.gone"),
        ("past-top", "...up", "ABT102", "app.a imports ...up from above its top package"),
        (
            "shadowed",
            "app/a/__init__.py",
            "ABT103",
            "app.a has a file that app/a/__init__.py hides from every import",
        ),
        ("case-pair", "app/A.py", "ABT104", "app.a and app/A.py differ by case only"),
        ("dynamic", "plug.?", "ABT105", "app.a imports a module chosen at run time (plug.?)"),
        ("loaded", "runpy.run_path", "ABT107", "app.a runs code that no import names (runpy.run_path)"),
        ("missing-name", "app.b.gone", "ABT106", "app.a imports the unbound name app.b.gone"),
    ],
)
def test_each_kind_has_its_rule_clause_and_remedy(kind: str, what: str, rule: str, said: str) -> None:
    found = measured(program("app.a", blind=[blind(kind, "app.a", what, 4)]))
    assert found.counts == {(kind, "app.a", TOP, what): 1}
    evidence = found.describe((kind, "app.a", TOP, what))
    assert (evidence.rule, evidence.what) == (rule, said)
    assert [site.place() for site in evidence.sites] == ["app/a.py:4"]
    assert evidence.remedy
    assert "{policy}" in evidence.remedy


def test_every_kind_has_a_rule_of_its_own() -> None:
    found = measured(program("a"))
    assert {found.describe((kind, "a", TOP, "x")).rule for kind in Blind} == {rule.id for rule in GATE.rules}


def test_a_key_that_the_code_lacks_can_be_described() -> None:
    assert measured(program("a")).describe(("unresolved", "a", TOP, "b")).sites == ()
    assert measured(program("a")).describe(("odd", "a", TOP, "b")).what == "a: b is of no known kind"


def test_repeats_are_counted_and_totalled() -> None:
    found = measured(
        program(
            "a",
            "b",
            blind=[blind("dynamic", "a", "*", 1), blind("dynamic", "a", "*", 2), blind("unresolved", "b", "c")],
        )
    )
    assert found.counts == {("dynamic", "a", TOP, "?"): 2, ("unresolved", "b", TOP, "c"): 1}
    assert found.notes == ("blind spots by kind: 2 dynamic, 1 unresolved.",)
    assert measured(program("a")).notes == ()


def test_another_scope_is_another_blind_spot() -> None:
    found = program("a", blind=[blind("dynamic", "a", "*", 1, "load"), blind("dynamic", "a", "*", 2, "Plug.load")])
    recorded = (Recorded(("dynamic", "a", "find", "?"), 1, 2), Recorded(("dynamic", "a", "load", "?"), 1, 3))
    grants = Grants(recorded=recorded)
    verdict = judge(GATE.terms("law"), measured(found), grants, date(2027, 1, 1))
    told = {(v.kind, dict(v.identity)["qualname"]) for v in verdict.violations}
    assert told == {(Kind.NEW, "Plug.load"), (Kind.GONE, "find")}
    assert measured(found).describe(("dynamic", "a", "load", "?")).what.startswith("a, in load, imports a module")


def test_a_module_left_out_has_no_blind_spots() -> None:
    found = program("a.x", "b", blind=[blind("dynamic", "a.x", "*"), blind("dynamic", "b", "?")])
    kept = measured(found, exclude=["a"])
    assert list(kept.counts) == [("dynamic", "b", TOP, "?")]
    assert (kept.looked_at, kept.faults) == (1, ())


def test_a_selector_that_matches_nothing_leaves_the_gate_unjudged() -> None:
    found = measured(program("a"), exclude=["z"])
    assert [fault.line_text() for fault in found.faults] == [
        "abutment.toml:7: blindspots.exclude[0]: 'z' matches no module. Correct or delete it."
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"exlude": ["a"]}, "exlude: unknown key"),
        ({"exclude": ["a..b"]}, "'a..b' is no dotted module name"),
        ({"exclude": ["a", "a"]}, "'a' is there twice"),
        ({"exclude": "a"}, "expected a list"),
        ({"exclude": [True]}, "expected text, found true"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_a_blind_spot_more_is_grown_and_another_is_new() -> None:
    found = program(
        "a", blind=[blind("dynamic", "a", "*", 1), blind("dynamic", "a", "*", 2), blind("unresolved", "a", "b")]
    )
    grants = Grants(recorded=(Recorded(("dynamic", "a", TOP, "?"), 1, 2),))
    verdict = judge(GATE.terms("law"), measured(found), grants, date(2027, 1, 1))
    assert [(v.kind, v.rule) for v in verdict.violations] == [(Kind.NEW, "ABT101"), (Kind.GROWN, "ABT105")]
    assert verdict.status is Status.BROKEN


def test_no_modules_at_all_is_not_judged() -> None:
    assert judge(GATE.terms("law"), measured(program()), Grants(), date(2027, 1, 1)).status is Status.NOT_JUDGED
