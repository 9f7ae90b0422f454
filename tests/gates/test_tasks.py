from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.tasks import GATE
from abutment.model.grants import Grants
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status
from tests.families import measured
from tests.settings import settings_of

FILES = {
    "reg.py": "class R:\n    def create(self, c, owner): pass\n",
    "m.py": "from reg import R\ndef f(o):\n    R().create(1)\n    R().create(1, owner=o)\n    R().create(1, owner='')\n"
    "    R().create(1, owner='m')\n",
}
TABLE = {"registries": [{"classes": ["reg.R"]}]}


def test_each_fault_of_an_owner_has_its_rule() -> None:
    found = measured(GATE, FILES, **TABLE)
    said = {key[3]: (found.describe(key).rule, found.describe(key).what) for key in found.counts}
    assert said == {
        "missing": ("ABT851", "m, in f, gives a task to reg.R.create without an owner"),
        "dynamic": ("ABT852", "m, in f, gives a task to reg.R.create with an owner that is no literal"),
        "blank": ("ABT853", "m, in f, gives a task to reg.R.create with a blank owner"),
    }
    assert found.notes == ("tasks given to registries: 4.",)
    assert "in no known way" in found.describe(("m", "<module>", "x", "odd")).what


def test_one_is_too_many() -> None:
    verdict = judge(GATE.terms("law"), measured(GATE, FILES, **TABLE), Grants(), date(2027, 1, 1))
    assert (verdict.status, len(verdict.violations)) == (Status.BROKEN, 3)
    assert {violation.document for violation in verdict.violations} == {"law/tasks.toml"}


@pytest.mark.parametrize("key", ["classes", "factories", "functions"])
def test_a_name_that_is_nowhere_leaves_the_gate_unjudged(key: str) -> None:
    (fault,) = measured(GATE, FILES, registries=[{key: ["reg.Q"]}]).faults
    assert fault.line_text() == (
        f"abutment.toml:7: tasks.registries[0].{key}[0]: the code defines no reg.Q. Correct or delete it."
    )


def test_a_module_left_out_is_not_judged() -> None:
    assert measured(GATE, FILES, **TABLE, exclude=["m"]).counts == {}


def test_without_a_registry_nothing_is_judged() -> None:
    assert [fault.message for fault in measured(GATE, FILES).faults] == ["tasks: no registry is named."]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"registry": []}, "registry: unknown key"),
        ({"registries": [{}]}, "names no classes, factories or functions"),
        ({"registries": [{"classes": ["a.B"], "methods": []}]}, "expected at least 1"),
        ({"registries": [{"classes": ["a.B"], "keyword": ""}]}, "must not be empty"),
        ({"registries": [{"classes": ["a.B"], "owner": "x"}]}, "owner: unknown key"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)
