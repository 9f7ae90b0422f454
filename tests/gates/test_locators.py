from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates.locators import GATE
from tests.families import found, measured
from tests.settings import settings_of

TREE = {
    "box.py": "class Box:\n    def get(self, key): return key\nbox = Box()\n",
    "m.py": "from box import box\ndef f(): return box.get('a')\n",
    "main.py": "from box import box\nbox.get('a')\n",
}
RULE = {"id": "box", "names": ["box.Box.get"], "instead": "Take it as an argument."}


def test_an_access_is_counted_by_rule_module_function_target_and_verb() -> None:
    measure = measured(GATE, TREE, rules=[{**RULE, "allow": ["main"]}])
    assert measure.counts == {("box", "m", "f", "box.Box.get", "call"): 1}
    evidence = measure.describe(("box", "m", "f", "box.Box.get", "call"))
    assert (evidence.rule, evidence.what) == ("ABT671", "m, in f, calls box.Box.get (rule box)")
    assert evidence.remedy == "Take it as an argument. Or have it approved in {policy}."


def test_who_may_is_listed_all_the_same() -> None:
    assert found(GATE, TREE, rules=[{**RULE, "allow": ["main"]}]) == ["2 call box.Box.get"] * 2


def test_an_allowance_that_nobody_uses_is_gone() -> None:
    (unused,) = measured(GATE, TREE, rules=[{**RULE, "allow": ["main", "other"]}]).unused
    assert unused.key == ("box", "other", "", "", "allow")
    assert unused.evidence.rule == "ABT672"
    assert unused.evidence.what == "other may use what the rule box names and does not"


def test_a_consumer_is_named_exactly_or_with_what_is_below() -> None:
    tree = {
        "app/__init__.py": "",
        "app/jobs/__init__.py": TREE["main.py"],
        "app/jobs/mail.py": TREE["main.py"],
        "box.py": TREE["box.py"],
    }
    both, exact = (measured(GATE, tree, rules=[{**RULE, "allow": [text]}]).counts for text in ("app.jobs", "=app.jobs"))
    assert both == {}
    assert [key[1] for key in exact] == ["app.jobs.mail"]


def test_an_import_of_anything_below_a_runtime_is_one_of_it() -> None:
    tree = {
        "flow/__init__.py": "",
        "flow/steps.py": "",
        "m.py": "import flow.steps\n",
        "n.py": "from flow import steps\n",
    }
    found = measured(GATE, tree, rules=[{"id": "flow", "names": ["flow"]}])
    assert found.counts == {("flow", name, "<module>", "flow", "import"): 1 for name in "mn"}
    (evidence,) = {found.describe(key).what for key in found.counts if key[1] == "m"}
    assert evidence == "m imports flow (rule flow)"


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("call", "calls"),
        ("set", "changes"),
        ("erase", "changes"),
        ("import", "imports"),
        ("decorate", "decorates with"),
        ("read", "uses"),
    ],
)
def test_each_verb_has_its_word(verb: str, said: str) -> None:
    evidence = measured(GATE, TREE, rules=[RULE]).describe(("box", "m", "<module>", "box.Box.get", verb))
    assert evidence.what == f"m {said} box.Box.get (rule box)"


def test_without_other_words_the_gates_own_remedy_holds() -> None:
    key = ("box", "m", "f", "box.Box.get", "call")
    assert measured(GATE, TREE, rules=[{"id": "box", "names": ["box.Box.get"]}]).describe(key).remedy == GATE.remedy
    assert measured(GATE, TREE, rules=[RULE]).describe(("gone", *key[1:])).remedy == GATE.remedy


def test_a_module_left_out_is_not_judged() -> None:
    assert [key[1] for key in measured(GATE, TREE, rules=[RULE], exclude=["main"]).counts] == ["m"]


def test_an_allowance_of_one_rule_is_none_of_another() -> None:
    rules = [{**RULE, "allow": ["main"]}, {"id": "object", "names": ["box.box"], "allow": []}]
    assert [key[:2] for key in measured(GATE, TREE, rules=rules).counts] == [
        ("box", "m"), ("object", "m"), ("object", "main"),
    ]  # fmt: skip


def test_a_name_that_is_nothing_leaves_the_gate_unjudged() -> None:
    rules = [{"id": "box", "names": ["box.Box.got", "box.bux", "boxes.Box"]}]
    assert [fault.message for fault in measured(GATE, TREE, rules=rules).faults] == [
        "locators.rules[0].names[0]: the code defines no box.Box.got.",
        "locators.rules[0].names[1]: the code defines no box.bux.",
    ]


def test_a_gate_without_rules_is_not_judged() -> None:
    assert [fault.message for fault in measured(GATE, TREE).faults] == ["locators has no rules."]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([{"id": "a"}], "names is missing"),
        ([{"names": ["a"]}], "id is missing"),
        ([{"id": "a", "names": []}], "names"),
        ([{"id": "a b", "names": ["a"]}], "'a b' holds a blank or `*`"),
        ([{"id": "a", "names": ["a"], "allow": ["b..c"]}], "'b..c' is no dotted module name"),
        ([{"id": "a", "names": ["a"], "allowed": ["b"]}], "allowed: unknown key"),
        ([RULE, RULE], "'box' is the id of another rule, too"),
    ],
)
def test_a_wrong_rule_is_said(rules: list[object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"rules": rules})
    assert message in str(refusal.value)
