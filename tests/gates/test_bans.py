from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates.bans import GATE
from tests.families import measured
from tests.settings import settings_of

RULE: dict[str, object] = {"id": "no-print", "names": ["builtins.print"], "instead": "Log it."}


def test_a_use_is_counted_by_rule_module_function_and_target() -> None:
    found = measured(GATE, "def f():\n    print('')\n    print('')\nprint('')", rules=[RULE])
    assert found.counts == {
        ("no-print", "m", "f", "builtins.print"): 2,
        ("no-print", "m", "<module>", "builtins.print"): 1,
    }
    evidence = found.describe(("no-print", "m", "f", "builtins.print"))
    assert evidence.rule == "ABT501"
    assert evidence.what == "m, in f, uses builtins.print, which the rule no-print bans"
    assert evidence.remedy == "Log it. Or have it approved in {policy}."


def test_without_other_words_the_gates_own_remedy_holds() -> None:
    found = measured(GATE, "print('')", rules=[{"id": "r", "names": ["builtins.print"]}])
    assert found.describe(("r", "m", "<module>", "builtins.print")).remedy == GATE.remedy
    assert "{policy}" in GATE.remedy


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"id": "a"}, "names is missing"),
        ({"names": ["a"]}, "id is missing"),
        ({"id": "a", "names": []}, "names"),
        ({"id": "no *", "names": ["a"]}, "'no *' holds a blank or `*`"),
        ({"id": "a", "names": ["print"]}, "'print' is a builtin. Write 'builtins.print'."),
        ({"id": "a", "names": ["a"], "where": ["b"]}, "where: unknown key"),
        ({"id": "a", "names": ["a"], "in": ["b..c"]}, "'b..c' is no dotted module name"),
    ],
)
def test_a_wrong_rule_is_said(rule: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"rules": [rule]})
    assert message in str(refusal.value)


def test_an_id_is_given_once() -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"rules": [RULE, RULE]})
    assert "'no-print' is the id of another rule, too" in str(refusal.value)


def test_a_gate_without_rules_is_said() -> None:
    assert [fault.message for fault in measured(GATE, "print('')").faults] == ["bans has no rules."]


def test_a_selector_that_matches_nothing_leaves_the_gate_unjudged() -> None:
    for key in ("in", "except"):
        faults = measured(GATE, "print('')", rules=[{**RULE, key: ["gone"]}]).faults
        assert [fault.line_text() for fault in faults] == [
            f"abutment.toml:7: bans.rules[0].{key}[0]: 'gone' matches no module. Correct or delete it."
        ]
