from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.configuration import GATE
from abutment.model.grants import Approval, Grants
from abutment.model.site import Site
from abutment.model.violation import Kind
from abutment.verdicts.judge import judge
from tests.families import found, measured
from tests.settings import settings_of

TREE = {
    "config.py": "class Settings: pass\nsettings = Settings()\n",
    "m.py": "from config import Settings, settings\nSettings()\n",
    "n.py": "import config\ndef f(): return config.settings.debug\n",
}
TABLE: dict[str, list[str]] = {"objects": ["config.settings"], "classes": ["config.Settings"]}


def test_each_place_is_a_fact_with_its_words() -> None:
    measure = measured(GATE, TREE, None, **TABLE)
    assert {key: measure.describe(key).rule for key in measure.counts} == {
        ("m", "<module>", "config.settings", "import"): "ABT661",
        ("n", "f", "config.settings", "access"): "ABT662",
        ("m", "<module>", "config.Settings", "construction"): "ABT663",
    }
    said = [measure.describe(key).what for key in measure.counts]
    assert said == ["m imports config.settings", "n, in f, uses config.settings", "m constructs config.Settings"]


def test_the_totals_are_told() -> None:
    assert measured(GATE, TREE, None, **TABLE).notes == ("configuration taken: 1 import, 1 access, 1 construction.",)


def test_the_listing_names_the_target() -> None:
    assert found(GATE, TREE, objects=["config.settings"]) == [
        "1 import config.settings",
        "2 access config.settings",
    ]


@pytest.mark.parametrize("name", ["config.setings", "config.settings2", "conf.settings", "config.Settings.nothing"])
def test_a_name_that_is_nothing_leaves_the_gate_unjudged(name: str) -> None:
    tree = {**TREE, "conf/__init__.py": ""}
    (fault,) = measured(GATE, tree, objects=[name]).faults
    assert fault.message == f"configuration.objects[0]: the code defines no {name}."


def test_names_of_other_packages_are_taken_at_their_word() -> None:
    tree = {"m.py": "from django.conf import settings\n"}
    measure = measured(GATE, tree, objects=["django.conf.settings"])
    assert not measure.faults
    assert measure.counts == {("m", "<module>", "django.conf.settings", "import"): 1}


def test_a_gate_that_names_nothing_is_not_judged() -> None:
    assert [fault.message for fault in measured(GATE, TREE).faults] == ["configuration names nothing."]


def test_a_module_left_out_is_not_judged() -> None:
    assert {key[0] for key in measured(GATE, TREE, None, **TABLE, exclude=["n"]).counts} == {"m"}


def test_each_construction_counts() -> None:
    tree = {**TREE, "m.py": "from config import Settings\ndef f(): return Settings(), Settings()\n", "n.py": ""}
    assert measured(GATE, tree, classes=["config.Settings"]).counts == {
        ("m", "f", "config.Settings", "construction"): 2
    }


def test_what_is_approved_is_held_exactly() -> None:
    keys = [("m", "<module>", "config.settings", "import"), ("main", "<module>", "config.settings", "import")]
    approvals = tuple(
        Approval(key, 1, "exception", "core", "hands it in", None, None, None, False, Site("law/configuration.toml", 3))
        for key in keys
    )
    grants = Grants(approvals=approvals)
    verdict = judge(
        GATE.terms("law"), measured(GATE, TREE, grants, objects=["config.settings"]), grants, date(2027, 1, 1)
    )
    assert [(one.kind, dict(one.identity)["module"]) for one in verdict.violations] == [
        (Kind.GONE, "main"),
        (Kind.NEW, "n"),
    ]


def test_a_wrong_table_is_said() -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"objects": [3], "class": []})
    assert "expected text, found 3" in str(refusal.value)
    assert "class: unknown key" in str(refusal.value)
