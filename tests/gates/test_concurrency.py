from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.concurrency import GATE
from abutment.gates.concurrency_list import KINDS, PRIMITIVES
from abutment.model.grants import Grants, Recorded
from abutment.model.violation import Kind
from abutment.verdicts.judge import judge
from tests.families import measured
from tests.settings import settings_of

TEXT = "import threading\nclass C:\n    def m(self):\n        threading.Thread(target=f)\n"


def test_every_kind_has_a_rule_and_a_clause_of_its_own() -> None:
    found = measured(GATE, "")
    said = {kind: found.describe(("m", "f", "x.y", kind)) for kind in KINDS}
    assert {one.rule for one in said.values()} == {rule.id for rule in GATE.rules} - {"ABT809"}
    assert len({one.what for one in said.values()}) == len(KINDS)
    assert said["thread"].what == "m, in f, starts a thread that nobody answers for (x.y)"
    assert found.describe(("m", "<module>", "x.y", "odd")).what == "m is of no known kind: odd"


def test_what_somebody_answers_for_is_listed_and_not_counted() -> None:
    assert measured(GATE, TEXT).counts == {("m", "C.m", "threading.Thread", "thread"): 1}
    found = measured(GATE, TEXT, owners=["m.C"])
    assert found.counts == {}
    assert found.notes == ("answered for: 1 owner.",)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"registries": ["m.C"], "owners": ["m"]}, "nothing is started in m that it would have to answer for"),
        ({"restricted": [{"module": "m", "names": ["asyncio"]}]}, "m starts nothing by asyncio"),
        (
            {"owners": ["m.C"], "restricted": [{"module": "m", "names": ["threading", "os"]}]},
            "m starts nothing by os, threading",  # the owner answers for it
        ),
    ],
)
def test_what_answers_for_nothing_is_gone(table: dict[str, object], text: str) -> None:
    (unused,) = measured(GATE, TEXT, **table).unused
    assert (unused.evidence.rule, unused.evidence.what, unused.evidence.remedy) == ("ABT809", text, "Delete the line.")
    assert [site.place() for site in unused.evidence.sites] == ["abutment.toml:7"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"owners": ["m.D"]}, "the code defines no m.D"),
        ({"registries": ["other.C"]}, "concurrency.registries[0]: other.C is not of this codebase"),
        ({"owners": ["m.threading.Thread"]}, "concurrency.owners[0]: m.threading.Thread is not of this codebase"),
        ({"restricted": [{"module": "n", "names": ["asyncio"]}]}, "'n' matches no module"),
    ],
)
def test_a_name_that_is_nowhere_leaves_the_gate_unjudged(table: dict[str, object], message: str) -> None:
    (fault,) = measured(GATE, TEXT, **table).faults
    assert message in fault.message


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"owner": ["a"]}, "owner: unknown key"),
        ({"owners": ["a", "a"]}, "'a' is there twice"),
        ({"not_concurrency": ["asyncio.crate_task"]}, "'asyncio.crate_task' is not in the list"),
        ({"also": [{"name": "a.b", "kind": "fibre"}]}, "expected one of raw_task"),
        ({"restricted": [{"module": "a"}]}, "names is missing"),
        ({"restricted": [{"module": "a..b", "names": ["x"]}]}, "'a..b' is no dotted module name"),
        ({"restricted": [{"module": "a", "names": ["x"], "why": "y"}]}, "why: unknown key"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT, []),
        (f"\n\n{TEXT}", []),
        (f"{TEXT}        threading.Thread(target=f)\n", [(Kind.GROWN, "C.m")]),
        (f"{TEXT}def g(): threading.Thread(target=f)\n", [(Kind.NEW, "g")]),
        (TEXT.replace("m(self)", "n(self)"), [(Kind.GONE, "C.m"), (Kind.NEW, "C.n")]),
        (TEXT.replace("Thread(target=f)", "Timer(1, f)"), [(Kind.GONE, "C.m"), (Kind.NEW, "C.m")]),
        ("import threading\nthreading.Thread(target=f)\n", [(Kind.GONE, "C.m"), (Kind.NEW, "<module>")]),
    ],
)
def test_each_place_is_held_by_its_function(text: str, told: list[tuple[Kind, str]]) -> None:
    grants = Grants(recorded=(Recorded(("m", "C.m", "threading.Thread", "thread"), 1, 2),))
    verdict = judge(GATE.terms("law"), measured(GATE, text), grants, date(2027, 1, 1))
    assert sorted((one.kind, dict(one.identity)["qualname"]) for one in verdict.violations) == told


def test_a_name_is_a_registry_or_an_owner() -> None:
    with pytest.raises(NotJudged, match=r"owners\[1\]: 'm.C' is a registry, too"):
        settings_of(GATE, {"registries": ["m.C"], "owners": ["m.D", "m.C"]})


def test_an_owner_that_is_nowhere_is_not_told_to_start_nothing() -> None:
    assert measured(GATE, TEXT, owners=["m.D", "other.C"], restricted=[{"module": "n", "names": ["os"]}]).unused == ()


def test_a_name_is_taken_out_under_all_its_addresses() -> None:
    kept = settings_of(GATE, {"not_concurrency": ["asyncio.AbstractEventLoop.call_soon"]}).primitives
    assert not any(name.endswith(".call_soon") for name in kept)
    one = settings_of(GATE, {"not_concurrency": ["asyncio.tasks.create_task"]}).primitives
    assert PRIMITIVES.keys() - one.keys() == {"asyncio.tasks.create_task"}
    assert len(PRIMITIVES) > len(kept) > 100


def test_a_module_left_out_is_not_judged() -> None:
    assert measured(GATE, {"a.py": TEXT, "b.py": ""}, exclude=["a"]).counts == {}
